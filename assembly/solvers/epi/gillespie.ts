// The exact stochastic model: one event after the other, in whole people, many runs from one seed.
//
// The events of group g and their rates: infection λ S, onset σ E, recovery γ I, return of the recovered (ω + μ) R,
// vaccination ν S, and replacement of an exposed or an infectious by a newborn, μ E and μ I. A window begins between two
// events: what is left of a waiting time is drawn again, which exponential waiting allows. A run ends with its last
// infected. Gillespie, J. Phys. Chem. 81 (1977) 2340, doi:10.1021/j100540a008.
import { uniformPair } from '../../numerics/random';
import { get, set } from '../../numerics/vector';
import { windowAt } from './curve';
import {
  count,
  forceOn,
  gamma,
  groups,
  hasExposed,
  infectionsOffset,
  infectiousOffset,
  mu,
  nu,
  omega,
  recoveredOffset,
  sigma,
  total,
} from './model';

/** Kinds of events of a group, in an order in which a simple model has the first few only. */
const INFECTION: i32 = 0;
const RECOVERY: i32 = 1;
const ONSET: i32 = 2;
const VACCINATION: i32 = 3;
const RETURN: i32 = 4;
const LOSS_EXPOSED: i32 = 5;
const LOSS_INFECTIOUS: i32 = 6;
export const EVENT_KINDS: i32 = 7;

/** Columns of the outcome of a run; the time of its end is `days` if infected are left. */
export const OUTCOME_COLUMNS: i32 = 5;

const PAIR: usize = memory.data(16, 16);

export let completed: i32 = 0;
export let events: f64 = 0;

let runs: i32 = 0;
let start: usize = 0;
let y: usize = 0;
let rates: usize = 0;
let times: usize = 0;
let timeCount: i32 = 0;
let paths: usize = 0;
let outcomes: usize = 0;
let days: f64 = 0;
let time: f64 = 0;
let until: f64 = 0;
let index: u64 = 0;
let row: i32 = 0;
let peak: f64 = 0;
let peakTime: f64 = 0;
/** Kinds of this window: those behind have no rate. */
let kinds: i32 = EVENT_KINDS;
/** Infectious, and exposed and infectious, of all groups. */
let infectious: f64 = 0;
let infected: f64 = 0;

/**
 * @param startStates  f64[count], whole numbers
 * @param work         f64[count + groups · EVENT_KINDS]
 * @param pathTable    f64[runs, timeCount], the infectious, written
 * @param outcomeTable f64[runs, OUTCOME_COLUMNS]: infections, peak, its time, end, infected at the end; written
 */
export function startEnsemble(
  runCount: i32,
  startStates: usize,
  sampleTimes: usize,
  timesGiven: i32,
  end: f64,
  work: usize,
  pathTable: usize,
  outcomeTable: usize,
): void {
  runs = runCount;
  start = startStates;
  times = sampleTimes;
  timeCount = timesGiven;
  days = end;
  y = work;
  rates = work + ((<usize>count) << 3);
  paths = pathTable;
  outcomes = outcomeTable;
  completed = 0;
  events = 0;
  startRun();
}

function startRun(): void {
  for (let i = 0; i < count; i++) set(y, i, get(start, i));
  time = 0;
  index = 0;
  row = 0;
  infectious = total(y + infectiousOffset);
  infected = infectious + (hasExposed ? total(y + ((<usize>groups) << 3)) : 0);
  peak = infectious;
  peakTime = 0;
  enterWindow(0);
}

function enterWindow(t: f64): void {
  until = windowAt(t);
  kinds = mu > 0 || omega > 0 ? EVENT_KINDS : nu > 0 ? VACCINATION + 1 : hasExposed ? ONSET + 1 : RECOVERY + 1;
  for (let g = 0; g < groups; g++) updateRates(g);
}

function compartment(offset: usize, g: i32): usize {
  return y + offset + ((<usize>g) << 3);
}

