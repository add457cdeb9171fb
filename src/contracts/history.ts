// What the chain of a machine says about one contract: the events that it heard, what was done to it, and what it did.
// The rows are read in order; nothing here decides anything.

import { canonicalJson } from '../core/canonical-json.ts';
import type { Reading } from './oracle.ts';
import type { ComputeCall, TokenMove } from './reaction.ts';

/** A row as far as a replay needs it; without a payload where that was erased. */
export interface HistoryRow {
  readonly seq: number;
  readonly svcond: number;
  readonly type: string;
  readonly payload?: unknown;
}

/** Types of rows that can move a contract, or tell how it moved. */
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

export type Happening = { readonly seq: number; readonly tick: number } & (
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly payload: Payload;
      /** Who sent it: somebody outside, another contract, or the contract itself. */
      readonly origin: 'outside' | 'other' | 'own';
      /** Nobody heard it: the cascade that it ends went too deep. */
      readonly isLost: boolean;
      /** It was the match that skip-next had asked to pass. */
      readonly isSwallowed: boolean;
    }
  | {
      readonly kind: 'fired';
      readonly transition: string;
      readonly from: string;
      readonly to: string;
      readonly cause: string;
      /** The occurrence of a timer. */
      readonly due: number | undefined;
      /** Of a transition by hand. */
      readonly payload: Payload | undefined;
    }
  | { readonly kind: 'refused'; readonly transition: string; readonly payload: Payload | undefined }
  | { readonly kind: 'skipped'; readonly transition: string; readonly due: number }
  | { readonly kind: 'paused' | 'frozen' }
  | { readonly kind: 'resumed'; readonly mode: string }
  | { readonly kind: 'version'; readonly no: number; readonly isReset: boolean }
  /** Of the oracle, but for those that an event carried. */
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'machine'; readonly isActive: boolean }
  /** What other contracts did to the balances. */
  | { readonly kind: 'tokens'; readonly moves: readonly TokenMove[] }
  /** A row whose payload was erased: what it said may have mattered. */
  | { readonly kind: 'erased' }
);

export interface History {
  readonly deployed: { readonly seq: number; readonly tick: number };
  /** After the deployment, in order. */
  readonly happenings: readonly Happening[];
  /** At the deployment. */
  readonly before: Surroundings;
  /** What solvers said, by what they were asked (`askedAs`): a replay does not run them. */
  readonly solved: ReadonlyMap<string, number>;
}

/** A question to a solver, in words that compare. */
export function askedAs({ solver, inputs }: Pick<ComputeCall, 'solver' | 'inputs'>): string {
  return canonicalJson([solver ?? null, inputs]);
}

/** What a contract depends on beside its events. */
export interface Surroundings {
  /** Holdings by `token\0holder`. */
  readonly balances: ReadonlyMap<string, number>;
  readonly isMachineActive: boolean;
}

/**
 * @param rows  all of HISTORY_TYPES from the tick of the deployment on, in order
 * @param after  how things stand behind the last of them
 * @returns undefined where the rows do not hold the deployment of this contract
 */
export function historyOf(rows: readonly HistoryRow[], contract: string, after: Surroundings): History | undefined {
  const start = rows.findIndex(({ type, payload }) => {
    const { contract: id, act } = asPayload(payload);
    return type === 'contract' && id === contract && act === 'deployed';
  });
  const deployed = rows[start];
  if (deployed === undefined) return undefined;
  const lost = lostIn(rows);
  const happenings: Happening[] = [];
  for (const [i, row] of rows.entries()) {
    const happening = i <= start ? undefined : happeningOf(row, contract, rows, i);
    if (happening === undefined) continue;
    happenings.push(happening.kind === 'event' ? { ...happening, isLost: lost.has(row.seq) } : happening);
  }
  return {
    deployed: { seq: deployed.seq, tick: deployed.svcond },
    happenings,
    before: undone(rows.slice(start + 1), after),
    solved: solvedIn(rows),
  };
}

function solvedIn(rows: readonly HistoryRow[]): Map<string, number> {
  const solved = new Map<string, number>();
  for (const { type, payload } of rows) {
    const { computed } = asPayload(payload);
    for (const one of type === 'transition' && Array.isArray(computed) ? (computed as readonly Computed[]) : []) {
      if (one.solver !== undefined) solved.set(askedAs(one), one.value);
    }
  }
  return solved;
}

type Computed = ComputeCall & { readonly value: number };

/** Surroundings as they were before these rows. */
function undone(rows: readonly HistoryRow[], after: Surroundings): Surroundings {
  const balances = new Map(after.balances);
  let { isMachineActive } = after;
  for (const { type, payload } of rows.toReversed()) {
    const said = asPayload(payload);
    if (type === 'status') isMachineActive = said.from === 'active';
    if (type !== 'transition') continue;
    addMoves(
      balances,
      movesOf(said).map((move) => ({ ...move, amount: -move.amount })),
    );
  }
  return { balances, isMachineActive };
}

