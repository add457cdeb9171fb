// Critical loads another way: roots of the shooting function of a column, and counts of exact stiffnesses of a frame.

import { firstColumns, Skyline } from '../parts/skyline.ts';
import type { Column } from './column.ts';
import type { Frame } from './frame.ts';
import { numberingOf } from './numbering.ts';
import { shooterOf } from './shooting.ts';
import { MAX_Z, memberStiffness } from './stability-functions.ts';
import { type AxialForces, addJointSprings, addPiece, memberAt } from './statics.ts';

/** A critical load, and how far it may be from the exact one. */
export interface Root {
  readonly load: number;
  readonly error: number;
}

/** One of each load of the elements; undefined where none was found. */
export interface Reference {
  readonly roots: readonly (Root | undefined)[];
  /** Whether nothing buckles below the first of them, as far as this way sees. */
  readonly isFirst: boolean;
}

/** Loads closer than this part of them are looked for together. */
const CLOSE = 1e-4;
/** Loads of the elements may be too low by this part, by rounding. */
const ROUNDING = 1e-8;
/** The interval below a load of the elements, at first. */
const NARROW = 1e-7;
/** Places below the first root, and between two, where the function must not change its sign. */
const PLACES = 16;
const PLACES_BETWEEN = 5;

export function columnReference(column: Column, loads: readonly number[]): Reference {
  const shoot = shooterOf(column);
  const at = (load: number) => shoot(load) ?? { value: Number.NaN, noise: 1 };
  const roots: (Root | undefined)[] = [];
  for (let j = 0; j < loads.length; j++) {
    const load = loads[j] ?? Number.NaN;
    const below = roots.at(-1)?.load ?? 0;
    const next = loads[j + 1];
    if (next !== undefined && next - load <= CLOSE * load) {
      const pair = pairNear(at, 0.5 * (load + next), load);
      const isNext = pair !== undefined && (below === 0 || isQuiet(at, below, pair[0].load - 2 * pair[0].error));
      roots.push(isNext ? pair[0] : undefined, isNext ? pair[1] : undefined);
      j++;
      continue;
    }
    const root = rootBelow(at, load, below);
    // Another root between this one and the last would be the load that was asked for.
    const isNext = root !== undefined && (below === 0 || isQuiet(at, below, root.load));
    roots.push(isNext ? root : undefined);
    if (!isNext) break;
  }
  const [first] = roots;
  return { roots, isFirst: first !== undefined && isQuiet(at, 0, first.load - 2 * first.error) };
}

type Shoot = (load: number) => { readonly value: number; readonly noise: number };

/** The root closest below a load of the elements, which are too high. */
function rootBelow(at: Shoot, load: number, lowest: number): Root | undefined {
  let high = load * (1 + ROUNDING);
  let above = at(high);
  let width = NARROW * load;
  let low = load - width;
  let under = at(low);
  while (under.value * above.value > 0) {
    if (low <= lowest * (1 + 1e-9)) return undefined;
    [high, above] = [low, under];
    width *= 8;
    low = Math.max(load - width, lowest + 1e-3 * (load - lowest), 0.02 * load);
    if (low >= high) return undefined;
    under = at(low);
  }
  return refined(at, low, under.value, high, above.value);
}

/** Regula falsi with halved ends (Illinois), kept inside by bisection. */
function refined(at: Shoot, low: number, under: number, high: number, above: number): Root | undefined {
  let [a, fa, b, fb] = [low, under, high, above];
  let side = 0;
  let noise = 1e-12;
  let slope = Math.abs((fb - fa) / (b - a));
  for (let step = 0; step < 80; step++) {
    if (!(b - a > 4e-15 * b)) break;
    const secant = (a * fb - b * fa) / (fb - fa);
    const x = secant > a && secant < b && step % 8 !== 7 ? secant : a + 0.5 * (b - a);
    if (x <= a || x >= b) break;
    const { value, noise: own } = at(x);
    if (Number.isNaN(value)) return undefined;
    noise = own;
    if (value === 0) return { load: x, error: noise / slope + 1e-14 * x };
    if (value * fb > 0) {
      if (Math.abs(value - fb) > 0) slope = Math.max(slope * 0.1, Math.abs((fb - value) / (b - x)));
      [b, fb] = [x, value];
      if (side === 1) fa *= 0.5;
      side = 1;
    } else {
      if (Math.abs(value - fa) > 0) slope = Math.max(slope * 0.1, Math.abs((value - fa) / (x - a)));
      [a, fa] = [x, value];
      if (side === -1) fb *= 0.5;
      side = -1;
    }
    if (Math.abs(value) <= noise) return { load: x, error: (2 * noise) / slope + 1e-14 * x };
  }
  const load = a + 0.5 * (b - a);
  return { load, error: b - a + noise / slope + 1e-14 * load };
}

