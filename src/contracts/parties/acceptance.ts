// Acceptance of changes: by whom a contract with parties is changed, and the hash that they accept.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { type Definition, listOf } from '../definition.ts';
import { allVoters, type PartyBindings, votersOf } from './bindings.ts';
import type { Proposal, Terms } from './party-state.ts';

/**
 * The hash that a party accepts: of the definition, and of everything else that the change sets. Terms without a migration
 * have the hash that they had before there were any.
 */
export function termsHashOf(
  contract: string,
  { kind, base, definitionHash, parameters, name, reset, bindings, migrate }: Terms,
  instance?: string,
): string {
  const rest = { parameters, name, reset, bindings: bindings ?? null, ...(migrate === undefined ? {} : { migrate }) };
  const of = { contract, ...(instance === undefined ? {} : { instance }) };
  return sha256Hex(canonicalJson({ ...of, kind, base, definition_hash: definitionHash, ...rest }));
}

/** Voters whose acceptance is still missing; `needed` of them suffice. */
export interface MissingAcceptance {
  readonly of: readonly string[];
  readonly needed: number;
}

/**
 * What a proposal still needs: each entry is one way to take effect, and an entry that needs nobody has been taken.
 *
 * A binding changes with the consent of those who leave, unless the party gains votes by it, or of all who stay.
 */
export function missingAcceptances(
  { amend }: Pick<Definition, 'amend'>,
  bindings: PartyBindings,
  { terms, accepted }: Pick<Proposal, 'terms' | 'accepted'>,
): MissingAcceptance[] {
  const everyone = [...allVoters(bindings)];
  const all = (voters: readonly string[]): MissingAcceptance => {
    const of = voters.filter((voter) => !accepted.includes(voter));
    return { of, needed: of.length };
  };
  if (terms.kind === 'binding') {
    const after = terms.bindings ?? {};
    const stays = allVoters(after);
    const leaving = everyone.filter((voter) => !stays.has(voter));
    const grows = Object.keys(after).some((party) => votersOf(after, party).size > votersOf(bindings, party).size);
    const staying = everyone.filter((voter) => stays.has(voter));
    return [...(leaving.length > 0 && !grows ? [all(leaving)] : []), ...(staying.length > 0 ? [all(staying)] : [])];
  }
  if (amend === undefined || amend.by === 'all') return [all(everyone)];
  const voters = listOf(amend.of).flatMap((party) => [...votersOf(bindings, party)]);
  const of = voters.filter((voter) => !accepted.includes(voter));
  return [{ of, needed: Math.max(0, amend.at_least - (voters.length - of.length)) }];
}

export const isAccepted = (ways: readonly MissingAcceptance[]): boolean => ways.some(({ needed }) => needed === 0);
