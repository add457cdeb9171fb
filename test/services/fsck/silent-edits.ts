// The edits that fsck cannot see, each with the condition under which it is silent. The table in docs/fsck.md is made
// from this list, and edits.test.ts holds fsck to it: what it lists must be silent, and everything else must be named.

import { LIMITS } from '../../../src/core/limits.ts';
import { TOLERANCE_MS } from '../../../src/services/fsck/times.ts';
import { MAX_DELAY_TICKS } from '../../../src/services/webhooks/delivery-plan.ts';

/** A row as text. */
export type TextRow = Readonly<Record<string, string | null>>;

/** One row of an edit. A deleted row has nothing after it, a copy nothing before it. */
export interface EditedRow {
  readonly before: TextRow;
  readonly after: TextRow;
  /** Last tick that a right clock may have had. */
  readonly lastTick: number;
  /** Whether a query of the edited database finds a row. */
  readonly has: (sql: string, ...bindings: readonly (string | number | null | undefined)[]) => Promise<boolean>;
}

export type EditKind = 'change' | 'deletion' | 'copy';

export interface SilentEdit {
  /** Table, or table and column. */
  readonly of: string;
  readonly kinds: readonly EditKind[];
  /** Which of these edits, in words; all of them if undefined. */
  readonly which?: string;
  /** The same as a condition on each row that is edited. */
  readonly when?: (row: EditedRow) => boolean | Promise<boolean>;
  /** Why nothing else confirms the value. */
  readonly why: string;
}

const every = (of: string, why: string, kinds: readonly EditKind[] = ['change']): SilentEdit => ({ of, kinds, why });
const some = (
  of: string,
  which: string,
  why: string,
  when: NonNullable<SilentEdit['when']>,
  kinds: readonly EditKind[] = ['change'],
): SilentEdit => ({ of, kinds, which, when, why });
const allOf = (table: string, columns: readonly string[], why: string): SilentEdit[] => {
  const short = `as \`${columns[0]}\``;
  return [
    ...columns.map((column, i) => every(`${table}.${column}`, i === 0 ? why : short)),
    every(table, short, ['deletion', 'copy']),
  ];
};

/** Whether a column is null before and after, or neither. */
const isAsNull =
  (column: string) =>
  ({ before, after }: EditedRow): boolean =>
    (before[column] === null) === (after[column] === null);

const isNamedByRun = ({ before, has }: EditedRow) =>
  has('select 1 from run where strpos(envelope, ?) > 0', before.sha256);

/** Whether a row of a type, which says that this was made, took the tick of the row before it. */
const mayBeEarlier = (types: string, column: string) => {
  const made = `select 1 from audit join audit as earlier
    on earlier.machine_id = audit.machine_id and earlier.seq = audit.seq - 1 and earlier.svcond = audit.svcond
    where audit.machine_id = ? and audit.type in (${types}) and audit.svcond = ?
      and ?::bigint between audit.svcond - ${LIMITS.clock.aheadTicks} and audit.svcond`;
  return ({ before, after, has }: EditedRow) => has(made, before.machine_id, before[column], after[column]);
};

const CLOCK_BEHIND = `up to ${LIMITS.clock.aheadTicks} ticks lower, if its row has the tick of the row before it`;
const isUnreadable = ({ before, has }: EditedRow) =>
  has(`select 1 from audit where machine_id = ? and type = 'contract' and body is null`, before.machine_id);

