// Proposals: changes of a contract with parties, which take effect once those concerned have accepted them.

import { reboundState } from '../../contracts/instances/parties.ts';
import { isAccepted, missingAcceptances, termsHashOf } from '../../contracts/parties/acceptance.ts';
import type { Seat, Sender } from '../../contracts/parties/bindings.ts';
import { seatOf } from '../../contracts/parties/bindings.ts';
import type { PartyState, Proposal, Terms } from '../../contracts/parties/party-state.ts';
import type { SignedBy } from '../../contracts/parties/sent-by.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { nameOf } from '../engine/live-contract.ts';
import { useNonce } from '../engine/party-events.ts';
import { applyTerms, type ContractChange, requireStatus } from './change-contract.ts';
import { assertApart } from './keyed-contracts.ts';

/** Proposes a change, which its proposer accepts if it is bound to a party. It may take effect at once. */
export function propose(change: ContractChange, terms: Terms, sender: Sender): Proposal {
  const { session, live, actor } = change;
  const parties = partiesOf(change);
  const seat = seatOf(parties.bindings, sender);
  const { proposals: max } = LIMITS.contracts;
  if (parties.proposals.length >= max) {
    const open = parties.proposals.map(({ no }) => no).join(', ');
    throw new DomainError('CONFLICT', `Limit of ${max} open proposals reached (${open}); withdraw one.`);
  }
  const termsHash = termsHashOf(live.stored.id, terms, live.instance?.key);
  const same = parties.proposals.find((other) => other.termsHash === termsHash);
  if (same !== undefined) throw new DomainError('CONFLICT', `Proposal ${same.no} has the same terms; accept that one.`);
  const no = session.addRow('contract', 'api', {
    ...nameOf(live),
    act: 'proposed',
    kind: terms.kind,
    base: terms.base,
    definition_hash: terms.definitionHash,
    parameters: terms.parameters,
    name: terms.name,
    reset: terms.reset,
    ...(terms.bindings === undefined ? {} : { bindings: terms.bindings }),
    ...(terms.migrate === undefined ? {} : { migrate: terms.migrate }),
    terms_hash: termsHash,
    ...seatFields(seat),
  });
  const accepted = seat === undefined ? [] : [seat.voter];
  const by = seat?.voter ?? `zid:${actor}`;
  const proposal: Proposal = { no, terms, termsHash, accepted, by, tick: session.tick };
  setProposals(change, [...parties.proposals, proposal]);
  settle(change, proposal);
  return proposal;
}

export interface ProposalAct {
  readonly no: number;
  readonly termsHash: string;
  readonly sender: Sender;
  readonly signed?: SignedBy | undefined;
}

/**
 * Accepts a proposal; accepting it twice changes nothing.
 *
 * @throws DomainError FORBIDDEN_PARTY, NOT_FOUND if it is not open, CONFLICT if its terms are others or the signature was used
 */
export function accept(change: ContractChange, act: ProposalAct): void {
  const { session, live } = change;
  requireStatus(live, 'be changed', 'active', 'paused');
  const { seat, proposal } = findOpen(change, act);
  if (seat === undefined)
    throw new DomainError('FORBIDDEN_PARTY', 'Only parties accept proposals; this key is bound to no party.');
  if (proposal.accepted.includes(seat.voter)) return;
  if (act.signed !== undefined) useNonce(live, act.signed);
  session.addRow('contract', 'api', actRow(change, 'accepted', act, seat));
  const accepted = { ...proposal, accepted: [...proposal.accepted, seat.voter] };
  setProposals(
    change,
    partiesOf(change).proposals.map((other) => (other.no === act.no ? accepted : other)),
  );
  settle(change, accepted);
}

