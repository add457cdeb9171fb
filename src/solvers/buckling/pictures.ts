// Pictures: buckled shapes, the compression along a column, its strength by slenderness, the frame as it sways.

import type { Field } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { Column } from './column.ts';
import type { Frame } from './frame.ts';
import { type Mesh, RECORD } from './mesh.ts';
import { numberingOf } from './numbering.ts';
import { type Strength, strengthOf } from './strength.ts';

export interface Pictures {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

/** Places along a column, and of the curve of strength. */
const PLACES = 201;
/** Places along a member of a frame. */
const MEMBER_PLACES = 12;
/** The largest displacement of a drawn frame, as a part of its extent. */
const SHOWN = 0.12;

/** Displacement across the element at ξ of its length, from those at its ends. */
function across(length: number, xi: number, [w1, a1, w2, a2]: readonly [number, number, number, number]): number {
  return (
    (1 - xi * xi * (3 - 2 * xi)) * w1 +
    length * xi * (1 - xi) * (1 - xi) * a1 +
    xi * xi * (3 - 2 * xi) * w2 +
    length * xi * xi * (xi - 1) * a2
  );
}

const valueIn = (shape: Float64Array, freedoms: Int32Array, index: number) => {
  const a = freedoms[index] ?? -1;
  return a < 0 ? 0 : (shape[a] ?? 0);
};

export function columnPictures(
  column: Column,
  { places = new Float64Array(), freedoms }: Mesh,
  shapes: readonly Float64Array[],
  load: number,
  strength: Strength | undefined,
): Pictures {
  const { length, held, varied, EI, yieldStress, E } = column;
  const x = Float64Array.from({ length: PLACES }, (_, i) => (i === PLACES - 1 ? length : (length * i) / (PLACES - 1)));
  const drawn = new Float64Array(PLACES * shapes.length);
  for (const [j, shape] of shapes.entries()) {
    let e = 0;
    const own = x.map((at) => {
      while (e + 2 < places.length && at > (places[e + 1] ?? 0)) e++;
      const [a = 0, b = 1] = [places[e], places[e + 1]];
      const end = (i: number) => valueIn(shape, freedoms, 6 * e + i);
      return across(b - a, (at - a) / (b - a), [end(1), end(2), end(4), end(5)]);
    });
    drawn.set(normalised(own), PLACES * j);
  }
  const inside = x.map((at) => Math.min(length * (1 - 1e-9), Math.max(length * 1e-9, at)));
  const compression = inside.map((at) => held(at) + load * varied(at));
  const curve = strength === undefined ? undefined : strengthCurve(strength, E, yieldStress);
  return {
    series: [
      series('x', 'm', x),
      series('compression', 'N', compression),
      series(
        'bending_stiffness',
        'N*m^2',
        inside.map((at) => EI.at(at)),
      ),
      ...(curve?.series ?? []),
    ],
    fields: [field('mode_shapes', '1', [shapes.length, PLACES], drawn)],
    plots: [
      { kind: 'line', title: 'Buckled shapes, the lowest load first', x: 'x', y: ['mode_shapes'] },
      ...(curve?.plots ?? []),
      { kind: 'line', title: 'Compression at the first critical load', x: 'x', y: ['compression'] },
      ...(EI.isConstant
        ? []
        : [{ kind: 'line' as const, title: 'Bending stiffness', x: 'x', y: ['bending_stiffness'] }]),
    ],
  };
}

/** With a largest displacement of 1, which the first place that moves much has to one side. */
function normalised(shape: Float64Array): Float64Array {
  const peak = shape.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const sign = (shape.find((one) => Math.abs(one) > 0.05 * peak) ?? 1) < 0 ? -1 : 1;
  return shape.map((one) => (sign * one) / (peak || 1));
}

function strengthCurve(strength: Strength, E: number, yieldStress: number | undefined): Pictures {
  const { slenderness, transition = slenderness, stress } = strength;
  const longest = 1.25 * Math.max(slenderness, 1.6 * transition);
  const lambda = Float64Array.from({ length: PLACES }, (_, i) => (longest * (i + 1)) / PLACES);
  const euler = lambda.map((one) => (Math.PI * Math.PI * E) / (one * one));
  const bearing = euler.map((one) => strengthOf(one, E, yieldStress).stress);
  // Euler's curve is drawn up to twice the highest stress of the other.
  const top = 2 * Math.max(stress, yieldStress ?? stress);
  const own = `${slenderness.toPrecision(3)}, ${(stress / 1e6).toPrecision(3)} MPa`;
  return {
    series: [
      series('slenderness', '1', lambda),
      series(
        'euler_stress',
        'Pa',
        euler.map((one) => Math.min(one, top)),
      ),
      series(
        'bearable_stress',
        'Pa',
        bearing.map((one) => Math.min(one, top)),
      ),
    ],
    fields: [],
    plots: [
      {
        kind: 'line',
        title: `Strength by slenderness, Euler and Johnson; this column: ${own}`,
        x: 'slenderness',
        y: yieldStress === undefined ? ['euler_stress'] : ['euler_stress', 'bearable_stress'],
      },
    ],
  };
}

/** The frame, and its first buckled shape with smooth members. */
export function framePictures(frame: Frame, mesh: Mesh, shape: Float64Array, elements: number): Pictures {
  const { nodes, members, extent } = frame;
  const points: number[] = nodes.flatMap(({ x, y }) => [x, y]);
  const values: number[] = nodes.map(() => 0);
  const edges: number[] = members.flatMap(({ from, to }) => [from, to]);
  const { members: owner } = numberingOf(frame, () => elements);
  const moved: number[] = [];
  let most = 0;
  for (const [e, index] of owner.entries()) {
    const { cosine: c = 1, sine: s = 0 } = members[index] ?? {};
    const length = mesh.records[RECORD * e] ?? 1;
    const end = (i: number) => valueIn(shape, mesh.freedoms, 6 * e + i);
    const along = [c * end(0) + s * end(1), c * end(3) + s * end(4)] as const;
    const sides = [c * end(1) - s * end(0), end(2), c * end(4) - s * end(3), end(5)] as const;
    for (let k = 0; k <= MEMBER_PLACES; k++) {
      const xi = k / MEMBER_PLACES;
      const u = along[0] + xi * (along[1] - along[0]);
      const v = across(length, xi, sides);
      moved.push(c * u - s * v, s * u + c * v);
      most = Math.max(most, Math.sqrt(u * u + v * v));
    }
  }
  const factor = most > 0 ? (SHOWN * extent) / most : 0;
  let place = 0;
  const seen = new Map<number, number>();
  for (const [e, index] of owner.entries()) {
    const { from = 0, cosine: c = 1, sine: s = 0 } = members[index] ?? {};
    const piece = seen.get(index) ?? 0;
    seen.set(index, piece + 1);
    const length = mesh.records[RECORD * e] ?? 1;
    const { x = 0, y = 0 } = nodes[from] ?? {};
    for (let k = 0; k <= MEMBER_PLACES; k++) {
      const along = length * (piece + k / MEMBER_PLACES);
      const [u = 0, v = 0] = [moved[2 * place], moved[2 * place + 1]];
      place++;
      points.push(x + c * along + factor * u, y + s * along + factor * v);
      values.push(1);
      const own = values.length - 1;
      if (k > 0) edges.push(own - 1, own);
    }
  }
  return {
    series: [],
    fields: [
      field('buckled_edges', '1', [edges.length / 2, 2], Float64Array.from(edges)),
      field('buckled_shape', 'm', [values.length, 2], Float64Array.from(points)),
      field('buckled', '1', [values.length], Float64Array.from(values)),
    ],
    plots: [
      {
        kind: 'network',
        title: 'The frame (0), and its buckled shape at the lowest load (1)',
        edges: 'buckled_edges',
        positions: 'buckled_shape',
        values: 'buckled',
      },
    ],
  };
}
