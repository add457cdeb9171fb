// Sweeps on the command line: the option that states one, and its table as a chart.

import { Option } from 'commander';
import { parseReal } from '../core/decimal.ts';
import { DomainError } from '../core/errors.ts';
import type { AxisSpec, SealedAxis, SweepSpec } from '../protocol/sweep/axes.ts';
import { countsOf, isSweepPlot, tableArrays } from '../protocol/sweep/plots.ts';
import type { SamplesRequest } from '../protocol/sweep/samples.ts';
import { type TableResult, tableNumbers } from '../protocol/sweep/table-result.ts';
import type { Plot } from '../solvers/plot.ts';
import type { SampleStatistics } from '../solvers/samples.ts';
import { plotLines } from './plot.ts';

const HELP =
  'sweep an input, twice for two: v=10..40:100 (100 values), v=10..40km/h:100, v=1..1e6:7:log, v=1,2,5 (prints the last point, and a chart)';

export const sweepOption = (): Option =>
  new Option('--sweep <name=values>', HELP).argParser((text: string, before: readonly string[] = []) => [
    ...before,
    text,
  ]);

/** `v=10..40 km/h:100:log` */
const RANGE = /^([\w-]+(?:\.\w+)?)=([^.,:]*(?:\.(?!\.)[^.,:]*)?)\.\.(.+?):(\d+)(?::(\w+))?$/;
/** `v=1,2,5 km/h` */
const LIST = /^([\w-]+(?:\.\w+)?)=(.+)$/;
/** A number and the unit behind it. */
const NUMBER = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/i;

/** @throws DomainError VALIDATION_FAILED */
export function parseSweep(texts: readonly string[]): {
  readonly axes: SweepSpec;
  readonly units: Readonly<Record<string, string>>;
} {
  const axes: Record<string, AxisSpec> = {};
  const units: Record<string, string> = {};
  for (const text of texts) {
    const { name, axis, unit } = parseAxis(text);
    if (Object.hasOwn(axes, name)) throw refusal(text, `${name} is swept twice`);
    axes[name] = axis;
    if (unit !== '') units[name] = unit;
  }
  return { axes, units };
}

/** Of a solver, whose fields have no other units. @throws DomainError VALIDATION_FAILED */
export function parseFieldSweep(texts: readonly string[] | undefined): SweepSpec | undefined {
  if (texts === undefined) return undefined;
  const { axes, units } = parseSweep(texts);
  const [name] = Object.keys(units);
  if (name === undefined) return axes;
  throw refusal(`${name} in ${units[name]}`, 'a field of a solver has its own unit; leave it out');
}

function parseAxis(text: string): { readonly name: string; readonly axis: AxisSpec; readonly unit: string } {
  const range = RANGE.exec(text);
  if (range !== null) {
    const [, name = '', from = '', to = '', count = '', scale] = range;
    const [, end = '', unit = ''] = NUMBER.exec(to) ?? [];
    if (scale !== undefined && scale !== 'log' && scale !== 'linear')
      throw refusal(text, `the scale is ${scale}; log or linear is expected`);
    const axis = { from: parseReal(from.trim()), to: parseReal(end), count: Number(count) };
    if (Number.isNaN(axis.from) || Number.isNaN(axis.to)) throw refusal(text, 'its ends are no numbers');
    return { name, axis: scale === undefined ? axis : { ...axis, scale }, unit: unit.trim() };
  }
  const [, name, list = ''] = LIST.exec(text) ?? [];
  const parts = list.split(',').map((part) => NUMBER.exec(part));
  if (name === undefined || list.includes('..') || parts.some((part) => part === null)) throw refusal(text, FORMS);
  const unitsOfParts = [...new Set(parts.map((part) => part?.[2]?.trim() ?? '').filter((unit) => unit !== ''))];
  if (unitsOfParts.length > 1) throw refusal(text, `it has the units ${unitsOfParts.join(' and ')}; one is expected`);
  return { name, axis: parts.map((part) => Number(part?.[1])), unit: unitsOfParts[0] ?? '' };
}

const FORMS = 'use name=10..40:100, name=10..40km/h:100, name=1..1e6:7:log or name=1,2,5';

function refusal(text: string, reason: string): DomainError {
  const message = `--sweep ${text}: ${reason}.`;
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'sweep', code: 'SWEEP_INVALID', message }],
  });
}

export const samplesOption = (): Option =>
  new Option(
    '--monte-carlo <count[:seed]>',
    'propagate the given uncertainties by that many samples, 200 or 200:7; at least 59',
  ).argParser(parseSamples);

export const uncertaintyOption = (): Option =>
  new Option(
    '--uncertainty <name=number>',
    'standard uncertainty of a numeric field, for --monte-carlo, or of a number of own equations; any number of times',
  ).argParser((text: string, before: readonly string[] = []) => [...before, text]);

/** `alpha=0.1` each. @throws DomainError VALIDATION_FAILED */
export function parseUncertainties(texts: readonly string[] | undefined): Readonly<Record<string, number>> | undefined {
  if (texts === undefined) return undefined;
  const entries = texts.map((text) => {
    const [, name, number = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
    const value = parseReal(number.trim());
    if (name === undefined || Number.isNaN(value)) {
      const message = `--uncertainty ${text}: use name=number, for example alpha=0.1.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'uncertainties', code: 'SAMPLES_INVALID', message }],
      });
    }
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/** @throws DomainError VALIDATION_FAILED */
function parseSamples(text: string): SamplesRequest {
  const [, count, seed] = /^(\d+)(?::(\d+))?$/.exec(text) ?? [];
  if (count === undefined) {
    const message = `--monte-carlo ${text}: a whole number, or two with a colon, are expected: 200 or 200:7.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: 'samples', code: 'SAMPLES_INVALID', message }],
    });
  }
  // How many are allowed depends on what is computed.
  return { count: Number(count), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}

interface Swept {
  readonly plots: readonly Plot[];
  readonly sweep?: readonly SealedAxis[] | undefined;
  readonly table?: TableResult | undefined;
  readonly samples?: SampleStatistics | undefined;
  readonly unit: string;
}

/**
 * A chart of the table, and what its rows lack; nothing without a sweep.
 *
 * @param columns  of the terminal; undefined for a file or a pipe
 */
export function sweepText(
  { sweep, table, plots, samples, unit }: Swept,
  columns: number | undefined,
): readonly string[] {
  if (table === undefined) return [];
  const data = tableNumbers(table);
  const own = plots.find(isSweepPlot);
  const chart =
    data === undefined || own === undefined
      ? []
      : plotLines(own, tableArrays({ ...table, data }, countsOf(sweep)), columns);
  const ranges = [
    ...table.refused.map(({ from, to, code }) => `${rowsText(from, to)} refused: ${code}`),
    ...table.unconverged.map(({ from, to }) => `${rowsText(from, to)} not converged`),
  ];
  const shown = [...chart, ...ranges.slice(0, MAX_RANGES)];
  if (samples === undefined) return [...shown, `sweep of ${table.shape[0]} points; its last value is:`];
  const { count, seed, mean, standard_deviation: deviation, low, high } = samples;
  const [center, width, from, to] = [mean, deviation, low, high].map((number) => number.toPrecision(6));
  return [
    ...shown,
    `${count} samples, seed ${seed}: mean ${center}, standard deviation ${width}, 95 % from ${from} to ${to} ${unit === '1' ? '' : unit}`.trimEnd(),
  ];
}

const MAX_RANGES = 8;

/** Rows count from 0, as in the receipt. */
const rowsText = (from: number, to: number) => (from === to ? `row ${from}` : `rows ${from} to ${to}`);