function updateRates(g: i32): void {
  const out = rates + ((<usize>(g * EVENT_KINDS)) << 3);
  const s = get(y, g);
  const i = load<f64>(compartment(infectiousOffset, g));
  set(out, INFECTION, forceOn(g, y + infectiousOffset) * s);
  set(out, RECOVERY, gamma * i);
  if (kinds <= ONSET) return;
  const e = hasExposed ? get(y, groups + g) : 0;
  set(out, ONSET, sigma * e);
  if (kinds <= VACCINATION) return;
  set(out, VACCINATION, nu * s);
  if (kinds <= RETURN) return;
  set(out, RETURN, (omega + mu) * load<f64>(compartment(recoveredOffset, g)));
  set(out, LOSS_EXPOSED, mu * e);
  set(out, LOSS_INFECTIOUS, mu * i);
}

/** One event, or the begin of a window. */
export function advanceEnsemble(): void {
  if (completed === runs) return;
  if (infected === 0) {
    endRun();
    return;
  }
  let sum: f64 = 0;
  for (let g = 0; g < groups; g++) {
    const row = rates + ((<usize>(g * EVENT_KINDS)) << 3);
    for (let k = 0; k < kinds; k++) sum += get(row, k);
  }
  uniformPair(PAIR, <u32>completed, index);
  index++;
  events += 1;
  // Nothing can happen in this window if the sum is 0: the waiting time is infinite.
  const next = time - Math.log(get(PAIR, 0)) / sum;
  if (!(next < until)) {
    recordUntil(until);
    time = until;
    if (until >= days) endRun();
    else enterWindow(time);
    return;
  }
  recordUntil(next);
  time = next;
  choose(get(PAIR, 1) * sum);
}

/** Makes the event at the mark on the line of all rates. */
function choose(mark: f64): void {
  let left = mark;
  let group = 0;
  let kind = 0;
  for (let g = 0; g < groups; g++) {
    const row = rates + ((<usize>(g * EVENT_KINDS)) << 3);
    for (let k = 0; k < kinds; k++) {
      const rate = get(row, k);
      if (rate === 0) continue;
      group = g;
      kind = k;
      if (left < rate) {
        happen(g, k);
        return;
      }
      left -= rate;
    }
  }
  // Rounding at the end of the line: the last event that can happen.
  happen(group, kind);
}

function move(from: usize, to: usize): void {
  store<f64>(from, load<f64>(from) - 1);
  store<f64>(to, load<f64>(to) + 1);
}

function happen(g: i32, kind: i32): void {
  const susceptible = compartment(0, g);
  const exposed = compartment((<usize>groups) << 3, g);
  const sick = compartment(infectiousOffset, g);
  const recovered = compartment(recoveredOffset, g);
  const before = infectious;
  if (kind === INFECTION) {
    infected += 1;
    const infections = compartment(infectionsOffset, g);
    store<f64>(infections, load<f64>(infections) + 1);
    if (hasExposed) move(susceptible, exposed);
    else {
      move(susceptible, sick);
      infectious += 1;
    }
  } else if (kind === RECOVERY) {
    move(sick, recovered);
    infectious -= 1;
    infected -= 1;
  } else if (kind === ONSET) {
    move(exposed, sick);
    infectious += 1;
  } else if (kind === RETURN) move(recovered, susceptible);
  else if (kind === VACCINATION) move(susceptible, recovered);
  else if (kind === LOSS_EXPOSED) {
    move(exposed, susceptible);
    infected -= 1;
  } else {
    move(sick, susceptible);
    infectious -= 1;
    infected -= 1;
  }
  if (infectious === before) {
    updateRates(g);
    return;
  }
  for (let h = 0; h < groups; h++) updateRates(h);
  if (infectious > peak) {
    peak = infectious;
    peakTime = time;
  }
}

/** Samples before `t` show the state that lasted until then. */
function recordUntil(t: f64): void {
  if (row === timeCount || get(times, row) > t) return;
  const path = paths + ((<usize>(completed * timeCount)) << 3);
  while (row < timeCount && (get(times, row) < t || t >= days)) {
    set(path, row, infectious);
    row++;
  }
}

function endRun(): void {
  const outcome = outcomes + ((<usize>(completed * OUTCOME_COLUMNS)) << 3);
  set(outcome, 0, total(y + infectionsOffset));
  set(outcome, 1, peak);
  set(outcome, 2, peakTime);
  set(outcome, 3, infected > 0 ? days : time);
  set(outcome, 4, infected);
  // Without infected the samples that are left stay at 0.
  const path = paths + ((<usize>(completed * timeCount)) << 3);
  for (; row < timeCount; row++) set(path, row, 0);
  completed++;
  if (completed < runs) startRun();
}
