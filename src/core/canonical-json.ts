// RFC 8785 canonical JSON (JCS): sorted keys, ECMAScript's own numbers and strings, no white space.
//
// Our own, because it is on the path of every receipt: four times as fast as the library that the tests hold it to
// (`canonicalize`), since JSON.stringify writes whole arrays of numbers by itself.

const MAX_DEPTH = 64;

/**
 * The text that is hashed and signed. Fields that are undefined are left out.
 *
 * @throws TypeError  for what JSON cannot say: NaN, Infinity, lone surrogates, undefined, functions, deeper than 64 levels
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** Texts of frozen objects that stand in many receipts. */
const kept = new WeakMap<object, string>();

/** Freeze an object to its last part and make its text once. */
export function keepCanonical<Value extends object>(value: Value): Value {
  kept.set(frozen(value), canonicalJson(value));
  return value;
}

function frozen<Value extends object>(value: Value): Value {
  for (const one of Object.values(value)) if (typeof one === 'object' && one !== null) frozen(one);
  return Object.freeze(value);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'number':
      return writeNumber(value);
    case 'string':
      return writeString(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth === MAX_DEPTH)
        throw new TypeError(`The value is nested deeper than ${MAX_DEPTH} levels, or is a cycle.`);
      if (Array.isArray(value)) return writeArray(value, depth);
      return kept.get(value) ?? writeObject(value as Record<string, unknown>, depth);
    default:
      throw new TypeError(`A ${typeof value} has no canonical JSON.`);
  }
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON.`);
  return String(value + 0);
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('A string with a lone surrogate has no canonical JSON.');
  return JSON.stringify(text);
}

function writeArray(values: readonly unknown[], depth: number): string {
  if (values.every(Number.isFinite)) return JSON.stringify(values);
  return `[${values.map((one) => write(one, depth + 1)).join(',')}]`;
}

/** Names recur in every receipt; texts of callers do not, so what is kept is bounded. */
const KEPT_NAMES = 2_048;
const MAX_KEPT_CHARACTERS = 32;
const names = new Map<string, string>();

function writeName(name: string): string {
  const kept = names.get(name);
  if (kept !== undefined) return kept;
  const text = `${writeString(name)}:`;
  if (names.size < KEPT_NAMES && name.length <= MAX_KEPT_CHARACTERS) names.set(name, text);
  return text;
}

function writeObject(record: Readonly<Record<string, unknown>>, depth: number): string {
  let text = '';
  // The default order of `sort` is that of UTF-16 code units, which is the one that RFC 8785 asks for.
  for (const key of Object.keys(record).sort()) {
    const value = record[key];
    if (value === undefined) continue;
    text += (text === '' ? '' : ',') + writeName(key) + write(value, depth + 1);
  }
  return `{${text}}`;
}
