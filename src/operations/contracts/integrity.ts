// Checks a contract: the hash of its definition, and its complete proof chain.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { Sha256, success } from '../schemas.ts';
import { CONTRACT_PATH } from './schemas.ts';

export const contractIntegrity = defineOperation({
  name: 'contract.integrity',
  summary: 'Compare the deployed hash of the definition with that of the stored one.',
  route: 'GET /api/chain/{slug}/contracts/{id}/integrity',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object(CONTRACT_PATH),
  output: success({ stored_hash: Sha256, live_hash: Sha256, intact: z.boolean() }),
  errors: [],
  handle: ({ id }, { services }, { machine }) => services.contracts.integrity(machine, id),
});

export const verifyContract = defineOperation({
  name: 'contract.verify',
  summary: 'Verify the proof chain of a contract: rows, tree, versions, fires, stamps and state.',
  route: 'POST /api/chain/{slug}/contracts/{id}/verify',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.strictObject(CONTRACT_PATH),
  output: success({
    valid: z.boolean(),
    checked: z.strictObject({
      rows: z.int().describe('Rows of the chain since the deployment.'),
      transitions: z.int(),
      versions: z.int(),
      receipts: z.int().describe('Receipts of transitions.'),
      stamps: z.int().describe('Earlier stamps, which name no transition.'),
      signatures: z.int().describe('Signatures of parties.'),
      unreadable: z.int().describe('Rows with an erased or sealed payload.'),
    }),
    first_bad: z
      .strictObject({
        reason: z.enum([
          'HASH',
          'LINK',
          'GAP',
          'TICK',
          'COMMIT',
          'TREE',
          'DEFINITION',
          'VERSION',
          'FIRE',
          'ORDER',
          'RECEIPT',
          'PARTY',
          'RESULT',
          'COUNT',
          'STATE',
        ]),
        seq: z.int().nullable(),
        version: z.int().nullable(),
        message: z.string(),
      })
      .optional(),
  }),
  errors: ['NOT_FOUND', 'BUDGET_EXCEEDED', 'OUT_OF_TIME'],
  handle: ({ id }, { services }, { machine, by }) => services.contractProofs.verify(machine, id, by),
});
