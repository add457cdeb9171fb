// Pulse clock: a reading and a stream.

import { z } from 'zod';
import { defineChannel } from '../channel.ts';
import { defineOperation } from '../operation.ts';
import { success, Tick, Timestamp } from '../schemas.ts';

export const KernelBlock = z
  .strictObject({
    notice: z.string(),
    url: z.string(),
    prompt: z.string(),
    markdown: z.string(),
    version: z.string(),
    protocol: z.array(z.string()),
  })
  .meta({ id: 'KernelBlock' });

const PulseRecord = success({
  protocol: z.string(),
  doctrine: z.string(),
  genesisAt: Timestamp.describe("The node's first start."),
  sinceGenesis: z.int().describe('Ticks since genesis.'),
  svcond: Tick,
  phase: z.number().min(0).max(1).describe('Phase within the current tick.'),
  genesisTick: Tick,
  genesisUnixMs: z.int(),
  clockSource: z.string(),
  R_t: z.number().min(0.999).max(1.001).describe('Modulation R(t) = 1 + α sin(2π f t + φ0).'),
  fieldStrength: z.number().describe('Equals R_t.'),
  timeToNextSvcond: z.number().min(0).meta({ unit: 's' }),
  pulseHz: z.literal(1.287),
  svcondSec: z.literal(0.777000777),
  alpha: z.literal(0.001),
  precision: z.number().min(0).describe('|R_t - 1|'),
  timestamp: Timestamp,
  modulation: z.string(),
  _kernel: KernelBlock,
}).meta({ id: 'Pulse', description: 'A reading of the pulse clock.' });

export const pulse = defineOperation({
  name: 'pulse.read',
  summary: 'Read the pulse clock: tick, phase and modulation.',
  route: 'GET /api/svc/pulse',
  tier: 'public',
  effect: 'read',
  mcp: {
    tool: 'svc_pulse',
    title: 'Pulse clock',
    description: 'Use to read the clock that stamps results. Tick counter, phase in the tick and modulation R(t).',
    profile: 'core',
  },
  input: z.object({}),
  output: PulseRecord,
  brief: {
    sentences: ({ svcond, phase, R_t, timestamp, timeToNextSvcond }) => [
      `Tick ${svcond}, phase ${phase}, at ${timestamp}.`,
      `R_t = ${R_t}.`,
      `The next tick is in ${timeToNextSvcond} s; a tick lasts 0.777000777 s.`,
    ],
  },
  errors: [],
  handle: async (_, { services, baseUrl }) => services.pulse.read(baseUrl),
});

export const pulseStream = defineChannel({
  name: 'pulse',
  summary: 'The pulse clock as server-sent events, one frame per tick.',
  description:
    'Frames `tick` with `{seq, type, svcond, timestamp, sinceGenesis, phase, R_t}`, read at the first nanosecond of the tick; the first one is the current tick. ' +
    'Resume with Last-Event-ID or `since`. `gap {from, to}` marks skipped ticks.',
  route: 'GET /api/svc/pulse/stream',
  tier: 'public',
  parameters: {},
  errors: [],
  open: ({ since }, { services, signal }) => services.pulse.ticks(since, signal),
});
