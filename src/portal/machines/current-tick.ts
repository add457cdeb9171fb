// Hook that returns the node's current tick.

import { useEffect, useState } from 'preact/hooks';
import { TICK_NS, tickOf } from '../../core/clock.ts';
import { type NodeClock, readNodeClock } from '../pulse/node-clock.ts';

const NS_PER_MS = 1_000_000;

let clock: Promise<NodeClock> | undefined;

/** Reads the clock once, and again only after an error. */
function getClock(): Promise<NodeClock> {
  clock ??= readNodeClock().catch((error: unknown) => {
    clock = undefined;
    throw error;
  });
  return clock;
}

/** Returns the current tick and updates every tick; undefined until the node's clock is read. */
export function useCurrentTick(): number | undefined {
  const [tick, setTick] = useState<number | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnmounted = false;
    const update = (nodeClock: NodeClock) => {
      if (isUnmounted) return;
      const now = nodeClock.now();
      setTick(tickOf(now));
      timer = setTimeout(() => update(nodeClock), Number(TICK_NS - (now % TICK_NS)) / NS_PER_MS + 1);
    };
    getClock().then(update, () => {});
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, []);
  return tick;
}
