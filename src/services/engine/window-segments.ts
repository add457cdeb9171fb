// Stores what windows hold in segments: every so many samples, what has come since the last one. A machine that is not
// in memory then reads its segments and the few rows after them, instead of all rows in its longest window.
//
// Segments are sealed under the master key with their range, and each continues the one before. What is missing, or does
// not fit, is read from the rows: a segment is never the only place of a sample.

import type { NewRow } from '../../chain/row.ts';
import type { Windows } from '../../contracts/contract-state.ts';
import type { Evaluate } from '../../contracts/typed-expressions.ts';
import type { HeldEvent } from '../../contracts/window.ts';
import { countedSpans, refilterWindows, windowsAcrossStates } from '../../contracts/windows/named-windows.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import {
  segmentRows,
  type WindowSegment,
  type WindowSegmentRepository,
} from '../../storage/contracts/window-segments.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into, type Write } from '../../storage/database/writer.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import type { LiveContract, Runtime, SegmentsEnd } from './live-contract.ts';
import { nextTurn } from './recent-rows.ts';
import {
  type NewSegment,
  type SegmentContent,
  type SegmentOfContract,
  segmentOfText,
  textOfSegment,
} from './segment-content.ts';

/** Name under which a segment is sealed. */
export const segmentContext = ({ machineId, fromSeq, toSeq, until }: Omit<WindowSegment, 'sealed'>) =>
  `svc-window-segment\0${machineId}\0${fromSeq}\0${toSeq}\0${until}`;

/** The first segment of a machine follows no row. */
const NOTHING = -1;
const SAMPLE_TYPES: ReadonlySet<string> = new Set(['event', 'emit', 'reading']);
const SEGMENTS_PER_STATEMENT = 64;
/** Events of one segment; windows that would need more are filled from the rows each time. */
const MAX_HELD = 200_000;
/** Events restored before others get a turn: about a millisecond. */
const EVENTS_PER_TURN = 2_000;

export interface WindowSegmentsOptions {
  readonly segments: WindowSegmentRepository;
  readonly box: SealedBox;
  /** Samples after which a segment is stored. */
  readonly samplesEach?: number;
  /** Called when segments are damaged or missing, which the rows make up for. */
  readonly onDamage?: (machineId: string, fault: string) => void;
}

/** The segments of a machine whose samples may still count. */
export interface StoredSegments {
  readonly end: SegmentsEnd;
  /** Whether there were earlier ones, whose samples have left every window. */
  readonly isCut: boolean;
  readonly list: readonly { readonly toSeq: number; readonly content: SegmentContent }[];
}

export class WindowSegments {
  readonly #options: WindowSegmentsOptions;
  /** How much of each window is in segments, as its `end` then. Windows that are not here may lack samples. */
  readonly #stored = new WeakMap<Windows, ReadonlyMap<string, number>>();

  constructor(options: WindowSegmentsOptions) {
    this.#options = options;
  }

  /** Windows that hold all that they should, and of which no segment holds anything. */
  begin(windows: Windows): void {
    this.#stored.set(windows, new Map());
  }

