// The schema as the catalog describes it, and as the migrations make it: tables, columns, constraints, indexes,
// triggers, functions, rules and policies.
//
// Definitions are the catalog's own text, without the name of the schema, so that they are the same in any schema and
// on every supported version of PostgreSQL. Owners and privileges are left out: they differ by installation.

import { openDatabase } from '../database/database.ts';
import { MIGRATIONS, migrate } from '../database/migrate.ts';
import { type Executor, rows } from '../database/sql.ts';

export type SchemaObjectKind =
  | 'table'
  | 'child'
  | 'column'
  | 'constraint'
  | 'index'
  | 'trigger'
  | 'rule'
  | 'policy'
  | 'function';

export interface SchemaObject {
  readonly kind: SchemaObjectKind;
  /** The table that it belongs to; for a function, its own name. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export interface AppliedMigration {
  readonly name: string;
  /** Milliseconds since 1970; null if the time was removed. */
  readonly applied_at: number | null;
}

/** Tables of the schema in use; `?` binds their names, or null for all. */
const OURS = `ours as (
  select oid, relname::text as table, relkind, relpersistence, relrowsecurity, relforcerowsecurity, reloptions
  from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
    and relname = any(coalesce(?::text[], array[relname::text]))
)`;

/** One query for each kind of object, as table, name and definition. */
const QUERIES: Readonly<Record<Exclude<SchemaObjectKind, 'function'>, string>> = {
  table: `select "table", "table" as name, concat_ws(' ', 'kind', relkind, 'persistence', relpersistence,
      case when relrowsecurity then 'row security' end, case when relforcerowsecurity then 'forced' end,
      array_to_string(reloptions, ' ')) as definition from ours`,
  child: `select "table", inhrelid::regclass::text as name, 'inherits' as definition
    from ours join pg_inherits on inhparent = ours.oid`,
  column: `select "table", attname::text as name, concat_ws(' ', format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid, true),
      'identity ' || nullif(attidentity::text, ''), 'generated ' || nullif(attgenerated::text, ''), 'storage ' || attstorage::text,
      'collate ' || (select collname from pg_collation where pg_collation.oid = attcollation)) as definition
    from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum`,
  // PostgreSQL 18 lists "not null" here as well.
  constraint: `select "table", conname::text as name,
      concat_ws(' ', pg_get_constraintdef(pg_constraint.oid, true), case when not convalidated then 'not valid' end) as definition
    from ours join pg_constraint on conrelid = ours.oid where contype <> 'n'`,
  index: `select "table", index.relname::text as name,
      concat_ws(' ', pg_get_indexdef(indexrelid, 0, true), case when not (indisvalid and indisready and indislive) then 'invalid' end) as definition
    from ours join pg_index on indrelid = ours.oid join pg_class as index on index.oid = indexrelid`,
  // The triggers of a foreign key have names of this database only, so that of the constraint stands for them.
  trigger: `select "table", case when tgisinternal then concat(conname, ' ', tgfoid::regproc) else tgname::text end as name,
      concat_ws(' ', case when tgisinternal then concat('type ', tgtype, ' ', tgfoid::regproc)
        else pg_get_triggerdef(pg_trigger.oid, true) end,
        case tgenabled when 'O' then null when 'D' then 'disabled' when 'R' then 'on replicas only' else 'always' end) as definition
    from ours join pg_trigger on tgrelid = ours.oid left join pg_constraint on pg_constraint.oid = tgconstraint`,
  rule: `select "table", rulename::text as name, pg_get_ruledef(pg_rewrite.oid, true) as definition
    from ours join pg_rewrite on ev_class = ours.oid where relkind <> 'v'`,
  policy: `select "table", polname::text as name, concat_ws(' ', polcmd::text, polpermissive::text,
      pg_get_expr(polqual, polrelid, true), pg_get_expr(polwithcheck, polrelid, true)) as definition
    from ours join pg_policy on polrelid = ours.oid`,
};

/**
 * Functions of the schema in use: those named, those that a trigger calls, and those with the name of a built-in
 * function, which they may replace in a statement. Those of extensions are left out.
 */
const FUNCTIONS = `select proname::text as "table", proname::text as name,
    concat_ws(' ', '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')', 'returns', prorettype::regtype, 'language',
      lanname, 'volatility', provolatile, case when prosecdef then 'security definer' end,
      array_to_string(proconfig, ' '), prosrc) as definition
  from pg_proc join pg_language on pg_language.oid = prolang
  where pronamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')
    and (proname = any(coalesce(?::text[], array[proname::text]))
      or exists (select 1 from pg_trigger join ours on ours.oid = tgrelid where tgfoid = pg_proc.oid)
      or exists (select 1 from pg_proc as builtin where builtin.pronamespace = 'pg_catalog'::regnamespace
        and builtin.proname = pg_proc.proname))`;

export class SchemaInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** @param known  names of the tables and functions to read; without it, all of the schema */
  async objects(known?: {
    readonly tables: readonly string[];
    readonly functions: readonly string[];
  }): Promise<SchemaObject[]> {
    const { tables = null, functions = null } = known ?? {};
    const found: SchemaObject[] = [];
    for (const [kind, query] of Object.entries(QUERIES) as [SchemaObjectKind, string][]) {
      const listed = await rows<Omit<SchemaObject, 'kind'>>(this.#on, `with ${OURS} ${query} order by 1, 2, 3`, [
        tables,
      ]);
      found.push(...listed.map((one) => ({ kind, ...one })));
    }
    const listed = await rows<Omit<SchemaObject, 'kind'>>(this.#on, `with ${OURS} ${FUNCTIONS} order by 1, 2, 3`, [
      tables,
      functions,
    ]);
    return [...found, ...listed.map((one) => ({ kind: 'function' as const, ...one }))];
  }

  /** Settings that make new sessions of this role skip triggers and foreign keys. */
  settings(): Promise<{ readonly setting: string }[]> {
    return rows(
      this.#on,
      `select setting from pg_db_role_setting cross join unnest(setconfig) as setting
       where setting like 'session\\_replication\\_role=%' and setting <> 'session_replication_role=origin'
         and setdatabase in (0, (select oid from pg_database where datname = current_database()))
         and setrole in (0, (select oid from pg_roles where rolname = current_user))`,
    );
  }

  /** Ordered by name. */
  migrations(): Promise<AppliedMigration[]> {
    return rows(this.#on, 'select name, applied_at from migration order by name collate "C"');
  }
}

/** The schema that the migrations of this version make. */
export interface MigratedSchema {
  readonly objects: readonly SchemaObject[];
  readonly migrations: readonly string[];
}

/**
 * Runs the migrations in an empty database in memory.
 *
 * @param template  a dump of such a database, to save the time
 */
export async function migratedSchema(template?: Blob): Promise<MigratedSchema> {
  const database = await openDatabase({ inMemory: true, template });
  try {
    await migrate(database);
    const objects = await new SchemaInspection(database.knex).objects();
    return { objects, migrations: MIGRATIONS.map(({ name }) => name) };
  } finally {
    await database.close();
  }
}
