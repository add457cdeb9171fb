// Sources of oracles: a web server, an operator of the registry, another machine. Each returns values in the unit of
// the oracle; the caller records them.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import type { Scalars } from '../../contracts/definition.ts';
import { type CompiledOracle, subjectOf } from '../../contracts/oracle.ts';
import { DomainError } from '../../core/errors.ts';
import { resolvePointer } from '../../core/json-pointer.ts';
import { convertReading } from '../../core/temperature-scales.ts';
import { findOperator } from '../../operators/load.ts';
import type { MemberRepository } from '../../storage/machines/access/members.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine, MachineRepository, MachineSettings } from '../../storage/machines/machines.ts';
import { allowedUrl } from '../node/allowed-url.ts';
import type { OutboundClient } from '../node/outbound.ts';

/** Maximum number of events that one poll of another machine reads; the next poll continues after them. */
const BATCH_SIZE = 200;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

/**
 * @throws DomainError what `OutboundClient` throws, FORBIDDEN, VALIDATION_FAILED if the response has no number at the pointer
 */
export async function readFromHttp(
  outbound: OutboundClient,
  oracle: CompiledOracle,
  settings: MachineSettings,
  signal: AbortSignal,
): Promise<{ readonly value: number; readonly source: string }> {
  const { href, host } = allowedUrl(oracle.url ?? '', settings);
  const { status, text, isComplete } = await outbound.fetchText({ url: href, signal });
  if (status !== 200) throw new DomainError('VALIDATION_FAILED', `${host} answered ${status}; expected 200.`);
  if (!isComplete) throw new DomainError('BODY_TOO_LARGE', `The response of ${host} is too long.`);
  return { value: numberAt(parseResponse(text, host), oracle), source: host };
}

function parseResponse(text: string, host: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new DomainError('VALIDATION_FAILED', `The response of ${host} is not JSON.`);
  }
}

/** Returns the number at the pointer; also from a string, since many services write decimals as strings. */
function numberAt(document: unknown, { pointer }: CompiledOracle): number {
  const found = resolvePointer(document, pointer);
  const value = typeof found === 'string' && DECIMAL.test(found) ? Number(found) : found;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  throw new DomainError('VALIDATION_FAILED', `The pointer leads to ${kind}; expected a finite number.`);
}

/**
 * Evaluates the operator. Its inputs are the parameters and context fields of the same names.
 *
 * @throws DomainError OPERATOR_UNKNOWN, VALIDATION_FAILED, UNIT_MISMATCH, and the errors of evaluation
 */
export function readFromOperator(
  { operator: id = '', unit }: CompiledOracle,
  { parameters }: CompiledContract,
  context: Scalars,
  environment: Pick<Environment, 'compute'>,
): { readonly value: number; readonly source: string } {
  const { inputs: declared, output } = findOperator(id);
  const scalars: Scalars = { ...parameters, ...context };
  const inputs: Record<string, number> = {};
  for (const name of Object.keys(declared)) {
    const value = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
    if (typeof value === 'number') inputs[name] = value;
  }
  const computed = environment.compute({ operator: id, inputs });
  const value = unit === undefined ? computed : convertReading(computed, output.unit, unit);
  if (!Number.isFinite(value)) throw new DomainError('VALUE_UNDEFINED', `${id} has no finite value here.`);
  return { value, source: id };
}

export interface FollowedEvent {
  readonly seq: number;
  readonly tick: number;
  readonly value: number;
}

export interface MachineReader {
  readonly machines: MachineRepository;
  readonly members: MemberRepository;
  readonly audit: AuditRepository;
}

/**
 * Reads the events of another machine since the cursor; without a cursor, only the newest event.
 *
 * @param askedBy  ZID that follows the machine, and must still be allowed to read it
 * @returns the values, and the cursor for the next poll
 * @throws DomainError NOT_FOUND if the machine is missing or may not be read
 */
export async function readFromMachine(
  { machines, members, audit }: MachineReader,
  { machine: slug = '', event, field }: CompiledOracle,
  cursor: number | undefined,
  askedBy: string,
): Promise<{ readonly found: readonly FollowedEvent[]; readonly cursor: number }> {
  const machine = await machines.bySlug(slug);
  if (machine === undefined || !(machine.isPublic || (await members.roleOf(machine.id, askedBy)))) {
    throw new DomainError('NOT_FOUND', `Machine ${slug} not found.`);
  }
  const { seq: head } = machine.head;
  const filter = { types: ['event', 'emit'], name: event, before: head + 1 };
  const rows = await audit.select(
    machine.id,
    slug,
    cursor === undefined
      ? { ...filter, order: 'newest first', limit: 1 }
      : { ...filter, from: cursor + 1, order: 'oldest first', limit: BATCH_SIZE },
  );
  const found = rows.flatMap(({ seq, svcond: tick, payload_text: text }) => {
    const { payload = {} } = (text === undefined ? {} : JSON.parse(text)) as { payload?: Record<string, unknown> };
    const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
    return typeof value === 'number' ? [{ seq, tick, value }] : [];
  });
  const last = rows.at(-1);
  return { found, cursor: cursor !== undefined && rows.length === BATCH_SIZE && last ? last.seq : head };
}

/**
 * Checks at deployment that the source of an oracle can be read.
 *
 * @param previous  previous version; an unchanged source is not checked again, since every read checks it
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export async function assertReadable(
  contract: CompiledContract,
  { id, settings }: Machine,
  askedBy: string,
  reader: MachineReader,
  environment: Pick<Environment, 'compute'>,
  previous?: CompiledContract,
): Promise<void> {
  const { oracle } = contract;
  if (oracle === undefined) return;
  // An operator reads parameters, which may have changed.
  const isUnchanged = previous?.oracle !== undefined && subjectOf(previous.oracle) === subjectOf(oracle);
  if (isUnchanged && oracle.kind !== 'operator') return;
  try {
    if (oracle.kind === 'http') allowedUrl(oracle.url ?? '', settings);
    if (oracle.kind === 'operator') readFromOperator(oracle, contract, contract.initialContext, environment);
    if (oracle.kind === 'machine') {
      await readFromMachine(reader, oracle, undefined, askedBy);
      if ((await reader.machines.bySlug(oracle.machine ?? ''))?.id === id) {
        throw new DomainError('VALIDATION_FAILED', "It is the contract's own machine; use an oracle of kind event.");
      }
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const path = `oracle.${oracle.kind === 'http' ? 'url' : oracle.kind}`;
    const message = `${path} cannot be read: ${error.message}`;
    throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'UNREADABLE', message }] });
  }
}
