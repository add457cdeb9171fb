// Numbers as people read them. What is compared is shown in full; what is looked at, shorter.

/** `1` is no unit. */
export function withUnit(text: string, unit: string): string {
  return unit === '1' || unit === '' ? text : `${text} ${unitOf(unit)}`;
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789-./'].map((digit, index) => [digit, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻·⁄'][index] ?? '']),
);
const LETTERS: Readonly<Record<string, string>> = {
  sigma: 'σ',
  epsilon: 'ε',
  tau: 'τ',
  hbar: 'ħ',
  _0: '₀',
  _e: 'ₑ',
  _h: 'ₕ',
};

const superscript = (text: string) => [...text].map((digit) => SUPERSCRIPTS[digit] ?? digit).join('');

/** `epsilon/sigma^3` is ε/σ³, `yr^-1/2` yr⁻¹⁄². */
export function unitOf(unit: string): string {
  return unit
    .replace(/\^(-?[\d.]+(?:\/\d+)?)/g, (_, power: string) => superscript(power))
    .replace(/sigma|epsilon|tau|hbar|_[0eh]\b/g, (name) => LETTERS[name] ?? name)
    .replace(/\bdeg\b/g, '°')
    .replace(/\bu(?=[msgLNPAVJWFHT]\b)/g, 'µ')
    .replace(/ohm\b/g, 'Ω')
    .replaceAll('*', '·');
}

/** A full stop where there is none. */
export function asSentence(text: string): string {
  return text === '' || /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Code at the head of a text: `y = 0`, `x(0)`, `x'`, `t_end`, `rk4`, or a letter that stands alone. */
const CODE = /^(?:\w*[\d_]|\w+(?:\(|'(?!\w)|\s*=)|\w(?![\w-]))/;

/** With a capital at its head, unless code stands there: a symbol with another letter is another symbol. */
export function capitalised(text: string): string {
  return CODE.test(text) ? text : text.replace(/^[a-z]/, (first) => first.toUpperCase());
}

/** Ends of a range: powers of ten as such, other numbers in short. */
export function asBound(value: number): string {
  const power = Math.log10(Math.abs(value));
  if (!Number.isFinite(power) || Math.abs(power) <= 3) return inShort(value, 17);
  const sign = value < 0 ? '−' : '';
  return Number.isInteger(power) ? `${sign}10${superscript(String(power))}` : inShort(value, power > 7 ? 2 : 17);
}

/** Every digit that the number has, with a true minus. */
export function inFull(value: number): string {
  return String(value).replaceAll('-', '−');
}

/** A few digits, without trailing zeros. */
export function inShort(value: number, digits = 5): string {
  const text = value === 0 ? '0' : String(Number(value.toPrecision(digits)));
  return text.replaceAll('-', '−');
}

export function inMilliseconds(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** 64 hex digits in groups of eight, so that two can be compared by eye and lines can break. */
export function inGroups(hex: string): string {
  return (hex.match(/.{1,8}/g) ?? []).join(' ');
}
