// The network of a power flow: buses, branches, and where their entries are in the factors.
//
// A branch is a series impedance with its charging halved to both ends, behind an ideal transformer t e^{jφ} at its from
// end. Zimmerman, Murillo-Sánchez & Thomas, IEEE Transactions on Power Systems 26 (2011) 12, section III.
import { allocate, allocateF64 } from '../../kernel';
import { allocateIndices, getIndex, setIndex } from '../../numerics/csr/indices';
import { allocateOrdering, entryOf, Ordering } from '../../numerics/csr/minimum-degree';
import { get } from '../../numerics/vector';

/** Kinds of a bus. A dead one is isolated, or in a part without a source. */
export const PQ: f64 = 0;
export const PV: f64 = 1;
export const REFERENCE: f64 = 2;
export const DEAD: f64 = 3;

/** Powers in per unit, angles in rad. p and q: injections without shunts; qLow and qHigh: their limits at a PV bus. */
export enum BusColumn {
  kind,
  p,
  q,
  conductance,
  susceptance,
  voltage,
  startVoltage,
  angle,
  qLow,
  qHigh,
}
export const BUS_COLUMNS: i32 = 10;

/** cosine and sine of the phase shift; rating 0: none; state 0: out of service, 1: in service, 2: parts the network. */
export enum BranchColumn {
  from,
  to,
  resistance,
  reactance,
  charging,
  tap,
  shift,
  cosine,
  sine,
  rating,
  state,
}
export const BRANCH_COLUMNS: i32 = 11;

export namespace Network {
  export let buses: i32 = 0;
  export let branches: i32 = 0;
  /** f64[buses, BUS_COLUMNS] and f64[branches, BRANCH_COLUMNS] */
  export let bus: usize = 0;
  export let branch: usize = 0;
  /** i32[branches]: the entry of its two buses in the factor; −1 if one of them is no unknown. */
  export let entries: usize = 0;
  /** Entries of the factor. */
  export let fill: i32 = 0;
}

export function busValue(i: i32, column: i32): f64 {
  return get(Network.bus, i * BUS_COLUMNS + column);
}

export function branchValue(l: i32, column: i32): f64 {
  return get(Network.branch, l * BRANCH_COLUMNS + column);
}

export function fromBus(l: i32): i32 {
  return <i32>branchValue(l, BranchColumn.from);
}

export function toBus(l: i32): i32 {
  return <i32>branchValue(l, BranchColumn.to);
}

export function inService(l: i32): bool {
  return branchValue(l, BranchColumn.state) !== 0;
}

/** Whether the voltage of a bus is unknown. */
export function isFree(i: i32): bool {
  return busValue(i, BusColumn.kind) < REFERENCE;
}

export function isDead(i: i32): bool {
  return busValue(i, BusColumn.kind) === DEAD;
}

/** @returns whether there was memory. @param fill  room for the pattern of the factor */
export function allocateNetwork(buses: i32, branches: i32, fill: i32): bool {
  Network.buses = buses;
  Network.branches = branches;
  Network.bus = allocateF64(buses * BUS_COLUMNS);
  Network.branch = allocateF64(max(1, branches * BRANCH_COLUMNS));
  Network.entries = allocateIndices(branches);
  return (
    Network.bus !== 0 && Network.branch !== 0 && Network.entries !== 0 && allocateOrdering(buses, 2 * branches, fill)
  );
}

/** Whether kinds, ends and states are in their ranges and all numbers are finite. */
export function isLegalNetwork(): bool {
  for (let i = 0; i < Network.buses * BUS_COLUMNS; i++) if (!isFinite(get(Network.bus, i))) return false;
  for (let i = 0; i < Network.branches * BRANCH_COLUMNS; i++) if (!isFinite(get(Network.branch, i))) return false;
  for (let i = 0; i < Network.buses; i++) if (!isWithin(busValue(i, BusColumn.kind), 4)) return false;
  for (let l = 0; l < Network.branches; l++) {
    if (!isWithin(branchValue(l, BranchColumn.from), Network.buses)) return false;
    if (!isWithin(branchValue(l, BranchColumn.to), Network.buses)) return false;
    if (!isWithin(branchValue(l, BranchColumn.state), 3)) return false;
    if (fromBus(l) === toBus(l)) return false;
    if (inService(l) && (isDead(fromBus(l)) || isDead(toBus(l)))) return false;
  }
  return true;
}

function isWithin(value: f64, end: i32): bool {
  return value >= 0 && value < <f64>end && Math.floor(value) === value;
}

function isEntry(l: i32): bool {
  return inService(l) && isFree(fromBus(l)) && isFree(toBus(l));
}

/** Writes the neighbours of each bus for the ordering, parallel branches once. */
export function writeNeighbours(): void {
  const n = Network.buses;
  const starts = Ordering.starts;
  // Order and places are written later: until then they mark the neighbours of a bus that were met, and count them.
  const met = Ordering.order;
  const lists = Ordering.place;
  for (let i = 0; i <= n; i++) setIndex(starts, i, 0);
  for (let l = 0; l < Network.branches; l++) {
    if (!isEntry(l)) continue;
    setIndex(starts, fromBus(l) + 1, getIndex(starts, fromBus(l) + 1) + 1);
    setIndex(starts, toBus(l) + 1, getIndex(starts, toBus(l) + 1) + 1);
  }
  for (let i = 0; i < n; i++) {
    setIndex(starts, i + 1, getIndex(starts, i + 1) + getIndex(starts, i));
    setIndex(lists, i, getIndex(starts, i));
  }
  for (let l = 0; l < Network.branches; l++) {
    if (!isEntry(l)) continue;
    appendNeighbour(lists, fromBus(l), toBus(l));
    appendNeighbour(lists, toBus(l), fromBus(l));
  }
  for (let i = 0; i < n; i++) setIndex(met, i, -1);
  let to = 0;
  let from = 0;
  for (let i = 0; i < n; i++) {
    const end = getIndex(starts, i + 1);
    for (let m = from; m < end; m++) {
      const neighbour = getIndex(Ordering.neighbours, m);
      if (getIndex(met, neighbour) === i) continue;
      setIndex(met, neighbour, i);
      setIndex(Ordering.neighbours, to++, neighbour);
    }
    from = end;
    setIndex(starts, i + 1, to);
  }
}

function appendNeighbour(lists: usize, i: i32, neighbour: i32): void {
  const at = getIndex(lists, i);
  setIndex(Ordering.neighbours, at, neighbour);
  setIndex(lists, i, at + 1);
}

/** After the ordering. */
export function findEntries(): void {
  Network.fill = getIndex(Ordering.columns, Network.buses);
  for (let l = 0; l < Network.branches; l++)
    setIndex(Network.entries, l, isEntry(l) ? entryOf(fromBus(l), toBus(l)) : -1);
}

export function entryOfBranch(l: i32): i32 {
  return getIndex(Network.entries, l);
}

export function placeOf(i: i32): i32 {
  return getIndex(Ordering.place, i);
}

/** f64[n], zeroed; at least one element. */
export function allocateAtLeastOne(n: i32): usize {
  return allocate((<usize>max(n, 1)) << 3);
}
