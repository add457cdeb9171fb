// Copies what a kernel has recorded so far, between two chunks of its run. Reading changes no bit of the result.

import type { WatchedView } from './abi.ts';
import { type KernelInstance, viewOf } from './instance.ts';

/** The frame that was recorded last, at this fraction of the run; undefined before the first. */
export function latestFrame(
  instance: KernelInstance,
  { view, length }: WatchedView,
  fraction: number,
): Float64Array<ArrayBuffer> | undefined {
  const frames = viewOf(instance, view);
  const latest = Math.floor(fraction * (Math.floor(frames.length / length) - 1));
  const frame = frames.slice(latest * length, (latest + 1) * length);
  return frame.length < length ? undefined : frame;
}