  /**
   * The segment that is due with a change.
   *
   * @param rows  rows to be written, the first right after the machine's head
   */
  writesFor({ id: machineId, head }: Machine, runtime: Runtime, rows: readonly NewRow[], svcond: number): Write[] {
    const { box, samplesEach = LIMITS.contracts.windows.segmentSamples } = this.#options;
    for (const { type } of rows) if (SAMPLE_TYPES.has(type)) runtime.unsegmented++;
    if (runtime.unsegmented < samplesEach) return [];
    const lives = [...runtime.contracts.values()].filter(({ running }) => running.windows.size > 0);
    // A new version counts what its windows lack only when the contracts are next loaded.
    if (lives.some(({ running }) => !this.#stored.has(running.windows))) return [];
    runtime.unsegmented = 0;
    const contracts = new Map(lives.map((live) => [live.stored.id, this.#segmentOf(live)]));
    if (lives.length === 0 || heldIn(contracts) > MAX_HELD) return [];
    for (const { running } of lives) this.#markStored(running.windows);
    const longest = Math.max(
      ...lives.flatMap(({ running }) => countedSpans(running.contract).map((one) => one.within)),
    );
    const { toSeq: fromSeq, until: earlierUntil } = runtime.segments ?? { toSeq: NOTHING, until: 0 };
    const until = Math.max(svcond + longest, earlierUntil);
    const range = { machineId, fromSeq, toSeq: head.seq + rows.length, until };
    runtime.segments = range;
    const sealed = box.seal(segmentContext(range), utf8(textOfSegment({ earlierUntil, contracts })));
    return [into(segmentRows, { ...range, sealed, svcond })];
  }

  #segmentOf({ stored: { versionNo }, running: { windows } }: LiveContract): SegmentOfContract<readonly HeldEvent[]> {
    const stored = this.#stored.get(windows);
    const since = [...windows].map(([key, window]) => {
      const { isOverfull } = window;
      return [key, { held: window.heldFrom(stored?.get(key) ?? 0), isOverfull }] as const;
    });
    return { version: versionNo, isWhole: stored === undefined || stored.size === 0, windows: new Map(since) };
  }

  #markStored(windows: Windows): void {
    this.#stored.set(windows, new Map([...windows].map(([key, { end }]) => [key, end])));
  }

  /**
   * Reads the segments of a machine.
   *
   * @returns undefined if there are none, or they are not whole: then the rows must be read
   */
  async read({ id, head }: Machine, on: Executor): Promise<StoredSegments | undefined> {
    const { segments, box, onDamage } = this.#options;
    const list: StoredSegments['list'][number][] = [];
    let end: SegmentsEnd | undefined;
    let isCut = false;
    for (let isMore = true; isMore; ) {
      const page = await segments.page(id, { after: end?.toSeq ?? NOTHING, limit: SEGMENTS_PER_STATEMENT }, on);
      for (const segment of page) {
        const { fromSeq, toSeq, until } = segment;
        const opened = openSegment(box, segment);
        const fault = opened === undefined ? 'does not open' : faultOf(segment, opened, end, head);
        if (opened === undefined || fault !== undefined) {
          onDamage?.(id, `segment ${toSeq} ${fault}`);
          return undefined;
        }
        if (end === undefined) isCut = fromSeq !== NOTHING;
        list.push({ toSeq, content: opened });
        end = { toSeq, until };
        await nextTurn();
      }
      isMore = page.length === SEGMENTS_PER_STATEMENT;
    }
    return end && { end, isCut, list };
  }

  /**
   * Fills the windows of a contract as they were at the end of the segments.
   *
   * @returns false if the segments do not hold all of them; then nothing is filled
   */
  async fill({ list, isCut }: StoredSegments, live: LiveContract, now: number, evaluate: Evaluate): Promise<boolean> {
    const { id, versionNo } = live.stored;
    const { contract, state, windows } = live.running;
    const first = firstOf(list, id, versionNo);
    if (first === undefined || (first === 0 && !isCut && !list[0]?.content.contracts.get(id)?.isWhole)) return false;
    const acrossStates = windowsAcrossStates(contract, windows);
    for (const [i, { toSeq, content }] of list.slice(first).entries()) {
      const segment = content.contracts.get(id);
      for (const [key, window] of toSeq > state.enteredAt ? windows : acrossStates) {
        const { held, isOverfull } = segment?.windows.get(key) ?? { held: [], isOverfull: false };
        let restored = 0;
        for (const event of held) {
          window.restore(event);
          if (++restored % EVENTS_PER_TURN === 0) await nextTurn();
        }
        window.expire(now);
        if (isOverfull && first + i === list.length - 1) window.markOverfull();
      }
      await nextTurn();
    }
    refilterWindows(contract, state, windows, evaluate);
    this.#markStored(windows);
    return true;
  }
}

const heldIn = (contracts: NewSegment['contracts']) =>
  [...contracts.values()].reduce(
    (sum, one) => [...one.windows.values()].reduce((n, { held }) => n + held.length, sum),
    0,
  );

/** @returns undefined if it is not what this node or another of its master key stored */
function openSegment(box: SealedBox, segment: WindowSegment): SegmentContent | undefined {
  try {
    return segmentOfText(Buffer.from(box.open(segmentContext(segment), segment.sealed)).toString());
  } catch {
    return undefined;
  }
}

/** Why a segment does not continue those before it. */
function faultOf(
  { fromSeq, toSeq }: WindowSegment,
  { earlierUntil }: SegmentContent,
  end: SegmentsEnd | undefined,
  head: Machine['head'],
): string | undefined {
  if (toSeq > head.seq) return `is beyond row ${head.seq}`;
  if (end !== undefined && fromSeq !== end.toSeq)
    return `follows row ${fromSeq}, but the one before ends at ${end.toSeq}`;
  if (end === undefined && earlierUntil > head.svcond) return `follows row ${fromSeq}, and the one before is missing`;
  return undefined;
}

/** The first segment of those that hold all of a contract's windows; undefined if they lack a part. */
function firstOf(list: StoredSegments['list'], id: string, version: number): number | undefined {
  for (let i = list.length - 1; i >= 0; i--) {
    const segment = list[i]?.content.contracts.get(id);
    if (segment?.version !== version) return undefined;
    if (segment.isWhole || i === 0) return i;
  }
  return undefined;
}