export function addMoves(balances: Map<string, number>, moves: readonly TokenMove[]): void {
  for (const { token, holder, amount } of moves) {
    const key = `${token}\0${holder}`;
    balances.set(key, (balances.get(key) ?? 0) + amount);
  }
}

function happeningOf(
  row: HistoryRow,
  contract: string,
  rows: readonly HistoryRow[],
  at: number,
): Happening | undefined {
  const { seq, svcond: tick, type } = row;
  const place = { seq, tick };
  if (row.payload === undefined) return { ...place, kind: 'erased' };
  const payload = asPayload(row.payload);
  const isOwn = payload.contract === contract;
  switch (type) {
    case 'event':
    case 'emit': {
      const origin = type === 'event' ? 'outside' : isOwn ? 'own' : 'other';
      const isSwallowed = isFollowedBySwallow(rows, at, contract);
      const sent = { name: String(payload.name), payload: asPayload(payload.payload), origin } as const;
      return { ...place, kind: 'event', ...sent, isLost: false, isSwallowed };
    }
    case 'transition':
      if (!isOwn) {
        const moves = movesOf(payload);
        return moves.length === 0 ? undefined : { ...place, kind: 'tokens', moves };
      }
      return {
        ...place,
        kind: 'fired',
        transition: String(payload.transition),
        from: String(payload.from),
        to: String(payload.to),
        cause: String(payload.cause),
        due: dueOf(payload.occurrence),
        payload: givenTo(payload),
      };
    case 'refused':
      return isOwn && payload.code === 'ACTION_FAILED'
        ? { ...place, kind: 'refused', transition: String(payload.transition), payload: givenTo(payload) }
        : undefined;
    case 'fire_skipped':
      return isOwn && typeof payload.due === 'number'
        ? { ...place, kind: 'skipped', transition: String(payload.transition), due: payload.due }
        : undefined;
    case 'reading':
      return isOwn && payload.event === undefined
        ? { ...place, kind: 'reading', reading: readingOf(payload) }
        : undefined;
    case 'status':
      return { ...place, kind: 'machine', isActive: payload.to === 'active' };
    case 'contract':
      return isOwn ? actOf(place, payload) : undefined;
    default:
      return undefined;
  }
}

function actOf(place: { readonly seq: number; readonly tick: number }, payload: Payload): Happening | undefined {
  switch (payload.act) {
    case 'paused':
    case 'frozen':
      return { ...place, kind: payload.act };
    case 'resumed':
      return { ...place, kind: 'resumed', mode: String(payload.mode) };
    case 'patched':
    case 'rolled back':
      return { ...place, kind: 'version', no: Number(payload.version), isReset: payload.reset === true };
    default:
      return undefined;
  }
}

/** Numbers of the emitted rows that nobody heard: a cascade that went too deep ends with a refusal that names them. */
function lostIn(rows: readonly HistoryRow[]): Set<number> {
  const lost = new Set<number>();
  for (const [i, { type, payload }] of rows.entries()) {
    const { contract, code, events } = asPayload(payload);
    if (type !== 'refused' || code !== 'CASCADE_LIMIT' || !Array.isArray(events)) continue;
    let left = events.length;
    for (let at = i - 1; at >= 0 && left > 0; at--) {
      const before = rows[at];
      if (before?.type !== 'emit' || asPayload(before.payload).contract !== contract) continue;
      lost.add(before.seq);
      left--;
    }
  }
  return lost;
}

/** Whether the next thing that the contract is said to have done is to let a match pass. */
function isFollowedBySwallow(rows: readonly HistoryRow[], at: number, contract: string): boolean {
  for (const { type, payload } of rows.slice(at + 1, at + 1 + SWALLOW_SPAN)) {
    const { contract: id, due } = asPayload(payload);
    if (type === 'event' || type === 'contract') return false;
    if (id !== contract) continue;
    if (type === 'fire_skipped') return due === undefined;
    if (type === 'transition') return false;
  }
  return false;
}

/** Rows behind an event that are looked through for the skip that it set off. */
const SWALLOW_SPAN = 50;

function dueOf(occurrence: unknown): number | undefined {
  const [, digits] = /^t(\d{1,15})$/.exec(String(occurrence)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const givenTo = ({ payload }: Payload) => (payload === undefined ? undefined : asPayload(payload));

const readingOf = ({ value, status, source, svcond }: Payload) =>
  ({ value, status, source, tick: svcond }) as unknown as Reading;

function movesOf({ tokens }: Payload): readonly TokenMove[] {
  return Array.isArray(tokens) ? (tokens as TokenMove[]) : [];
}

function asPayload(value: unknown): Payload {
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
}
