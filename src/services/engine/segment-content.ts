// Content of a segment: what each window of a machine has held. Its text has ticks as differences, and values in columns.

import type { Scalar } from '../../contracts/definition.ts';
import type { HeldEvent } from '../../contracts/window.ts';

/** The events that a window has held since the segment before. */
export interface SegmentOfWindow<Events extends Iterable<HeldEvent> = Iterable<HeldEvent>> {
  readonly held: Events;
  readonly isOverfull: boolean;
}

export interface SegmentOfContract<Events extends Iterable<HeldEvent> = Iterable<HeldEvent>> {
  /** Version of the contract that decided what counts. */
  readonly version: number;
  /** Whether it holds everything, and segments before it nothing more. */
  readonly isWhole: boolean;
  readonly windows: ReadonlyMap<string, SegmentOfWindow<Events>>;
}

export interface SegmentContent<Events extends Iterable<HeldEvent> = Iterable<HeldEvent>> {
  /** Tick at which the samples of all segments before it have left every window. */
  readonly earlierUntil: number;
  readonly contracts: ReadonlyMap<string, SegmentOfContract<Events>>;
}

/** What is to be stored. */
export type NewSegment = SegmentContent<readonly HeldEvent[]>;

interface Columns {
  /** The first tick, then differences. */
  readonly ticks: readonly number[];
  /** All zero if missing. */
  readonly values?: readonly Scalar[];
  readonly fields?: readonly (HeldEvent['fields'] | null)[];
  readonly isOverfull?: true;
}

type ContractText = Omit<SegmentOfContract, 'windows'> & { readonly windows: Readonly<Record<string, Columns>> };

interface SegmentText {
  readonly earlierUntil: number;
  readonly contracts: Readonly<Record<string, ContractText>>;
}

export function textOfSegment({ earlierUntil, contracts }: NewSegment): string {
  const texts = [...contracts].map(([id, { windows, ...fields }]): [string, ContractText] => {
    const columns = [...windows].map(([key, window]): [string, Columns] => [key, columnsOf(window)]);
    return [id, { ...fields, windows: Object.fromEntries(columns) }];
  });
  return JSON.stringify({ earlierUntil, contracts: Object.fromEntries(texts) } satisfies SegmentText);
}

function columnsOf({ held, isOverfull }: SegmentOfWindow<readonly HeldEvent[]>): Columns {
  const ticks = held.map(({ tick }, i) => tick - (i === 0 ? 0 : (held[i - 1]?.tick ?? 0)));
  const hasValues = held.some(({ value }) => value !== 0);
  const hasFields = held.some(({ fields }) => fields !== undefined);
  return {
    ticks,
    ...(hasValues ? { values: held.map(({ value }) => value) } : {}),
    ...(hasFields ? { fields: held.map(({ fields }) => fields ?? null) } : {}),
    ...(isOverfull ? { isOverfull } : {}),
  };
}

/** @param text  made by `textOfSegment` */
export function segmentOfText(text: string): SegmentContent {
  const { earlierUntil, contracts } = JSON.parse(text) as SegmentText;
  const read = Object.entries(contracts).map(([id, { windows, ...fields }]) => {
    const held = Object.entries(windows).map(([key, columns]) => [key, windowOf(columns)] as const);
    return [id, { ...fields, windows: new Map(held) }] as const;
  });
  return { earlierUntil, contracts: new Map(read) };
}

/** Events are made one by one as they are read, since a segment may have 200,000. */
function windowOf({ ticks, values, fields, isOverfull }: Columns): SegmentOfWindow {
  const held = {
    *[Symbol.iterator](): Generator<HeldEvent> {
      let tick = 0;
      for (const [i, difference] of ticks.entries()) {
        tick += difference;
        yield { tick, value: values?.[i] ?? 0, fields: fields?.[i] ?? undefined };
      }
    },
  };
  return { held, isOverfull: isOverfull === true };
}
