// Inputs of the solver: those of the specification. Each may be absent.

import { z } from 'zod';
import { MAX_SECONDS } from '../../core/clock.ts';
import { real, whole } from '../parts/inputs.ts';

/** Turns that are counted exactly. */
const MAX_PHASE = 1e9;

/** What is no status is down, so a wide range is let in. */
const MAX_STATUS = 1_000_000;

const HEALTH = ['up', 'slow', 'down'] as const;

export const inputs = z.strictObject({
  t: real('Unix time; the time of the request by default', { unit: 's', symbol: 't', min: 0, max: MAX_SECONDS }),
  phase: real('Phase, modulo 2π; that of the pulse at t by default', {
    unit: 'rad',
    symbol: 'θ',
    min: -MAX_PHASE,
    max: MAX_PHASE,
  }),
  health: z
    .enum(HEALTH)
    .optional()
    .describe('Health check: up, slow or down; it caps the liveness at 1, 0.5 or 0')
    .meta({ unit: '1' }),
  liveness: real('Liveness: 1 healthy, 0 down', { unit: '1', symbol: 'l', min: 0, max: 1 }),
  status: whole('HTTP status; 2xx and 304 are up, other from 100 to 499 slow, all others down', {
    min: -MAX_STATUS,
    max: MAX_STATUS,
  }),
});

export type ProtectInput = z.output<typeof inputs>;
