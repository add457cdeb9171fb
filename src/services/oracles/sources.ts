// Where oracles read: an answer of a web server, an operator of the registry, another machine. What comes out are values in
// the unit of the oracle; who records them is somebody else's business.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Scalars } from '../../contracts/definition.ts';
import { type CompiledOracle, subjectOf } from '../../contracts/oracle.ts';
import type { World } from '../../contracts/reaction.ts';
import { DomainError } from '../../core/errors.ts';
import { resolvePointer } from '../../core/json-pointer.ts';
import { convert, parseUnit } from '../../core/units.ts';
import { findOperator } from '../../operators/load.ts';
import type { MemberRepository } from '../../storage/access/identities.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine, MachineRepository, MachineSettings } from '../../storage/machines/machines.ts';
import type { Outbound } from '../node/outbound.ts';

/** Events of another machine that one question reads; the next one goes on behind them. */
const EVENTS_AT_ONCE = 200;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

/** @throws DomainError FORBIDDEN unless the settings of the machine name the host of the address */
function assertAllowed({ url = '' }: CompiledOracle, { http_allow: allowed = [] }: MachineSettings): URL {
  const parsed = URL.parse(url);
  if (parsed === null) throw new DomainError('VALIDATION_FAILED', `${url} is no address of the web.`);
  if (allowed.includes(parsed.hostname) || allowed.includes(parsed.host)) return parsed;
  const message = `http_allow of the machine's settings does not name ${parsed.host}.`;
  throw new DomainError('FORBIDDEN', message);
}

/** @throws DomainError what `Outbound` throws, FORBIDDEN, VALIDATION_FAILED for an answer that holds no number there */
export async function readHttp(
  outbound: Outbound,
  oracle: CompiledOracle,
  settings: MachineSettings,
  signal: AbortSignal,
): Promise<{ readonly value: number; readonly source: string }> {
  const { href, host } = assertAllowed(oracle, settings);
  const { status, text, isWhole } = await outbound.fetchText({ url: href, signal });
  if (status !== 200) throw new DomainError('VALIDATION_FAILED', `${host} answered ${status}; 200 is expected.`);
  if (!isWhole) throw new DomainError('BODY_TOO_LARGE', `The answer of ${host} is too long.`);
  return { value: numberIn(parsed(text, host), oracle), source: host };
}

function parsed(text: string, host: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new DomainError('VALIDATION_FAILED', `The answer of ${host} is not JSON.`);
  }
}

/** A number, or a text that is one: many services write decimals so. */
function numberIn(document: unknown, { pointer }: CompiledOracle): number {
  const found = resolvePointer(document, pointer);
  const value = typeof found === 'string' && DECIMAL.test(found) ? Number(found) : found;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  throw new DomainError('VALIDATION_FAILED', `The pointer leads to ${kind}; a finite number is expected.`);
}

/**
 * The operator on the parameters and the context that have the names of its inputs.
 *
 * @throws DomainError OPERATOR_UNKNOWN, VALIDATION_FAILED, UNIT_MISMATCH and what evaluation refuses
 */
export function readOperator(
  { operator: id = '', unit }: CompiledOracle,
  { parameters }: CompiledContract,
  context: Scalars,
  world: Pick<World, 'compute'>,
): { readonly value: number; readonly source: string } {
  const { inputs: declared, output } = findOperator(id);
  const known: Scalars = { ...parameters, ...context };
  const inputs: Record<string, number> = {};
  for (const name of Object.keys(declared)) {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    if (typeof value === 'number') inputs[name] = value;
  }
  const computed = world.compute({ operator: id, inputs });
  const value = unit === undefined ? computed : convert(computed, parseUnit(output.unit), parseUnit(unit));
  if (!Number.isFinite(value)) throw new DomainError('VALUE_UNDEFINED', `${id} has no finite value here.`);
  return { value, source: id };
}

export interface Followed {
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
 * What another machine said since; the first time, the newest that it has said.
 *
 * @param askedBy  ZID of whoever follows it, who must still be allowed to
 * @returns where to go on, beside the values
 * @throws DomainError NOT_FOUND if the machine is not there for them
 */
export async function readMachine(
  { machines, members, audit }: MachineReader,
  { machine: slug = '', event, field }: CompiledOracle,
  cursor: number | undefined,
  askedBy: string,
): Promise<{ readonly found: readonly Followed[]; readonly cursor: number }> {
  const machine = await machines.bySlug(slug);
  if (machine === undefined || !(machine.isPublic || (await members.roleOf(machine.id, askedBy)))) {
    throw new DomainError('NOT_FOUND', `There is no machine ${slug} that may be read.`);
  }
  const { seq: head } = machine.head;
  const what = { types: ['event', 'emit'], name: event, before: head + 1 };
  const rows = await audit.select(
    machine.id,
    slug,
    cursor === undefined
      ? { ...what, order: 'newest first', limit: 1 }
      : { ...what, from: cursor + 1, order: 'oldest first', limit: EVENTS_AT_ONCE },
  );
  const found = rows.flatMap(({ seq, svcond: tick, payload_text: text }) => {
    const { payload = {} } = (text === undefined ? {} : JSON.parse(text)) as { payload?: Record<string, unknown> };
    const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
    return typeof value === 'number' ? [{ seq, tick, value }] : [];
  });
  const last = rows.at(-1);
  return { found, cursor: cursor !== undefined && rows.length === EVENTS_AT_ONCE && last ? last.seq : head };
}

/**
 * What only the machine and its people can tell about a source, asked at deployment.
 *
 * @param before  the version before: whether its source may be read was asked when it was named, and is asked whenever it is read
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export async function assertSource(
  contract: CompiledContract,
  { id, settings }: Machine,
  askedBy: string,
  reader: MachineReader,
  world: Pick<World, 'compute'>,
  before?: CompiledContract,
): Promise<void> {
  const { oracle } = contract;
  if (oracle === undefined) return;
  // An operator reads parameters, which may have changed.
  const isKnown = before?.oracle !== undefined && subjectOf(before.oracle) === subjectOf(oracle);
  if (isKnown && oracle.kind !== 'operator') return;
  try {
    if (oracle.kind === 'http') assertAllowed(oracle, settings);
    if (oracle.kind === 'operator') readOperator(oracle, contract, contract.initialContext, world);
    if (oracle.kind === 'machine') {
      await readMachine(reader, oracle, undefined, askedBy);
      if ((await reader.machines.bySlug(oracle.machine ?? ''))?.id === id) {
        throw new DomainError(
          'VALIDATION_FAILED',
          'It is the machine of the contract itself: an oracle of kind event reads that.',
        );
      }
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const path = `oracle.${oracle.kind === 'http' ? 'url' : oracle.kind}`;
    const message = `${path} cannot be read: ${error.message}`;
    throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'UNREADABLE', message }] });
  }
}
