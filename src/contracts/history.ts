// Parses the history of one contract from the rows of its machine: events received, lifecycle changes, transitions fired.
// The rows are only parsed, in order; replaying them is the task of history-replay.ts.

import { canonicalJson } from '../core/canonical-json.ts';
import { resultFault } from './calls/result.ts';
import type { ComputeCall, SentBy, SentEvent, StartedCall, TokenMove } from './contract-state.ts';
import type { EngineEdition } from './engine-edition.ts';
import { Migration } from './migration/schema.ts';
import type { Reading } from './oracle.ts';
import type { PartyBindings } from './parties/bindings.ts';
import { actorOf, isRaised, type SenderFields, sentByOf } from './parties/sent-by.ts';

/** The columns of a row that a replay needs; `payload` is missing if it was erased. */
export interface HistoryRow {
  readonly seq: number;
  readonly svcond: number;
  readonly type: string;
  readonly actor: string;
  readonly payload?: unknown;
}

/** Types of rows that can move a contract or record how it moved. */
export const HISTORY_TYPES = [
  'event',
  'emit',
  'reading',
  'transition',
  'contract',
  'fire_skipped',
  'refused',
  'status',
] as const;

type Payload = Readonly<Record<string, unknown>>;

/** One row as it concerns the contract. */
export type HistoryEntry = { readonly seq: number; readonly tick: number } & (
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly payload: Payload;
      /** Identity of the caller, or id of the contract that emitted it. */
      readonly actor: string;
      readonly sentBy: SentBy;
      /** The sender: a caller, another contract, or the contract itself. */
      readonly origin: 'external' | 'other' | 'own';
      /** It was emitted at the cascade limit and delivered to no contract. */
      readonly isUndelivered: boolean;
      /** It was the match that skip-next skipped. */
      readonly isSkippedMatch: boolean;
      /** Of the result of an activity: what its evidence does not confirm. */
      readonly fault?: string | undefined;
    }
  | {
      readonly kind: 'fired';
      readonly transition: string;
      readonly from: string;
      readonly to: string;
      readonly cause: string;
      /** The occurrence of a timer. */
      readonly due: number | undefined;
      /** Hash of all collections after it, if it changed one. */
      readonly collections: string | undefined;
      /** Events to other machines, if there are any. */
      readonly sends: readonly SentEvent[] | undefined;
      /** Activities, if there are any. */
      readonly calls: readonly StartedCall[] | undefined;
      /** Of a manual transition. */
      readonly payload: Payload | undefined;
      readonly actor: string;
      readonly sentBy: SentBy;
    }
  | {
      readonly kind: 'refused';
      readonly transition: string;
      readonly payload: Payload | undefined;
      readonly actor: string;
      readonly sentBy: SentBy;
    }
  | { readonly kind: 'skipped'; readonly transition: string; readonly due: number }
  | { readonly kind: 'paused' | 'frozen' }
  | { readonly kind: 'resumed'; readonly mode: string }
  /** The instance with this key begins anew. */
  | { readonly kind: 'respawned'; readonly no: number; readonly bindings: PartyBindings | undefined }
  /** Others act for the parties of an instance. */
  | { readonly kind: 'rebound'; readonly bindings: PartyBindings }
  /** From this row on another edition of the engine decides. */
  | { readonly kind: 'engine'; readonly edition: EngineEdition }
  | {
      readonly kind: 'version';
      readonly no: number;
      readonly isReset: boolean;
      /** Who is bound from then on; undefined if that stays. */
      readonly bindings: PartyBindings | undefined;
      readonly migrated: RecordedMigration | undefined;
    }
  /** A reading of the oracle, except readings from events. */
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'machine'; readonly isActive: boolean }
  /** Tokens moved by other contracts. */
  | { readonly kind: 'tokens'; readonly moves: readonly TokenMove[] }
  /** A row whose payload was erased; it may have concerned the contract. */
  | { readonly kind: 'erased' }
);

