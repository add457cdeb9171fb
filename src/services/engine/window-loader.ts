// Fills the windows of a machine's contracts: from segments where these hold them, and from the rows after them.

import type { CountedEvent, Windows } from '../../contracts/contract-state.ts';
import type { RunningContract } from '../../contracts/execution.ts';
import { readingAsEvent } from '../../contracts/oracle.ts';
import { actorOf, isRaised, type SenderFields, sentByOf } from '../../contracts/parties/sent-by.ts';
import { addToWindows } from '../../contracts/transition-function.ts';
import type { Evaluate } from '../../contracts/typed-expressions.ts';
import { MAX_SAMPLES } from '../../contracts/window.ts';
import { countedSpans, windowsAcrossStates } from '../../contracts/windows/named-windows.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { AuditRepository, PayloadRow } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { KeptSamples } from './kept-samples.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import type { ReadingPayload } from './reading-payload.ts';
import { nextTurn, ROWS_PER_TURN, recentRows } from './recent-rows.ts';
import type { WindowSegments } from './window-segments.ts';

export interface WindowSources {
  readonly audit: AuditRepository;
  /** Samples of machines with sealed payloads; without them, windows are empty after a restart. */
  readonly keptSamples?: KeptSamples;
  /** Without them, all rows in the windows are read. */
  readonly segments?: WindowSegments;
  readonly evaluate: Evaluate;
}

/** Rows from which windows are filled. */
interface RowRange {
  /** Rows of this tick and later. */
  readonly since: number;
  /** Rows after this one. */
  readonly after: number;
}

/** The first row is number 0. */
const ALL_ROWS = -1;

export async function fillWindows(
  sources: WindowSources,
  machine: Machine,
  runtime: Runtime,
  on: Executor,
): Promise<void> {
  const lives = [...runtime.contracts.values()].filter(({ running }) => running.windows.size > 0);
  if (lives.length === 0) return;
  const { segments, evaluate } = sources;
  const { svcond: now } = machine.head;
  const spans = lives.flatMap(({ running }) => countedSpans(running.contract));
  const since = Math.max(0, now - Math.max(...spans.map(({ within }) => within)));
  const stored = await segments?.read(machine, on);
  const unfilled = new Set(lives);
  if (segments !== undefined && stored !== undefined) {
    const { end } = stored;
    const range = { since, after: end.toSeq };
    const deployments = await deploymentsIn(sources, machine, range, on);
    for (const live of lives) {
      const isNew = deployments.has(live.stored.id);
      if (isNew) segments.begin(live.running.windows);
      if (isNew || (await segments.fill(stored, live, now, evaluate))) unfilled.delete(live);
    }
    runtime.segments = end;
    const filled = lives.filter((live) => !unfilled.has(live));
    runtime.unsegmented += await countRows(sources, machine, filled, range, deployments, on);
  }
  if (unfilled.size > 0) {
    const range = { since, after: ALL_ROWS };
    const deployments = await deploymentsIn(sources, machine, range, on);
    runtime.unsegmented += await countRows(sources, machine, [...unfilled], range, deployments, on);
    for (const { running } of unfilled) segments?.begin(running.windows);
  }
  for (const { running } of lives) for (const window of running.windows.values()) window.expire(now);
}

/**
 * Counts the events of rows in windows, in their original order.
 *
 * @param deployments  number of the row that deployed each contract: earlier events do not count
 * @returns number of rows
 */
