// The solution of a plane: potential at the probe, its map, the field, and Gauss's law.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { weightsAt } from '../parts/interpolation.ts';
import { outputOf } from '../parts/outputs.ts';
import type { DeviceFace } from './face.ts';
import type { DeviceInput } from './inputs.ts';
import { judge, type State, stateOf } from './judge.ts';
import { type Plane, type PlaneArrays, planeArrays } from './plane.ts';
import { SHARES } from './shares.ts';

export function planeSolution(
  outputs: readonly KernelOutput<DeviceFace>[],
  problem: Plane,
  input: DeviceInput,
): Solution {
  const { tolerance } = input;
  const [px, py] = problem.probe;
  const levels = SHARES.map((share, i) => {
    const arrays = planeArrays(problem, problem.nx * share, problem.ny * share);
    return { arrays, u: outputOf(outputs, i).views.potential ?? new Float64Array() };
  });
  const [own] = levels;
  if (own === undefined) throw new Error('The plan has no run.');
  const { arrays, u } = own;
  const { nx, ny, hx, hy } = arrays;
  const scale = u.reduce((largest, one) => Math.max(largest, Math.abs(one)), 0);
  // Media and electrodes bend the potential within a cell, where a cubic does not follow.
  const isKinked = problem.permittivity !== undefined || problem.electrode !== undefined;
  const further = isKinked ? Math.abs(probeAt(own, px, py) - linearAt(own, px, py)) : 0;
  const { hasJumps } = arrays;
  const state = stateOfLevels(levels, scale, hasJumps);
  const value = judge(
    levels.map((level) => probeAt(level, px, py)),
    scale,
    tolerance,
    { further, hasJumps, state },
  );
  const area = problem.lx * problem.ly;
  const integral = judge(levels.map(integralOf), scale * area, tolerance, { hasJumps, state });
  const output = outputOf(outputs, 0);
  const iterations = output.statistics.iterations ?? 0;
  const residuals = (output.views.residuals ?? new Float64Array()).slice(0, iterations + 1);
  const { ex, ey, size } = fieldOf(own);
  const shape = [ny + 1, nx + 1];
  return {
    value: value.value,
    uncertainty: value.uncertainty,
    budget: value.budget,
    bound: scale === 0 ? 0 : value.uncertainty / scale,
    converged: outputs.every(({ info }) => info === 0) && value.isRegular,
    witness: {
      method: 'grids of 1/2 and 1/4 of the cells, extrapolated',
      reference: value.reference,
      scale,
      ...(value.order === undefined ? {} : { observedOrder: value.order }),
    },
    invariants: invariantsOf(problem, arrays, u, scale, tolerance),
    series: [
      series(
        'x',
        'm',
        Float64Array.from({ length: nx + 1 }, (_, i) => i * hx),
      ),
      series(
        'y',
        'm',
        Float64Array.from({ length: ny + 1 }, (_, j) => j * hy),
      ),
      series(
        'iteration',
        '1',
        Float64Array.from(residuals, (_, i) => i),
      ),
      series(
        'residual',
        '1',
        residuals.map((one) => (residuals[0] ? one / residuals[0] : 0)),
      ),
    ],
    fields: [field('potential', 'V', shape, u), field('field', 'V/m', shape, size)],
    plots: [
      { kind: 'field', title: 'Potential', x: 'x', y: 'y', values: 'potential' },
      { kind: 'field', title: 'Electric field', x: 'x', y: 'y', values: 'field' },
      { kind: 'line', title: 'Residual over the first', x: 'iteration', y: ['residual'], marks: 'points' },
    ],
    quantities: [
      quantity('integral', integral.value, 'V*m^2', integral.uncertainty),
      ...fieldAtProbe(levels, problem, { ex, ey }, scale, tolerance),
      exactly('probe_x', px, 'm'),
      exactly('probe_y', py, 'm'),
      exactly('cells_x', nx, '1'),
      exactly('cells_y', ny, '1'),
      exactly('iterations', iterations, '1'),
    ],
    operatorInputs: {},
    functional: value.value,
    notes: value.isRegular ? [] : ['The potentials on three grids do not converge with an order. Take more cells.'],
  };
}

interface Level {
  readonly arrays: PlaneArrays;
  readonly u: Float64Array;
}

/** By the nodes of the coarsest grid, which all grids have. */
function stateOfLevels(levels: readonly Level[], scale: number, hasJumps: boolean): State {
  const [own, middle, coarse] = levels;
  if (own === undefined || middle === undefined || coarse === undefined) throw new Error('A plane has three grids.');
  const { nx, ny } = coarse.arrays;
  let [near, far] = [0, 0];
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++) {
      const half = at(middle.u, 2 * j * (2 * nx + 1) + 2 * i);
      near += Math.abs(at(own.u, 4 * j * (4 * nx + 1) + 4 * i) - half);
      far += Math.abs(half - at(coarse.u, j * (nx + 1) + i));
    }
  const nodes = (nx + 1) * (ny + 1);
  return stateOf(near / nodes, far / nodes, scale, hasJumps);
}