export interface History {
  readonly deployed: Deployment;
  /** The rows after the deployment, in order. */
  readonly entries: readonly HistoryEntry[];
  /** The machine at the deployment. */
  readonly initialMachineState: MachineState;
  /** Recorded results of solvers by `solverCallKey`: a replay does not run solvers. */
  readonly solverResults: ReadonlyMap<string, number>;
}

export interface Deployment {
  /** Number of the row; of an instance that of the event that created it. */
  readonly seq: number;
  readonly tick: number;
  readonly engine: EngineEdition;
  /** Who acts for the parties, if there are any. */
  readonly bindings?: PartyBindings | undefined;
  /** Version with which it begins; 1 by default. */
  readonly version?: number | undefined;
}

/** A migration, and what it made of the contract according to its row. */
export interface RecordedMigration {
  readonly given: Migration;
  readonly to: string;
  readonly contextHash: string;
  readonly collections: string | undefined;
}

/** Key of a solver call: equal for equal solvers and inputs. */
export function solverCallKey({ solver, inputs }: Pick<ComputeCall, 'solver' | 'inputs'>): string {
  return canonicalJson([solver ?? null, inputs]);
}

/** The part of the machine's state that a contract depends on. */
export interface MachineState {
  /** Balances by `token\0holder`. */
  readonly balances: ReadonlyMap<string, number>;
  readonly isMachineActive: boolean;
}

/**
 * Yields regularly, so that the caller can release the event loop.
 *
 * @param rows  all rows of HISTORY_TYPES from the tick of the deployment on, in order
 * @param after  the machine after the last of them
 * @param instance  one of the contract; its history begins with the row that spawned it
 * @returns undefined if the rows do not contain the deployment of this contract
 */
export function* parseHistory(
  rows: readonly HistoryRow[],
  contract: string,
  after: MachineState,
  instance?: InstanceOfHistory,
): Generator<void, History | undefined> {
  const start = rows.findIndex(({ type, payload }) => {
    const { contract: id, act, instance: key } = asPayload(payload);
    if (type !== 'contract' || id !== contract) return false;
    return instance === undefined ? act === 'deployed' : act === 'spawned' && key === instance.key;
  });
  const deployed = rows[start];
  if (deployed === undefined) return undefined;
  const undelivered = undeliveredEvents(rows);
  const entries: HistoryEntry[] = [];
  const whose: Whose = { contract, instance };
  const ofInstance = instance && new InstanceEntries(rows, whose);
  for (const [i, row] of rows.entries()) {
    if (i % ROWS_PER_YIELD === 0) yield;
    if (i < start || (i === start && ofInstance === undefined)) continue;
    if (ofInstance?.add(row, entries)) continue;
    const entry = entryOf(row, whose, rows, i);
    if (entry === undefined) continue;
    entries.push(entry.kind === 'event' ? { ...entry, isUndelivered: undelivered.has(row.seq) } : entry);
  }
  const { event, at_version: version } = asPayload(deployed.payload);
  const began = ofInstance === undefined ? { seq: deployed.seq } : { seq: Number(event), version: Number(version) };
  return {
    deployed: { tick: deployed.svcond, ...deploymentOf(asPayload(deployed.payload)), ...began },
    entries,
    initialMachineState: revert(rows.slice(start + 1), after),
    solverResults: solverResultsOf(rows),
  };
}

const ROWS_PER_YIELD = 100;

/** An instance: its key, and the key of an event. */
export interface InstanceOfHistory {
  readonly key: string;
  readonly keyOf: (payload: Payload) => unknown;
}

/** What a history is of. */
interface Whose {
  readonly contract: string;
  readonly instance: InstanceOfHistory | undefined;
}

/** Adds what rows of the contract and its spawns mean for one instance. */
class InstanceEntries {
  readonly #rows: readonly HistoryRow[];
  readonly #whose: Whose;
  #isSpawned = false;
  #isMachineActive = true;
  #isContractActive = true;

