// Stationary states: the wave functions on their levels, inside the potential, beside a list that selects one.

import { h } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Field } from '../../solvers/definition.ts';
import { getArray, type LevelsPlot } from '../../solvers/plot.ts';
import { formatExact, formatRounded, withUnit } from '../kit/format.ts';
import { ticks } from './axes.ts';
import { axisLabel, axisNumbers } from './axis-numbers.ts';
import { minMax, type PictureOf } from './picture.ts';
import { SaveMenu } from './save-menu.ts';
import { pictureAsSvg } from './svg-file.ts';

export const LEVELS_SIZE = [540, 380] as const;
const [WIDTH, HEIGHT] = LEVELS_SIZE;
const MARGIN = { left: 62, right: 12, top: 12, bottom: 48 };
/** Points per curve; more would not be visible. */
const POINTS = 640;

export const LevelsPicture: PictureOf<'levels'> = ({ plot, arrays }) => {
  const levels = getArray(arrays, plot.levels);
  const figure = useRef<HTMLElement>(null);
  const [selected, select] = useState(0);
  const geometry = useMemo(() => diagramGeometry(plot, arrays), [plot, levels.data]);
  return h(
    'figure',
    { class: 'picture levels', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, plot.title),
      h(SaveMenu, { title: plot.title, svg: () => pictureAsSvg(figure.current, plot.title) }),
    ),
    h(LevelDiagram, { title: plot.title, geometry, selected, states: levels.data.length }),
    h(LevelList, { plot, arrays, selected, select }),
  );
};

interface Tick {
  readonly at: number;
  readonly label: string;
}

interface DiagramGeometry {
  readonly potential: string;
  readonly waves: readonly string[];
  readonly lines: readonly number[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly xName: string;
  readonly yName: string;
}

export function diagramGeometry(plot: LevelsPlot, arrays: readonly Field[]): DiagramGeometry {
  const x = getArray(arrays, plot.x);
  const V = getArray(arrays, plot.potential);
  const psi = getArray(arrays, plot.waves);
  const E = getArray(arrays, plot.levels);
  const n = x.data.length;
  const [lowest, highest] = minMax(E.data);
  const [potentialMin] = minMax(V.data);
  // Headroom above the highest level; an unbounded potential, as of a nucleus, is cut below the lowest level.
  const headroom = Math.max(highest - lowest, 0.4 * Math.abs(highest - potentialMin), 1e-9 * Math.abs(highest), 1e-12);
  const bottom = Math.max(potentialMin, lowest - 0.9 * headroom) - 0.06 * headroom;
  const top = highest + 0.35 * headroom;
  const [x0, x1] = visibleRange(x.data, psi.data, E.data.length);
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
  const [xValues, yValues] = [ticks(x0, x1, 6), ticks(bottom, top, 6)];
  const [across, up] = [axisNumbers(xValues), axisNumbers(yValues)];
  const [, peak] = minMax(psi.data.map(Math.abs));
  const gap = Math.min((top - bottom) / 6, (0.8 * headroom) / Math.max(1, E.data.length - 1) || headroom / 3);
  const waveScale = gap / (peak || 1);
  return {
    potential: path((i) => V.data[i] ?? 0),
    waves: Array.from(E.data, (energy, k) => path((i) => energy + waveScale * (psi.data[k * n + i] ?? 0))),
    lines: Array.from(E.data, toY),
    xTicks: across.texts.map((label, k) => ({ at: toX(xValues[k] ?? 0), label })),
    yTicks: up.texts.map((label, k) => ({ at: toY(yValues[k] ?? 0), label })),
    xName: axisLabel(x.name, x.unit, across),
    yName: axisLabel(E.name, E.unit, up),
  };
}

/** Range in which any wave function exceeds 0.4 % of the peak, with a margin. */
function visibleRange(x: Float64Array, psi: Float64Array, states: number): readonly [number, number] {
  const n = x.length;
  const [, peak] = minMax(psi.map(Math.abs));
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
  const margin = Math.round(0.06 * (last - first)) + 1;
  return [x[Math.max(0, first - margin)] ?? 0, x[Math.min(n - 1, last + margin)] ?? 1];
}

interface DiagramProps {
  readonly title: string;
  readonly geometry: DiagramGeometry;
  readonly selected: number;
  readonly states: number;
}

function LevelDiagram({ title, geometry, selected, states }: DiagramProps) {
  const clip = useId();
  const label = `${title}: ${states} states; state ${selected} highlighted`;
  return h(
    'svg',
    { class: 'levels-diagram drawing', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    h(
      'clipPath',
      { id: clip },
      h('rect', {
        x: MARGIN.left,
        y: MARGIN.top,
        width: WIDTH - MARGIN.left - MARGIN.right,
        height: HEIGHT - MARGIN.top - MARGIN.bottom,
      }),
    ),
    geometry.yTicks.map(({ at, label: text }) => [
      h('path', { class: 'grid', d: `M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}` }),
      h('text', { class: 'tick', x: MARGIN.left - 8, y: at + 4, 'text-anchor': 'end' }, text),
    ]),
    geometry.xTicks.map(({ at, label: text }) =>
      h('text', { class: 'tick', x: at, y: HEIGHT - MARGIN.bottom + 19, 'text-anchor': 'middle' }, text),
    ),
    h('text', { class: 'tick', x: WIDTH - MARGIN.right, y: HEIGHT - 4, 'text-anchor': 'end' }, geometry.xName),
    h(
      'text',
      { class: 'tick', x: 14, y: MARGIN.top, transform: `rotate(-90 14 ${MARGIN.top})`, 'text-anchor': 'end' },
      geometry.yName,
    ),
    h(
      'g',
      { 'clip-path': `url(#${clip})` },
      h('path', { class: 'potential', d: geometry.potential }),
      geometry.lines.map((at, k) =>
        h('path', {
          key: k,
          class: `level${k === selected ? ' is-selected' : ''}`,
          d: `M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}`,
        }),
      ),
      geometry.waves.map((d, k) => h('path', { key: k, class: `wave${k === selected ? ' is-selected' : ''}`, d })),
    ),
  );
}

interface LevelListProps {
  readonly plot: LevelsPlot;
  readonly arrays: readonly Field[];
  readonly selected: number;
  readonly select: (state: number) => void;
}

function LevelList({ plot, arrays, selected, select }: LevelListProps) {
  const group = useId();
  const E = getArray(arrays, plot.levels);
  const error = plot.uncertainty === undefined ? undefined : getArray(arrays, plot.uncertainty).data;
  const bound = plot.bound === undefined ? undefined : getArray(arrays, plot.bound).data;
  return h(
    'fieldset',
    { class: 'level-list' },
    h('legend', null, 'States'),
    Array.from(E.data, (energy, k) =>
      h(
        'label',
        { key: k, class: `level-row${k === selected ? ' is-selected' : ''}` },
        h('input', { type: 'radio', name: group, checked: k === selected, onChange: () => select(k) }),
        h('span', { class: 'level-n' }, `n = ${k}`),
        h('span', { class: 'level-energy' }, withUnit(formatExact(Number(energy.toPrecision(10))), E.unit)),
        h(
          'span',
          { class: 'level-error' },
          [uncertaintyText(error?.[k]), bound?.[k] === 0 ? 'not bound' : ''].filter(Boolean).join(', '),
        ),
      ),
    ),
  );
}

const uncertaintyText = (error: number | undefined) => (error === undefined ? '' : `± ${formatRounded(error, 2)}`);
