// Fires contracts manually: the next enabled transition, or a named one.

import { z } from 'zod';
import { MEMBER_WRITE_ERRORS } from '../machines/errors.ts';
import { withMember } from '../machines/with-machine.ts';
import { defineOperation } from '../operation.ts';
import { JsonObject } from '../schemas.ts';
import { CONTRACT_PATH, FireAnswer, TransitionId } from './schemas.ts';

export const fireContract = defineOperation({
  name: 'contract.fire',
  summary: 'Fire the next enabled transition of a contract, or return why it cannot fire.',
  route: 'POST /api/chain/{slug}/contracts/{id}/fire-now',
  tier: 'key',
  effect: 'write',
  input: z.strictObject(CONTRACT_PATH),
  output: FireAnswer,
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('operator', (machine, by, { id }, { services }) => services.contracts.fire(machine, by, id)),
});

export const fireTransition = defineOperation({
  name: 'contract.transition',
  summary: 'Fire a named transition of a contract, if its condition holds.',
  route: 'POST /api/chain/{slug}/contracts/{id}/transition',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    ...CONTRACT_PATH,
    transition: TransitionId,
    payload: JsonObject.optional().describe('Payload, like that of an event.'),
  }),
  output: FireAnswer,
  errors: [...MEMBER_WRITE_ERRORS, 'TRANSITION_NOT_ENABLED'],
  handle: withMember('operator', (machine, by, { id, transition, payload }, { services }) =>
    services.contracts.fire(machine, by, id, { transition, payload }),
  ),
});
