// Grids of a problem and the steps of each: cells and steps of all grids are whole multiples of one pattern, so that
// both shrink by exactly the same ratios.

import { exp, expm1 } from '../../core/elementary.ts';
import { changesOf, type Therapy } from './therapy.ts';

const MAX_FRAMES = 21;
/** Steps without ringing behind each jump. */
const DAMPED_STEPS = 2;
const SCHEDULE_COLUMNS = 8;

export interface Level {
  /** Along x. */
  readonly cells: number;
  readonly width: number;
  readonly steps: number;
  readonly schedule: Float64Array;
  /** Recorded times, the start first. */
  readonly times: Float64Array;
  readonly frameTimes: Float64Array;
}

/** Time between two changes, in `steps` steps for a share of 1. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  /** Whether something changes at its start, because a jump of the cells or of the rate rings. */
  readonly isJump: boolean;
}

/** Segments between the times at which something changes or is read. @param longest  step of a share of 1 */
export function segmentsOf(therapy: Therapy, end: number, tFrom: number, longest: number): readonly Segment[] {
  const changes = changesOf(therapy, end);
  const stops = [...new Set([0, ...changes, ...(tFrom > 0 && tFrom < end ? [tFrom] : []), end])].sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (const [k, to] of stops.entries()) {
    const from = stops[k - 1];
    if (from === undefined) continue;
    const steps = Math.max(1, Math.ceil(((to - from) / longest) * (1 - 1e-12)));
    segments.push({ from, to, steps, isJump: from === 0 || changes.includes(from) });
  }
  return segments;
}

interface Grid {
  readonly cells: number;
  readonly width: number;
  /** Steps, as multiples of those of the segments. */
  readonly share: number;
  readonly maxRecords: number;
  /** Of all frames. */
  readonly maxFrames: number;
}

/** The steps of a grid. */
export function levelOf(
  segments: readonly Segment[],
  { events, windows }: Therapy,
  rho: number,
  { cells, width, share, maxRecords, maxFrames }: Grid,
): Level {
  const steps = share * segments.reduce((sum, segment) => sum + segment.steps, 0);
  const every = Math.ceil(steps / maxRecords);
  const frames = Math.max(1, Math.min(MAX_FRAMES - 1, maxFrames - 1, steps));
  const schedule = new Float64Array(SCHEDULE_COLUMNS * steps);
  const times = [0];
  const frameTimes = [0];
  let k = 0;
  for (const { from, to, steps: few, isJump } of segments) {
    const count = share * few;
    const dt = (to - from) / count;
    const middle = 0.5 * (from + to);
    const kill = windows.reduce((sum, one) => sum + (middle > one.from && middle < one.to ? one.rate : 0), 0);
    const a = rho - kill;
    const x = 0.5 * a * dt;
    const growth = exp(x);
    // ρ (exp(x) − 1) / a, which is ρ dt / 2 without growth.
    const crowding = Math.abs(x) < 1e-12 ? 0.5 * rho * dt : (rho * expm1(x)) / a;
    const now = events.filter(({ day }) => day === from);
    const survival = now.reduce((product, event) => product * event.survival, 1);
    const cut = Math.max(0, ...now.map((event) => event.cut));
    for (let i = 0; i < count; i++, k++) {
      const next = i + 1 === count ? to : from + (i + 1) * dt;
      const isRecorded = i + 1 === count ? isRead(segments, to, k + 1, every) : (k + 1) % every === 0;
      // Frame j is that of the first step at which the part j / frames is done, as live views count.
      const isFrame = Math.floor(((k + 1) / steps) * frames) > Math.floor((k / steps) * frames);
      const row = SCHEDULE_COLUMNS * k;
      schedule[row] = dt;
      schedule[row + 1] = growth;
      schedule[row + 2] = crowding;
      schedule[row + 3] = i === 0 ? survival : 1;
      schedule[row + 4] = i === 0 ? cut : 0;
      schedule[row + 5] = Number(isJump && i < DAMPED_STEPS);
      schedule[row + 6] = Number(isRecorded);
      schedule[row + 7] = Number(isFrame);
      if (isRecorded) times.push(next);
      if (isFrame) frameTimes.push(next);
    }
  }
  return {
    cells,
    width,
    steps,
    schedule,
    times: Float64Array.from(times),
    frameTimes: Float64Array.from(frameTimes),
  };
}

/** The last segment ends with the run, and the one before it at the time from which the speed counts, or at a change. */
function isRead(segments: readonly Segment[], to: number, done: number, every: number): boolean {
  const next = segments.find(({ from }) => from === to);
  return next === undefined || !next.isJump || done % every === 0;
}

/** Centres of even cells. */
export const centersOf = (cells: number, width: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => (i + 0.5) * width);
