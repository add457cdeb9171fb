// Registration of a definition: by the registry of today, by an earlier one, or by none. registered.json keeps the
// hash of every definition that the project ever held; `npm run register:operators` appends to it.

import { definitionSha256 } from './definition-hash.ts';

/** Hashes by id, in registry order; the last of an id is today's. */
export type RegisteredHashes = Readonly<Record<string, readonly string[]>>;

/** In place of a last hash: the registry has no operator of this id any more. */
export const WITHDRAWN = 'withdrawn';

/**
 * `registered`: the definition of today's registry. `changed since`: one that the project held earlier.
 * `not registered`: any other, also one of a known id.
 */
export type Registration = 'registered' | 'changed since' | 'not registered';

/**
 * @param definition  also one of an untrusted receipt
 * @param registered  the kept list (registered.ts), or another
 */
export function registrationOf(definition: unknown, registered: RegisteredHashes): Registration {
  const { id } = (definition ?? {}) as { readonly id?: unknown };
  const hashes = typeof id === 'string' && Object.hasOwn(registered, id) ? (registered[id] ?? []) : [];
  const hash = hashes.length === 0 ? undefined : definitionSha256(definition);
  if (hash === undefined || !hashes.includes(hash)) return 'not registered';
  return hashes.at(-1) === hash ? 'registered' : 'changed since';
}
