// The compartments S, E, I, R of every group and the infections C so far: layout, rates, and the right side.
//
//   λ_g = β φ(t) Σ_h c_gh I_h / N_h
//   S' = μ N − λ S − (ν + μ) S + ω R     E' = λ S − (σ + μ) E     I' = σ E − (γ + μ) I
//   R' = γ I + ν S − (μ + ω) R           C' = λ S
//
// Without E, infections go to I at once. φ and ν are constant within a window. Kermack & McKendrick, Proc. R. Soc. A 115
// (1927) 700; groups: Diekmann & Heesterbeek, Mathematical Epidemiology of Infectious Diseases (2000).
import { get, set } from '../../numerics/vector';

/** Number of groups, and of states: [S, E?, I, R, C] each of f64[groups]. */
export let groups: i32 = 1;
export let count: i32 = 4;
export let hasExposed = false;
/** Address of f64[groups] of I within f64[count], in bytes; of R and C. */
export let infectiousOffset: usize = 0;
export let recoveredOffset: usize = 0;
export let infectionsOffset: usize = 0;

export let beta: f64 = 0;
export let gamma: f64 = 0;
export let sigma: f64 = 0;
/** Births and deaths, and loss of immunity. */
export let mu: f64 = 0;
export let omega: f64 = 0;
/** Of the present window: factor of β, and rate of vaccination. */
export let factor: f64 = 1;
export let nu: f64 = 0;

/** f64[groups, groups], c_gh / N_h; f64[groups], N. */
export let contacts: usize = 0;
export let population: usize = 0;

export function setModel(groupCount: i32, withExposed: bool, contactMatrix: usize, sizes: usize): void {
  groups = groupCount;
  hasExposed = withExposed;
  count = (withExposed ? 5 : 4) * groupCount;
  const block = (<usize>groupCount) << 3;
  infectiousOffset = withExposed ? 2 * block : block;
  recoveredOffset = infectiousOffset + block;
  infectionsOffset = recoveredOffset + block;
  contacts = contactMatrix;
  population = sizes;
}

export function setRates(newBeta: f64, newGamma: f64, newSigma: f64, newMu: f64, newOmega: f64): void {
  beta = newBeta;
  gamma = newGamma;
  sigma = newSigma;
  mu = newMu;
  omega = newOmega;
}

export function setWindow(newFactor: f64, newNu: f64): void {
  factor = newFactor;
  nu = newNu;
}

/** The force of infection on group g. @param infectious  f64[groups] */
export function forceOn(g: i32, infectious: usize): f64 {
  const row = contacts + ((<usize>(g * groups)) << 3);
  let sum: f64 = 0;
  for (let h = 0; h < groups; h++) sum += get(row, h) * get(infectious, h);
  return beta * factor * sum;
}

export function derivatives(_t: f64, y: usize, out: usize): void {
  const exposedOffset = (<usize>groups) << 3;
  for (let g = 0; g < groups; g++) {
    const at = (<usize>g) << 3;
    const s = load<f64>(y + at);
    const i = load<f64>(y + infectiousOffset + at);
    const r = load<f64>(y + recoveredOffset + at);
    const infections = forceOn(g, y + infectiousOffset) * s;
    let onset = infections;
    if (hasExposed) {
      const e = load<f64>(y + exposedOffset + at);
      onset = sigma * e;
      store<f64>(out + exposedOffset + at, infections - (sigma + mu) * e);
    }
    store<f64>(out + at, mu * get(population, g) - infections - (nu + mu) * s + omega * r);
    store<f64>(out + infectiousOffset + at, onset - (gamma + mu) * i);
    store<f64>(out + recoveredOffset + at, gamma * i + nu * s - (mu + omega) * r);
    store<f64>(out + infectionsOffset + at, infections);
  }
}

/** Σ over the groups of one compartment. @param block  f64[groups] */
export function total(block: usize): f64 {
  let sum: f64 = 0;
  for (let g = 0; g < groups; g++) sum += get(block, g);
  return sum;
}

/** Restores the states of a start: S is what is left of N. @param start  f64[count] */
export function fillSusceptible(start: usize): void {
  for (let g = 0; g < groups; g++) {
    const at = (<usize>g) << 3;
    const exposed = hasExposed ? load<f64>(start + ((<usize>groups) << 3) + at) : 0;
    const rest = exposed + load<f64>(start + infectiousOffset + at) + load<f64>(start + recoveredOffset + at);
    set(start, g, get(population, g) - rest);
  }
}
