// What is shown of an answer that is too long: the same record, with signs in place of what was left out.

interface Detail {
  /** Longer arrays become their length and ends. */
  readonly items: number;
  /** Longer texts become their beginning. */
  readonly characters: number;
}

const DETAILS: readonly Detail[] = [
  { items: 32, characters: 400 },
  { items: 8, characters: 200 },
  { items: 3, characters: 80 },
];

/** At most `limit` bytes of JSON, in as much detail as fits; at worst only the scalar fields at the top, or nothing. */
export function outline(value: unknown, limit: number): Record<string, unknown> {
  for (const detail of DETAILS) {
    const short = shorten(value, detail);
    if (isRecord(short) && sizeOf(short) <= limit) return short;
  }
  const top = isRecord(value) ? Object.entries(value).filter(([, field]) => isScalar(field)) : [];
  const scalars = Object.fromEntries(top.map(([name, field]) => [name, shorten(field, { items: 0, characters: 80 })]));
  return sizeOf(scalars) <= limit ? scalars : {};
}

function shorten(value: unknown, detail: Detail): unknown {
  if (typeof value === 'string') {
    if (value.length <= detail.characters) return value;
    return `${value.slice(0, detail.characters)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    if (value.length <= detail.items) return value.map((item) => shorten(item, detail));
    return { omitted: value.length, first: shorten(value[0], detail), last: shorten(value.at(-1), detail) };
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field, detail)]));
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
