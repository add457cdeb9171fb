// Stopwatches of a contract: the time that it has spent in some of its states, without the time in which it was paused.

import type { Definition } from '../definition.ts';

/** One stopwatch, in ticks. */
export interface ClockState {
  /** Time until it last started. */
  readonly total: number;
  /** The tick since which it runs; null while it stands. */
  readonly since: number | null;
}

export type ClockStates = Readonly<Record<string, ClockState>>;

const PREFIX = 'clock.';

/** The name of a stopwatch in expressions. */
export const clockName = (clock: string): string => `${PREFIX}${clock}`;

/** Stopwatches when the contract enters a state: those of the state run, the others stand. Undefined without any. */
export function clocksOnEntry(
  { clocks }: Definition,
  state: string,
  tick: number,
  before: ClockStates | undefined,
): ClockStates | undefined {
  if (clocks === undefined) return undefined;
  const entries = Object.entries(clocks).map(([name, { runs_in: states }]): [string, ClockState] => {
    const { total, since } = (before && Object.hasOwn(before, name) ? before[name] : undefined) ?? NEVER_RAN;
    if (!states.includes(state)) return [name, { total: since === null ? total : total + (tick - since), since: null }];
    return [name, { total, since: since ?? tick }];
  });
  return Object.fromEntries(entries);
}

const NEVER_RAN: ClockState = { total: 0, since: null };

/** Stopwatches after a pause from tick `heldAt` to `tick`, in which none ran. */
export function clocksAfterPause(
  clocks: ClockStates | undefined,
  heldAt: number,
  tick: number,
): ClockStates | undefined {
  if (clocks === undefined) return undefined;
  const shifted = Object.entries(clocks).map(([name, { total, since }]): [string, ClockState] => [
    name,
    { total, since: since === null ? null : since + (tick - Math.max(heldAt, since)) },
  ]);
  return Object.fromEntries(shifted);
}

/** The value of `clock.<name>` at a tick; undefined for any other name. */
export function readClock(clocks: ClockStates | undefined, name: string, tick: number): number | undefined {
  if (clocks === undefined || !name.startsWith(PREFIX)) return undefined;
  const clock = name.slice(PREFIX.length);
  const found = Object.hasOwn(clocks, clock) ? clocks[clock] : undefined;
  return found && found.total + (found.since === null ? 0 : tick - found.since);
}