/** Withdraws a proposal. @throws DomainError FORBIDDEN_PARTY unless by its proposer; otherwise as `accept` */
export function withdraw(change: ContractChange, act: ProposalAct): void {
  const { session, live, actor } = change;
  const { seat, proposal } = findOpen(change, act);
  const by = seat?.voter ?? `zid:${actor}`;
  const isUnbound = act.signed !== undefined && seat === undefined;
  if (isUnbound || proposal.by !== by)
    throw new DomainError('FORBIDDEN_PARTY', `Proposal ${act.no} was made by ${proposal.by}, who alone withdraws it.`);
  if (act.signed !== undefined) useNonce(live, act.signed);
  session.addRow('contract', 'api', actRow(change, 'withdrawn', act, seat));
  setProposals(
    change,
    partiesOf(change).proposals.filter(({ no }) => no !== act.no),
  );
}

/** Puts a proposal into effect if it is accepted. */
function settle(change: ContractChange, proposal: Proposal): void {
  const { stored } = change.live;
  const ways = missingAcceptances(stored.definition, partiesOf(change).bindings, proposal);
  if (!isAccepted(ways)) return;
  if (change.live.instance === undefined) applyTerms(change, proposal.terms, { proposal: proposal.no });
  else rebindInstance(change, proposal);
}

/** Puts an accepted binding of one instance into effect. */
function rebindInstance({ session, live }: ContractChange, { no, terms }: Proposal): void {
  const { bindings = {} } = terms;
  assertApart(live, bindings);
  session.addRow('contract', 'api', { ...nameOf(live), act: 'rebound', bindings, proposal: no });
  live.running.state = reboundState(live.running.state, bindings);
  session.updateContract(live);
}

function findOpen(change: ContractChange, { no, termsHash, sender }: ProposalAct) {
  const parties = partiesOf(change);
  const proposal = parties.proposals.find((other) => other.no === no);
  const seat = seatOf(parties.bindings, sender);
  if (proposal === undefined) {
    const open = parties.proposals.map((other) => other.no).join(', ') || 'none';
    const message = `Proposal ${no} is not open: it was withdrawn, took effect, or lapsed with another version. Open: ${open}.`;
    throw new DomainError('NOT_FOUND', message);
  }
  if (proposal.termsHash === termsHash) return { proposal, seat };
  const message = `terms_hash is ${termsHash}; proposal ${no} has ${proposal.termsHash}. Read what it says before you accept it.`;
  throw new DomainError('CONFLICT', message, { facts: { terms_hash: proposal.termsHash } });
}

function actRow({ live }: ContractChange, act: string, { no, termsHash, signed }: ProposalAct, seat: Seat | undefined) {
  const fields = { ...nameOf(live), act, proposal: no, terms_hash: termsHash, ...seatFields(seat) };
  return signed === undefined ? fields : { ...fields, signed };
}

const seatFields = (seat: Seat | undefined) =>
  seat === undefined ? {} : { party: seat.party, ...(seat.key === undefined ? {} : { key: seat.key }) };

/** @throws DomainError CONFLICT for a contract without parties */
function partiesOf({ live }: ContractChange): PartyState {
  const { parties } = live.running.state;
  if (parties === undefined)
    throw new DomainError('CONFLICT', 'The contract has no parties; changes take effect at once.');
  return parties;
}

function setProposals(change: ContractChange, proposals: readonly Proposal[]): void {
  const { session, live } = change;
  const { state } = live.running;
  live.running.state = { ...state, parties: { ...partiesOf(change), proposals } };
  session.updateContract(live);
}

/** A proposal, as the API returns it. */
export function proposalRecord({ no, terms, termsHash, accepted, by, tick }: Proposal) {
  const {
    kind,
    base,
    definition = null,
    definitionHash,
    parameters,
    name,
    reset,
    bindings = null,
    migrate = null,
  } = terms;
  return {
    no,
    kind,
    base_version_no: base,
    terms_hash: termsHash,
    definition_hash: definitionHash,
    definition,
    parameters,
    name,
    reset,
    bindings,
    migrate,
    proposed_by: by,
    accepted_by: accepted,
    svcond: tick,
  };
}
