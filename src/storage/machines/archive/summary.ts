// Summaries of archived ranges: what is counted of their rows, and which names and contracts are in them, so that lists
// and counts need not open every file.

import { isCounted, UNCOUNTED_TYPES } from '../../../chain/tally.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import type { AuditRow, RowFilter } from '../audit-row.ts';

/** Rows of one source: how many, the ticks of the first and the last, and how many are of type `rejection`. */
type SourceTotal = readonly [rows: number, first: number, last: number, rejected: number];

/** Counts of all rows up to the end of a range. */
export interface Totals {
  readonly types: Readonly<Record<string, number>>;
  readonly sources: Readonly<Record<string, SourceTotal>>;
}

export interface Summary {
  /** Rows of each `BLOCK_ROWS` rows of the range, by type. */
  readonly blocks: readonly Readonly<Record<string, number>>[];
  /**
   * Rows of each block that issue no tokens though their type does not say so: of strangers. Missing if there are none, as
   * in summaries of earlier versions.
   */
  readonly strangers?: readonly number[];
  /** Types of the events of each name; null if there are too many names to list. */
  readonly names: Readonly<Record<string, readonly string[]>> | null;
  /** Types of the rows of each contract; null if there are too many contracts to list. */
  readonly contracts: Readonly<Record<string, readonly string[]>> | null;
}

const BLOCK_ROWS = 256;
const MAX_LISTED = 512;
const NAMED_TYPES: ReadonlySet<string> = new Set(['event', 'emit']);

function summaryOf(rows: readonly AuditRow[]): Summary {
  const blocks: Record<string, number>[] = [];
  const strangers: number[] = [];
  const names = new Map<string, Set<string>>();
  const contracts = new Map<string, Set<string>>();
  for (const [i, row] of rows.entries()) {
    const { type, body } = row;
    if (i % BLOCK_ROWS === 0) {
      blocks.push({});
      strangers.push(0);
    }
    if (!isUncountedType(type) && !isCounted(row)) strangers[strangers.length - 1] = (strangers.at(-1) ?? 0) + 1;
    const types = blocks.at(-1) ?? {};
    types[type] = (types[type] ?? 0) + 1;
    const listed = NAMED_TYPES.has(type) ? payloadField(body, 'name') : undefined;
    if (listed !== undefined) add(names, listed, type);
    const contract = type === 'event' ? undefined : payloadField(body, 'contract');
    if (contract !== undefined) add(contracts, contract, type);
  }
  const listed = { names: listOf(names), contracts: listOf(contracts) };
  return { blocks, ...(strangers.some((count) => count > 0) ? { strangers } : {}), ...listed };
}

const isUncountedType = (type: string) => UNCOUNTED_TYPES.some((each) => each === type);

/** Number of the rows of a block that issue no tokens. */
export function uncountedOf({ blocks, strangers }: Summary, block: number): number {
  const types = blocks[block] ?? {};
  return UNCOUNTED_TYPES.reduce((sum, type) => sum + (types[type] ?? 0), strangers?.[block] ?? 0);
}

/** Rows of a range by type. */
export function typesOf({ blocks }: Pick<Summary, 'blocks'>): Readonly<Record<string, number>> {
  const types: Record<string, number> = {};
  for (const block of blocks)
    for (const [type, count] of Object.entries(block)) types[type] = (types[type] ?? 0) + count;
  return types;
}

function add(lists: Map<string, Set<string>>, key: string, type: string): void {
  const types = lists.get(key) ?? new Set();
  lists.set(key, types.add(type));
}

function listOf(lists: ReadonlyMap<string, ReadonlySet<string>>): Summary['names'] {
  if (lists.size > MAX_LISTED) return null;
  return Object.fromEntries([...lists].map(([key, types]) => [key, [...types].sort()]));
}

/** Totals up to the end of a range, from those before it. */
export function totalsAfter(before: Totals | undefined, rows: readonly AuditRow[]): Totals {
  const types: Record<string, number> = { ...before?.types };
  const sources: Record<string, SourceTotal> = { ...before?.sources };
  for (const { type, source, svcond } of rows) {
    types[type] = (types[type] ?? 0) + 1;
    const [count, first, , rejected] = sources[source] ?? [0, svcond, svcond, 0];
    sources[source] = [count + 1, first, svcond, rejected + (type === 'rejection' ? 1 : 0)];
  }
  return { types, sources };
}

type Conditions = Pick<RowFilter, 'type' | 'types' | 'name' | 'names' | 'contract' | 'since'>;

/** Text of the summary of a range. */
export function summaryText(rows: readonly AuditRow[]): string {
  return canonicalJson(summaryOf(rows));
}

/** @returns undefined for another text */
export function parseSummary(text: string): Summary | undefined {
  const value = parseObject(text);
  const { blocks, names, contracts } = value ?? {};
  const isList = (lists: unknown) => typeof lists === 'object' && !Array.isArray(lists);
  return Array.isArray(blocks) && isList(names) && isList(contracts) ? (value as unknown as Summary) : undefined;
}

/** @returns undefined for another text */
export function parseTotals(text: string): Totals | undefined {
  const value = parseObject(text);
  const hasBoth = typeof value?.types === 'object' && typeof value.sources === 'object';
  return hasBoth ? (value as unknown as Totals) : undefined;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a range may have a row that a filter asks for. */
export function mayMatch({ blocks, names, contracts }: Summary, filter: Conditions): boolean {
  const isAsked = (type: string) =>
    (filter.type ?? type) === type && (filter.types === undefined || filter.types.includes(type));
  const has = (lists: Summary['names'], key: string | undefined) =>
    key === undefined || lists === null || (Object.hasOwn(lists, key) && lists[key]?.some(isAsked) === true);
  return (
    blocks.some((types) => Object.keys(types).some(isAsked)) &&
    has(names, filter.name) &&
    has(contracts, filter.contract)
  );
}

/** The same conditions as those of the queries of `audit`. */
export function isMatch(row: AuditRow, { type, types, name, names, contract, since }: Conditions): boolean {
  if (type !== undefined && row.type !== type) return false;
  if (types !== undefined && !types.includes(row.type)) return false;
  if (since !== undefined && row.svcond < since) return false;
  if (name !== undefined && !(NAMED_TYPES.has(row.type) && payloadField(row.body, 'name') === name)) return false;
  if (contract !== undefined && (row.type === 'event' || payloadField(row.body, 'contract') !== contract)) return false;
  return names === undefined || isNamed(row, names);
}

/** Whether a payload has one of these as its `name`, or is sealed or erased. */
export function isNamed({ body }: Pick<AuditRow, 'body'>, names: readonly string[]): boolean {
  return body === null || names.includes(payloadField(body, 'name') ?? '\0');
}

const MAX_FIELD = 64;

/** As the function `payload_field` of the database (migration 0028): the first 64 characters of a field, as text. */
function payloadField(body: string | null, field: string): string | undefined {
  if (body === null) return undefined;
  const text = body.includes('\\u0000') ? body.replaceAll('\\\\', '').replaceAll('\\u0000', '') : body;
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload) || !Object.hasOwn(payload, field))
    return;
  const value: unknown = (payload as Readonly<Record<string, unknown>>)[field];
  if (value === null) return undefined;
  const characters = typeof value === 'string' ? value : canonicalJson(value);
  return characters.length <= MAX_FIELD ? characters : [...characters].slice(0, MAX_FIELD).join('');
}
