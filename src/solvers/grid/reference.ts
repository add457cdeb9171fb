// The flows a second way: another order of elimination, another storage, and for AC polar coordinates instead of
// rectangular ones.

import { cos, sin } from '../../core/elementary.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Couplings, EnvelopeMatrix } from './envelope.ts';
import { KIND, type Line, type Node, type Problem } from './problem.ts';

const isFree = ({ kind }: Node): boolean => kind < KIND.reference;

function couplingsOf(lines: readonly Line[]): Couplings {
  return lines.flatMap(({ from, to, isOn }): Couplings => (isOn ? [[from, to]] : []));
}

export interface DirectFlow {
  /** rad */
  readonly angles: Float64Array;
  readonly flows: Float64Array;
}

/** The DC flow. @param without  index of a branch that is left out. @returns undefined if it is too large or singular */
export function directFlow({ nodes, lines }: Problem, without = -1): DirectFlow | undefined {
  const used = lines.map((line, l) => (l === without ? { ...line, isOn: false } : line));
  const matrix = new EnvelopeMatrix(nodes.length, 1, couplingsOf(used));
  if (matrix.work > LIMITS.grid.witness) return undefined;
  const angles = Float64Array.from(nodes, ({ kind, angle }) => (kind === KIND.reference ? angle : 0));
  const right = Float64Array.from(nodes, (node) => (isFree(node) ? node.p - node.conductance : 0));
  for (const [i, node] of nodes.entries()) if (!isFree(node)) matrix.add(i, i, 1);
  for (const { from, to, reactance, tap, shift, isOn } of used) {
    if (!isOn) continue;
    const susceptance = 1 / reactance / tap;
    for (const [own, other, sign] of [
      [from, to, 1],
      [to, from, -1],
    ] as const) {
      const node = nodes[own];
      const neighbour = nodes[other];
      if (!node || !neighbour || !isFree(node)) continue;
      matrix.add(own, own, susceptance);
      right[own] = (right[own] ?? 0) + sign * susceptance * shift;
      if (isFree(neighbour)) matrix.add(own, other, -susceptance);
      else right[own] = (right[own] ?? 0) + susceptance * (angles[other] ?? 0);
    }
  }
  if (!matrix.factor()) return undefined;
  matrix.solve(right);
  for (const [i, node] of nodes.entries()) if (isFree(node)) angles[i] = right[i] ?? 0;
  const flows = Float64Array.from(used, ({ from, to, reactance, tap, shift, isOn }) =>
    isOn ? ((angles[from] ?? 0) - (angles[to] ?? 0) - shift) / (reactance * tap) : 0,
  );
  return { angles, flows };
}

export interface AlternatingFlow {
  readonly angles: Float64Array;
  readonly magnitudes: Float64Array;
  /** Active power into the from end of each branch. */
  readonly flows: Float64Array;
  readonly iterations: number;
}

/** Series admittance, and what an end sees of itself. */
interface Port {
  readonly g: number;
  readonly b: number;
  readonly own: number;
}

const portOf = ({ resistance, reactance, charging }: Line): Port => {
  const square = resistance * resistance + reactance * reactance;
  const b = -reactance / square;
  return { g: resistance / square, b, own: b + charging / 2 };
};

const MAX_POLAR_ITERATIONS = 40;
const ACCEPTED = 1e-8;

/**
 * The AC flow by Newton's method in polar coordinates.
 *
 * @param isHeld      by bus: whether its voltage is given
 * @param reactive    by bus: its injection of reactive power where it is given
 * @param start       angles and magnitudes; overwritten
 * @returns undefined if it is too large or does not converge
 */
