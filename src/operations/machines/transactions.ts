// Transactions: fires a named transition of a contract and returns its row.

import { z } from 'zod';
import { ContractId, FireAnswer, TransitionId } from '../contracts/schemas.ts';
import { defineOperation } from '../operation.ts';
import { JsonObject } from '../schemas.ts';
import { LOG_ERRORS } from './errors.ts';
import { Slug } from './schemas.ts';

export const submitTransition = defineOperation({
  name: 'transaction.submit',
  summary: 'Fire a named transition of a contract and return its row.',
  route: 'POST /api/chain/{slug}/tx/submit',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  input: z.strictObject({
    slug: Slug,
    contract_id: ContractId,
    transition: TransitionId,
    payload: JsonObject.optional().describe('Payload, like that of an event.'),
    expected_version: z.int().min(1).optional().describe('Rejected if the contract is at another version.'),
  }),
  output: FireAnswer.extend({
    seq: z.int().nullable().describe('Row of the transition; null if nothing fired.'),
  }),
  errors: [...LOG_ERRORS, 'CONFLICT', 'TRANSITION_NOT_ENABLED'],
  handle: async (given, { services }, { machine, by }) => {
    const { contract_id: id, transition, payload, expected_version: ifVersion } = given;
    const named = { transition, payload, ifVersion };
    const outcome = await services.contracts.fire(machine, by, id, named);
    return { ...outcome, seq: outcome.fired ? outcome.fire.seq : null };
  },
});
