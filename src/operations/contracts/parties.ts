// Parties of a contract: who is bound, events that they send, and changes that they accept.

import { z } from 'zod';
import { Binding } from '../../contracts/parties/bindings.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { EventName, Logged } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { JsonObject, queryInt, Sha256, success } from '../schemas.ts';
import {
  CONTRACT_PATH,
  ContractAnswer,
  Fire,
  IgnoredEvent,
  PartiesView,
  PatchedContract,
  RefusedEvent,
  Signature,
} from './schemas.ts';

const SEEN_BY_NOBODY = ['NOT_FOUND', 'AUTH_REQUIRED', 'FORBIDDEN', 'FORBIDDEN_PARTY'] as const;

export const contractParties = defineOperation({
  name: 'contract.parties',
  summary: 'Who is bound to the parties of a contract, how far its quorums are, and what is proposed.',
  route: 'GET /api/chain/{slug}/contracts/{id}/parties',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  mcp: {
    tool: 'svc_contract_parties',
    title: 'Parties of a contract',
    description: 'Use to see who acts for the parties of a contract, its open quorums and proposals.',
    profile: 'chain',
  },
  input: z.object(CONTRACT_PATH),
  output: PartiesView,
  brief: {
    sentences: ({ you, parties, quorums, proposals }) => [
      parties.length === 0
        ? 'The contract has no parties.'
        : `Parties: ${parties.map(({ name, bound }) => `${name} (${bound.length} bound)`).join(', ')}.`,
      ...(you === null ? [] : [`Your key acts for ${you}.`]),
      ...quorums.map(({ transition, count, needed, vetoes }) => {
        const blocked = vetoes === 0 ? '' : `, ${vetoes} vetoes`;
        return `${transition}: ${count} of ${needed} votes${blocked}.`;
      }),
      ...proposals.map(
        ({ no, kind, accepted_by, terms_hash }) =>
          `Proposal ${no} (${kind}) accepted by ${accepted_by.length}; terms_hash ${terms_hash}.`,
      ),
    ],
  },
  errors: [],
  handle: ({ id }, { services }, { machine, by }) => services.contractParties.view(machine, id, by),
});

export const sendToContract = defineOperation({
  name: 'contract.event',
  summary: 'Send an event to one contract, as one of its parties or as an operator.',
  description:
    'A party needs no membership. With a signature by an Ed25519 key of a party, anybody may relay the event, without a key.',
  route: 'POST /api/chain/{slug}/contracts/{id}/event',
  tier: 'public',
  effect: 'write',
  status: 201,
  mcp: {
    tool: 'svc_contract_send',
    title: 'Send an event to a contract',
    description: 'Use to act in a contract: send it an event as the party that your key is bound to.',
    profile: 'chain',
    input: z.object({ ...CONTRACT_PATH, name: EventName, payload: JsonObject.optional() }),
  },
  input: z.strictObject({
    ...CONTRACT_PATH,
    name: EventName.describe('Name of the event.'),
    payload: JsonObject.optional(),
    signature: Signature.optional(),
  }),
  output: success({
    ...Logged,
    party: z.string().nullable().describe('The party that sent it.'),
    fired: z.array(Fire),
    refused: z.array(RefusedEvent),
    ignored: z.array(IgnoredEvent),
  }),
  brief: {
    sentences: ({ party, seq, fired, refused, ignored }) => [
      `Sent as ${party ?? 'operator'}, row ${seq}.`,
      ...fired.map(({ transition, from, to }) => `Fired ${transition}: ${from} to ${to}.`),
      ...refused.map(({ transition, reason }) => `${transition ?? 'Not used'}: ${reason}`),
      ...ignored.map(({ reason }) => reason),
    ],
  },
  errors: [...SEEN_BY_NOBODY, ...WRITE_ERRORS, 'BUDGET_EXCEEDED', 'BODY_TOO_LARGE'],
  handle: ({ slug, id, ...event }, { services, principal }) =>
    services.contractParties.send(slug, id, event, principal),
});

const KEY = singleLine(LIMITS.contracts.instances.keyCharacters).optional();

/** The key of an instance, in requests about one. */
const Instance = KEY.describe('Key of the instance, if it is about the parties of one.');

