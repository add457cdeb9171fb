// Bound states: every wave function stands on the line of its energy, inside the potential that holds it.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Solution } from '../../solvers/solver.ts';
import { inFull, inShort, unitOf, withUnit } from '../kit/format.ts';
import { Curves } from './curves.ts';
import { arrayOf, extremes, type Picture } from './picture.ts';

const WIDTH = 540;
const HEIGHT = 380;
const MARGIN = { left: 62, right: 12, top: 12, bottom: 48 };
/** Points of one curve: more cannot be seen. */
const POINTS = 640;

export const SchrodingerPicture: Picture = ({ solution }) => {
  const energies = arrayOf(solution, 'E');
  const [selected, select] = useState(0);
  const shapes = useMemo(() => shapesOf(solution), [solution]);
  return [
    h(
      'div',
      { class: 'picture levels' },
      h(Diagram, { shapes, selected, energies: energies.data }),
      h(LevelTable, { solution, selected, select }),
    ),
    h(Curves, { solution, plots: solution.plots }),
  ];
};

interface Shapes {
  readonly potential: string;
  readonly waves: readonly string[];
  readonly lines: readonly number[];
  readonly xTicks: readonly { readonly at: number; readonly label: string }[];
  readonly yTicks: readonly { readonly at: number; readonly label: string }[];
  readonly xName: string;
  readonly yName: string;
}

function shapesOf(solution: Solution): Shapes {
  const x = arrayOf(solution, 'x');
  const V = arrayOf(solution, 'V');
  const psi = arrayOf(solution, 'psi');
  const E = arrayOf(solution, 'E');
  const n = x.data.length;
  const [lowest, highest] = extremes(E.data);
  const [floor] = extremes(V.data);
  // Some room above the highest level; a potential without a floor, as of a nucleus, is cut below the lowest.
  const room = Math.max(highest - lowest, 0.4 * Math.abs(highest - floor), 1e-9 * Math.abs(highest), 1e-12);
  const bottom = Math.max(floor, lowest - 0.9 * room) - 0.06 * room;
  const top = highest + 0.35 * room;
  const [x0, x1] = spanOf(x.data, psi.data, E.data.length);
  const toX = (value: number) => MARGIN.left + ((value - x0) / (x1 - x0)) * (WIDTH - MARGIN.left - MARGIN.right);
  const toY = (value: number) =>
    HEIGHT - MARGIN.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - MARGIN.top - MARGIN.bottom);

  const first = x.data.findIndex((value) => value >= x0);
  const last = n - 1 - [...x.data].reverse().findIndex((value) => value <= x1);
  const stride = Math.max(1, Math.ceil((last - first) / POINTS));
  const path = (at: (i: number) => number) => {
    let text = '';
    for (let i = first; i <= last; i += stride) {
      const y = Math.min(HEIGHT + 400, Math.max(-400, toY(at(i))));
      text += `${text === '' ? 'M' : 'L'}${toX(x.data[i] ?? 0).toFixed(1)} ${y.toFixed(1)}`;
    }
    return text;
  };
  const [, peak] = extremes(psi.data.map(Math.abs));
  const gap = Math.min((top - bottom) / 6, (0.8 * room) / Math.max(1, E.data.length - 1) || room / 3);
  const swing = gap / (peak || 1);
  return {
    potential: path((i) => V.data[i] ?? 0),
    waves: Array.from(E.data, (energy, k) => path((i) => energy + swing * (psi.data[k * n + i] ?? 0))),
    lines: Array.from(E.data, toY),
    xTicks: ticks(x0, x1, 6).map((value) => ({ at: toX(value), label: inShort(value, 4) })),
    yTicks: ticks(bottom, top, 6).map((value) => ({ at: toY(value), label: inShort(value, 4) })),
    xName: `x [${unitOf(x.unit)}]`,
    yName: `energy [${unitOf(E.unit)}]`,
  };
}