function parsed(text: string | null | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** What is compared of a state, as text; undefined if it cannot be read. */
function confirmedOf({ state: text, status }: TextRow): string | undefined {
  const value = parsed(text);
  if (value === undefined || !Array.isArray(value.timers)) return undefined;
  const { state, fires, collections, instances, parties, pendingSince, lifecycle, stranger } = value;
  const timers = value.timers as readonly { readonly due: number }[];
  const due = Math.min(
    ...timers.map((timer) => timer?.due),
    ...(typeof pendingSince === 'number' ? [pendingSince] : []),
  );
  const ended = ['paused', 'frozen'].includes(status ?? '') ? undefined : lifecycle;
  return JSON.stringify([state, fires, collections, instances, parties, due, ended, stranger !== undefined]);
}

const isConfirmedState = ({ before, after }: EditedRow): boolean => {
  const confirmed = confirmedOf(after);
  return confirmed !== undefined && confirmed === confirmedOf(before);
};

const CONTEXT = 'another context or counter than those of fires; state, timers, collections and instances are compared';

const isChangeTime = ({ before, after, lastTick }: EditedRow): boolean =>
  Number(after.updated_svcond) >= Number(before.created_svcond) && Number(after.updated_svcond) <= lastTick;

/** Whether the columns of a delivery agree with each other. */
function isPossibleProgress({ after, lastTick }: EditedRow): boolean {
  const { attempts, next_attempt_tick: next, delivered_svcond: delivered, last_error: error } = after;
  const created = Number(after.created_svcond);
  if (Number(attempts) < (next === null ? 1 : 0)) return false;
  if (next !== null && (delivered !== null || Number(next) < created)) return false;
  if (next !== null && Number(next) > lastTick + 2 * MAX_DELAY_TICKS) return false;
  if (delivered !== null) return error === null && Number(delivered) >= created && Number(delivered) <= lastTick;
  return next !== null || error !== null;
}

/** Answers are sealed together with these columns. */
const hasNoAnswer = ({ before, after }: EditedRow): boolean => (before.body ?? after.body ?? null) === null;
const hasNothingSealed = (row: EditedRow): boolean =>
  hasNoAnswer(row) && ['', null].includes(row.before.outcomes ?? row.after.outcomes ?? null);

const isNoMember = async ({ before, has }: EditedRow): Promise<boolean> =>
  !(await has(
    'select 1 from member where zid = ? union select 1 from sealing_key where zid = ?',
    before.zid,
    before.zid,
  ));

const WITHOUT_ANSWER = 'of a call without a stored answer';
const IN_PROGRESS =
  'of a call in progress, nothing is recorded elsewhere; a stored answer is sealed with it; rows live for a day';
const WALL_CLOCK = 'a time of the wall clock';
const NO_ATTEMPT_ROW = 'an attempt writes no row';
const PROGRESS = 'as long as the columns of the delivery can be true together, and no tick is far in the future';

export const SILENT_EDITS: readonly SilentEdit[] = [
  some(
    'anchor_config.due_tick',
    'another tick, from that of the settings to one period from now',
    `${WALL_CLOCK}; null follows from the settings`,
    async (row) => {
      const { before, after, lastTick, has } = row;
      if (!isAsNull('due_tick')(row)) return false;
      if (after.due_tick === null) return true;
      const isEarly = await has(
        `select 1 from audit where machine_id = ? and type = 'anchor_config'
         having max(svcond) - ${LIMITS.clock.aheadTicks} > ?::bigint`,
        before.machine_id,
        after.due_tick,
      );
      return !isEarly && Number(after.due_tick) <= lastTick + Number(after.every_ticks);
    },
  ),
  some(
    'anchor_key.created_svcond',
    CLOCK_BEHIND,
    'older versions stored the tick of the clock, which may be behind',
    mayBeEarlier(`'anchor_key'`, 'created_svcond'),
  ),
  every('anchor_mother.tried_svcond', 'an attempt that is refused, or finds nothing new, writes no row'),
  every('anchor_mother.code', 'as `tried_svcond`'),
  every('anchor_mother.failures', 'as `tried_svcond`'),
  some(
    'anchor_mother',
    'of a mother in which trees of one size only were anchored',
    'it may be one anchor behind, so the state of a single anchor may be missing',
    async ({ before, has }) =>
      !(await has(
        'select 1 from anchored where machine_id = ? and mother_id = ? having count(distinct size) > 1',
        before.machine_id,
        before.mother_id,
      )),
    ['deletion'],
  ),
  some(
    'anchor_witness.url',
    'of a machine whose settings were set more than once',
    'earlier settings may have named other witnesses, and the row of the settings has their number only',
    ({ before, has }) =>
      has(`select 1 from audit where machine_id = ? and type = 'anchor_config' having count(*) > 1`, before.machine_id),
  ),
  every('anchor_witness.tried_svcond', 'a witness that does not answer leaves no row'),
  every('anchor_witness.code', 'as `tried_svcond`'),
  every('anchor_witness.failures', 'as `tried_svcond`'),
  every('anchor_witness', 'the newest cosignature is held by the witness only', ['deletion']),
  every('api_key.last_used_at', 'using a key writes no row'),
  some('audit.sealed', 'other bytes, in a row that is sealed', 'only the owner can open it', isAsNull('sealed')),
  some(
    'checkpoint',
    'of one that a later checkpoint covers, and that no witness cosigned',
    'see below',
    async ({ before, has }) =>
      (await has(
        'select 1 from checkpoint where machine_id = ? and size > ?::bigint',
        before.machine_id,
        before.size,
      )) &&
      !(await has(
        'select 1 from anchor_witness where machine_id = ? and size = ?::bigint',
        before.machine_id,
        before.size,
      )),
    ['deletion'],
  ),
  every('checkpoint.svcond', 'the time of the signature, which the note omits'),
  some(
    'contract.name',
    'of a contract with later versions, or whose deployment cannot be read',
    'a later version may have another name, which no row records',
    async (row) => Number(row.before.version_no) > 1 || (await isUnreadable(row)),
  ),
  some('contract.state', CONTEXT, 'only a replay of the contract confirms its context', isConfirmedState),
  some(
    'contract.updated_svcond',
    'another tick between its beginning and now',
    'a timer that is checked without a fire changes the contract and writes no row',
    isChangeTime,
  ),
  some('contract_instance.state', CONTEXT, 'only a replay of the instance confirms its context', isConfirmedState),
  some(
    'contract_instance.updated_svcond',
    'another tick between its beginning and now',
    'as `contract.updated_svcond`',
    isChangeTime,
  ),
  some(
    'contract_version.parameters',
    'of versions that are neither the newest nor, if its deployment can be read, the first',
    'as `contract.name`',
    async (row) => {
      const { before, has } = row;
      const isCurrent = await has(
        'select 1 from contract where id = ?::uuid and version_no = ?::int',
        before.contract_id,
        before.no,
      );
      return !isCurrent && (Number(before.no) > 1 || (await isUnreadable(row)));
    },
  ),
  every('event_key.key', 'the caller chose it, and the row omits it'),
  some(
    'event_key.seq',
    'the number of another event of the same tick that no other key names',
    'as `key`',
    async ({ after, has }) =>
      (await has(
        `select 1 from audit where machine_id = ? and seq = ?::bigint and type = 'event' and svcond = ?::bigint`,
        after.machine_id,
        after.seq,
        after.svcond,
      )) &&
      !(await has(
        'select 1 from event_key where machine_id = ? and seq = ?::bigint and key <> ?',
        after.machine_id,
        after.seq,
        after.key,
      )),
  ),
  every('event_key', 'as `key`', ['deletion']),
  some(
    'field.expires_at',
    'of arrays that no filed run links to; of others, to a later time',
    'arrays that no filed run links to may expire at any time',
    async ({ before, after, has }) =>
      !(await has(
        `select 1 from run where strpos(envelope, ?) > 0
           and created_at + interval '${LIMITS.fieldDays} days' - interval '${TOLERANCE_MS} milliseconds' > ?::timestamptz`,
        before.sha256,
        after.expires_at,
      )),
  ),
  every('field.owner', 'counts the quota of whoever stored it first; no row records it'),
  some('field', 'of arrays that no filed run links to', 'as `expires_at`', async (row) => !(await isNamedByRun(row)), [
    'deletion',
  ]),
  ...(['principal', 'key'] as const).map((column) =>
    some(`idempotency.${column}`, `${WITHOUT_ANSWER} and without outcomes`, IN_PROGRESS, hasNothingSealed),
  ),
  ...(['route', 'body_sha256', 'state', 'status', 'headers'] as const).map((column) =>
    some(`idempotency.${column}`, WITHOUT_ANSWER, 'as `principal`', hasNoAnswer),
  ),
  some(
    'idempotency.outcomes',
    'to null or nothing',
    'null says that the effects of a call cannot be restored',
    ({ after }) => ['', null].includes(after.outcomes ?? null),
  ),
  ...['owner', 'lease_until', 'expires_at', 'has_effect', 'holder'].map((column) =>
    every(`idempotency.${column}`, 'as `principal`'),
  ),
  every('idempotency', 'as `principal`', ['deletion']),
  some('idempotency', `${WITHOUT_ANSWER} and without outcomes`, 'as `principal`', hasNothingSealed, ['copy']),
  some(
    'identity.account_id',
    'another account that exists and is not younger than the identity',
    'which account an identity belongs to follows from an equation that only its holder has',
    ({ before, after, has }) =>
      has(
        `select 1 from account where id = ?::uuid and created_at - interval '10 minutes' <= ?::timestamptz`,
        after.account_id,
        before.created_at,
      ),
  ),
  some(
    'identity.zid',
    'of an identity that is a member of no machine and has no sealing key',
    'as `account_id`',
    isNoMember,
  ),
  some(
    'identity.salt',
    'another of the same length, or null, of an identity without a sealing key',
    'only its holder knows it',
    async ({ before, after, has }) =>
      (after.salt === null || after.salt?.length === 32) &&
      !(await has('select 1 from sealing_key where zid = ?', before.zid)),
  ),
  some('identity.created_at', 'another time, not before that of the account', WALL_CLOCK, ({ after, has }) =>
    has(
      `select 1 from account where id = ?::uuid and created_at - interval '10 minutes' <= ?::timestamptz`,
      after.account_id,
      after.created_at,
    ),
  ),
  some('identity', 'of one that is a member of no machine and has no sealing key', 'as `account_id`', isNoMember, [
    'deletion',
  ]),
  some(
    'kept_sample.until_svcond',
    'another tick, not before that of the sample',
    'follows from definitions that may have changed since',
    ({ after }) => BigInt(after.until_svcond ?? 0) >= BigInt(after.svcond ?? 0),
  ),
  every('kept_sample', 'the length of the windows may have changed since', ['deletion']),
  every('kernel.first_seen_at', WALL_CLOCK),
  some(
    'kernel',
    'of a kernel that no filed run names',
    'nothing else names it',
    async (row) => !(await isNamedByRun(row)),
    ['deletion'],
  ),
  every('machine.changes', 'counts also changes without a row'),
  some(
    'machine.created_at',
    'by less than ten minutes',
    'the two readings of the clock are not one moment',
    ({ before, after }) => {
      const inId = Number.parseInt((before.id ?? '').replaceAll('-', '').slice(0, 12), 16);
      return Math.abs(Date.parse(after.created_at ?? '') - inId) <= TOLERANCE_MS;
    },
  ),
  some(
    'machine.pending_since',
    'another tick, from that of the first row without a checkpoint to that of the newest row',
    'a checkpoint that is signed while a row is written may not see its tick',
    ({ before, after, has }) =>
      has(
        `select 1 from machine join audit on machine_id = id and seq = checkpoint_size
         where id = ? and ?::bigint between audit.svcond and head_svcond`,
        before.id,
        after.pending_since,
      ),
  ),
  some(
    'member.since_svcond',
    CLOCK_BEHIND,
    'as `anchor_key.created_svcond`',
    mayBeEarlier(`'member', 'genesis'`, 'since_svcond'),
  ),
  some(
    'migration.applied_at',
    'another time that keeps the order',
    WALL_CLOCK,
    async ({ after, has }) =>
      after.applied_at !== null &&
      !(await has(
        `select 1 from (select applied_at < lag(applied_at) over (order by name collate "C") as is_early
           from migration) as each where is_early`,
      )),
  ),
  every('node', 'a fact with another name is read by nobody', ['copy']),
  some(
    'oracle.cursor_seq',
    'the number of another row of the machine that it follows, not before the last one that a reading names',
    'a poll that read nothing of interest writes no row',
    async ({ before, after, has }) =>
      before.kind === 'machine' &&
      (await has(
        `select 1 from machine where slug = ? and ?::bigint between -1 and head_seq`,
        String((parsed(before.subject) as unknown as readonly unknown[] | undefined)?.[6]),
        after.cursor_seq ?? -1,
      )) &&
      !(await has(
        `select 1 from audit where machine_id = ? and type = 'reading' and body::jsonb ->> 'contract' = ?
           and (body::jsonb #>> '{followed,seq}')::bigint > ?::bigint`,
        before.machine_id,
        before.contract_id,
        after.cursor_seq ?? -1,
      )),
  ),
  some(
    'oracle.due_tick',
    'another tick, up to one period from now',
    'as `anchor_config.due_tick`',
    (row) =>
      isAsNull('due_tick')(row) &&
      Number(row.after.due_tick) >= 0 &&
      Number(row.after.due_tick) <= row.lastTick + Number(row.after.every_ticks),
  ),
  every('oracle.polls', 'a failed poll writes no row'),
  every('oracle.failed', 'as `polls`'),
  every('oracle.last_error', 'as `polls`'),
  some('outbox.attempts', PROGRESS, NO_ATTEMPT_ROW, isPossibleProgress),
  some(
    'outbox.final_attempt',
    `more than ${LIMITS.webhooks.attempts}, of a delivery that was sent again`,
    'as `attempts`',
    async ({ before, after, has }) =>
      Number(after.final_attempt) > LIMITS.webhooks.attempts &&
      (await has(
        `select 1 from audit where machine_id = ? and type = 'webhook' and body::jsonb ->> 'act' = 'redelivered'
           and body::jsonb ->> 'id' = ?`,
        before.machine_id,
        before.id,
      )),
  ),
  some('outbox.next_attempt_tick', PROGRESS, 'as `attempts`', isPossibleProgress),
  some('outbox.last_error', PROGRESS, 'as `attempts`', isPossibleProgress),
  some('outbox.delivered_svcond', PROGRESS, 'as `attempts`', isPossibleProgress),
  every('sent_event.attempts', 'an attempt that failed writes no row'),
  every('activity.attempts', 'a try that failed writes no row'),
  ...allOf(
    'rate_window',
    ['name', 'tenant', 'ends_at', 'used'],
    'counts of the last minutes or hour, which end by themselves',
  ),
  some(
    'secret_epoch.created_at',
    'of the first epoch, within ten minutes of the first start',
    'as `machine.created_at`',
    async ({ before, after, has }) =>
      before.epoch === '1' &&
      (await has(
        `select 1 from node where key = 'genesis'
           and abs((value::json ->> 'unixMs')::numeric - extract(epoch from ?::timestamptz) * 1000) <= ${TOLERANCE_MS}`,
        after.created_at,
      )),
  ),
  ...allOf(
    'live_node',
    ['id', 'url', 'format', 'is_leaving', 'expires_at'],
    'what runs now; each node states it again within seconds',
  ),
  ...allOf(
    'long_run',
    [
      'id',
      'tenant',
      'edition',
      'request',
      'created_at',
      'attempts',
      'holder',
      'lease_until',
      'fraction',
      'answer',
      'expires_at',
    ],
    'kept for ten minutes; request and answer are opened with their id before they are used',
  ),
  ...allOf('shard_lease', ['shard', 'owner', 'fence', 'expires_at'], 'leases of nodes are made anew in seconds'),
  every('share.token_hash', 'the hash of a secret that only its holder has'),
  some('share.revoked_at', 'another time', `${WALL_CLOCK}; whether it is revoked is known`, isAsNull('revoked_at')),
  ...allOf(
    'stream_count',
    ['name', 'node', 'streams', 'ends_at'],
    'what is open now; each node states it again every 20 s',
  ),
  some(
    'webhook_secret.created_at',
    'of the first epoch',
    'it is made at the first delivery',
    ({ before }) => before.epoch === '1',
  ),
  some(
    'webhook_secret',
    'of a machine that has one epoch only',
    'as `created_at`',
    async ({ before, has }) => !(await has('select 1 from webhook_secret where machine_id = ?', before.machine_id)),
    ['deletion'],
  ),
  some(
    'window_segment',
    'of the first of a machine, whose samples may have left every window, and of the newest',
    'the rows hold what it held',
    async ({ before, has }) =>
      !(await has(
        `select 1 from window_segment where machine_id = ?
         having min(to_seq) < ?::bigint and max(to_seq) > ?::bigint`,
        before.machine_id,
        before.to_seq,
        before.to_seq,
      )),
    ['deletion'],
  ),
  every('witnessed.svcond', 'the time of the cosignature, which is sent to the log and not stored'),
  every('witnessed', 'the newest checkpoint of another log; the log holds the cosignature', ['deletion']),
];

/** The list as the table of docs/fsck.md. */
export function silentTable(): string {
  const rows = SILENT_EDITS.map(({ of, kinds, which, why }) => {
    const names = kinds.join(', ');
    const words = which === undefined ? (names === 'change' ? 'every change' : names) : `${names}: ${which}`;
    return `| \`${of}\` | ${words} | ${why} |`;
  });
  return ['| column or table | silent edits | why nothing confirms it |', '|---|---|---|', ...rows].join('\n');
}

/** What is silent of a column or table. */
export function silentEditsOf(of: string, kind: EditKind): SilentEdit | undefined {
  return SILENT_EDITS.find((edit) => edit.of === of && edit.kinds.includes(kind));
}
