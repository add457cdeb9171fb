// Edits of a database, generated from its catalog: of every column, row and protecting object.

import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { TextRow } from './silent-edits.ts';

export interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** A row that an edit touched, as text. A deleted row has nothing after it, a copy nothing before it. */
export interface TouchedRow {
  readonly before: TextRow;
  readonly after: TextRow;
}
export type Touched = readonly TouchedRow[];

const NOTHING: TextRow = {};

/** Chooses an integer from 0 to n - 1. */
export type Choose = (n: number) => number;

/** Random integers from 0 to n - 1, the same in every run. */
export function randomIntegers(seed: number): Choose {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Every column of the schema in use. */
export function columnsOf(on: Executor): Promise<Column[]> {
  return rows(
    on,
    `select table_name as table, column_name as column, data_type as type, is_nullable = 'YES' as nullable
     from information_schema.columns where table_schema = current_schema() order by 1, ordinal_position`,
  );
}

/** Two allowed values of columns with enumerated values. */
const ENUM_VALUES: Readonly<Record<string, readonly [string, string]>> = {
  'tally_segment.unit': ['row', 'tick'],
  'tally_segment.counts': ['all', 'members'],
  'machine.status': ['active', 'paused'],
  'contract.status': ['active', 'paused'],
  'member.role': ['owner', 'viewer'],
  'api_key.scope': ['admin', 'read'],
  'api_key.tier': ['high', 'standard'],
  'account.kind': ['demo', 'full'],
  'idempotency.state': ['done', 'in_flight'],
  'secret_epoch.purpose': ['receipt', 'seal'],
};
/** Smallest change of a time, in milliseconds: some times are compared within ten minutes. */
const TIME_BITS = { first: 21, count: 10 };

/** SQL for a column with one bit flipped; an empty value gets one bit. */
function flipped({ table, column, type }: Column, pick: Choose): string {
  const [first, second] = ENUM_VALUES[`${table}.${column}`] ?? [];
  if (first !== undefined) return `case when ${column} = '${first}' then '${second}' else '${first}' end`;
  const bits = (value: string) => {
    const at = `(${pick(1 << 20)} % greatest(1, 8 * octet_length(${value})))`;
    return `set_bit(${value}, ${at}, 1 - get_bit(${value}, ${at}))`;
  };
  switch (type) {
    case 'bytea':
      return `coalesce(case when octet_length(${column}) = 0 then null else ${bits(column)} end, '\\x01'::bytea)`;
    case 'bigint':
      return `coalesce(${column} # (1::bigint << ${pick(64)}), 7)`;
    case 'integer':
      return `coalesce(${column} # (1 << ${pick(31)}), 7)`;
    case 'smallint':
      return `(${column}::int # (1 << ${pick(15)}))::smallint`;
    case 'boolean':
      return `not ${column}`;
    case 'timestamp with time zone':
      return `coalesce(${column} + interval '1 millisecond' * (1 << ${TIME_BITS.first + pick(TIME_BITS.count)}), 'epoch')`;
    case 'double precision':
      return `${column} * 1.5 + 0.25`;
    case 'uuid':
      return `encode(${bits(`decode(replace(${column}::text, '-', ''), 'hex')`)}, 'hex')::uuid`;
    case 'text':
      return `case when ${column} is null or ${column} = '' then 'x' else convert_from(${bits(`convert_to(${column}, 'UTF8')`)}, 'UTF8') end`;
    default:
      throw new Error(`Flipping a bit of type ${type} is not implemented.`);
  }
}

export const KINDS = ['flip', 'null', 'other', 'swap'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Edits a column of one row, or of two for a swap.
 *
 * @param where  SQL condition on the row
 * @returns undefined if no row can be edited so
 */
export async function editColumn(
  on: Executor,
  target: Column,
  kind: Kind,
  where: string,
  pick: Choose,
): Promise<Touched | undefined> {
  const { table, column, nullable } = target;
  const choose = async (condition: string) => {
    const found = await rows<{ ctid: string }>(
      on,
      `select ctid::text from ${table} where (${where}) and ${condition} order by ctid`,
    );
    return found[pick(Math.max(1, found.length))]?.ctid;
  };
  const update = async (sql: string, ctids: readonly string[]) => {
    const changed = await rows<{ before: string; after: string }>(
      on,
      `update ${table} set ${column} = ${sql}
       from (select ctid as old, to_jsonb(one.*)::text as was from ${table} as one where ctid = any(?::tid[])) as earlier
       where ${table}.ctid = earlier.old returning was as before, to_jsonb(${table}.*)::text as after`,
      [ctids],
    );
    return changed.map(({ before, after }) => ({ before: textsOf(before), after: textsOf(after) }));
  };
  if (kind === 'flip') {
    const sql = flipped(target, pick);
    const row = await choose(`${column} is distinct from ${sql}`);
    return row === undefined ? undefined : update(sql, [row]);
  }
  if (kind === 'null') {
    const row = nullable ? await choose(`${column} is not null`) : undefined;
    return row === undefined ? undefined : update('null', [row]);
  }
  const row = await choose(
    `exists (select 1 from ${table} as one where one.${column} is distinct from ${table}.${column})`,
  );
  if (row === undefined) return undefined;
  const others = await rows<{ ctid: string }>(
    on,
    `select ctid::text from ${table} where ${column} is distinct from (select ${column} from ${table} where ctid = ?::tid) order by ctid`,
    [row],
  );
  const other = others[pick(others.length)]?.ctid ?? row;
  const valueAt = (ctid: string) => `(select ${column} from ${table} where ctid = '${ctid}'::tid)`;
  if (kind === 'other') return update(valueAt(other), [row]);
  return update(`case ctid when '${row}'::tid then ${valueAt(other)} else ${valueAt(row)} end`, [row, other]);
}

/** Deletes one row. */
export async function deleteRow(
  on: Executor,
  table: string,
  where: string,
  pick: Choose,
): Promise<Touched | undefined> {
  const found = await rows<{ ctid: string }>(on, `select ctid::text from ${table} where ${where} order by ctid`);
  const row = found[pick(Math.max(1, found.length))]?.ctid;
  if (row === undefined) return undefined;
  const deleted = await rows<{ row: string }>(
    on,
    `delete from ${table} where ctid = ?::tid returning to_jsonb(${table}.*)::text as row`,
    [row],
  );
  return deleted.map((one) => ({ before: textsOf(one.row), after: NOTHING }));
}

/** Inserts a copy of one row, with another value in one or two columns of each unique key. */
export async function copyRow(
  on: Executor,
  table: string,
  columns: readonly Column[],
  where: string,
  pick: Choose,
): Promise<Touched | undefined> {
  const found = await rows<{ ctid: string }>(on, `select ctid::text from ${table} where ${where} order by ctid`);
  const row = found[pick(Math.max(1, found.length))]?.ctid;
  if (row === undefined) return undefined;
  const keys = await rows<{ columns: string[] }>(
    on,
    `select array(select attname::text from unnest(indkey::int2[]) as key (no) join pg_attribute
       on attrelid = indrelid and attnum = key.no) as columns
     from pg_index where indrelid = ?::regclass and indisunique`,
    [table],
  );
  const changed = new Set(keys.map((key) => key.columns[pick(key.columns.length)]));
  const values = columns.map((one) => (changed.has(one.column) ? flipped(one, pick) : one.column));
  const inserted = await rows<{ row: string }>(
    on,
    `insert into ${table} (${columns.map(({ column }) => column).join(', ')})
     select ${values.join(', ')} from ${table} where ctid = ?::tid returning to_jsonb(${table}.*)::text as row`,
    [row],
  );
  return inserted.map((one) => ({ before: NOTHING, after: textsOf(one.row) }));
}

/** A value as text; bytes lose their prefix. */
export function textOf(value: unknown): string {
  return String(value).replace(/^\\x/, '');
}

/** A row of jsonb with every value as text; 64-bit numbers keep their digits. */
function textsOf(row: string): TextRow {
  const exact = row.replace(/: (-?\d{16,})([,}])/g, ': "$1"$2');
  return Object.fromEntries(
    Object.entries(JSON.parse(exact) as Record<string, unknown>).map(([name, value]) => [
      name,
      value === null ? null : textOf(value),
    ]),
  );
}

/** An edit of the schema: what it is about, and the statements. */
export interface SchemaEdit {
  readonly name: string;
  /** Name of the table or function that must be named. */
  readonly table: string;
  /** Name of the object within it, a part of the fault's key. */
  readonly object: string;
  readonly statements: readonly string[];
  /** Whether it is about one column. */
  readonly isOfColumn: boolean;
}

/** Defaults that no column has. */
const DEFAULTS: Readonly<Record<string, string>> = {
  bytea: `'\\x41'`,
  'double precision': '7',
  real: '7',
  bigint: '41',
  integer: '41',
  smallint: '41',
  boolean: 'true',
  uuid: `'00000000-0000-7000-8000-000000000041'`,
  'timestamp with time zone': `'epoch'`,
};

/** Edits of every trigger, constraint, index, function, column and table of the schema in use. */
export async function schemaEdits(on: Executor): Promise<SchemaEdit[]> {
  const edit = (name: string, table: string, object: string, ...statements: string[]): SchemaEdit => ({
    name,
    table,
    object,
    statements,
    isOfColumn: name.includes('column') || name === 'allow null',
  });
  const all = <Row>(sql: string) => rows<Row>(on, sql);
  const ours = `relnamespace = current_schema()::regnamespace`;
  const triggers = await all<{ name: string; table: string; function: string }>(
    `select tgname as name, relname as table, tgfoid::regproc::text as function from pg_trigger
     join pg_class on pg_class.oid = tgrelid where ${ours} and not tgisinternal order by 1`,
  );
  const constraints = await all<{ name: string; table: string; type: string }>(
    `select conname as name, relname as table, contype as type from pg_constraint
     join pg_class on pg_class.oid = conrelid where ${ours} and contype <> 'n' order by 2, 1`,
  );
  const indexes = await all<{ name: string; table: string }>(
    `select index.relname as name, of.relname as table from pg_index join pg_class as index on index.oid = indexrelid
     join pg_class as of on of.oid = indrelid where of.${ours}
       and not exists (select 1 from pg_constraint where conindid = indexrelid) order by 2, 1`,
  );
  const functions = await all<{ name: string; signature: string; named: string; result: string }>(
    `select proname as name, pg_proc.oid::regprocedure::text as signature, pg_get_function_result(pg_proc.oid) as result,
       proname || '(' || pg_get_function_arguments(pg_proc.oid) || ')' as named
     from pg_proc where pronamespace = current_schema()::regnamespace`,
  );
  const tables = await all<{ name: string }>(
    `select relname as name from pg_class where ${ours} and relkind = 'r' order by 1`,
  );
  const columns = await columnsOf(on);
  const key = new Set(
    (
      await all<{ name: string }>(
        `select relname || '.' || attname as name from pg_index join pg_class on pg_class.oid = indrelid
         join pg_attribute on attrelid = indrelid and attnum = any(indkey::int2[]) where ${ours} and indisprimary`,
      )
    ).map(({ name }) => name),
  );
  const [first] = tables;
  const [trigger] = triggers;
  return [
    ...triggers.flatMap(({ name, table, function: called }) => [
      edit('drop trigger', table, name, `drop trigger ${name} on ${table}`),
      edit('disable trigger', table, name, `alter table ${table} disable trigger ${name}`),
      edit('replica trigger', table, name, `alter table ${table} enable replica trigger ${name}`),
      edit(
        'narrow trigger',
        table,
        name,
        `drop trigger ${name} on ${table}`,
        `create trigger ${name} before insert on ${table} for each statement execute function ${called}()`,
      ),
    ]),
    ...constraints.map(({ name, table }) =>
      edit('drop constraint', table, name, `alter table ${table} drop constraint ${name} cascade`),
    ),
    ...constraints
      .filter(({ type }) => type === 'c')
      .map(({ name, table }) =>
        edit(
          'widen constraint',
          table,
          name,
          `alter table ${table} drop constraint ${name}`,
          `alter table ${table} add constraint ${name} check (true)`,
        ),
      ),
    ...constraints
      .filter(({ type }) => type === 'f')
      .map(({ name, table }) => edit('disable foreign key', table, name, `alter table ${table} disable trigger all`)),
    ...indexes.flatMap(({ name, table }) => [
      edit('drop index', table, name, `drop index ${name}`),
      edit(
        'invalid index',
        table,
        name,
        `update pg_index set indisvalid = false where indexrelid = '${name}'::regclass`,
      ),
    ]),
    ...functions.flatMap(({ name, signature, named, result }) => [
      edit(
        'replace function',
        name,
        name,
        `create or replace function ${named} returns ${result} language plpgsql immutable
           as $$ begin return ${result === 'trigger' ? 'coalesce(new, old)' : 'null'}; end $$`,
      ),
      edit('configure function', name, name, `alter function ${signature} set search_path to pg_temp`),
      edit('security definer', name, name, `alter function ${signature} security definer`),
      edit('drop function', name, name, `drop function ${signature} cascade`),
    ]),
    ...columns.flatMap(({ table, column, type, nullable }) => [
      ...(key.has(`${table}.${column}`)
        ? []
        : [
            nullable
              ? edit(
                  'require column',
                  table,
                  column,
                  `update pg_attribute set attnotnull = true where attrelid = '${table}'::regclass and attname = '${column}'`,
                )
              : edit('allow null', table, column, `alter table ${table} alter column ${column} drop not null`),
          ]),
      edit(
        'default of column',
        table,
        column,
        `alter table ${table} alter column ${column} set default ${DEFAULTS[type] ?? "''"}`,
      ),
      edit('rename column', table, column, `alter table ${table} rename column ${column} to renamed_column`),
      edit('drop column', table, column, `alter table ${table} drop column ${column} cascade`),
    ]),
    ...columns
      .filter(({ type }) => type === 'integer' || type === 'smallint')
      .map(({ table, column }) =>
        edit('type of column', table, column, `alter table ${table} alter column ${column} type bigint`),
      ),
    ...tables.flatMap(({ name }) => [
      edit('row security', name, name, `alter table ${name} enable row level security`),
      edit('policy', name, 'hidden', `create policy hidden on ${name} using (false)`),
      edit('rule', name, 'swallow', `create rule swallow as on delete to ${name} do instead nothing`),
      edit('column', name, 'extra_column', `alter table ${name} add column extra_column text`),
      edit(
        'other persistence',
        name,
        name,
        `update pg_class set relpersistence = case relpersistence when 'u' then 'p' else 'u' end where oid = '${name}'::regclass`,
      ),
      edit('inherit', name, 'child_of_it', `create table child_of_it () inherits (${name})`),
      edit('drop table', name, name, `drop table ${name} cascade`),
    ]),
    ...(trigger === undefined || first === undefined
      ? []
      : tables.map(({ name }) =>
          edit(
            'extra trigger',
            name,
            'extra_trigger',
            `create trigger extra_trigger before insert on ${name} for each row execute function ${trigger.function}()`,
          ),
        )),
    edit(
      'function of a trigger elsewhere',
      'audit',
      'audit_append_only',
      `create schema elsewhere_of_fsck`,
      `create function elsewhere_of_fsck.audit_is_append_only() returns trigger language plpgsql as $$ begin return coalesce(new, old); end $$`,
      `drop trigger audit_append_only on audit`,
      `create trigger audit_append_only before update or delete on audit for each row execute function elsewhere_of_fsck.audit_is_append_only()`,
    ),
    edit(
      'shadowed function',
      'encode',
      'encode',
      `create function encode(bytea, varchar) returns text language sql as $$ select '' $$`,
    ),
    edit(
      'session_replication_role of the database',
      'pg_db_role_setting',
      'session_replication_role',
      `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
    ),
    edit(
      'session_replication_role of the role',
      'pg_db_role_setting',
      'session_replication_role',
      `do $$ begin execute format('alter role %I set session_replication_role = replica', current_user); end $$`,
    ),
  ];
}
