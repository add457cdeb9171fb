// Outages of one branch each, from the DC flow by distribution factors.
//
// Without branch l the flow of branch m is f_m + LODF_ml f_l with LODF_ml = b_m (y_i − y_j) / (1 − h), B y = e_from − e_to of
// l, h = b_l (y_from − y_to). h = 1 if l alone joins two parts. Wood, Wollenberg & Sheblé, Power Generation, Operation and
// Control (3rd ed., 2014), chapter 7.
import { get, set } from '../../numerics/vector';
import { Direct, solveDipole, susceptance } from './direct';
import { allocateAtLeastOne, BranchColumn, branchValue, fromBus, inService, Network, toBus } from './network';

/** 1 − h below this is no outage that leaves the network whole. */
const MIN_REMAINDER: f64 = 1e-9;
/** A flow that rounding puts above its rating is no overload. */
const SLACK: f64 = 1e-9;

/**
 * state: 0 not in service, 1 computed, 2 parts the network, 3 not computable; worst: the branch that suffers most, −1 if
 * none; flow of it afterwards; severity: its loading, or the growth of its flow where no branch has a rating; overloads, how
 * many branches exceed their ratings; remainder 1 − h.
 */
export enum OutageColumn {
  state,
  worst,
  flow,
  severity,
  overloads,
  remainder,
}
const OUTAGE_COLUMNS: i32 = 6;

export namespace Outages {
  /** f64[branches, OUTAGE_COLUMNS] */
  export let table: usize = 0;
  /** f64[branches, buses] and f64[branches, branches], the outage last; 0 unless they are asked for. */
  export let distribution: usize = 0;
  export let transfer: usize = 0;
}

let y: usize = 0;
let areAsked = false;
let hasRatings = false;
let hasFactors = false;

/** @returns whether there was memory */
export function allocateOutages(asked: bool, factors: bool): bool {
  const m = Network.branches;
  areAsked = asked;
  hasFactors = factors;
  Outages.table = allocateAtLeastOne(asked ? m * OUTAGE_COLUMNS : 1);
  Outages.distribution = allocateAtLeastOne(factors ? m * Network.buses : 1);
  Outages.transfer = allocateAtLeastOne(factors ? m * m : 1);
  y = allocateAtLeastOne(Network.buses);
  return Outages.table !== 0 && Outages.distribution !== 0 && Outages.transfer !== 0 && y !== 0;
}

export function startOutages(): void {
  hasRatings = false;
  for (let l = 0; l < Network.branches; l++)
    if (inService(l) && branchValue(l, BranchColumn.rating) > 0) hasRatings = true;
}

/** One branch: its outage, and its rows and columns of factors. */
export function computeOutage(l: i32): void {
  const state = branchValue(l, BranchColumn.state);
  const row = Outages.table + ((<usize>(l * OUTAGE_COLUMNS)) << 3);
  if (areAsked) {
    set(row, OutageColumn.state, state);
    set(row, OutageColumn.worst, -1);
  }
  if (state === 0) return;
  solveDipole(l, y);
  const b = susceptance(l);
  if (hasFactors) {
    const target = Outages.distribution + ((<usize>(l * Network.buses)) << 3);
    for (let i = 0; i < Network.buses; i++) set(target, i, b * get(y, i));
  }
  const remainder = 1 - b * (get(y, fromBus(l)) - get(y, toBus(l)));
  if (areAsked) set(row, OutageColumn.remainder, remainder);
  if (state !== 1) return;
  if (!(Math.abs(remainder) > MIN_REMAINDER)) {
    if (areAsked) set(row, OutageColumn.state, 3);
    return;
  }
  let worst = -1;
  let severity: f64 = -Infinity;
  let overloads: f64 = 0;
  let flow: f64 = 0;
  for (let m = 0; m < Network.branches; m++) {
    if (!inService(m)) continue;
    const factor = m === l ? -1 : (susceptance(m) * (get(y, fromBus(m)) - get(y, toBus(m)))) / remainder;
    if (hasFactors) set(Outages.transfer, m * Network.branches + l, factor);
    if (m === l) continue;
    const before = get(Direct.flows, m);
    const after = before + factor * get(Direct.flows, l);
    const rating = branchValue(m, BranchColumn.rating);
    if (hasRatings && rating === 0) continue;
    if (hasRatings && Math.abs(after) > rating * (1 + SLACK)) overloads += 1;
    const own = hasRatings ? Math.abs(after) / rating : Math.abs(after) - Math.abs(before);
    if (!(own > severity)) continue;
    severity = own;
    worst = m;
    flow = after;
  }
  if (!areAsked || worst < 0) return;
  set(row, OutageColumn.worst, <f64>worst);
  set(row, OutageColumn.flow, flow);
  set(row, OutageColumn.severity, severity);
  set(row, OutageColumn.overloads, overloads);
}
