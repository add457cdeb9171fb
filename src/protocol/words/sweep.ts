// A sweep in words: which inputs took which values, and the rows that stand for all. Only sealed fields are read; the
// hash that is sealed covers the other rows.

import { groupDigits, shortText } from '../../core/plain-text.ts';
import { isRecord } from '../../core/record.ts';
import type { Untrusted } from '../untrusted.ts';
import type { ReceiptLine } from './line.ts';
import { exactText, withUnit } from './numbers.ts';

const MAX_AXES = 2;
const MAX_VALUES = 5;
const MAX_NAME_CHARACTERS = 60;
/** Ranges of refused rows that are listed. */
const MAX_RANGES = 4;

export function sweepLines(envelope: Untrusted): ReceiptLine[] {
  const { table } = envelope;
  if (!isRecord(table)) return [];
  const axes = axesOf(envelope).map(
    ({ name, text }): ReceiptLine => ({ kind: 'input', label: `Sweep of ${name}`, text, added: [] }),
  );
  const outline = outlineOf(table).map(({ label, text }): ReceiptLine => ({ kind: 'step', label, text, added: [] }));
  const hash: ReceiptLine = {
    kind: 'step',
    label: 'Table',
    text: `${rowCount(table)} rows, SHA-256 ${typeof table.sha256 === 'string' ? shortText(table.sha256, 64) : 'missing'}`,
    added: [],
  };
  return [...axes, ...sampleLines(envelope), hash, ...outline, ...rangeLines(table)];
}

/** What was drawn, and the numbers of all samples. */
function sampleLines({ samples, unit, table }: Untrusted): ReceiptLine[] {
  if (!isRecord(samples)) return [];
  const { units, columns } = isRecord(table) ? table : {};
  const drawn = (Array.isArray(samples.inputs) ? samples.inputs : [])
    .filter(isRecord)
    .slice(0, MAX_DRAWN)
    .map(({ name, value, uncertainty }): ReceiptLine => {
      const at = Array.isArray(columns) ? columns.indexOf(name) : -1;
      const own: unknown = Array.isArray(units) ? units[at] : undefined;
      const text = withUnit(`${number(value)} ± ${number(uncertainty)}`, typeof own === 'string' ? own : undefined);
      const label = `Drawn ${shortText(String(name), MAX_NAME_CHARACTERS)}`;
      return { kind: 'input', label, text, added: ['normal; one standard deviation'] };
    });
  const { count, seed, within, mean, standard_deviation, low, high } = samples;
  const ownUnit = typeof unit === 'string' ? unit : undefined;
  const drawnText = `${number(count)}, seed ${number(seed)}, ${number(within)} within the ranges of the inputs`;
  const interval = withUnit(`${number(low)} to ${number(high)}`, ownUnit);
  return [
    ...drawn,
    { kind: 'step', label: 'Samples', text: drawnText, added: [] },
    { kind: 'step', label: 'Mean', text: withUnit(number(mean), ownUnit), added: [] },
    { kind: 'step', label: 'Standard deviation', text: withUnit(number(standard_deviation), ownUnit), added: [] },
    { kind: 'step', label: 'Interval of 95 %', text: interval, added: [] },
  ];
}

const MAX_DRAWN = 16;

/** For a model, before the sentence on the value. */
export function sweepSentences(envelope: Untrusted): string[] {
  const { table } = envelope;
  if (!isRecord(table)) return [];
  const axes = axesOf(envelope).map(({ name, text }) => `${name}: ${text}`);
  const rows = outlineOf(table).map(({ label, text }) => `${label.replace(' row', '')} ${text}`);
  const ranges = rangeLines(table).map(({ label, text }) => `${label}: ${text}`);
  if (isRecord(envelope.samples)) {
    const lines = sampleLines(envelope).map(({ label, text }) => `${label}: ${text}`);
    return [`${lines.join('; ')}.`, ...ranges.map((text) => `${text}.`), 'The following is at the given values.'];
  }
  return [
    `Sweep of ${rowCount(table)} rows over ${axes.join('; ')}.`,
    ...(rows.length === 0 ? [] : [`${rows.join('; ')}.`]),
    ...ranges.map((text) => `${text}.`),
    'The following is of the last row that has a value.',
  ];
}

