// Plots of a sweep: a curve over one input, a map over two, from arrays that the table gives.

import type { Field } from '../../solvers/field.ts';
import { arrayNames, type Plot } from '../../solvers/plot.ts';
import type { Table } from '../../solvers/table.ts';
import type { Axis, PointSet, SealedAxis } from './axes.ts';

/** Names of the arrays of a table start with this, so that they differ from those of a solution. */
const PREFIX = 'sweep ';

/** Plots name the arrays of `tableArrays`. Samples are drawn over the first of their inputs. */
export function pointPlots({ axes, names, samples }: PointSet, table: Pick<Table, 'refused'>): readonly Plot[] {
  if (samples === undefined) return sweepPlots(axes, table);
  const [x = ''] = names;
  return [{ kind: 'phase', title: `samples over ${x}`, x: `${PREFIX}${x}`, y: `${PREFIX}value`, marks: 'points' }];
}

function sweepPlots(axes: readonly Axis[], { refused }: Pick<Table, 'refused'>): readonly Plot[] {
  const [first, second] = axes;
  if (first === undefined) return [];
  const title = `value over ${axes.map(({ name }) => name).join(' and ')}`;
  const [x, value] = [`${PREFIX}${(second ?? first).name}`, `${PREFIX}value`];
  const names = { x, y: [value], title } as const;
  if (second === undefined)
    return [
      isRising(first.values) ? { kind: 'line', ...names } : { kind: 'phase', title, x, y: value, marks: 'points' },
    ];
  if (refused.length === 0 && [first, second].every(({ values }) => isEven(values)))
    return [
      { kind: 'field', title: `${title}, ${second.name} to the right`, x, y: `${PREFIX}${first.name}`, values: value },
    ];
  return isRising(second.values) ? [{ kind: 'line', ...names }] : [];
}

/**
 * The columns of a table as arrays: those of the inputs by their own points, values and ± as f64[first, second]. Rows
 * without a value are NaN.
 */
export function tableArrays(
  { columns, units, data }: Pick<Table, 'columns' | 'units' | 'data'>,
  counts: readonly number[],
): readonly Field[] {
  const width = columns.length;
  const rows = data.length / width;
  const column = (at: number, stride: number, count: number) =>
    Float64Array.from({ length: count }, (_, i) => data[i * stride * width + at] ?? Number.NaN);
  return columns.map((name, at): Field => {
    const own = counts[at];
    const isInput = own !== undefined;
    const values = isInput ? column(at, at === counts.length - 1 ? 1 : (counts[1] ?? 1), own) : column(at, 1, rows);
    const shape = isInput || counts.length < 2 ? [values.length] : [...counts];
    return { name: `${PREFIX}${name}`, unit: units[at] ?? '1', shape, data: values };
  });
}

const isRising = (values: Float64Array) => values.every((value, i) => i === 0 || value > (values[i - 1] ?? Number.NaN));

/** Evenly spaced to the pixel. */
function isEven(values: Float64Array): boolean {
  const [from = 0, to = 0] = [values[0], values.at(-1)];
  const step = (to - from) / (values.length - 1);
  return step > 0 && values.every((value, i) => Math.abs(value - from - i * step) <= 1e-6 * (to - from));
}

/** How many values each input of a sweep takes; nothing for samples. */
export const countsOf = (sweep: readonly SealedAxis[] | undefined): readonly number[] =>
  (sweep ?? []).map((axis) => ('values' in axis ? axis.values.length : axis.count));

/** Whether a plot draws a sweep, and not the solution of its last point. */
export const isSweepPlot = (plot: Plot): boolean => arrayNames(plot).some((name) => name.startsWith(PREFIX));