const axis = (cells: number, h: number) => Float64Array.from({ length: cells + 1 }, (_, i) => i * h);

function interpolated({ nx, ny, hx, hy }: PlaneArrays, values: Float64Array, x: number, y: number): number {
  const [a, b] = [weightsAt(axis(nx, hx), x), weightsAt(axis(ny, hy), y)];
  let sum = 0;
  for (const [m, v] of b.weights.entries())
    for (const [k, w] of a.weights.entries()) sum += v * w * at(values, (b.first + m) * (nx + 1) + a.first + k);
  return sum;
}

const probeAt = ({ arrays, u }: Level, x: number, y: number): number => interpolated(arrays, u, x, y);

function linearAt({ arrays: { nx, ny, hx, hy }, u }: Level, x: number, y: number): number {
  const [i, j] = [Math.min(nx - 1, Math.floor(x / hx)), Math.min(ny - 1, Math.floor(y / hy))];
  const [s, t] = [x / hx - i, y / hy - j];
  const k = j * (nx + 1) + i;
  return (1 - t) * ((1 - s) * at(u, k) + s * at(u, k + 1)) + t * ((1 - s) * at(u, k + nx + 1) + s * at(u, k + nx + 2));
}

/** By the trapezium rule. */
function integralOf({ arrays: { nx, ny, hx, hy }, u }: Level): number {
  let sum = 0;
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++)
      sum += (i === 0 || i === nx ? 0.5 : 1) * (j === 0 || j === ny ? 0.5 : 1) * at(u, j * (nx + 1) + i);
  return sum * hx * hy;
}

/** Differences between neighbours; one-sided at the sides, of second order. */
function fieldOf({ arrays: { nx, ny, hx, hy }, u }: Level) {
  const along = (k: number, i: number, last: number, stride: number, h: number): number => {
    if (i === 0) return -(-3 * at(u, k) + 4 * at(u, k + stride) - at(u, k + 2 * stride)) / (2 * h);
    if (i === last) return -(3 * at(u, k) - 4 * at(u, k - stride) + at(u, k - 2 * stride)) / (2 * h);
    return -(at(u, k + stride) - at(u, k - stride)) / (2 * h);
  };
  const [ex, ey] = [new Float64Array(u.length), new Float64Array(u.length)];
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++) {
      const k = j * (nx + 1) + i;
      ex[k] = along(k, i, nx, 1, hx);
      ey[k] = along(k, j, ny, nx + 1, hy);
    }
  return { ex, ey, size: ex.map((x, k) => Math.sqrt(x * x + at(ey, k) * at(ey, k))) };
}

/** Components of the field at the probe, where no medium or electrode breaks them. */
function fieldAtProbe(
  levels: readonly Level[],
  { probe: [x, y], lx, ly, permittivity, electrode }: Plane,
  own: { readonly ex: Float64Array; readonly ey: Float64Array },
  scale: number,
  tolerance: number,
) {
  if (permittivity !== undefined || electrode !== undefined) return [];
  const fields = levels.map((level, i) => (i === 0 ? own : fieldOf(level)));
  return (['ex', 'ey'] as const).map((name) => {
    const numbers = fields.map((one, i) => {
      const level = levels[i];
      return level === undefined ? Number.NaN : interpolated(level.arrays, one[name], x, y);
    });
    const { value, uncertainty } = judge(numbers, scale / Math.min(lx, ly), tolerance);
    return quantity(name === 'ex' ? 'field_x' : 'field_y', value, 'V/m', uncertainty);
  });
}

/** Gauss's law: what leaves held nodes is what the charge of free ones sends; without charge no extreme lies inside. */
function invariantsOf(
  problem: Plane,
  arrays: PlaneArrays,
  u: Float64Array,
  scale: number,
  tolerance: number,
): Invariant[] {
  const { nx, right, up, held, source } = arrays;
  let [flux, charge, size, low, high] = [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [k, one] of u.entries()) {
    for (const [coupling, other] of [
      [at(right, k), k + 1],
      [at(up, k), k + nx + 1],
    ] as const) {
      if (!(coupling > 0) || held[k] === held[other]) continue;
      const flow = (held[k] === 1 ? -1 : 1) * coupling * (one - at(u, other));
      flux += flow;
      size += Math.abs(flow);
    }
    if (held[k] === 0) {
      charge += at(source, k);
      size += Math.abs(at(source, k));
    } else [low, high] = [Math.min(low, one), Math.max(high, one)];
  }
  const allowed = 1e-10 + 1e3 * tolerance;
  const gauss: Invariant = {
    name: 'gauss',
    label: 'flux into held nodes less the charge, over all flux',
    value: flux,
    drift: size === 0 ? 0 : (flux - charge) / size,
    bound: allowed,
  };
  if (problem.source !== undefined) return [gauss];
  let excess = 0;
  for (const one of u) excess = Math.max(excess, one - high, low - one);
  const drift = scale === 0 ? 0 : excess / scale;
  return [gauss, { name: 'maximum_principle', label: 'no extreme inside', value: high, drift, bound: allowed }];
}
