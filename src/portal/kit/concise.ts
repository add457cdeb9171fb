// A number in the concise notation of measurements: `0.047 671 679(50)`, where ± is 50 in the last places.

import { roundedPair } from '../../core/rounded.ts';
import { formatExact } from './format.ts';

export interface Concise {
  /** With sign and decimal point, in groups of three digits. */
  readonly groups: readonly string[];
  /** Of ± in the last places; undefined where ± is smaller than the digits of a double. */
  readonly lastDigits: string | undefined;
  /** Power of ten. */
  readonly exponent: string | undefined;
}

export function conciseOf(value: number, uncertainty: number): Concise {
  const pair = roundedPair(value, uncertainty);
  const [mantissa = '', exponent] = (pair?.value ?? String(value)).split('e');
  const [ofUncertainty = '', otherExponent] = (pair?.uncertainty ?? '').split('e');
  const isSamePlace = decimalsOf(mantissa) === decimalsOf(ofUncertainty) && exponent === otherExponent;
  const lastDigits = ofUncertainty.replace('.', '').replace(/^0+/, '');
  return {
    groups: Number.isFinite(value) ? groupDigits(mantissa) : [formatExact(value)],
    lastDigits: isSamePlace && lastDigits !== '' ? lastDigits : undefined,
    exponent: exponent?.replace('+', ''),
  };
}

const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0;

/** `47671.678912` as 47, 671.678, 912; up to four digits on a side stay together. */
export function groupDigits(text: string): readonly string[] {
  const [whole = '', fraction] = text.replace('-', '−').split('.');
  const wholeGroups = whole.replace('−', '').length > 4 ? whole.split(/(?=(?:\d{3})+$)(?<=\d)/) : [whole];
  if (fraction === undefined) return wholeGroups;
  const [first = '', ...rest] = fraction.length > 4 ? (fraction.match(/\d{1,3}/g) ?? []) : [fraction];
  return [...wholeGroups.slice(0, -1), `${wholeGroups.at(-1)}.${first}`, ...rest];
}

/** The bits of the double, as hexadecimal digits. */
export function bitsText(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `0x${view.getBigUint64(0).toString(16).padStart(16, '0')}`;
}