export function alternatingFlow(
  { nodes, lines }: Problem,
  isHeld: readonly boolean[],
  reactive: Float64Array,
  start: { readonly angles: Float64Array; readonly magnitudes: Float64Array },
): AlternatingFlow | undefined {
  const n = nodes.length;
  const matrix = new EnvelopeMatrix(n, 2, couplingsOf(lines));
  if (matrix.work * 6 > LIMITS.grid.witness) return undefined;
  const { angles, magnitudes } = start;
  const ports = lines.map(portOf);
  // Where resistances are the larger part, active power follows the magnitude: the two balances of a bus change places.
  const [resistive, reactivePart] = [new Float64Array(n), new Float64Array(n)];
  for (const [l, { from, to, isOn }] of lines.entries())
    for (const bus of isOn ? [from, to] : []) {
      resistive[bus] = (resistive[bus] ?? 0) + Math.abs(ports[l]?.g ?? 0);
      reactivePart[bus] = (reactivePart[bus] ?? 0) + Math.abs(ports[l]?.b ?? 0);
    }
  const isSwapped = nodes.map((node, i) => isFree(node) && !isHeld[i] && (resistive[i] ?? 0) > (reactivePart[i] ?? 0));
  const placeOf = (row: number) => {
    const bus = Math.floor(row / 2);
    return isSwapped[bus] ? 4 * bus + 1 - row : row;
  };
  const flows = new Float64Array(lines.length);
  let before = Number.POSITIVE_INFINITY;
  for (let iteration = 0; iteration <= MAX_POLAR_ITERATIONS; iteration++) {
    matrix.clear();
    const residual = new Float64Array(2 * n);
    const add = (row: number, column: number, value: number) => {
      const node = nodes[Math.floor(row / 2)];
      const other = nodes[Math.floor(column / 2)];
      if (!node || !other || !isFree(node) || !isFree(other)) return;
      if (row % 2 === 1 && isHeld[(row - 1) / 2]) return;
      if (column % 2 === 1 && isHeld[(column - 1) / 2]) return;
      matrix.add(placeOf(row), column, value);
    };
    const miss = (row: number, value: number) => {
      residual[row] = (residual[row] ?? 0) + value;
    };
    for (const [i, node] of nodes.entries()) {
      const v = magnitudes[i] ?? 0;
      if (!isFree(node)) {
        matrix.add(2 * i, 2 * i, 1);
        matrix.add(2 * i + 1, 2 * i + 1, 1);
        continue;
      }
      if (isHeld[i]) matrix.add(2 * i + 1, 2 * i + 1, 1);
      miss(2 * i, node.conductance * v * v - node.p);
      miss(2 * i + 1, -node.susceptance * v * v - (reactive[i] ?? 0));
      add(2 * i, 2 * i + 1, 2 * node.conductance * v);
      add(2 * i + 1, 2 * i + 1, -2 * node.susceptance * v);
    }
    for (const [l, line] of lines.entries()) {
      if (!line.isOn) continue;
      const { g, b, own } = ports[l] ?? { g: 0, b: 0, own: 0 };
      const { from, to, tap, shift } = line;
      const difference = (angles[from] ?? 0) - (angles[to] ?? 0) - shift;
      const [c, s] = [cos(difference), sin(difference)];
      const [vf, vt] = [magnitudes[from] ?? 0, magnitudes[to] ?? 0];
      for (const [i, j, sign, vi, vj, square] of [
        [from, to, 1, vf, vt, tap * tap],
        [to, from, -1, vt, vf, 1],
      ] as const) {
        const p = (-vi * vj * (g * c + sign * b * s)) / tap;
        const q = (-vi * vj * (sign * g * s - b * c)) / tap;
        if (sign === 1) flows[l] = (g * vi * vi) / square + p;
        miss(2 * i, (g * vi * vi) / square + p);
        miss(2 * i + 1, (-own * vi * vi) / square + q);
        add(2 * i, 2 * i, -q);
        add(2 * i, 2 * j, q);
        add(2 * i + 1, 2 * i, p);
        add(2 * i + 1, 2 * j, -p);
        add(2 * i, 2 * i + 1, (2 * g * vi) / square + p / vi);
        add(2 * i, 2 * j + 1, p / vj);
        add(2 * i + 1, 2 * i + 1, (-2 * own * vi) / square + q / vi);
        add(2 * i + 1, 2 * j + 1, q / vj);
      }
    }
    let largest = 0;
    for (let i = 0; i < n; i++) {
      const node = nodes[i];
      if (!node || !isFree(node)) {
        residual[2 * i] = 0;
        residual[2 * i + 1] = 0;
      } else if (isHeld[i]) residual[2 * i + 1] = 0;
      largest = Math.max(largest, Math.abs(residual[2 * i] ?? 0), Math.abs(residual[2 * i + 1] ?? 0));
    }
    if (!Number.isFinite(largest)) return undefined;
    if (largest < ACCEPTED && largest >= before / 2) return { angles, magnitudes, flows, iterations: iteration };
    if (iteration === MAX_POLAR_ITERATIONS)
      return largest < ACCEPTED ? { angles, magnitudes, flows, iterations: iteration } : undefined;
    before = largest;
    if (!matrix.factor()) return undefined;
    const step = residual.map((_, row) => residual[placeOf(row)] ?? 0);
    matrix.solve(step);
    for (let i = 0; i < n; i++) {
      angles[i] = (angles[i] ?? 0) - (step[2 * i] ?? 0);
      magnitudes[i] = (magnitudes[i] ?? 0) - (step[2 * i + 1] ?? 0);
    }
  }
  return undefined;
}