async function countRows(
  { audit, keptSamples, evaluate }: WindowSources,
  { id }: Machine,
  lives: readonly LiveContract[],
  range: RowRange,
  deployments: ReadonlyMap<string, number>,
  on: Executor,
): Promise<number> {
  if (lives.length === 0) return 0;
  const recent = { ...range, limit: MAX_SAMPLES };
  // By name, so that frequent events of other names do not use up the limit.
  const names = [...new Set(lives.flatMap(({ running }) => countedSpans(running.contract).map(({ event }) => event)))];
  const found = [
    await recentRows(audit, id, { ...recent, type: 'event', names }, on),
    await recentRows(audit, id, { ...recent, type: 'emit', names }, on),
    ...(lives.some(listensToReadings) ? [await recentRows(audit, id, { ...recent, type: 'reading' }, on)] : []),
  ];
  const isSealed = found.some((rows) => rows.some(({ sealed }) => sealed));
  const oldest = Math.min(...found.flatMap((rows) => rows.at(-1)?.svcond ?? []));
  const samples = isSealed ? await keptSamples?.read(id, oldest, on) : undefined;
  const count = found.reduce((sum, rows) => sum + rows.length, 0);
  let worked = 0;
  for (const { type, seq, svcond, actor, payload_text } of oldestFirst(found)) {
    worked += 1 + lives.length;
    if (worked >= ROWS_PER_TURN) {
      worked = 0;
      await nextTurn();
    }
    const text = payload_text ?? samples?.get(seq);
    if (text === undefined) continue;
    const payload = JSON.parse(text) as unknown;
    for (const live of lives) {
      const event = eventOf(live, type, payload, actor);
      // Events from before the deployment do not count.
      const isEarly = svcond < live.stored.createdSvcond || seq < (deployments.get(live.stored.id) ?? 0);
      if (event === undefined || isEarly) continue;
      const { running } = live;
      const counting = { ...running, windows: windowsCounting(running, seq) };
      addToWindows(counting, { ...event, tick: svcond, number: seq }, evaluate);
    }
  }
  return count;
}

/** Takes the rows of lists that have their newest first, in the order of the chain. */
function* oldestFirst(lists: readonly PayloadRow[][]): Generator<PayloadRow> {
  for (;;) {
    let oldest: PayloadRow[] | undefined;
    for (const list of lists) {
      const last = list.at(-1);
      if (last !== undefined && last.seq < (oldest?.at(-1)?.seq ?? Number.POSITIVE_INFINITY)) oldest = list;
    }
    const row = oldest?.pop();
    if (row === undefined) return;
    yield row;
  }
}

/** Returns the number of the row that deployed each contract, by contract id. */
async function deploymentsIn(
  { audit }: WindowSources,
  { id }: Machine,
  range: RowRange,
  on: Executor,
): Promise<ReadonlyMap<string, number>> {
  const found = await recentRows(audit, id, { ...range, type: 'contract', limit: MAX_SAMPLES }, on);
  const payloads = found.map(({ seq, payload_text: text }) => ({
    seq,
    ...(text ? (JSON.parse(text) as Deployment) : {}),
  }));
  return new Map(
    payloads.flatMap(({ seq, act, contract }) => (act === 'deployed' && contract ? [[contract, seq]] : [])),
  );
}

interface Deployment {
  readonly act?: string;
  readonly contract?: string;
}

const listensToReadings = ({ running: { contract } }: LiveContract) =>
  contract.oracle?.event !== undefined && contract.oracle.kind !== 'event';

interface EventPayload extends SenderFields {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly contract?: string;
}

/** Returns the event that a row means to a contract, if the contract listens to it. */
function eventOf(
  { stored, running, subscribedEvents: names }: LiveContract,
  type: string,
  rowPayload: unknown,
  actor: string,
): Omit<CountedEvent, 'tick' | 'number'> | undefined {
  if (type === 'reading') {
    const { contract, svcond, ...reading } = rowPayload as ReadingPayload;
    const { oracle } = running.contract;
    const event = oracle && contract === stored.id ? readingAsEvent(oracle, { ...reading, tick: svcond }) : undefined;
    return event && { ...event, actor };
  }
  const { name, payload = {}, contract, to, ...fields } = rowPayload as EventPayload;
  const isForAnother = to !== undefined && to !== stored.id;
  if (!names.has(name) || contract === stored.id || isForAnother) return undefined;
  const isExternal = type === 'event' && !isRaised(fields);
  return {
    name,
    payload,
    actor: contract ?? actorOf(fields, actor),
    isExternal,
    ...sentByOf(fields, stored.id, actor),
  };
}

/** Returns the windows in which a row counts. Windows since entry ignore rows up to the entry into the state. */
function windowsCounting({ contract, state, windows }: RunningContract, seq: number): Windows {
  return seq > state.enteredAt ? windows : windowsAcrossStates(contract, windows);
}
