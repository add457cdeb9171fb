// API client of machines and contracts, with the visitor's key if there is one.

import { DomainError } from '../../core/errors.ts';
import { callApi, currentKey, updateRateLimit } from '../session.ts';
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

/** Page size limit of the routes. */
export const MAX_ROWS = 200;
const MAX_PAGES = 5;

/** @throws DomainError from the node; Error if it does not respond */
export async function getJson<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const apiKey = currentKey.value;
  return (await callApi('GET', path, { ...(apiKey && { key: apiKey.key }), ...(signal && { signal }) })) as Body;
}

/** Requires a stored key; a new demo key would not be a member of any machine. */
export async function postJson<Body>(path: string, body: unknown): Promise<Body> {
  const apiKey = currentKey.value;
  if (!apiKey)
    throw new DomainError('AUTH_REQUIRED', 'This requires the key of a member of the machine. Enter a key under Keys.');
  return (await callApi('POST', path, { body, key: apiKey.key })) as Body;
}

export const chainRoute = (slug: string) => `/api/chain/${encodeURIComponent(slug)}`;
export const contractRoute = (slug: string, id: string) => `${chainRoute(slug)}/contracts/${encodeURIComponent(id)}`;

export async function getMachine(slug: string, signal?: AbortSignal): Promise<MachineRecord> {
  const path = `/api/chain/state-machines/${encodeURIComponent(slug)}`;
  return (await getJson<{ readonly machine: MachineRecord }>(path, signal)).machine;
}

export const listNewestMachines = (cursor?: string) =>
  getJson<Page<MachineRecord>>(`/api/chain/newest?${pageParameters(24, cursor)}`);

/** Lists the machines of which the visitor's key is a member, newest first. */
export async function listOwnMachines(): Promise<readonly MachineRecord[]> {
  const machines: MachineRecord[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = `/api/chain/state-machines?${pageParameters(MAX_ROWS, cursor)}`;
    const { rows, next_cursor } = await getJson<Page<MachineRecord>>(path);
    machines.push(...rows.filter(({ role }) => role !== null && role !== undefined));
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return machines;
}

export interface ActiveMachine {
  readonly slug: string;
  readonly name: string;
  readonly transitions: number;
}

/** Period of activity counted: about 15 minutes. */
const ACTIVE_TICKS = 1_200;

export const listActiveMachines = async () =>
  (await getJson<{ readonly rows: readonly ActiveMachine[] }>(`/api/chain/active?ticks=${ACTIVE_TICKS}&limit=6`)).rows;

export interface Totals {
  readonly machines: number;
  readonly rows: number;
  readonly contracts: Readonly<Record<string, number>>;
}

export const getFleetTotals = () =>
  getJson<{ readonly public: Totals; readonly own: Totals | null }>('/api/chain/fleet');

/** Lists the visitor's failed contracts on all machines, newest first. */
export const listFailedContracts = async () =>
  (await getJson<{ readonly rows: readonly OwnContractRecord[] }>(`/api/contracts?status=failed&limit=${MAX_ROWS}`))
    .rows;

export interface RowQuery {
  readonly type?: string | undefined;
  /** Only rows of this contract; excludes sealed and erased rows. */
  readonly contract?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists rows, newest first. */
export function listRows(
  slug: string,
  { type, contract, cursor, limit }: RowQuery,
  signal?: AbortSignal,
): Promise<Page<RowRecord>> {
  const ofType = type === undefined ? '' : `&type=${encodeURIComponent(type)}`;
  const filter = `${ofType}${contract === undefined ? '' : `&contract=${encodeURIComponent(contract)}`}`;
  return getJson<Page<RowRecord>>(`${chainRoute(slug)}/explore?${pageParameters(limit, cursor)}${filter}`, signal);
}

/** Gets a row by tick and number. @throws DomainError NOT_FOUND */
export async function getRow(slug: string, svcond: number, seq: number): Promise<RowRecord> {
  const path = `${chainRoute(slug)}/block?svcond=${svcond}&from=${seq}&limit=1`;
  const row = (await getJson<{ readonly rows: readonly RowRecord[] }>(path)).rows.find(
    (candidate) => candidate.seq === seq,
  );
  if (row) return row;
  throw new DomainError('NOT_FOUND', `Row ${seq} of machine ${slug} not found in tick ${svcond}.`);
}

export interface Stats {
  readonly rows: number;
  readonly by_type: Readonly<Record<string, number>>;
}

export const getStats = (slug: string, signal?: AbortSignal) => getJson<Stats>(`${chainRoute(slug)}/stats`, signal);

export const listContracts = async (slug: string, signal?: AbortSignal) =>
  (await getJson<{ readonly rows: readonly ContractRecord[] }>(`${chainRoute(slug)}/contracts`, signal)).rows;

export const getContract = (slug: string, id: string, signal?: AbortSignal) =>
  getJson<ContractView>(contractRoute(slug, id), signal);

export const listFires = (slug: string, id: string, cursor: string) =>
  getJson<Page<FireRow>>(`${contractRoute(slug, id)}/audit?${pageParameters(50, cursor)}`);

export const listVersions = async (slug: string, id: string, signal?: AbortSignal) =>
  (await getJson<{ readonly rows: readonly VersionRow[] }>(`${contractRoute(slug, id)}/versions`, signal)).rows;

export const listNextFires = async (slug: string, id: string, signal?: AbortSignal) =>
  (await getJson<{ readonly next_fires: readonly NextFire[] }>(`${contractRoute(slug, id)}/next-fires?n=5`, signal))
    .next_fires;

export const listTemplates = async () =>
  (await getJson<{ readonly rows: readonly TemplateSummary[] }>('/api/contracts/templates')).rows;

export const getTemplate = (id: string) => getJson<Template>(`/api/contracts/templates/${encodeURIComponent(id)}`);

/** Gets the signed checkpoint note. @throws DomainError, Error like `getJson` */
export async function getCheckpoint(slug: string): Promise<string> {
  const apiKey = currentKey.value;
  const headers = apiKey ? { authorization: `Bearer ${apiKey.key}` } : {};
  const response = await fetch(`${chainRoute(slug)}/checkpoint`, { headers });
  updateRateLimit(response.headers);
  if (!response.ok) throw new DomainError('NOT_FOUND', `Checkpoint of machine ${slug} not found (${response.status}).`);
  return response.text();
}

function pageParameters(limit: number, cursor: string | undefined): string {
  return new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) }).toString();
}
