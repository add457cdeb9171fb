// Lifecycle of a contract: pause, resume, skip the next fire, freeze.

import { z } from 'zod';
import { MEMBER_WRITE_ERRORS } from '../machines/errors.ts';
import { withMember } from '../machines/with-machine.ts';
import { defineOperation } from '../operation.ts';
import { Tick } from '../schemas.ts';
import { CONTRACT_PATH, ContractAnswer } from './schemas.ts';

export const pauseContract = defineOperation({
  name: 'contract.pause',
  summary: 'Pause a contract: nothing fires, events are still counted.',
  route: 'POST /api/chain/{slug}/contracts/{id}/pause',
  tier: 'key',
  effect: 'write',
  input: z.strictObject(CONTRACT_PATH),
  output: ContractAnswer,
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('operator', async (machine, by, { id }, { services }) => ({
    contract: await services.contracts.pause(machine, by, id),
  })),
});

export const resumeContract = defineOperation({
  name: 'contract.resume',
  summary: 'Resume a paused or failed contract.',
  route: 'POST /api/chain/{slug}/contracts/{id}/resume',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    ...CONTRACT_PATH,
    mode: z
      .enum(['deadline', 'remaining', 'restart'])
      .default('deadline')
      .describe('One-shots: keep the deadline (overdue ones fire at once), shift by the pause, or restart.'),
  }),
  output: ContractAnswer,
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('operator', async (machine, by, { id, mode }, { services }) => ({
    contract: await services.contracts.resume(machine, by, id, mode),
  })),
});

export const skipContract = defineOperation({
  name: 'contract.skip',
  summary: 'Skip the next occurrence of a timer or, without one, the next match of an event.',
  route: 'POST /api/chain/{slug}/contracts/{id}/skip-next',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    ...CONTRACT_PATH,
    expected_next_fire: Tick.optional().describe('Rejected if the next fire differs.'),
  }),
  output: ContractAnswer,
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('operator', async (machine, by, { id, expected_next_fire: expected }, { services }) => ({
    contract: await services.contracts.skipNext(machine, by, id, expected),
  })),
});

export const freezeContract = defineOperation({
  name: 'contract.freeze',
  summary: 'Freeze a contract permanently; it can still be read, verified and exported.',
  route: 'POST /api/chain/{slug}/contracts/{id}/freeze',
  tier: 'key',
  effect: 'write',
  input: z.strictObject(CONTRACT_PATH),
  output: ContractAnswer,
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('admin', async (machine, by, { id }, { services }) => ({
    contract: await services.contracts.freeze(machine, by, id),
  })),
});
