// RFC 8785 canonical JSON (JCS): the one door to the library that writes it.

import canonicalize from 'canonicalize';

/**
 * The text that is hashed and signed.
 *
 * @throws TypeError  for what JSON cannot say: NaN, Infinity, a cycle, undefined at the top
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('undefined has no canonical JSON.');
  return text;
}
