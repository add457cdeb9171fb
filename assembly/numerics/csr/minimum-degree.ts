// A fill-reducing order of a symmetric matrix, and the pattern of its factor: minimum degree on the quotient graph.
//
// An eliminated node becomes an element: the clique of its neighbours, which is the pattern of its column of L. A node holds
// its variables (neighbours by original entries) and its elements, never more together than original entries. Degrees are
// exact; of equal degrees the node that changed last comes first. Deterministic. George & Liu, SIAM Review 31 (1989) 1–19.
import { INFO_CAPACITY, INFO_OK } from '../../kernel';
import { allocateIndices, getIndex, setIndex } from './indices';

/** Positions count the order of elimination from 0. */
export namespace Ordering {
  export let n: i32 = 0;
  /** i32[n + 1] and i32[starts[n]]: the neighbours of each node, both ways, without itself; overwritten. */
  export let starts: usize = 0;
  export let neighbours: usize = 0;
  /** i32[n]: the node at a position, and the position of a node. */
  export let order: usize = 0;
  export let place: usize = 0;
  /** i32[n + 1] and i32[columns[n]]: rows below the diagonal of each column of L, rising, by positions. */
  export let columns: usize = 0;
  export let rows: usize = 0;
  /** Nodes that are eliminated. */
  export let done: i32 = 0;
}

/** Room for `rows`. */
let capacity: i32 = 0;
/** Entries of `found`. */
let count: i32 = 0;
/** By node: where its element is in `found`, the pattern by nodes in the order of elimination. */
let elementStarts: usize = 0;
let elementEnds: usize = 0;
let found: usize = 0;
/** By node: variables and, behind them, elements in its row of `neighbours`. */
let variableCounts: usize = 0;
let elementCounts: usize = 0;
/** By node: the last stamp, of the clique and of a degree; whether an element is absorbed. */
let marks: usize = 0;
let degreeMarks: usize = 0;
let absorbed: usize = 0;
let degreeStamp: i32 = 0;
/** Doubly linked lists of nodes of a degree; −1 ends them. */
let heads: usize = 0;
let nexts: usize = 0;
let previous: usize = 0;
let degrees: usize = 0;
let least: i32 = 0;

/** @returns whether there was memory. @param entries  of `neighbours`. @param fill  room for the pattern of L */
export function allocateOrdering(n: i32, entries: i32, fill: i32): bool {
  Ordering.n = n;
  capacity = fill;
  Ordering.starts = allocateIndices(n + 1);
  Ordering.neighbours = allocateIndices(entries);
  Ordering.order = allocateIndices(n);
  Ordering.place = allocateIndices(n);
  Ordering.columns = allocateIndices(n + 1);
  Ordering.rows = allocateIndices(fill);
  found = allocateIndices(fill);
  elementStarts = allocateIndices(n);
  elementEnds = allocateIndices(n);
  variableCounts = allocateIndices(n);
  elementCounts = allocateIndices(n);
  marks = allocateIndices(n);
  degreeMarks = allocateIndices(n);
  absorbed = allocateIndices(n);
  heads = allocateIndices(n + 1);
  nexts = allocateIndices(n);
  previous = allocateIndices(n);
  degrees = allocateIndices(n);
  return degrees !== 0 && found !== 0 && Ordering.rows !== 0 && Ordering.neighbours !== 0;
}

/** Starts from `starts` and `neighbours`. */
export function startOrdering(): void {
  const n = Ordering.n;
  Ordering.done = 0;
  count = 0;
  least = 0;
  degreeStamp = 0;
  for (let d = 0; d <= n; d++) setIndex(heads, d, -1);
  for (let i = 0; i < n; i++) {
    setIndex(marks, i, -1);
    setIndex(degreeMarks, i, -1);
    setIndex(absorbed, i, 0);
    setIndex(elementCounts, i, 0);
    setIndex(variableCounts, i, getIndex(Ordering.starts, i + 1) - getIndex(Ordering.starts, i));
  }
  for (let i = n - 1; i >= 0; i--) insert(i, getIndex(variableCounts, i));
}

function insert(i: i32, degree: i32): void {
  const head = getIndex(heads, degree);
  setIndex(degrees, i, degree);
  setIndex(nexts, i, head);
  setIndex(previous, i, -1);
  if (head >= 0) setIndex(previous, head, i);
  setIndex(heads, degree, i);
  least = min(least, degree);
}

function remove(i: i32): void {
  const before = getIndex(previous, i);
  const after = getIndex(nexts, i);
  if (after >= 0) setIndex(previous, after, before);
  if (before >= 0) setIndex(nexts, before, after);
  else setIndex(heads, getIndex(degrees, i), after);
}

/**
 * Eliminates up to `steps` nodes; complete when `done` is n, and then `columns` and `rows` are written.
 *
 * @returns INFO_OK, or INFO_CAPACITY if the pattern has no room
 */
export function advanceOrdering(steps: i32): i32 {
  const n = Ordering.n;
  for (let k = 0; k < steps && Ordering.done < n; k++) {
    while (getIndex(heads, least) < 0) least++;
    if (!eliminate(getIndex(heads, least))) return INFO_CAPACITY;
  }
  if (Ordering.done === n) sortColumns();
  return INFO_OK;
}

/** Appends a node to the element of the stamp, unless it is there. @returns whether there was room */
function append(node: i32, stamp: i32): bool {
  if (getIndex(marks, node) === stamp) return true;
  if (count === capacity) return false;
  setIndex(marks, node, stamp);
  setIndex(found, count++, node);
  return true;
}

