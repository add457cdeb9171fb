// Machines and contracts asked of this node, as whoever holds the visitor's key, or nobody.

import { DomainError } from '../../core/errors.ts';
import { ask, key, noteUsage } from '../session.ts';
import type {
  ContractRecord,
  ContractView,
  FireRow,
  MachineRecord,
  NextFire,
  OwnContractRecord,
  Page,
  RowRecord,
  Template,
  TemplateSummary,
  VersionRow,
} from './records.ts';

/** As many rows as the routes give at once. */
export const MOST_ROWS = 200;
const OWN_PAGES = 5;

/** @throws DomainError as the node refuses; Error if it does not answer */
export async function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const mine = key.value;
  return (await ask('GET', path, { ...(mine && { key: mine.key }), ...(signal && { signal }) })) as Answer;
}

/** Something is changed, so a key is needed; none is minted, since a new one is a member of nothing. */
export async function write<Answer>(path: string, body: unknown): Promise<Answer> {
  const mine = key.value;
  if (!mine)
    throw new DomainError('AUTH_REQUIRED', 'This needs a key of a member of the machine. Keys are kept under Keys.');
  return (await ask('POST', path, { body, key: mine.key })) as Answer;
}

export const chainOf = (slug: string) => `/api/chain/${encodeURIComponent(slug)}`;
export const contractOf = (slug: string, id: string) => `${chainOf(slug)}/contracts/${encodeURIComponent(id)}`;

export async function readMachine(slug: string, signal?: AbortSignal): Promise<MachineRecord> {
  const path = `/api/chain/state-machines/${encodeURIComponent(slug)}`;
  return (await read<{ readonly machine: MachineRecord }>(path, signal)).machine;
}

export const readNewest = (cursor?: string) => read<Page<MachineRecord>>(`/api/chain/newest?${pageOf(24, cursor)}`);

/** The machines that the visitor's key is a member of, the newest first. */
export async function readOwnMachines(): Promise<readonly MachineRecord[]> {
  const own: MachineRecord[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < OWN_PAGES; page++) {
    const path = `/api/chain/state-machines?${pageOf(MOST_ROWS, cursor)}`;
    const { rows, next_cursor } = await read<Page<MachineRecord>>(path);
    own.push(...rows.filter(({ role }) => role !== null && role !== undefined));
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return own;
}

export interface ActiveMachine {
  readonly slug: string;
  readonly name: string;
  readonly transitions: number;
}

/** Ticks that count as now: about a quarter of an hour. */
const ACTIVE_TICKS = 1_200;

export const readActive = async () =>
  (await read<{ readonly rows: readonly ActiveMachine[] }>(`/api/chain/active?ticks=${ACTIVE_TICKS}&limit=6`)).rows;

export interface Totals {
  readonly machines: number;
  readonly rows: number;
  readonly contracts: Readonly<Record<string, number>>;
}

export const readFleet = () => read<{ readonly public: Totals; readonly own: Totals | null }>('/api/chain/fleet');

/** Those of the visitor's contracts that have failed, on whichever machine, the newest first. */
export const readFailed = async () =>
  (await read<{ readonly rows: readonly OwnContractRecord[] }>(`/api/contracts?status=failed&limit=${MOST_ROWS}`)).rows;

export interface RowsAsked {
  readonly type?: string | undefined;
  /** Only rows that are of this contract; none that is sealed or erased. */
  readonly contract?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The newest first. */
export function readRows(
  slug: string,
  { type, contract, cursor, limit }: RowsAsked,
  signal?: AbortSignal,
): Promise<Page<RowRecord>> {
  const ofType = type === undefined ? '' : `&type=${encodeURIComponent(type)}`;
  const filter = `${ofType}${contract === undefined ? '' : `&contract=${encodeURIComponent(contract)}`}`;
  return read<Page<RowRecord>>(`${chainOf(slug)}/explore?${pageOf(limit, cursor)}${filter}`, signal);
}

/** One row, by its tick and its number. @throws DomainError NOT_FOUND */
export async function readRow(slug: string, svcond: number, seq: number): Promise<RowRecord> {
  const path = `${chainOf(slug)}/block?svcond=${svcond}&from=${seq}&limit=1`;
  const row = (await read<{ readonly rows: readonly RowRecord[] }>(path)).rows.find((one) => one.seq === seq);
  if (row) return row;
  throw new DomainError('NOT_FOUND', `${slug} has no row ${seq} in tick ${svcond}.`);
}

export interface Stats {
  readonly rows: number;
  readonly by_type: Readonly<Record<string, number>>;
}

export const readStats = (slug: string, signal?: AbortSignal) => read<Stats>(`${chainOf(slug)}/stats`, signal);

export const readContracts = async (slug: string, signal?: AbortSignal) =>
  (await read<{ readonly rows: readonly ContractRecord[] }>(`${chainOf(slug)}/contracts`, signal)).rows;

export const readContract = (slug: string, id: string, signal?: AbortSignal) =>
  read<ContractView>(contractOf(slug, id), signal);

export const readFires = (slug: string, id: string, cursor: string) =>
  read<Page<FireRow>>(`${contractOf(slug, id)}/audit?${pageOf(50, cursor)}`);

export const readVersions = async (slug: string, id: string, signal?: AbortSignal) =>
  (await read<{ readonly rows: readonly VersionRow[] }>(`${contractOf(slug, id)}/versions`, signal)).rows;

export const readNextFires = async (slug: string, id: string, signal?: AbortSignal) =>
  (await read<{ readonly next_fires: readonly NextFire[] }>(`${contractOf(slug, id)}/next-fires?n=5`, signal))
    .next_fires;

export const readTemplates = async () =>
  (await read<{ readonly rows: readonly TemplateSummary[] }>('/api/contracts/templates')).rows;

export const readTemplate = (id: string) => read<Template>(`/api/contracts/templates/${encodeURIComponent(id)}`);

/** A signed note, which is text. @throws DomainError, Error as `read` */
export async function readCheckpoint(slug: string): Promise<string> {
  const mine = key.value;
  const headers = mine ? { authorization: `Bearer ${mine.key}` } : {};
  const answer = await fetch(`${chainOf(slug)}/checkpoint`, { headers });
  noteUsage(answer.headers);
  if (!answer.ok) throw new DomainError('NOT_FOUND', `${slug} gave no checkpoint (${answer.status}).`);
  return answer.text();
}

function pageOf(limit: number, cursor: string | undefined): string {
  return new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) }).toString();
}
