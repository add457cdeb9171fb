// Parties of one instance: who acts in it from now on, and their acceptance of a newer version of its contract.

import type { Definition } from '../../contracts/definition.ts';
import { missingForVersion, versionTermsHash } from '../../contracts/instances/parties.ts';
import { type PartyBindings, type Seat, seatOf, voterOf } from '../../contracts/parties/bindings.ts';
import { DomainError } from '../../core/errors.ts';
import { isAwaited } from '../engine/keyed-delivery.ts';
import { type LiveContract, nameOf } from '../engine/live-contract.ts';
import { useNonce } from '../engine/party-events.ts';
import type { ContractChange } from './change-contract.ts';
import type { ProposalAct } from './proposals.ts';

/** An active instance. @throws DomainError NOT_FOUND, CONFLICT; InstanceMissing if it is not in memory */
export function instanceIn({ stored, instances }: LiveContract, key: string): LiveContract {
  if (instances === undefined)
    throw new DomainError('CONFLICT', `Contract ${stored.id} has no instances: its definition names no key.`);
  const found = instances.get(key);
  if (found === undefined)
    throw new DomainError('NOT_FOUND', `Instance ${JSON.stringify(key)} of contract ${stored.id} not found.`);
  const { status } = found.stored;
  if (status === 'active') return found;
  throw new DomainError('CONFLICT', `The instance ${key} is ${status}; nobody acts in it any more.`, {
    facts: { status },
  });
}

/** @throws DomainError VALIDATION_FAILED unless one account or key that acts for nobody else is bound to an own party */
export function assertRebinds({ parties = {} }: Definition, party: string, bindings: PartyBindings): void {
  const bound = bindings[party] ?? [];
  const [binding] = bound;
  const voter = binding && voterOf(binding);
  const other = Object.keys(bindings).find(
    (name) => name !== party && (bindings[name] ?? []).some((one) => voterOf(one) === voter),
  );
  const fault = !Object.hasOwn(parties, party)
    ? (['party', 'UNKNOWN_NAME', `is ${party}; expected one of ${Object.keys(parties).join(', ')}`] as const)
    : parties[party]?.bind === undefined
      ? ([
          'party',
          'NOT_ALLOWED',
          `is ${party}, which the contract binds for all instances: leave out instance`,
        ] as const)
      : bound.length !== 1
        ? ([
            'bindings',
            'COUNT',
            `names ${bound.length} accounts and keys; 1 is expected for the party ${party}`,
          ] as const)
        : other !== undefined
          ? ([
              'bindings',
              'BOUND_TWICE',
              `names ${voter}, which acts for ${other} already; one acts for one party`,
            ] as const)
          : undefined;
  if (fault === undefined) return;
  const [path, code, text] = fault;
  const message = `${path} ${text}.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}

/**
 * Accepts the version that stands, for one of the instance's own parties; accepting it twice changes nothing.
 *
 * @throws DomainError FORBIDDEN_PARTY, NOT_FOUND if no version waits for acceptance, CONFLICT if it is another one
 */
export function acceptVersion(change: ContractChange, { no, termsHash, sender, signed }: ProposalAct): void {
  const { session, live } = change;
  const { parent, key } = live.instance ?? {};
  const { parties } = live.running.state;
  if (parent === undefined || key === undefined || parties === undefined || !isAwaited(live, parent))
    throw new DomainError('NOT_FOUND', 'No version waits for the acceptance of the parties of this instance.');
  const { versionNo } = parent.stored;
  const expected = versionTermsHash(parent.stored.id, key, versionNo, parent.stored);
  if (no !== versionNo || termsHash !== expected) {
    const message = `Version ${no} with terms_hash ${termsHash} does not wait for acceptance; version ${versionNo} with ${expected} does. Read what it says before you accept it.`;
    throw new DomainError('CONFLICT', message, { facts: { version_no: versionNo, terms_hash: expected } });
  }
  const seat: Seat | undefined = seatOf(parties.bindings, sender);
  const missing = missingForVersion(live.stored.definition, live.running.state, versionNo);
  const accepted = parties.accepted?.no === versionNo ? parties.accepted.voters : [];
  if (seat === undefined || !(missing.includes(seat.voter) || accepted.includes(seat.voter)))
    throw new DomainError(
      'FORBIDDEN_PARTY',
      `Only the parties that this instance has bound accept version ${versionNo}.`,
    );
  if (accepted.includes(seat.voter)) return;
  if (signed !== undefined) useNonce(live, signed);
  session.addRow('contract', 'api', {
    ...nameOf(live),
    act: 'accepted',
    at_version: versionNo,
    terms_hash: termsHash,
    party: seat.party,
    ...(seat.key === undefined ? {} : { key: seat.key }),
    ...(signed === undefined ? {} : { signed }),
  });
  const { parties: now = parties } = live.running.state;
  const voters = [...accepted, seat.voter];
  live.running.state = { ...live.running.state, parties: { ...now, accepted: { no: versionNo, voters } } };
  session.updateContract(live);
}