function eliminate(v: i32): bool {
  remove(v);
  const first = count;
  const start = getIndex(Ordering.starts, v);
  const variables = getIndex(variableCounts, v);
  const elements = getIndex(elementCounts, v);
  setIndex(marks, v, v);
  for (let k = 0; k < variables; k++) if (!append(getIndex(Ordering.neighbours, start + k), v)) return false;
  for (let k = variables; k < variables + elements; k++) {
    const element = getIndex(Ordering.neighbours, start + k);
    const end = getIndex(elementEnds, element);
    for (let m = getIndex(elementStarts, element); m < end; m++) if (!append(getIndex(found, m), v)) return false;
    setIndex(absorbed, element, 1);
  }
  setIndex(elementStarts, v, first);
  setIndex(elementEnds, v, count);
  setIndex(Ordering.order, Ordering.done, v);
  setIndex(Ordering.place, v, Ordering.done);
  Ordering.done++;
  for (let m = first; m < count; m++) compress(getIndex(found, m), v);
  for (let m = first; m < count; m++) {
    const i = getIndex(found, m);
    remove(i);
    insert(i, count - first - 1 + degreeOutside(i, v));
  }
  return true;
}

/** Replaces what the element v covers by v. One entry at least is removed, so there is room for v. */
function compress(i: i32, v: i32): void {
  const start = getIndex(Ordering.starts, i);
  const variables = getIndex(variableCounts, i);
  const elements = getIndex(elementCounts, i);
  let to = start;
  for (let k = start; k < start + variables; k++) {
    const node = getIndex(Ordering.neighbours, k);
    if (getIndex(marks, node) !== v) setIndex(Ordering.neighbours, to++, node);
  }
  setIndex(variableCounts, i, to - start);
  const firstElement = to;
  for (let k = start + variables; k < start + variables + elements; k++) {
    const element = getIndex(Ordering.neighbours, k);
    if (getIndex(absorbed, element) === 0) setIndex(Ordering.neighbours, to++, element);
  }
  setIndex(Ordering.neighbours, to++, v);
  setIndex(elementCounts, i, to - firstElement);
}

/** Number of neighbours of i that the element v does not have. */
function degreeOutside(i: i32, v: i32): i32 {
  const stamp = degreeStamp++;
  const start = getIndex(Ordering.starts, i);
  const variables = getIndex(variableCounts, i);
  const elements = getIndex(elementCounts, i);
  let degree = 0;
  for (let k = 0; k < variables; k++) {
    setIndex(degreeMarks, getIndex(Ordering.neighbours, start + k), stamp);
    degree++;
  }
  for (let k = variables; k < variables + elements; k++) {
    const element = getIndex(Ordering.neighbours, start + k);
    if (element === v) continue;
    const end = getIndex(elementEnds, element);
    for (let m = getIndex(elementStarts, element); m < end; m++) {
      const node = getIndex(found, m);
      if (getIndex(marks, node) === v || getIndex(degreeMarks, node) === stamp) continue;
      setIndex(degreeMarks, node, stamp);
      degree++;
    }
  }
  return degree;
}

/** Writes the pattern by positions, each column rising: first by rows into `rows`, then back by columns. */
function sortColumns(): void {
  const n = Ordering.n;
  // The lists of degrees are free: heads and nexts become the start and the end of each row.
  for (let r = 0; r < n; r++) setIndex(heads, r, 0);
  for (let m = 0; m < count; m++) {
    const row = getIndex(Ordering.place, getIndex(found, m));
    setIndex(heads, row, getIndex(heads, row) + 1);
  }
  let sum = 0;
  for (let r = 0; r < n; r++) {
    const length = getIndex(heads, r);
    setIndex(heads, r, sum);
    setIndex(nexts, r, sum);
    sum += length;
  }
  for (let k = 0; k < n; k++) {
    const v = getIndex(Ordering.order, k);
    const end = getIndex(elementEnds, v);
    for (let m = getIndex(elementStarts, v); m < end; m++) {
      const row = getIndex(Ordering.place, getIndex(found, m));
      const to = getIndex(nexts, row);
      setIndex(Ordering.rows, to, k);
      setIndex(nexts, row, to + 1);
    }
  }
  let from = 0;
  for (let k = 0; k < n; k++) {
    const v = getIndex(Ordering.order, k);
    setIndex(Ordering.columns, k, from);
    setIndex(previous, k, from);
    from += getIndex(elementEnds, v) - getIndex(elementStarts, v);
  }
  setIndex(Ordering.columns, n, from);
  // Elements are read for the last time above; `found` takes the columns.
  for (let r = 0; r < n; r++) {
    const end = getIndex(nexts, r);
    for (let m = getIndex(heads, r); m < end; m++) {
      const column = getIndex(Ordering.rows, m);
      const to = getIndex(previous, column);
      setIndex(found, to, r);
      setIndex(previous, column, to + 1);
    }
  }
  memory.copy(Ordering.rows, found, (<usize>count) << 2);
}

/** Where the entry of two nodes is in `rows`; −1 if the factor has none. */
export function entryOf(a: i32, b: i32): i32 {
  const i = getIndex(Ordering.place, a);
  const j = getIndex(Ordering.place, b);
  const row = max(i, j);
  let low = getIndex(Ordering.columns, min(i, j));
  let high = getIndex(Ordering.columns, min(i, j) + 1) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = getIndex(Ordering.rows, middle);
    if (at === row) return middle;
    if (at < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