  constructor(rows: readonly HistoryRow[], whose: Whose) {
    this.#rows = rows;
    this.#whose = whose;
  }

  /** @returns whether nothing more is to be said of the row */
  add(row: HistoryRow, entries: HistoryEntry[]): boolean {
    const { seq, svcond: tick, type } = row;
    const payload = asPayload(row.payload);
    if (type === 'status') this.#isMachineActive = payload.to === 'active';
    else if (type !== 'contract' || payload.contract !== this.#whose.contract) return false;
    else if (payload.instance === undefined) {
      // Neither its state nor its timers move while the contract is paused: as on a paused machine.
      if (payload.act !== 'paused' && payload.act !== 'resumed') return payload.act !== 'frozen';
      this.#isContractActive = payload.act === 'resumed';
    } else if (payload.instance !== this.#whose.instance?.key) return true;
    else if (payload.act === 'spawned') {
      if (this.#isSpawned)
        entries.push({
          seq: Number(payload.event),
          tick,
          kind: 'respawned',
          no: Number(payload.at_version),
          bindings: bindingsOf(payload),
        });
      this.#isSpawned = true;
      const index = this.#rows.findIndex((one) => one.seq === payload.event);
      const source = this.#rows[index];
      const event = source && entryOf(source, this.#whose, this.#rows, index);
      if (event?.kind === 'event') entries.push({ ...event, sentBy: spawnedBy(payload, source) });
      else if (event !== undefined) entries.push(event);
      return true;
    } else {
      this.#addMove(payload, { seq, tick }, entries);
      return true;
    }
    const isActive = this.#isMachineActive && this.#isContractActive;
    entries.push({ seq, tick, kind: 'machine', isActive });
    return true;
  }

  /** An instance moves before the event that touches it. */
  #addMove(payload: Payload, at: Pick<HistoryEntry, 'seq' | 'tick'>, entries: HistoryEntry[]): void {
    const { act, at_version: no, event } = payload;
    const bindings = bindingsOf(payload);
    if (act === 'rebound' && bindings !== undefined) entries.push({ ...at, kind: 'rebound', bindings });
    if (act !== 'moved') return;
    const entry = {
      ...at,
      kind: 'version',
      no: Number(no),
      isReset: false,
      bindings,
      migrated: undefined,
    } as const;
    const index = event === undefined ? -1 : entries.findLastIndex((one) => one.kind === 'event' && one.seq === event);
    if (index < 0) entries.push(entry);
    else entries.splice(index, 0, entry);
  }
}

function solverResultsOf(rows: readonly HistoryRow[]): Map<string, number> {
  const results = new Map<string, number>();
  for (const { type, payload } of rows) {
    const { computed } = asPayload(payload);
    for (const call of type === 'transition' && Array.isArray(computed) ? (computed as readonly Computed[]) : []) {
      if (call.solver !== undefined) results.set(solverCallKey(call), call.value);
    }
  }
  return results;
}

type Computed = ComputeCall & { readonly value: number };

/** The state of the machine before these rows. */
function revert(rows: readonly HistoryRow[], after: MachineState): MachineState {
  const balances = new Map(after.balances);
  let { isMachineActive } = after;
  for (const { type, payload } of rows.toReversed()) {
    const parsed = asPayload(payload);
    if (type === 'status') isMachineActive = parsed.from === 'active';
    if (type !== 'transition') continue;
    applyTokenMoves(
      balances,
      movesOf(parsed).map((move) => ({ ...move, amount: -move.amount })),
    );
  }
  return { balances, isMachineActive };
}

export function applyTokenMoves(balances: Map<string, number>, moves: readonly TokenMove[]): void {
  for (const { token, holder, amount } of moves) {
    const key = `${token}\0${holder}`;
    balances.set(key, (balances.get(key) ?? 0) + amount);
  }
}

function entryOf(
  row: HistoryRow,
  { contract, instance }: Whose,
  rows: readonly HistoryRow[],
  index: number,
): HistoryEntry | undefined {
  const { seq, svcond: tick, type, actor } = row;
  const position = { seq, tick };
  if (row.payload === undefined) return { ...position, kind: 'erased' };
  const payload = asPayload(row.payload);
  const isOwn = payload.contract === contract && payload.instance === instance?.key;
  switch (type) {
    case 'event':
    case 'emit': {
      const fields = (type === 'event' ? payload : {}) as SenderFields;
      const isExternal = type === 'event' && !isRaised(fields);
      const origin = isExternal ? 'external' : isOwn ? 'own' : 'other';
      if (fields.to !== undefined && fields.to !== contract) return undefined;
      if (instance !== undefined && !isOwn) {
        // What another instance emits is no event of this one.
        if (type === 'emit' && payload.contract === contract) return undefined;
        if (instance.keyOf(asPayload(payload.payload)) !== instance.key) return undefined;
      }
      const isSkippedMatch = isFollowedBySkip(rows, index, contract);
      const event = {
        name: String(payload.name),
        payload: asPayload(payload.payload),
        origin,
        actor: type === 'emit' ? String(payload.contract) : actorOf(fields, actor),
        sentBy: sentByOf(fields, contract, actor),
        ...(fields.call === undefined ? {} : { fault: resultFault(payload, startedBy(rows, index, fields.call)) }),
      } as const;
      return { ...position, kind: 'event', ...event, isUndelivered: false, isSkippedMatch };
    }
    case 'transition':
      if (!isOwn) {
        const moves = movesOf(payload);
        return moves.length === 0 ? undefined : { ...position, kind: 'tokens', moves };
      }
      return {
        ...position,
        kind: 'fired',
        transition: String(payload.transition),
        from: String(payload.from),
        to: String(payload.to),
        cause: String(payload.cause),
        due: dueOf(payload.occurrence),
        collections: typeof payload.collections === 'string' ? payload.collections : undefined,
        sends: withoutHops<SentEvent>(payload.sends),
        calls: withoutHops<StartedCall>(payload.calls),
        payload: manualPayload(payload),
        actor,
        sentBy: sentByHand(payload, actor),
      };
    case 'refused':
      return isOwn && payload.code === 'ACTION_FAILED'
        ? {
            ...position,
            kind: 'refused',
            transition: String(payload.transition),
            payload: manualPayload(payload),
            actor,
            sentBy: sentByHand(payload, actor),
          }
        : undefined;
    case 'fire_skipped':
      return isOwn && typeof payload.due === 'number'
        ? { ...position, kind: 'skipped', transition: String(payload.transition), due: payload.due }
        : undefined;
    case 'reading':
      return isOwn && payload.event === undefined
        ? { ...position, kind: 'reading', reading: readingOf(payload, actor) }
        : undefined;
    case 'status':
      return { ...position, kind: 'machine', isActive: payload.to === 'active' };
    case 'contract':
      return isOwn ? lifecycleEntry(position, payload) : undefined;
    default:
      return undefined;
  }
}

function lifecycleEntry(
  position: { readonly seq: number; readonly tick: number },
  payload: Payload,
): HistoryEntry | undefined {
  switch (payload.act) {
    case 'paused':
    case 'frozen':
      return { ...position, kind: payload.act };
    case 'resumed':
      return { ...position, kind: 'resumed', mode: String(payload.mode) };
    case 'engine':
      return { ...position, kind: 'engine', edition: engineOf(payload) };
    case 'patched':
    case 'rolled back':
    case 'rebound':
      return {
        ...position,
        kind: 'version',
        no: Number(payload.version),
        isReset: payload.reset === true,
        bindings: bindingsOf(payload),
        migrated: migratedOf(payload),
      };
    default:
      return undefined;
  }
}

/** Sequence numbers of emitted events that were delivered to no contract: a CASCADE_LIMIT refusal names them. */
function undeliveredEvents(rows: readonly HistoryRow[]): Set<number> {
  const undelivered = new Set<number>();
  for (const [i, { type, payload }] of rows.entries()) {
    const { contract, code, events } = asPayload(payload);
    if (type !== 'refused' || code !== 'CASCADE_LIMIT' || !Array.isArray(events)) continue;
    let left = events.length;
    for (let index = i - 1; index >= 0 && left > 0; index--) {
      const before = rows[index];
      if (before?.type !== 'emit' || asPayload(before.payload).contract !== contract) continue;
      undelivered.add(before.seq);
      left--;
    }
  }
  return undelivered;
}

/** Whether the next row of the contract records a skipped match. */
function isFollowedBySkip(rows: readonly HistoryRow[], index: number, contract: string): boolean {
  for (const { type, payload } of rows.slice(index + 1, index + 1 + MAX_ROWS_TO_SKIP)) {
    const { contract: id, due } = asPayload(payload);
    if (type === 'event' || type === 'contract') return false;
    if (id !== contract) continue;
    if (type === 'fire_skipped') return due === undefined;
    if (type === 'transition') return false;
  }
  return false;
}

/** Rows after an event that are searched for the skip that it caused. */
const MAX_ROWS_TO_SKIP = 50;

function dueOf(occurrence: unknown): number | undefined {
  const [, digits] = /^t(\d{1,15})$/.exec(String(occurrence)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Who sent the event that spawned an instance: the row of the spawn says for which party, since nobody was bound before. */
function spawnedBy({ party }: Payload, row: HistoryRow | undefined): SentBy {
  if (row === undefined || typeof party !== 'string') return {};
  const { signed } = asPayload(row.payload) as SenderFields;
  return { party, voter: signed === undefined ? `zid:${row.actor}` : `ed25519:${signed.public_key}` };
}

/** The party that fired a transition by hand. */
const sentByHand = ({ party }: Payload, actor: string): SentBy =>
  typeof party === 'string' ? { party, voter: `zid:${actor}` } : {};

const bindingsOf = ({ bindings }: Payload) => bindings as PartyBindings | undefined;

const deploymentOf = (payload: Payload) => ({ engine: engineOf(payload), bindings: bindingsOf(payload) });

function migratedOf({ migrate, to, context_hash, collections }: Payload): RecordedMigration | undefined {
  if (migrate === undefined) return undefined;
  const { data: given = {} } = Migration.safeParse(migrate);
  const hash = typeof collections === 'string' ? collections : undefined;
  return { given, to: String(to), contextHash: String(context_hash), collections: hash };
}

const manualPayload = ({ payload }: Payload) => (payload === undefined ? undefined : asPayload(payload));

const readingOf = ({ value, status, source, svcond }: Payload, actor: string) =>
  ({ value, status, source, tick: svcond, actor }) as unknown as Reading;

/** The activity of which the row at an index tells; undefined if the row that started it is erased or missing. */
function startedBy(
  rows: readonly HistoryRow[],
  index: number,
  { seq, no }: { readonly seq: number; readonly no: number },
): StartedCall | undefined {
  // It mostly stands a few rows before.
  let at = index;
  while (at >= 0 && (rows[at]?.seq ?? -1) > seq) at--;
  return rows[at]?.seq === seq ? withoutHops<StartedCall>(asPayload(rows[at]?.payload).calls)?.[no] : undefined;
}

/** What a transition sent or started, without what its row adds to what the transition decided. */
function withoutHops<One>(list: unknown): One[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.map((one) => {
    const { hops: _, ...decided } = asPayload(one);
    return decided as unknown as One;
  });
}

/** A row from before there were editions names none. */
const engineOf = ({ engine }: Payload): EngineEdition => (engine === 2 ? 2 : 1);

function movesOf({ tokens }: Payload): readonly TokenMove[] {
  return Array.isArray(tokens) ? (tokens as TokenMove[]) : [];
}

function asPayload(value: unknown): Payload {
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
}