/** Where any wave function is more than a trace, with some air. */
function spanOf(x: Float64Array, psi: Float64Array, states: number): readonly [number, number] {
  const n = x.length;
  const [, peak] = extremes(psi.map(Math.abs));
  let first = n - 1;
  let last = 0;
  for (let k = 0; k < states; k++) {
    for (let i = 0; i < n; i++) {
      if (Math.abs(psi[k * n + i] ?? 0) < 0.004 * peak) continue;
      first = Math.min(first, i);
      last = Math.max(last, i);
    }
  }
  if (first >= last) return [x[0] ?? 0, x[n - 1] ?? 1];
  const air = Math.round(0.06 * (last - first)) + 1;
  return [x[Math.max(0, first - air)] ?? 0, x[Math.min(n - 1, last + air)] ?? 1];
}

/** Round numbers, about `count` of them. */
function ticks(from: number, to: number, count: number): number[] {
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw) ?? raw;
  const found: number[] = [];
  for (let k = Math.ceil(from / step); k * step <= to; k++) found.push(k * step);
  return found;
}

interface DiagramProps {
  readonly shapes: Shapes;
  readonly selected: number;
  readonly energies: Float64Array;
}

function Diagram({ shapes, selected, energies }: DiagramProps) {
  const label = `Potential with ${energies.length} wave functions; state ${selected} is emphasised`;
  return h(
    'svg',
    { class: 'levels-diagram', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    h(
      'clipPath',
      { id: 'levels-clip' },
      h('rect', {
        x: MARGIN.left,
        y: MARGIN.top,
        width: WIDTH - MARGIN.left - MARGIN.right,
        height: HEIGHT - MARGIN.top - MARGIN.bottom,
      }),
    ),
    shapes.yTicks.map(({ at, label: text }) => [
      h('path', { class: 'grid', d: `M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}` }),
      h('text', { class: 'tick', x: MARGIN.left - 8, y: at + 4, 'text-anchor': 'end' }, text),
    ]),
    shapes.xTicks.map(({ at, label: text }) =>
      h('text', { class: 'tick', x: at, y: HEIGHT - MARGIN.bottom + 19, 'text-anchor': 'middle' }, text),
    ),
    h('text', { class: 'tick', x: WIDTH - MARGIN.right, y: HEIGHT - 4, 'text-anchor': 'end' }, shapes.xName),
    h(
      'text',
      { class: 'tick', x: 14, y: MARGIN.top, transform: `rotate(-90 14 ${MARGIN.top})`, 'text-anchor': 'end' },
      shapes.yName,
    ),
    h(
      'g',
      { 'clip-path': 'url(#levels-clip)' },
      h('path', { class: 'potential', d: shapes.potential }),
      shapes.lines.map((at, k) =>
        h('path', {
          key: k,
          class: `level${k === selected ? ' is-selected' : ''}`,
          d: `M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}`,
        }),
      ),
      shapes.waves.map((d, k) => h('path', { key: k, class: `wave${k === selected ? ' is-selected' : ''}`, d })),
    ),
  );
}

interface LevelTableProps {
  readonly solution: Solution;
  readonly selected: number;
  readonly select: (state: number) => void;
}

function LevelTable({ solution, selected, select }: LevelTableProps) {
  const E = arrayOf(solution, 'E');
  const error = arrayOf(solution, 'E_uncertainty').data;
  const bound = arrayOf(solution, 'is_bound').data;
  return h(
    'fieldset',
    { class: 'level-list' },
    h('legend', null, 'States'),
    Array.from(E.data, (energy, k) =>
      h(
        'label',
        { key: k, class: `level-row${k === selected ? ' is-selected' : ''}` },
        h('input', { type: 'radio', name: 'state', checked: k === selected, onChange: () => select(k) }),
        h('span', { class: 'level-n' }, `n = ${k}`),
        h('span', { class: 'level-energy' }, withUnit(inFull(Number(energy.toPrecision(10))), E.unit)),
        h('span', { class: 'level-error' }, `± ${inShort(error[k] ?? 0, 2)}${bound[k] === 0 ? ', not bound' : ''}`),
      ),
    ),
  );
}
