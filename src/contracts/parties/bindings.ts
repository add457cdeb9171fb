// Bindings: the accounts and keys that act for the parties of a contract.
//
// An account (ZID) or a key is bound to one party of a contract at most, so that everything sent has one sender.

import { z } from 'zod';
import type { ErrorDetail } from '../../core/errors.ts';
import type { Definition } from '../definition.ts';
import { unknownName } from '../parameters.ts';

const zid = z.string().regex(/^[0-9a-f]{32}$/, 'a ZID has 32 hexadecimal digits');
const publicKey = z.string().regex(/^[0-9a-f]{64}$/, 'an Ed25519 public key has 64 hexadecimal digits');

/** An account, a developer key of the machine, or an Ed25519 public key that signs. */
export const Binding = z
  .union([z.strictObject({ zid }), z.strictObject({ key: z.uuid() }), z.strictObject({ ed25519: publicKey })], {
    error: 'one of {"zid": …}, {"key": …} (a developer key) and {"ed25519": …} (a public key) is expected',
  })
  .meta({ id: 'PartyBinding', description: 'An account, a developer key of the machine, or an Ed25519 public key.' });

/** Who acts for each party, as a request names them. */
export const Bindings = z
  .record(z.string().regex(/^[a-z][a-z0-9_]{0,47}$/), z.union([Binding, z.array(Binding).min(1).max(64)]))
  .describe('Who acts for each party: one binding or a list.');

export type GivenBindings = z.output<typeof Bindings>;

/** A binding as rows state it; a developer key with the account that it belongs to. */
export type PartyBinding = { readonly zid: string; readonly key?: string | undefined } | { readonly ed25519: string };

export type PartyBindings = Readonly<Record<string, readonly PartyBinding[]>>;

/** Who sent something, as its row proves it. */
export interface Sender {
  /** ZID of the caller. */
  readonly zid?: string | undefined;
  /** Id of the caller's key. */
  readonly keyId?: string | undefined;
  /** Ed25519 public key of a verified signature; it alone counts then. */
  readonly ed25519?: string | undefined;
}

/** One person or key, however many bindings it has. */
export const voterOf = (binding: PartyBinding): string =>
  'zid' in binding ? `zid:${binding.zid}` : `ed25519:${binding.ed25519}`;

/** The voters of a party, each once. */
export const votersOf = (bindings: PartyBindings, party: string): ReadonlySet<string> =>
  new Set((Object.hasOwn(bindings, party) ? (bindings[party] ?? []) : []).map(voterOf));

/** Every voter of a contract. */
export const allVoters = (bindings: PartyBindings): ReadonlySet<string> =>
  new Set(Object.keys(bindings).flatMap((party) => [...votersOf(bindings, party)]));

export interface Seat {
  readonly party: string;
  readonly voter: string;
  /** The sender was recognized by its developer key. */
  readonly key?: string | undefined;
}

/** The party that a sender acts for; undefined if it is bound to none. */
export function seatOf(bindings: PartyBindings, { zid, keyId, ed25519 }: Sender): Seat | undefined {
  for (const [party, bound] of Object.entries(bindings)) {
    for (const binding of bound) {
      if ('ed25519' in binding) {
        if (binding.ed25519 === ed25519) return { party, voter: voterOf(binding) };
      } else if (ed25519 === undefined && binding.zid === zid && (binding.key ?? keyId) === keyId) {
        return { party, voter: voterOf(binding), key: binding.key };
      }
    }
  }
  return undefined;
}

/** The faults of bindings for a definition: parties without one or with too many, unknown parties, repeated accounts. */
export function bindingFaults({ parties = {} }: Definition, bindings: PartyBindings): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const fault = (party: string, code: string, text: string) =>
    faults.push({ path: `bindings.${party}`, code, message: `bindings.${party} ${text}.` });
  for (const name of Object.keys(bindings)) {
    if (!Object.hasOwn(parties, name))
      faults.push(unknownName(`bindings.${name}`, 'party', name, Object.keys(parties)));
  }
  const partyOfVoter = new Map<string, string>();
  for (const [name, { count = ONE, bind }] of Object.entries(parties)) {
    const voters = votersOf(bindings, name);
    if (bind !== undefined) {
      if (voters.size > 0) fault(name, 'NOT_ALLOWED', `is given; each instance binds ${name} by ${bind}`);
      continue;
    }
    if (voters.size === 0) fault(name, 'UNBOUND', `is missing; ${rangeOf(count)} expected for the party ${name}`);
    else if (voters.size < count.min || voters.size > count.max) {
      const what = voters.size === 1 ? 'one account or key' : `${voters.size} different accounts and keys`;
      fault(name, 'COUNT', `names ${what}; ${rangeOf(count)} expected (several keys of one account are one)`);
    }
    for (const voter of voters) {
      const other = partyOfVoter.get(voter);
      if (other === undefined) partyOfVoter.set(voter, name);
      else fault(name, 'BOUND_TWICE', `names ${voter}, which acts for ${other} already; one acts for one party`);
    }
  }
  return faults;
}

const ONE = { min: 1, max: 1 };
const rangeOf = ({ min, max }: { readonly min: number; readonly max: number }) =>
  min === max ? `${min} ${min === 1 ? 'is' : 'are'}` : `${min} to ${max} are`;