/** Two roots that may be equal, by a parabola through three places. */
function pairNear(at: Shoot, centre: number, load: number): readonly [Root, Root] | undefined {
  const width = 4 * CLOSE * load;
  const [left, middle, right] = [at(centre - width), at(centre), at(centre + width)];
  const slope = (right.value - left.value) / 2;
  const bend = (right.value + left.value) / 2 - middle.value;
  if (!(left.value * right.value > 0) || !(bend * left.value > 0)) return undefined;
  const vertex = -slope / (2 * bend);
  const split = vertex * vertex - middle.value / bend;
  const noise = (4 * middle.noise) / Math.abs(bend);
  const half = Math.sqrt(Math.max(0, split));
  if (half > 2) return undefined;
  // The third order of the function moves the vertex by the width squared.
  const error = width * (Math.sqrt(noise) + 20 * (width / load));
  const place = (t: number) => ({ load: centre + width * t, error });
  return [place(vertex - half), place(vertex + half)];
}

/** Whether the function keeps its sign between two roots, or between 0 and the first. */
function isQuiet(at: Shoot, from: number, to: number): boolean {
  const margin = from === 0 ? 0 : 1e-6 * from;
  const [low, high] = [from + margin, to * (1 - 1e-6)];
  const sign = at(high).value;
  const places = from === 0 ? PLACES : PLACES_BETWEEN;
  for (let i = from === 0 ? 1 : 0; i < places; i++)
    if (!(at(low + ((high - low) * i) / places).value * sign > 0)) return false;
  return true;
}

/** Width of the interval that holds a load of a frame. */
const BRACKET = 1e-12;

/** By the count of Wittrick & Williams, Q. J. Mech. Appl. Math. 24 (1971) 263: pieces too short to buckle when clamped. */
export function frameReference(frame: Frame, forces: AxialForces, loads: readonly number[]): Reference {
  const highest = 1.05 * (loads.at(-1) ?? 0);
  const forceIn = (index: number, factor: number) => (forces.held[index] ?? 0) + factor * (forces.varied[index] ?? 0);
  const numbering = numberingOf(frame, ({ length, EI }, index) => {
    const most = Math.max(Math.abs(forceIn(index, 0)), Math.abs(forceIn(index, highest)));
    return Math.max(1, Math.min(64, Math.ceil(Math.sqrt((most * length * length) / EI / MAX_Z))));
  });
  const { freedoms, members, unknowns } = numbering;
  const pieces = new Map<number, number>();
  for (const index of members) pieces.set(index, (pieces.get(index) ?? 0) + 1);
  const matrix = new Skyline(firstColumns(freedoms, unknowns));
  const countBelow = (factor: number) => {
    matrix.clear();
    const found = new Map<number, Float64Array>();
    for (const [e, index] of members.entries()) {
      const member = memberAt(frame, index);
      const length = member.length / (pieces.get(index) ?? 1);
      let piece = found.get(index);
      if (piece === undefined) {
        piece = memberStiffness({ ...member, length, compression: forceIn(index, factor) });
        found.set(index, piece);
      }
      addPiece(matrix, freedoms, e, piece);
    }
    addJointSprings(matrix, frame, numbering);
    return matrix.factor().negative;
  };
  const start = countBelow(0);
  const roots = loads.map((load, j): Root | undefined => {
    let high = load * (1 + ROUNDING);
    if (countBelow(high) - start <= j) return undefined;
    let width = NARROW * load;
    let low = load - width;
    while (low > 0 && countBelow(low) - start > j) {
      high = low;
      width *= 8;
      low = load - width;
    }
    low = Math.max(low, 0);
    while (high - low > BRACKET * high) {
      const middle = low + 0.5 * (high - low);
      if (middle <= low || middle >= high) break;
      if (countBelow(middle) - start > j) high = middle;
      else low = middle;
    }
    // Counts near a root are rounding.
    return { load: 0.5 * (low + high), error: high - low + 1e-11 * high };
  });
  return { roots, isFirst: start === 0 && roots[0] !== undefined };
}
