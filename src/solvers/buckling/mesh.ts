// The elements of a column or frame, as the kernel takes them.

import { validationError } from '../parts/errors.ts';
import { firstColumns, Skyline, startsOf } from '../parts/skyline.ts';
import type { Column } from './column.ts';
import { type Course, SAMPLES } from './course.ts';
import type { Frame } from './frame.ts';
import { POINTS } from './gauss.ts';
import type { End } from './inputs.ts';
import { numberingOf } from './numbering.ts';
import { memberStiffness } from './stability-functions.ts';
import { type AxialForces, addPiece } from './statics.ts';

export interface Mesh {
  /** Twenty numbers of each element; see assembly/solvers/buckling/element.ts. */
  readonly records: Float64Array;
  readonly freedoms: Int32Array;
  readonly springFreedoms: Int32Array;
  readonly springs: Float64Array;
  readonly starts: Int32Array;
  readonly unknowns: number;
  /** Ends of the elements along a column. */
  readonly places?: Float64Array;
}

export const RECORD = 20;
/** Elements of a column that its courses may need, and of a frame. */
const MAX_COLUMN_ELEMENTS = 2_048;
const MAX_FRAME_ELEMENTS = 8_192;
/** Entries of the matrix. */
const MAX_PROFILE = 4_000_000;
/** Deviation from a cubic within an element, as a part of the smallest value there. */
const RESOLVED = 1e-3;

export function columnMesh(column: Column, elements: number): Mesh {
  const places = placesOf(column, elements);
  const mesh = columnElements(column, places);
  if (mesh.unknowns === 0) {
    const message = `elements is ${elements}: every end of an element is held; at least 2 are needed.`;
    throw validationError('elements', message, 'TOO_FEW', { min: 2 });
  }
  assertColumnHeld(column);
  return mesh;
}

/** Equal elements between two breaks, and smaller ones where a course varies. */
function placesOf(column: Column, elements: number): Float64Array {
  const { breaks, length, EI, foundation } = column;
  const places = [0];
  const courses = [EI, foundation].filter(({ isLinear }) => !isLinear);
  const split = (a: number, b: number, depth: number) => {
    if (depth > 0 && !courses.every((course) => isResolved(course, a, b, length))) {
      const middle = a + 0.5 * (b - a);
      split(a, middle, depth - 1);
      split(middle, b, depth - 1);
      return;
    }
    places.push(b);
    if (places.length <= MAX_COLUMN_ELEMENTS + 1) return;
    const message = `EI or foundation varies too quickly for ${MAX_COLUMN_ELEMENTS} elements.`;
    throw validationError(EI.isLinear ? 'foundation' : 'EI', message, 'UNRESOLVED', { max: MAX_COLUMN_ELEMENTS });
  };
  for (let i = 1; i < breaks.length; i++) {
    const [from = 0, to = length] = [breaks[i - 1], breaks[i]];
    const count = Math.max(1, Math.round((elements * (to - from)) / length));
    for (let k = 0; k < count; k++) {
      const a = from + ((to - from) * k) / count;
      split(a, k + 1 === count ? to : from + ((to - from) * (k + 1)) / count, 14);
    }
  }
  return Float64Array.from(places);
}

/** Whether the cubic through the four points is close to the course at the samples inside, and at eight others. */
function isResolved(course: Course, a: number, b: number, length: number): boolean {
  const nodes = POINTS.map((t) => a + t * (b - a));
  const values = nodes.map((x) => course.at(x));
  const cubic = (x: number) => {
    let sum = 0;
    for (const [i, xi] of nodes.entries()) {
      let term = values[i] ?? 0;
      for (const [j, xj] of nodes.entries()) if (j !== i) term *= (x - xj) / (xi - xj);
      sum += term;
    }
    return sum;
  };
  const isNear = (x: number) => {
    const value = course.at(x);
    return Math.abs(cubic(x) - value) <= RESOLVED * Math.max(value, 1e-3 * course.max);
  };
  for (let k = 1; k < 8; k++) if (!isNear(a + ((b - a) * k) / 8)) return false;
  const first = Math.ceil((a / length) * SAMPLES);
  const last = Math.floor((b / length) * SAMPLES);
  for (let i = first; i <= last; i++) {
    const x = (length * i) / SAMPLES;
    if (x > a && x < b && !isNear(x)) return false;
  }
  return true;
}

/** Whether displacement across the axis, and rotation, are held. */
const HOLDS: Readonly<Record<End, readonly [boolean, boolean]>> = {
  pinned: [true, false],
  fixed: [true, true],
  guided: [false, true],
  free: [false, false],
};

