// Contracts with a key: what their lifecycle cannot do, by name.

import type { Definition } from '../../contracts/definition.ts';
import type { Migration } from '../../contracts/migration/schema.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import type { LiveContract } from '../engine/live-contract.ts';

/** @throws DomainError CONFLICT for a contract whose state is in its instances */
export function assertUnkeyed({ stored }: { readonly stored: { readonly definition: Definition } }, act: string): void {
  if (stored.definition.key === undefined) return;
  const message = `The contract keeps its state in instances by ${stored.definition.key}, so it cannot be ${act}; send an event with the key.`;
  throw new DomainError('CONFLICT', message);
}

/** @throws DomainError VALIDATION_FAILED for a mode that would move the timers of all instances */
export function assertResumable({ stored }: LiveContract, mode: string): void {
  if (stored.definition.key === undefined || mode === 'deadline') return;
  const message = `mode is ${mode}; a contract with instances is resumed with deadline, which keeps their timers.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'mode', code: 'ONE_OF', message }] });
}

/**
 * @throws DomainError VALIDATION_FAILED if a new version would leave an instance without its key or its state, since
 *   instances move to it one by one, when they are touched next
 */
export function assertKeyedChange(
  before: Definition,
  after: Definition,
  { migrate, reset }: { readonly migrate: Migration | undefined; readonly reset: boolean },
): void {
  if (before.key === undefined && after.key === undefined) return;
  const fail = (path: string, code: string, text: string) => {
    const message = `${path} ${text}.`;
    throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
  };
  if (before.key !== after.key)
    fail(
      'key',
      'KEY',
      `is ${after.key ?? 'missing'}; expected ${before.key ?? 'none'}, as before: deploy another contract`,
    );
  if (migrate !== undefined) fail('migrate', 'NOT_ALLOWED', 'is not supported for a contract with instances');
  if (reset) fail('reset', 'NOT_ALLOWED', 'is not supported for a contract with instances');
  if (typesOf(before) !== typesOf(after))
    fail('events', 'KEY', 'give the key another type; expected the one of before');
  const missing = Object.keys(before.states).filter((state) => !Object.hasOwn(after.states, state));
  if (missing.length > 0)
    fail(
      'states',
      'MISSING',
      `lack ${missing.join(', ')}; expected all states of the version before, for its instances`,
    );
}

/** The types that the key has in the events of a definition. */
function typesOf({ key = '', events = {} }: Definition): string {
  const field = key.slice('event.'.length);
  const types = Object.values(events).flatMap(({ payload = {} }) =>
    Object.hasOwn(payload, field) ? [payload[field] ?? ''] : [],
  );
  return canonicalJson([...new Set(types)].sort());
}
