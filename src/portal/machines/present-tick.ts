// The tick that it is on the node.

import { useEffect, useState } from 'preact/hooks';
import { TICK_NS, tickOf } from '../../core/clock.ts';
import { type NodeClock, readNodeClock } from '../pages/node-clock.ts';

const NS_PER_MS = 1_000_000;

let clock: Promise<NodeClock> | undefined;

/** Read once a visit; asked again only if that failed. */
function sharedClock(): Promise<NodeClock> {
  clock ??= readNodeClock().catch((error: unknown) => {
    clock = undefined;
    throw error;
  });
  return clock;
}

/** The present tick, anew with each; undefined until the node's clock was read. */
export function useTick(): number | undefined {
  const [tick, setTick] = useState<number | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const follow = (found: NodeClock) => {
      if (isOver) return;
      const now = found.now();
      setTick(tickOf(now));
      timer = setTimeout(() => follow(found), Number(TICK_NS - (now % TICK_NS)) / NS_PER_MS + 1);
    };
    sharedClock().then(follow, () => {});
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return tick;
}
