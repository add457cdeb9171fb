// Lifecycle of a contract: pause, resume, skip the next fire, freeze.

import { z } from 'zod';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { defineOperation } from '../operation.ts';
import { Tick } from '../schemas.ts';
import { CONTRACT_PATH, ContractAnswer } from './schemas.ts';

export const pauseContract = defineOperation({
  name: 'contract.pause',
  summary: 'Pause a contract: nothing fires, events are still counted.',
  route: 'POST /api/chain/{slug}/contracts/{id}/pause',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  party: true,
  input: z.strictObject(CONTRACT_PATH),
  output: ContractAnswer,
  errors: [...WRITE_ERRORS, 'FORBIDDEN_PARTY'],
  handle: async ({ id }, { services }, { machine, by }) => ({
    contract: await services.contracts.pause(machine, by, id),
  }),
});

export const resumeContract = defineOperation({
  name: 'contract.resume',
  summary: 'Resume a paused or failed contract.',
  route: 'POST /api/chain/{slug}/contracts/{id}/resume',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  party: true,
  input: z.strictObject({
    ...CONTRACT_PATH,
    mode: z
      .enum(['deadline', 'remaining', 'restart'])
      .default('deadline')
      .describe('One-shots: keep the deadline (overdue ones fire at once), shift by the pause, or restart.'),
  }),
  output: ContractAnswer,
  errors: [...WRITE_ERRORS, 'FORBIDDEN_PARTY'],
  handle: async ({ id, mode }, { services }, { machine, by }) => ({
    contract: await services.contracts.resume(machine, by, id, mode),
  }),
});

export const skipContract = defineOperation({
  name: 'contract.skip',
  summary: 'Skip the next occurrence of a timer or, without one, the next match of an event.',
  route: 'POST /api/chain/{slug}/contracts/{id}/skip-next',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  party: true,
  input: z.strictObject({
    ...CONTRACT_PATH,
    expected_next_fire: Tick.optional().describe('Rejected if the next fire differs.'),
  }),
  output: ContractAnswer,
  errors: [...WRITE_ERRORS, 'FORBIDDEN_PARTY'],
  handle: async ({ id, expected_next_fire: expected }, { services }, { machine, by }) => ({
    contract: await services.contracts.skipNext(machine, by, id, expected),
  }),
});

export const freezeContract = defineOperation({
  name: 'contract.freeze',
  summary: 'Freeze a contract permanently; it can still be read, verified and exported.',
  route: 'POST /api/chain/{slug}/contracts/{id}/freeze',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject(CONTRACT_PATH),
  output: ContractAnswer,
  errors: [...WRITE_ERRORS, 'FORBIDDEN_PARTY'],
  handle: async ({ id }, { services }, { machine, by }) => ({
    contract: await services.contracts.freeze(machine, by, id),
  }),
});
