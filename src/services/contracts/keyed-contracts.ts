// Contracts with a key: what their lifecycle cannot do, by name.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Definition } from '../../contracts/definition.ts';
import { keyedChangeFaults } from '../../contracts/instances/change.ts';
import { boundTwice } from '../../contracts/instances/parties.ts';
import type { Migration } from '../../contracts/migration/schema.ts';
import type { PartyBindings } from '../../contracts/parties/bindings.ts';
import { DomainError } from '../../core/errors.ts';
import type { LiveContract } from '../engine/live-contract.ts';

/** @throws DomainError CONFLICT for a contract whose state is in its instances */
export function assertUnkeyed(
  { stored }: { readonly stored: { readonly definition: Definition } },
  act: string,
  instead = 'send an event with the key',
): void {
  if (stored.definition.key === undefined) return;
  const message = `The contract keeps its state in instances by ${stored.definition.key}, so it cannot be ${act}; ${instead}.`;
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
  before: CompiledContract,
  after: CompiledContract,
  { migrate, reset }: { readonly migrate: Migration | undefined; readonly reset: boolean },
): void {
  if (before.definition.key === undefined && after.definition.key === undefined) return;
  const notSupported = (path: string) => {
    const message = `${path} is not supported for a contract with instances.`;
    return { path, code: 'NOT_ALLOWED', message };
  };
  const faults = keyedChangeFaults(before, after);
  const [first] = [
    ...faults.filter(({ path }) => path === 'key'),
    ...(migrate === undefined ? [] : [notSupported('migrate')]),
    ...(reset ? [notSupported('reset')] : []),
    ...faults,
  ];
  if (first !== undefined) throw new DomainError('VALIDATION_FAILED', first.message, { details: [first] });
}

/**
 * Bindings that an instance can keep under the version that stands, whose parties may be others than its own.
 *
 * @throws DomainError CONFLICT if somebody would act for two parties
 */
export function assertApart({ stored, instance }: LiveContract, bindings: PartyBindings): void {
  const { parties } = instance?.parent.running.state ?? {};
  const [voter] = boundTwice(stored.definition, parties?.bindings, bindings);
  if (voter === undefined) return;
  const message = `${voter} acts for another party in the contract that stands; one acts for one party.`;
  throw new DomainError('CONFLICT', message);
}
