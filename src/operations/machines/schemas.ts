// Shapes of machines and rows. Field names are the specification's.

import { z } from 'zod';
import { ROW_TYPES } from '../../chain/row-type.ts';
import { LIMITS } from '../../core/limits.ts';
import { Sha256, Tick, Timestamp } from '../schemas.ts';

export const Slug = z
  .string()
  .regex(/^[a-z0-9-]{3,63}$/)
  .describe('Name of the machine: 3 to 63 of a-z, 0-9 and -.');

export const MachineStatus = z.enum(['active', 'paused', 'archived']);

/** Of rows: what happened, in one word. */
export const RowType = z.enum(ROW_TYPES);

export const EventName = z.string().regex(/^[a-z][a-z0-9_]{0,47}$/);

export const Role = z.enum(['viewer', 'operator', 'admin', 'owner']);

export const Head = z
  .strictObject({ seq: z.int(), svcond: Tick, row_hash: Sha256 })
  .meta({ id: 'ChainHead', description: 'The last row of a chain.' });

export const Machine = z
  .strictObject({
    slug: Slug,
    name: z.string(),
    description: z.string(),
    status: MachineStatus,
    is_public: z.boolean(),
    is_sealed: z.boolean().describe('New payloads are stored for the owner alone to open.'),
    genesis_tick: Tick,
    genesis_hash: Sha256.describe('Hash of row 0.'),
    id_hash: Sha256.describe('What the machine is called everywhere: from its slug and its first row.'),
    address: z.string().describe('First 16 digits of id_hash.'),
    head: Head,
  })
  .meta({ id: 'Machine' });

export const Row = z
  .strictObject({
    seq: z.int().min(0),
    svcond: Tick,
    at: Timestamp.describe('When its tick began.'),
    type: z.string(),
    source: z.string(),
    actor: z.string().describe('ZID of whoever wrote it; zeros for the service itself.'),
    commit: Sha256.describe('SHA-256("svc-pc\\0" ‖ salt ‖ payload).'),
    prev: Sha256.describe('Hash of the row before.'),
    row_hash: Sha256,
    salt: z.string().nullable(),
    payload: z.unknown().describe('Null where it was erased or is sealed.'),
    sealed: z.literal(true).optional().describe('Only the owner opens salt and payload: POST …/audit/decrypt.'),
  })
  .meta({ id: 'AuditRow', description: 'A row of an audit chain.' });

export const Zid = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe('Identity of an account: 32 lower-case hex digits.');

/** Lent for one call; it stands in no log, error, row or stored answer. */
export const Equation = z.string().min(1).max(1_000);

/** What the newest rows of a list are asked with. */
export const PAGE = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.pageSize.max)
    .default(LIMITS.pageSize.default)
    .describe('Rows a page.'),
  cursor: z.string().max(512).optional().describe('`next_cursor` of the page before.'),
};

export const Logged = {
  seq: z.int().min(0),
  svcond: Tick,
  row_hash: Sha256,
  duplicate: z.literal(true).optional().describe('The id was used before: this is the first row.'),
};
