// Pin of a copied link, besides the inputs: the revision of the computation, its kernel and the definition of the law.
// A page that opens the link with others says so, since the number may differ from the one that was shared.

import { definitionOf } from '../../operators/definition.ts';
import { definitionSha256 } from '../../operators/definition-hash.ts';
import type { PureFields } from '../../protocol/pure-fields.ts';
import type { FullOperator } from './registry.ts';

/** No symbol has these names; see the test of drafts. */
export const PIN_KEYS = ['revision', 'kernel', 'law'] as const;

/** Hashes are cut to what tells versions apart. */
const HASH_DIGITS = 12;

export type Pin = Readonly<Partial<Record<(typeof PIN_KEYS)[number], string>>>;

export const pinOf = (operator: FullOperator, pure: Pick<PureFields, 'revision' | 'kernel_sha256'>): Pin => ({
  revision: String(pure.revision),
  kernel: pure.kernel_sha256.slice(0, HASH_DIGITS),
  law: (definitionSha256(definitionOf(operator)) ?? '').slice(0, HASH_DIGITS),
});

/** The link with its pin; a pin that it has is replaced. */
export function withPin(href: string, pin: Pin): string {
  const url = new URL(href);
  for (const key of PIN_KEYS) url.searchParams.set(key, pin[key] ?? '');
  return url.href;
}

/** Undefined for a link without a pin. */
export function pinIn(search: string): Pin | undefined {
  const query = new URLSearchParams(search);
  const found = PIN_KEYS.flatMap((key) => {
    const value = query.get(key);
    return value === null ? [] : [[key, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** One sentence for each part of the pin that is another here. */
export function pinFaults(pin: Pin, current: Pin): readonly string[] {
  const isOther = (key: (typeof PIN_KEYS)[number]) => pin[key] !== undefined && pin[key] !== current[key];
  return [
    ...(isOther('law') ? [`The law has changed: its definition was ${pin.law}, here it is ${current.law}.`] : []),
    ...(isOther('revision')
      ? [`The computation has another revision: it was ${pin.revision}, here it is ${current.revision}.`]
      : []),
    ...(isOther('kernel') ? [`The kernel has other bytes: it was ${pin.kernel}, here it is ${current.kernel}.`] : []),
  ];
}
