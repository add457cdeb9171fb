// Formats numbers, units and sentences for display: exact where readers compare, rounded elsewhere.

/** Appends the unit unless it is `1`. */
export function withUnit(text: string, unit: string): string {
  return unit === '1' || unit === '' ? text : `${text} ${formatUnit(unit)}`;
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789-./'].map((digit, index) => [digit, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻·⁄'][index] ?? '']),
);
const SYMBOLS: Readonly<Record<string, string>> = {
  sigma: 'σ',
  epsilon: 'ε',
  tau: 'τ',
  hbar: 'ħ',
  _0: '₀',
  _e: 'ₑ',
  _h: 'ₕ',
};

/** Digits and signs as superscripts. */
export const superscript = (text: string) => [...text].map((digit) => SUPERSCRIPTS[digit] ?? digit).join('');

/** Formats `epsilon/sigma^3` as ε/σ³, `yr^-1/2` as yr⁻¹⁄². */
export function formatUnit(unit: string): string {
  return unit
    .replace(/\^(-?[\d.]+(?:\/\d+)?)/g, (_, power: string) => superscript(power))
    .replace(/sigma|epsilon|tau|hbar|_[0eh]\b/g, (name) => SYMBOLS[name] ?? name)
    .replace(/\bdeg\b/g, '°')
    .replace(/\bu(?=[msgLNPAVJWFHT]\b)/g, 'µ')
    .replace(/ohm\b/g, 'Ω')
    .replaceAll('*', '·');
}

/** Appends a full stop unless the text already ends a sentence. */
export function withFullStop(text: string): string {
  return text === '' || /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Code at the start of a text: `y = 0`, `x(0)`, `x'`, `t_end`, `rk4`, or a single letter. */
const CODE_START = /^(?:\w*[\d_]|\w+(?:\(|'(?!\w)|\s*=)|\w(?![\w-]))/;

/** Capitalises the first letter, except of code: `X` is a different symbol from `x`. */
export function capitalise(text: string): string {
  return CODE_START.test(text) ? text : text.replace(/^[a-z]/, (first) => first.toUpperCase());
}

/** Formats a bound of a range; large powers of ten as 10ⁿ. */
export function formatBound(value: number): string {
  const power = Math.log10(Math.abs(value));
  if (!Number.isFinite(power) || Math.abs(power) <= 3) return formatRounded(value, 17);
  const sign = value < 0 ? '−' : '';
  return Number.isInteger(power) ? `${sign}10${superscript(String(power))}` : formatRounded(value, power > 7 ? 2 : 17);
}

/** All digits of the number, with a typographic minus. */
export function formatExact(value: number): string {
  return String(value).replaceAll('-', '−');
}

/** Rounded to significant digits, without trailing zeros. */
export function formatRounded(value: number, digits = 5): string {
  const text = value === 0 ? '0' : String(Number(value.toPrecision(digits)));
  return text.replaceAll('-', '−');
}

/** The power of ten of a formatted number as readers write it: `8.7e−20` as `8.7 × 10⁻²⁰`. */
export const withPower = (text: string): string =>
  text.replace(
    /e([−+]?)(\d+)$/,
    (_, sign: string, power: string) => ` × 10${superscript(sign === '−' ? `-${power}` : power)}`,
  );

/** As `formatRounded`, with a power of ten where zeros would only fill: `1.2e−5`, not `0.000012`. */
export function formatShort(value: number, digits: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 1e-3;
  const text = formatRounded(value, digits);
  return isSmall ? text.replace(/^(−?)0\.(0+)(\d)(\d*)$/, asPower) : text;
}

const asPower = (_: string, sign: string, zeros: string, first: string, rest: string) =>
  `${sign}${first}${rest && `.${rest}`}e−${zeros.length + 1}`;

export function formatMilliseconds(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Groups of eight hex digits, for comparison by eye and for line breaks. */
export function groupHex(hex: string): string {
  return (hex.match(/.{1,8}/g) ?? []).join(' ');
}

const countFormat = new Intl.NumberFormat('en', { useGrouping: true });

/** `1,024`. */
export const formatCount = (count: number) => countFormat.format(count);

export const pluralise = (count: number, singular: string, plural = `${singular}s`) =>
  count === 1 ? `1 ${singular}` : `${formatCount(count)} ${plural}`;
