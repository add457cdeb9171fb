// API client of machines and contracts, with the visitor's key if there is one.
//
// All functions throw DomainError from the node, and Error if it does not respond.

import { DomainError } from '../../core/errors.ts';
import { callApiAsVisitor, openApi } from '../session.ts';
import type { ContractRecord, InstanceRecord, MachineRecord, Page, RowQuery, RowRecord } from './records.ts';

/** Page size limit of the routes. */
export const MAX_ROWS = 200;
const MAX_PAGES = 5;

export const getMachine = async (slug: string, signal?: AbortSignal): Promise<MachineRecord> =>
  (await callApiAsVisitor('machine.get', { slug }, signal)).machine;

export const listNewestMachines = (cursor?: string) => callApiAsVisitor('machine.newest', { limit: 24, cursor });

/** Lists the machines of which the visitor's key is a member, newest first. */
export async function listOwnMachines(): Promise<readonly MachineRecord[]> {
  const machines: MachineRecord[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows, next_cursor } = await callApiAsVisitor('machine.list', { limit: MAX_ROWS, cursor });
    machines.push(...rows.filter(({ role }) => role !== null));
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return machines;
}

/** Period of activity counted: about 15 minutes. */
const ACTIVE_TICKS = 1_200;

export const listActiveMachines = async () =>
  (await callApiAsVisitor('chain.active', { ticks: ACTIVE_TICKS, limit: 6 })).rows;

export const getFleetTotals = () => callApiAsVisitor('chain.fleet', {});

/** Lists the visitor's failed contracts on all machines, newest first. */
export const listFailedContracts = async () =>
  (await callApiAsVisitor('own-contract.list', { status: 'failed', limit: MAX_ROWS })).rows;

/** Lists rows, newest first. */
export const listRows = (slug: string, query: RowQuery, signal?: AbortSignal): Promise<Page<RowRecord>> =>
  callApiAsVisitor('chain.explore', { slug, ...query }, signal);

/** Gets a row by tick and number. @throws DomainError NOT_FOUND */
export async function getRow(slug: string, svcond: number, seq: number): Promise<RowRecord> {
  const { rows } = await callApiAsVisitor('chain.block', { slug, svcond, from: seq, limit: 1 });
  const row = rows.find((candidate) => candidate.seq === seq);
  if (row) return row;
  throw new DomainError('NOT_FOUND', `Row ${seq} of machine ${slug} not found in tick ${svcond}.`);
}

export const getStats = (slug: string, signal?: AbortSignal) => callApiAsVisitor('chain.stats', { slug }, signal);

/** Statuses of contracts that may still do something; a machine has few of them. */
const UNFINISHED = ['active', 'paused', 'frozen', 'failed'] as const;

/** Lists the contracts of a machine, oldest first: all that are not completed, and the first of those that are. */
export async function listContracts(slug: string, signal?: AbortSignal): Promise<readonly ContractRecord[]> {
  const list = (status?: ContractRecord['status']) =>
    callApiAsVisitor('contract.list', { slug, limit: MAX_ROWS, ...(status === undefined ? {} : { status }) }, signal);
  const { rows, next_cursor } = await list();
  if (next_cursor === null) return rows;
  const unfinished = await Promise.all(UNFINISHED.map(list));
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...unfinished.flatMap((page) => page.rows.filter(({ id }) => !known.has(id)))];
}

export const getContract = (slug: string, id: string, signal?: AbortSignal) =>
  callApiAsVisitor('contract.get', { slug, id }, signal);

export const listFires = (slug: string, id: string, cursor: string) =>
  callApiAsVisitor('contract.audit', { slug, id, limit: 50, cursor });

export const listVersions = async (slug: string, id: string, signal?: AbortSignal) =>
  (await callApiAsVisitor('contract.versions', { slug, id, limit: MAX_ROWS }, signal)).rows;

export const listNextFires = async (slug: string, id: string, signal?: AbortSignal) =>
  (await callApiAsVisitor('contract.next-fires', { slug, id, n: 5 }, signal)).next_fires;

/** Activities of all contracts of the machine that wait, for operators. */
export const listActivities = async (slug: string, signal?: AbortSignal) =>
  (await callApiAsVisitor('activity.list', { slug }, signal)).rows;

export const listTemplates = async () => (await callApiAsVisitor('template.list', {})).rows;

export const getTemplate = (id: string) => callApiAsVisitor('template.get', { templateId: id });

/** Gets the signed checkpoint note. */
export const getCheckpoint = async (slug: string): Promise<string> =>
  (await openApi('chain.checkpoint', { slug })).text();

/** Lists instances of a contract in the order of their keys. */
export const listInstances = (
  slug: string,
  id: string,
  filter: { readonly status?: InstanceRecord['status'] | undefined; readonly state?: string | undefined },
  cursor?: string,
  signal?: AbortSignal,
) => callApiAsVisitor('contract.instances', { slug, id, ...filter, limit: 50, cursor }, signal);

/** Lists the newest fires of an instance. */
export const listInstanceFires = (slug: string, id: string, key: string) =>
  callApiAsVisitor('contract.instance-audit', { slug, id, key, limit: 50 });
