// Arrays and plots of a solution: r over time beside random phases, phases about the mean, the circle at the end.

import { ALPHA } from '../../core/clock.ts';
import { cos, sin } from '../../core/elementary.ts';
import type { Solution } from '../definition.ts';
import type { NodeFinding } from '../findings.ts';
import { TWO_PI } from '../parts/angle.ts';
import { at } from '../parts/arrays.ts';
import { field, series } from '../parts/fields.ts';
import type { History } from './history.ts';
import type { Problem } from './problem.ts';

const CIRCLE = 65;

export function picturesOf(
  { relative }: Problem,
  history: History,
  nodes: readonly NodeFinding[],
  error: readonly number[],
  random: number,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const { t, r, psi, theta } = history;
  const n = relative.length;
  const names = nodes.map((_, i) => i + 1);
  const turns = error.map((one) => ALPHA * one + 2 * Number.EPSILON);
  return {
    series: [
      series('t', 's', t),
      series('r', '1', r),
      series(
        'random_phases',
        '1',
        t.map(() => random),
      ),
      series('psi', 'rad', psi),
      series('node', '1', names),
      series(
        'node_R_t',
        '1',
        nodes.map(({ R_t }) => R_t),
      ),
      series('node_R_t_uncertainty', '1', turns),
      series(
        'node_theta',
        'rad',
        nodes.map((one) => one.theta),
      ),
      series('node_theta_uncertainty', 'rad', error),
      series(
        'node_omega',
        'rad/s',
        nodes.map(({ omega }) => omega),
      ),
    ],
    fields: [
      field('phases', 'rad', [n, t.length], aboutMean(history)),
      ...circleOf(nodes),
      field('phase_locking', '1', [n, n], lockingValues(theta)),
    ],
    plots: [
      { kind: 'line', title: 'Order parameter r, and the mean of random phases', x: 't', y: ['r', 'random_phases'] },
      {
        kind: 'phase',
        title: 'Phases at the end on the circle',
        x: 'circle_x',
        y: 'circle_y',
        hasOneScale: true,
        labels: ['circle', ...Array.from({ length: n }, (_, i) => `node ${i + 1}`)],
      },
      { kind: 'line', title: 'Phase of each node less the mean phase', x: 't', y: ['phases'] },
      {
        kind: 'field',
        title: 'Phase locking of each pair over the second half, 0 to 1',
        x: 'node',
        y: 'node',
        values: 'phase_locking',
        range: [0, 1],
      },
      {
        kind: 'table',
        title: 'Nodes at the end',
        columns: ['node_omega', 'node_theta', 'node_R_t'],
        labels: nodes.map(({ domain }, i) => (domain === undefined ? `Node ${i + 1}` : `Node ${i + 1}, ${domain}`)),
      },
    ],
  };
}

/** θ_i less the mean of all, which does not wrap. */
function aboutMean({ theta, t }: History): Float64Array {
  const all = new Float64Array(theta.length * t.length);
  for (let k = 0; k < t.length; k++) {
    const mean = theta.reduce((sum, one) => sum + at(one, k), 0) / theta.length;
    for (const [i, one] of theta.entries()) all[i * t.length + k] = at(one, k) - mean;
  }
  return all;
}

/** Paths: the circle, and from its centre to each node. */
function circleOf(nodes: readonly NodeFinding[]) {
  const x = new Float64Array((nodes.length + 1) * CIRCLE);
  const y = new Float64Array(x.length);
  for (let k = 0; k < CIRCLE; k++) {
    const angle = (TWO_PI * k) / (CIRCLE - 1);
    x[k] = cos(angle);
    y[k] = sin(angle);
    for (const [i, { theta }] of nodes.entries()) {
      const part = k / (CIRCLE - 1);
      x[(i + 1) * CIRCLE + k] = part * cos(theta);
      y[(i + 1) * CIRCLE + k] = part * sin(theta);
    }
  }
  const shape = [nodes.length + 1, CIRCLE];
  return [field('circle_x', '1', shape, x), field('circle_y', '1', shape, y)];
}

/** |mean of exp(i(θ_i − θ_j))| over the samples of the second half. */
function lockingValues(theta: readonly Float64Array[]): Float64Array {
  const n = theta.length;
  const values = new Float64Array(n * n);
  for (const [i, one] of theta.entries()) {
    for (const [j, other] of theta.entries()) {
      const differences = Array.from(
        one.subarray((one.length - 1) / 2),
        (angle, k) => angle - at(other, k + (one.length - 1) / 2),
      );
      const x = differences.reduce((sum, angle) => sum + cos(angle), 0) / differences.length;
      const y = differences.reduce((sum, angle) => sum + sin(angle), 0) / differences.length;
      // Without the last digits, which a map of equal values would show as colours.
      values[i * n + j] = Math.round(1e12 * Math.sqrt(x * x + y * y)) / 1e12;
    }
  }
  return values;
}
