// Compares the schema of the database with the one that the migrations make: what protects the tables must be there,
// unchanged and enabled, and nothing may be added to them.

import { groupBy } from '../../core/group-by.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { MigratedSchema, SchemaInspection, SchemaObject, SchemaObjectKind } from '../../storage/fsck/schema.ts';
import type { ReportFault } from './faults.ts';

/** Characters of a definition in a message. */
const MAX_SHOWN = 300;

/** @returns whether the schema is as the migrations make it */
export async function checkSchema(
  inspection: SchemaInspection,
  expected: MigratedSchema,
  report: ReportFault,
): Promise<boolean> {
  const namesOf = (kind: SchemaObjectKind) =>
    expected.objects.filter((one) => one.kind === kind).map(({ table }) => table);
  const found = await inspection.objects({ tables: namesOf('table'), functions: namesOf('function') });
  const differing = compareObjects(found, expected.objects, report);
  for (const { setting } of await inspection.settings()) {
    const message = `New sessions have ${setting}, which disables triggers and foreign keys.`;
    report('pg_db_role_setting', { name: 'session_replication_role' }, 'SCHEMA', message);
  }
  if (!differing.has('migration')) await checkMigrations(inspection, expected.migrations, report);
  return differing.size === 0;
}

/** @returns names of the tables and functions that differ */
function compareObjects(
  found: readonly SchemaObject[],
  expected: readonly SchemaObject[],
  report: ReportFault,
): ReadonlySet<string> {
  const idOf = ({ kind, table, name }: SchemaObject) => `${kind}\0${table}\0${name}`;
  const unmatched = groupBy(found, idOf);
  const tables = new Set(found.filter(({ kind }) => kind === 'table').map(({ table }) => table));
  const differing = new Set<string>();
  for (const [id, alike] of groupBy(expected, idOf)) {
    const [object] = alike;
    if (object === undefined) continue;
    const { kind, table, name } = object;
    const isOfMissing = kind !== 'table' && kind !== 'function' && !tables.has(table);
    const actual = unmatched.get(id) ?? [];
    unmatched.delete(id);
    if (isOfMissing) continue;
    const fault = (message: string) => {
      report(table, { [kind]: name }, 'SCHEMA', message);
      differing.add(table);
    };
    if (actual.length === 0) fault(`The ${kind} is missing; the migrations create: ${textOf(alike)}.`);
    else if (fullText(actual) !== fullText(alike))
      fault(`The ${kind} is: ${textOf(actual)}; the migrations create: ${textOf(alike)}.`);
  }
  for (const extra of [...unmatched.values()].flat()) {
    const { kind, table, name, definition } = extra;
    report(table, { [kind]: name }, 'SCHEMA', `No migration creates this ${kind}: ${definition.slice(0, MAX_SHOWN)}.`);
    differing.add(table);
  }
  return differing;
}

const fullText = (objects: readonly SchemaObject[]) => objects.map(({ definition }) => definition).join('; ');

function textOf(objects: readonly SchemaObject[]): string {
  const text = fullText(objects);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${sha256Hex(text).slice(0, 8)})` : text;
}

/** Each migration was applied after the one before it. */
async function checkMigrations(
  inspection: SchemaInspection,
  expected: readonly string[],
  report: ReportFault,
): Promise<void> {
  const applied = await inspection.migrations();
  const names = new Set(applied.map(({ name }) => name));
  for (const name of expected)
    if (!names.has(name)) report('migration', { name }, 'SCHEMA', 'The migration is not recorded.', 'name');
  let last: { readonly name: string; readonly applied_at: number } | undefined;
  for (const { name, applied_at } of applied) {
    if (!expected.includes(name))
      report('migration', { name }, 'SCHEMA', 'This version has no such migration.', 'name');
    if (applied_at === null) report('migration', { name }, 'SCHEMA', 'applied_at is null.', 'applied_at');
    else if (last !== undefined && applied_at < last.applied_at) {
      // Either time may be wrong, so both are named.
      const message = `${name} was applied before ${last.name}, which precedes it.`;
      for (const each of [name, last.name]) report('migration', { name: each }, 'SCHEMA', message, 'applied_at');
    } else last = { name, applied_at };
  }
}