function axesOf({ sweep, table }: Untrusted): { readonly name: string; readonly text: string }[] {
  const { columns, units } = isRecord(table) ? table : {};
  return (Array.isArray(sweep) ? sweep : [])
    .filter(isRecord)
    .slice(0, MAX_AXES)
    .map((axis) => {
      const { name } = axis;
      const at = Array.isArray(columns) ? columns.indexOf(name) : -1;
      const unit: unknown = Array.isArray(units) ? units[at] : undefined;
      const text = valuesText(axis, typeof unit === 'string' ? unit : undefined);
      return { name: shortText(String(name), MAX_NAME_CHARACTERS), text };
    });
}

function valuesText({ values, from, to, count, scale }: Untrusted, unit: string | undefined): string {
  if (Array.isArray(values)) {
    const shown = values.slice(0, MAX_VALUES).map((value) => shortText(String(value), MAX_NAME_CHARACTERS));
    const rest = values.length > MAX_VALUES ? `, … of ${groupDigits(values.length)}` : '';
    return withUnit(`${shown.join(', ')}${rest}`, unit);
  }
  const spacing = scale === 'log' ? ', in even ratios' : '';
  const total = typeof count === 'number' ? groupDigits(count) : String(count);
  return `${withUnit(`${number(from)} to ${number(to)}`, unit)}, ${total} values${spacing}`;
}

const number = (value: unknown) => (typeof value === 'number' ? String(value) : 'missing');

const LABELS = { first: 'First row', last: 'Last row', min: 'Smallest row', max: 'Largest row' } as const;

function outlineOf({ outline, columns, units }: Untrusted): { readonly label: string; readonly text: string }[] {
  if (!isRecord(outline) || !Array.isArray(columns) || !Array.isArray(units)) return [];
  return Object.entries(LABELS).flatMap(([name, label]) => {
    const row: unknown = outline[name];
    if (!Array.isArray(row) || row.length !== columns.length || row.some((one) => typeof one !== 'number')) return [];
    const unitAt = (at: number) => (typeof units[at] === 'string' ? units[at] : undefined);
    const inputs = row.slice(0, -2).map((value, at) => {
      const key = shortText(String(columns[at]), MAX_NAME_CHARACTERS);
      return `${key} = ${withUnit(String(value), unitAt(at))}`;
    });
    const [value, uncertainty] = row.slice(-2);
    return [{ label, text: `${inputs.join(', ')}: ${exactText(value, uncertainty, unitAt(row.length - 2))}` }];
  });
}

function rangeLines({ refused, unconverged }: Untrusted): ReceiptLine[] {
  return [
    ...rangeLine('Refused rows', refused, ({ code }) => ` (${shortText(String(code), MAX_NAME_CHARACTERS)})`),
    ...rangeLine('Rows not converged', unconverged, () => ''),
  ];
}

/** Rows count from 0, as in the receipt. */
function rangeLine(label: string, ranges: unknown, reasonOf: (range: Untrusted) => string): ReceiptLine[] {
  const known = (Array.isArray(ranges) ? ranges : []).filter(isRecord);
  if (known.length === 0) return [];
  const shown = known.slice(0, MAX_RANGES).map((range) => {
    const { from, to } = range;
    return `${number(from)}${from === to ? '' : ` to ${number(to)}`}${reasonOf(range)}`;
  });
  const rest = known.length > MAX_RANGES ? `, and ${groupDigits(known.length - MAX_RANGES)} more ranges` : '';
  return [{ kind: 'step', label, text: `${shown.join(', ')}${rest}`, added: [] }];
}

function rowCount({ shape }: Untrusted): string {
  const [rows] = Array.isArray(shape) ? shape : [];
  return typeof rows === 'number' ? groupDigits(rows) : 'missing';
}
