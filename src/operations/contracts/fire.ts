// Fires contracts manually: the next enabled transition, or a named one.

import { z } from 'zod';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { defineOperation } from '../operation.ts';
import { JsonObject } from '../schemas.ts';
import { CONTRACT_PATH, FireAnswer, TransitionId } from './schemas.ts';

export const fireContract = defineOperation({
  name: 'contract.fire',
  summary: 'Fire the next enabled transition of a contract, or return why it cannot fire.',
  route: 'POST /api/chain/{slug}/contracts/{id}/fire-now',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  party: true,
  input: z.strictObject(CONTRACT_PATH),
  output: FireAnswer,
  errors: [...WRITE_ERRORS, 'FORBIDDEN_PARTY', 'BUDGET_EXCEEDED'],
  handle: ({ id }, { services }, { machine, by }) => services.contracts.fire(machine, by, id),
});

export const fireTransition = defineOperation({
  name: 'contract.transition',
  summary: 'Fire a named transition of a contract, if its condition holds.',
  route: 'POST /api/chain/{slug}/contracts/{id}/transition',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  party: true,
  input: z.strictObject({
    ...CONTRACT_PATH,
    transition: TransitionId,
    payload: JsonObject.optional().describe('Payload, like that of an event.'),
  }),
  output: FireAnswer,
  errors: [...WRITE_ERRORS, 'FORBIDDEN_PARTY', 'BUDGET_EXCEEDED', 'TRANSITION_NOT_ENABLED'],
  handle: ({ id, transition, payload }, { services }, { machine, by }) =>
    services.contracts.fire(machine, by, id, { transition, payload }),
});
