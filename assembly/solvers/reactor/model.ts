// Point kinetics with six groups of delayed neutrons, and a temperature that acts back:
//
//   n' = ((ρ − β)/Λ) n + Σ λ_i c_i + S     c_i' = (β_i/Λ) n − λ_i c_i     β = Σ β_i
//   ϑ' = a (n − n_r) − k ϑ                  ρ = ρ(t) + α ϑ
//
// ρ(t) is piecewise: a + b (t − t₀) + s sin(ω (t − t₀)) from t₀ on. States: n, c₁ … c₆, ϑ, ∫n dt.
import '../../numerics/trigonometric';
import { get, set } from '../../numerics/vector';

export const GROUPS: i32 = 6;
export const THETA: i32 = 7;
export const INTEGRAL: i32 = 8;
export const STATES: i32 = 9;
/** Begin, value there, slope, amplitude and angular frequency. */
export const SEGMENT_COLUMNS: i32 = 5;

/** β_i/Λ and λ_i, f64[GROUPS] each. */
export let births: usize = 0;
export let decays: usize = 0;
export let lifetime: f64 = 1;
export let source: f64 = 0;
export let coefficient: f64 = 0;
export let heating: f64 = 0;
export let cooling: f64 = 0;
export let reference: f64 = 0;
/** β/Λ. */
export let prompt: f64 = 0;

let segments: usize = 0;
let count: i32 = 0;
let segment: usize = 0;
let part: i32 = 0;

/** @param groups  f64[2, GROUPS]: β_i and λ_i; table f64[segmentCount, SEGMENT_COLUMNS]; work f64[GROUPS] */
export function setKinetics(
  groups: usize,
  generation: f64,
  neutrons: f64,
  table: usize,
  segmentCount: i32,
  work: usize,
): void {
  births = work;
  decays = groups + ((<usize>GROUPS) << 3);
  lifetime = generation;
  source = neutrons;
  segments = table;
  count = segmentCount;
  prompt = 0;
  for (let i = 0; i < GROUPS; i++) {
    set(births, i, get(groups, i) / generation);
    prompt += get(births, i);
  }
}

export function setFeedback(alpha: f64, perPower: f64, perTime: f64, steady: f64): void {
  coefficient = alpha;
  heating = perPower;
  cooling = perTime;
  reference = steady;
}

/** Begins with the first part of the program. */
export function resetProgram(): void {
  part = 0;
}

/** Enters the part of the program that holds t, from the present one on. @returns its end, Infinity for the last */
export function enterSegment(t: f64): f64 {
  while (part + 1 < count && beginOf(part + 1) <= t) part++;
  segment = segments + ((<usize>(part * SEGMENT_COLUMNS)) << 3);
  return part + 1 < count ? beginOf(part + 1) : Infinity;
}

function beginOf(i: i32): f64 {
  return get(segments, i * SEGMENT_COLUMNS);
}

/** ρ of the program, in the present part. */
export function reactivityAt(t: f64): f64 {
  const since = t - get(segment, 0);
  const line = get(segment, 1) + get(segment, 2) * since;
  const amplitude = get(segment, 3);
  return amplitude === 0 ? line : line + amplitude * Math.sin(get(segment, 4) * since);
}

export function reactivitySlopeAt(t: f64): f64 {
  const amplitude = get(segment, 3);
  if (amplitude === 0) return get(segment, 2);
  const omega = get(segment, 4);
  return get(segment, 2) + amplitude * omega * Math.cos(omega * (t - get(segment, 0)));
}

/** A time scale of the present part: of its waves. */
export function longestStep(): f64 {
  return get(segment, 3) === 0 ? Infinity : 0.5 / get(segment, 4);
}

/** The slopes of all states. */
export function kinetics(t: f64, y: usize, out: usize): void {
  const n = get(y, 0);
  const rho = reactivityAt(t) + coefficient * get(y, THETA);
  let delayed = source;
  for (let i = 0; i < GROUPS; i++) {
    const decayed = get(decays, i) * get(y, 1 + i);
    delayed += decayed;
    set(out, 1 + i, get(births, i) * n - decayed);
  }
  set(out, 0, (rho / lifetime - prompt) * n + delayed);
  set(out, THETA, heating * (n - reference) - cooling * get(y, THETA));
  set(out, INTEGRAL, n);
}

/** ∂f/∂y and ∂f/∂t of `kinetics`. @param jacobian  f64[STATES² + STATES] */
export function kineticsJacobian(t: f64, y: usize, jacobian: usize): void {
  memory.fill(jacobian, 0, (<usize>(STATES * (STATES + 1))) << 3);
  const rho = reactivityAt(t) + coefficient * get(y, THETA);
  set(jacobian, 0, rho / lifetime - prompt);
  set(jacobian, THETA, (coefficient / lifetime) * get(y, 0));
  for (let i = 0; i < GROUPS; i++) {
    set(jacobian, 1 + i, get(decays, i));
    set(jacobian, (1 + i) * STATES, get(births, i));
    set(jacobian, (1 + i) * STATES + 1 + i, -get(decays, i));
  }
  set(jacobian, THETA * STATES, heating);
  set(jacobian, THETA * STATES + THETA, -cooling);
  set(jacobian, INTEGRAL * STATES, 1);
  set(jacobian, STATES * STATES, (reactivitySlopeAt(t) / lifetime) * get(y, 0));
}
