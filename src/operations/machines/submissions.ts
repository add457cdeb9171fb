// What is handed in to a machine as a transaction: a transition of a contract, or a refusal that somebody met with.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { FireAnswer } from '../contracts/contracts.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Sha256 } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Logged, Slug } from './schemas.ts';

const WRITE = ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED', 'MACHINE_ARCHIVED', 'QUEUE_FULL'] as const;

export const submitTransition = defineOperation({
  name: 'transaction.submit',
  summary: 'Fire a named transition of a contract, and say which row of the chain it became.',
  route: 'POST /api/chain/{slug}/tx/submit',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    slug: Slug,
    contract_id: z.uuid().describe('Id of the contract.'),
    transition: z.string().max(48).describe('Its id in the definition.'),
    payload: z.record(z.string().max(64), z.unknown()).optional().describe('What an event would carry.'),
    expected_version: z.int().min(1).optional().describe('Refused if the contract is at another version.'),
  }),
  output: FireAnswer.extend({
    seq: z.int().nullable().describe('Row of the transition; null where nothing fired.'),
  }),
  errors: [...WRITE, 'CONFLICT', 'TRANSITION_NOT_ENABLED'],
  handle: async (given, { services, principal }) => {
    const { slug, contract_id: id, transition, payload, expected_version: ifVersion } = given;
    const machine = await services.machines.find(slug, principal, 'operator');
    const named = { transition, payload, ifVersion };
    const outcome = await services.contracts.fire(machine, signedIn(principal), id, named);
    return { ok: true as const, ...outcome, seq: outcome.fired ? outcome.fire.seq : null };
  },
});

export const logRejection = defineOperation({
  name: 'rejection.log',
  summary: 'Note a refusal in a chain: its code, its route and the hash of the details.',
  description:
    'In the chain of the machine that is named; without one, in the public chain of this node, `/api/chain/node`.',
  route: 'POST /api/chain/rejection-log',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug.optional().describe('The machine that it concerns.'),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,47}$/)
      .describe('Code of the refusal, for example RATE_LIMITED.'),
    route: z
      .string()
      .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)?$/)
      .max(256)
      .describe('What was asked for, for example POST /api/svc/heat.'),
    detail_sha256: Sha256.describe('Of the details, which stay with you.'),
    severity: z.enum(['info', 'warning', 'error']),
  }),
  output: z.strictObject({ ok: Ok, slug: Slug, ...Logged }),
  errors: [...WRITE],
  handle: async ({ slug, ...rejection }, { services, principal }) => {
    const by = signedIn(principal);
    if (by.zid === undefined) throw new DomainError('ZID_NOT_LINKED', 'The account of this key has no identity yet.');
    const machine =
      slug === undefined ? await services.machines.ofNode() : await services.machines.find(slug, by, 'operator');
    const logged = await services.machineLog.record(machine, by, 'rejection', rejection, 'report');
    return { ok: true as const, slug: machine.head.slug, ...logged };
  },
});