const DECISION = {
  ...CONTRACT_PATH,
  instance: Instance,
  no: queryInt(1).describe('Number of the proposal.'),
  terms_hash: Sha256.describe('terms_hash of the proposal that you have read.'),
  signature: Signature.optional().describe('Over the name proposal.accepted or proposal.withdrawn and {"terms_hash"}.'),
};

export const acceptProposal = defineOperation({
  name: 'contract.accept',
  summary: 'Accept a proposed change of a contract, as one of its parties.',
  route: 'POST /api/chain/{slug}/contracts/{id}/proposals/{no}/accept',
  tier: 'public',
  effect: 'write',
  mcp: {
    tool: 'svc_contract_accept',
    title: 'Accept a proposal',
    description: 'Use to accept a proposed version or binding of a contract as one of its parties.',
    profile: 'chain',
    input: z.object({ ...CONTRACT_PATH, no: z.int().min(1), terms_hash: Sha256, instance: KEY }),
  },
  input: z.strictObject(DECISION),
  output: ContractAnswer,
  brief: {
    sentences: ({ contract }) => [`Accepted; the contract is at version ${contract.current_version_no}.`],
  },
  errors: [...SEEN_BY_NOBODY, ...WRITE_ERRORS],
  handle: ({ slug, id, no, terms_hash: termsHash, signature, instance }, { services, principal }) =>
    services.contractParties.decide('accepted', slug, id, { no, termsHash, signature, instance }, principal),
});

export const withdrawProposal = defineOperation({
  name: 'contract.withdraw',
  summary: 'Withdraw a change of a contract that you have proposed.',
  route: 'POST /api/chain/{slug}/contracts/{id}/proposals/{no}/withdraw',
  tier: 'public',
  effect: 'write',
  input: z.strictObject(DECISION),
  output: ContractAnswer,
  errors: [...SEEN_BY_NOBODY, ...WRITE_ERRORS],
  handle: ({ slug, id, no, terms_hash: termsHash, signature, instance }, { services, principal }) =>
    services.contractParties.decide('withdrawn', slug, id, { no, termsHash, signature, instance }, principal),
});

export const rebindParty = defineOperation({
  name: 'contract.rebind',
  summary: 'Propose other accounts or keys for a party of a contract.',
  description:
    'It takes effect when those who leave have accepted it, or when all others have. A party proposes its own successor and is done.',
  route: 'POST /api/chain/{slug}/contracts/{id}/rebind',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  party: true,
  input: z.strictObject({
    ...CONTRACT_PATH,
    party: singleLine(48),
    bindings: z.union([Binding, z.array(Binding).min(1).max(64)]).describe('All who act for the party from then on.'),
    instance: Instance,
  }),
  output: PatchedContract,
  errors: WRITE_ERRORS,
  handle: ({ id, ...change }, { services }, { machine, by }) =>
    services.contractParties.rebind(machine, id, change, by),
});

const INSTANCE_PATH = { ...CONTRACT_PATH, key: singleLine(LIMITS.contracts.instances.keyCharacters) };

export const instanceParties = defineOperation({
  name: 'contract.instance-parties',
  summary: 'Who is bound to the parties of an instance, how far its quorums are, and what waits for acceptance.',
  route: 'GET /api/chain/{slug}/contracts/{id}/instances/{key}/parties',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object(INSTANCE_PATH),
  output: PartiesView,
  errors: ['CONFLICT'],
  handle: ({ id, key }, { services }, { machine, by }) => services.contractParties.view(machine, id, by, key),
});

export const acceptVersion = defineOperation({
  name: 'contract.accept-version',
  summary: 'Accept a newer version of a contract for one of its instances, as a party that the instance has bound.',
  description: 'The instance takes it, when it is touched next, once all of its own parties have accepted.',
  route: 'POST /api/chain/{slug}/contracts/{id}/instances/{key}/accept',
  tier: 'public',
  effect: 'write',
  input: z.strictObject({
    ...INSTANCE_PATH,
    version_no: z.int().min(1),
    terms_hash: Sha256.describe('terms_hash of the version, from the parties of the instance.'),
    signature: Signature.optional().describe('Over the name proposal.accepted and {"terms_hash"}.'),
  }),
  output: PartiesView,
  errors: [...SEEN_BY_NOBODY, ...WRITE_ERRORS],
  handle: ({ slug, id, key, version_no: no, terms_hash: termsHash, signature }, { services, principal }) =>
    services.contractParties.acceptVersion(slug, id, key, { no, termsHash, signature }, principal),
});
