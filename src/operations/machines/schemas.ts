// Schemas of machines and rows. Field names follow the specification.

import { z } from 'zod';
import { ROW_TYPES } from '../../chain/row-type.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { Hex32, Sha256, Tick, Timestamp } from '../schemas.ts';

export const Slug = z
  .string()
  .regex(/^[a-z0-9-]{3,63}$/)
  .describe('Name of the machine: 3 to 63 of a-z, 0-9 and -.');

export const MachineStatus = z.enum(['active', 'paused', 'archived']);

/** Type of a row. */
export const RowType = z.enum(ROW_TYPES);

export const EventName = z.string().regex(/^[a-z][a-z0-9_]{0,47}$/);

export const Role = z.enum(['viewer', 'operator', 'admin', 'owner']);

export const Head = z
  .strictObject({ seq: z.int(), svcond: Tick, row_hash: Sha256 })
  .meta({ id: 'ChainHead', description: 'The last row of a chain.' });

export const AcceptAnchors = z
  .enum(['nobody', 'members', 'listed', 'anyone'])
  .describe('Whose machines may anchor in this one: nobody, its members, also `anchor_zids`, or anyone.');

const { keptRows, maxRows, maxDays } = LIMITS.archive;

export const KeepRows = z
  .int()
  .min(0)
  .max(maxRows)
  .describe(
    `The newest rows that stay in the database; older ones may be moved to the archive of the node, where they stay readable. At least ${keptRows} stay. 0 sets no number; with keep_days 0 too, all stay.`,
  );

export const KeepDays = z
  .int()
  .min(0)
  .max(maxDays)
  .describe('Rows of this many days stay in the database as well. 0 sets no time.');

export const Machine = z
  .strictObject({
    slug: Slug,
    name: z.string(),
    description: z.string(),
    status: MachineStatus,
    is_public: z.boolean(),
    is_sealed: z.boolean().describe('New payloads are sealed; only the owner can decrypt them.'),
    settings_version: z.int().min(0).describe('Counts changes of the settings; for If-Match.'),
    accept_anchors: AcceptAnchors,
    keep_rows: KeepRows,
    keep_days: KeepDays,
    genesis_tick: Tick,
    genesis_hash: Sha256.describe('Hash of row 0.'),
    id_hash: Sha256.describe('Global id, derived from slug and first row.'),
    address: z.string().describe('First 16 digits of id_hash.'),
    head: Head,
  })
  .meta({ id: 'Machine' });

export const Row = z
  .strictObject({
    seq: z.int().min(0),
    svcond: Tick,
    at: Timestamp.describe('Start of its tick.'),
    type: z.string(),
    source: z.string(),
    actor: z.string().describe('ZID of the author; zeros for the service.'),
    commit: Sha256.describe('SHA-256("svc-pc\\0" ‖ salt ‖ payload).'),
    prev: Sha256.describe('Hash of the preceding row.'),
    row_hash: Sha256,
    salt: z.string().nullable(),
    payload: z.unknown().describe('Null if erased or sealed.'),
    sealed: z.literal(true).optional().describe('Only the owner can decrypt salt and payload: POST …/audit/decrypt.'),
  })
  .meta({ id: 'AuditRow', description: 'A row of an audit chain.' });

export const Zid = Hex32.describe('Identity of an account: 32 lower-case hex digits.');

/** Used for one call; never logged, stored or returned. */
export const Equation = singleLine(1_000);

export const Logged = {
  seq: z.int().min(0),
  svcond: Tick,
  row_hash: Sha256,
  duplicate: z.literal(true).optional().describe('The id already exists; this is its row.'),
};

export const Counts = z.record(z.string(), z.int());
