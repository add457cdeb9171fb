// Numbers along an axis: short, different from each other, with what they share (a power of ten, an offset) in the label.

import { formatExact, formatRounded, formatUnit, superscript } from '../kit/format.ts';
import { wordsOf } from './picture.ts';

export interface AxisNumbers {
  readonly texts: readonly string[];
  /** The numbers count from here. */
  readonly offset: number;
  /** The numbers count in units of 10^power. */
  readonly power: number;
}

/** Longer numbers get a power of ten: 99,999 and 0.01 are written in full. */
const [MIN_POWER, MAX_POWER] = [-2, 4];
/** Numbers that agree in more leading digits count from the first of them. */
const MAX_SHARED_DIGITS = 5;
/** A double holds no more. */
const MAX_DECIMALS = 17;

/** Texts of the ticks of an axis, which rise in equal steps. */
export function axisNumbers(ticks: readonly number[]): AxisNumbers {
  const [first = 0, second = first] = ticks;
  const step = second - first;
  const largest = Math.max(...ticks.map(Math.abs));
  if (!(step > 0 && Number.isFinite(largest))) {
    return { texts: ticks.map((value) => formatRounded(value, 6)), offset: 0, power: 0 };
  }
  const offset = largest / step >= 10 ** MAX_SHARED_DIGITS ? first : 0;
  const power = powerOf(offset === 0 ? largest : step * (ticks.length - 1));
  const counts = ticks.map((value, k) => (offset === 0 ? value : k * step) / 10 ** power);
  const decimals = decimalsOf(counts, step / 10 ** power);
  return { texts: counts.map((count) => decimalText(count, decimals)), offset, power };
}

/** The power of ten, in threes, that leaves one to three digits before the point; 0 for numbers short enough. */
function powerOf(largest: number): number {
  const power = Math.floor(Math.log10(largest));
  return power >= MIN_POWER && power <= MAX_POWER ? 0 : 3 * Math.floor(power / 3);
}

/** The least number of decimals that writes every count within a thousandth of a step. */
function decimalsOf(counts: readonly number[], step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    if (counts.every((count) => Math.abs(Number(count.toFixed(decimals)) - count) <= 1e-3 * step)) return decimals;
  }
  return MAX_DECIMALS;
}

/** `12 500`, `0.25`, `−3`: groups of three from five digits on, as SI writes them, and no zero with a sign. */
function decimalText(value: number, decimals: number): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') : whole;
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Label of an axis: `T − 300 [10⁻⁶ K]`. */
export function axisLabel(name: string, unit: string, { offset, power }: Omit<AxisNumbers, 'texts'>): string {
  const quantity =
    offset === 0 ? wordsOf(name) : `${wordsOf(name)} ${offset < 0 ? '+' : '−'} ${formatExact(Math.abs(offset))}`;
  const scale = power === 0 ? '' : `10${superscript(String(power))}`;
  const units = [scale, unit === '1' ? '' : formatUnit(unit)].filter(Boolean).join(' ');
  return `${quantity}${units && ` [${units}]`}`.trim();
}
