// Numbers as people read them. What is compared is shown in full; what is looked at, shorter.

/** `1` is no unit. */
export function withUnit(text: string, unit: string): string {
  return unit === '1' || unit === '' ? text : `${text} ${unit}`;
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
