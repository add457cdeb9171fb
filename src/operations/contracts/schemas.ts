// Shapes of contracts, fires and versions. Field names are the specification's.

import { z } from 'zod';
import { Sha256, Tick } from '../schemas.ts';

const ContractStatus = z.enum(['active', 'paused', 'frozen', 'completed', 'failed']);
const Scalar = z.union([z.number(), z.boolean(), z.string()]);
export const Parameters = z.record(z.string().max(48), Scalar);

export const Contract = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    currentState: z.string(),
    status: ContractStatus,
    fire_count: z.int(),
    next_fire: Tick.nullable(),
    current_version_no: z.int(),
    definition_hash: Sha256,
    template_id: z.string().nullable(),
    parameters: Parameters,
    context: Parameters,
    missed: z.int().describe('Occurrences of timers that nobody fired.'),
    created_svcond: Tick,
  })
  .meta({ id: 'Contract' });

export const Fire = z
  .strictObject({
    contract: z.string(),
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    seq: z.int(),
    svcond: Tick,
    emitted: z.array(z.string()),
    computed: z.array(
      z.strictObject({
        operator: z.string().optional(),
        solver: z.string().optional(),
        inputs: z.record(z.string(), z.number()),
        into: z.string(),
        value: z.number(),
      }),
    ),
    receipt: z.unknown().describe('A stamp over the fire, where the transition asks for a proof.'),
  })
  .meta({ id: 'Fire', description: 'A transition that fired, and its row in the chain.' });

export const TransitionRow = z
  .strictObject({
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    version: z.int(),
    entry: z.int().describe('Which entry into the state it left.'),
    occurrence: z.string(),
    seq: z.int(),
    svcond: Tick,
  })
  .meta({ id: 'TransitionRow' });

export const Version = z
  .strictObject({
    no: z.int(),
    definition_hash: Sha256,
    parameters: Parameters,
    svcond: Tick,
    actor: z.string(),
    reason: z.string(),
  })
  .meta({ id: 'ContractVersion' });