function columnElements(column: Column, places: Float64Array): Mesh {
  const { devices, bottom, top, length, EI, foundation, held, varied } = column;
  const count = places.length - 1;
  const freedoms = new Int32Array(6 * count).fill(-1);
  const springFreedoms: number[] = [];
  const springs: number[] = [];
  let next = 0;
  for (let i = 0; i <= count; i++) {
    const x = places[i] ?? 0;
    const own = devices.filter((device) => Math.abs(device.x - x) <= 1e-12 * length);
    const [isHeld, isStraight] = i === 0 ? HOLDS[bottom] : i === count ? HOLDS[top] : [false, false];
    const w = isHeld || own.some(({ kind }) => kind === 'support') ? -1 : next++;
    const turn = isStraight ? -1 : next++;
    const turnAfter = own.some(({ kind }) => kind === 'hinge') ? next++ : turn;
    if (i > 0) freedoms.set([w, turn], 6 * (i - 1) + 4);
    if (i < count) freedoms.set([w, turnAfter], 6 * i + 1);
    for (const device of own) {
      const a = device.kind === 'spring' ? w : device.kind === 'turn' ? turn : -1;
      if (a < 0 || !('stiffness' in device)) continue;
      springFreedoms.push(a);
      springs.push(device.stiffness);
    }
  }
  const records = new Float64Array(RECORD * count);
  for (let e = 0; e < count; e++) {
    const [a = 0, b = 0] = [places[e], places[e + 1]];
    records.set([b - a, 1, 0, 1], RECORD * e);
    for (const [g, t] of POINTS.entries()) {
      const x = a + t * (b - a);
      records[RECORD * e + 4 + g] = EI.at(x);
      records[RECORD * e + 8 + g] = foundation.at(x);
      records[RECORD * e + 12 + g] = held(x);
      records[RECORD * e + 16 + g] = varied(x);
    }
  }
  return {
    records,
    freedoms,
    springFreedoms: Int32Array.from(springFreedoms),
    springs: Float64Array.from(springs),
    starts: startsOf(firstColumns(freedoms, next)),
    unknowns: next,
    places,
  };
}

/** @throws DomainError VALIDATION_FAILED: a column that can move without strain */
function assertColumnHeld(column: Column): void {
  const places = Float64Array.from(column.breaks);
  const { freedoms, springFreedoms, springs, unknowns, records } = columnElements(column, places);
  // Nothing between the breaks can move as a rigid piece.
  if (unknowns === 0) return;
  const matrix = new Skyline(firstColumns(freedoms, unknowns));
  const member = { length: 1, cosine: 1, sine: 0, EI: 1, EA: 1, compression: 0 };
  for (let e = 0; e + 1 < places.length; e++) {
    const piece = memberStiffness(member);
    // A foundation under a piece holds both of its ends.
    const isBedded = [0, 1, 2, 3].some((g) => (records[RECORD * e + 8 + g] ?? 0) > 0);
    if (isBedded) for (const i of [1, 4]) piece[7 * i] = (piece[7 * i] ?? 0) + 1;
    addPiece(matrix, freedoms, e, piece);
  }
  for (const [i, a] of springFreedoms.entries()) if ((springs[i] ?? 0) > 0) matrix.add(a, a, 1);
  const { smallest } = matrix.factor();
  if (smallest > 1e-11) return;
  const { bottom, top } = column;
  const message = `bottom is ${bottom} and top is ${top}: the column, or a part of it beside a hinge, can move without bending. Hold it, as with bottom: fixed.`;
  throw validationError('bottom', message, 'MECHANISM');
}

export function frameMesh(frame: Frame, forces: AxialForces, elements: number): Mesh {
  if (frame.members.length * elements > MAX_FRAME_ELEMENTS) {
    const max = Math.floor(MAX_FRAME_ELEMENTS / frame.members.length);
    const message = `elements is ${elements} for each of ${frame.members.length} members; at most ${max} are allowed.`;
    throw validationError('elements', message, 'TOO_LARGE', { max });
  }
  const { freedoms, unknowns, members, joints } = numberingOf(frame, () => elements);
  const starts = startsOf(firstColumns(freedoms, unknowns));
  if ((starts[unknowns] ?? 0) > MAX_PROFILE) {
    const message = `elements is ${elements}: the matrix has ${starts[unknowns]} entries; at most ${MAX_PROFILE} are allowed.`;
    throw validationError('elements', message, 'TOO_LARGE', { max: MAX_PROFILE });
  }
  const springFreedoms: number[] = [];
  const springs: number[] = [];
  for (const [i, node] of frame.nodes.entries())
    for (let d = 0; d < 3; d++) {
      const a = joints[3 * i + d] ?? -1;
      if (a < 0 || !((node.springs[d] ?? 0) > 0)) continue;
      springFreedoms.push(a);
      springs.push(node.springs[d] ?? 0);
    }
  const records = new Float64Array(RECORD * members.length);
  for (const [e, index] of members.entries()) {
    const member = frame.members[index];
    if (!member) continue;
    records.set([member.length / elements, member.cosine, member.sine, member.EA], RECORD * e);
    records.fill(member.EI, RECORD * e + 4, RECORD * e + 8);
    records.fill(forces.held[index] ?? 0, RECORD * e + 12, RECORD * e + 16);
    records.fill(forces.varied[index] ?? 0, RECORD * e + 16, RECORD * e + 20);
  }
  return {
    records,
    freedoms,
    springFreedoms: Int32Array.from(springFreedoms),
    springs: Float64Array.from(springs),
    starts,
    unknowns,
  };
}
