// A poll over the events to other machines ends also when more machines than a page holds have events that must wait.

import { expect, test } from 'vitest';
import { EventCourier, type EventCourierOptions } from '../../../src/services/engine/sent-events.ts';
import type { EventLane } from '../../../src/storage/contracts/sent-events.ts';

const NOW = 1_000;
const LANES = 250;
const lane = (n: number): EventLane => ({ turnId: `receiver-${String(n).padStart(3, '0')}`, machineId: 'sender' });

/** A courier over lanes whose first events are due at this tick. */
function courierOver(nextTick: number) {
  let pages = 0;
  const sentEvents = {
    lanes: async (_shards: readonly number[], after: EventLane | undefined, limit: number) => {
      // Bounds a poll that never ends.
      if (++pages > 20) throw new Error('too many pages');
      const all = Array.from({ length: LANES }, (_, n) => lane(n));
      return all.filter(({ turnId }) => after === undefined || turnId > after.turnId).slice(0, limit);
    },
    pendingOf: async ({ turnId }: EventLane) => [{ turnId, nextTick, code: null }],
    refuse: async () => {},
    defer: async () => {},
  };
  const errors: unknown[] = [];
  const options = {
    sentEvents,
    owners: { during: async () => {} },
    shards: () => [0],
    clock: { source: 'fixed', now: () => BigInt(NOW) * 777_000_777n },
    onError: (error: unknown) => errors.push(error),
  } as unknown as EventCourierOptions;
  return { courier: new EventCourier(options), errors, pages: () => pages };
}

test('a pass over lanes that all wait is not begun again at once', async () => {
  const { courier, errors, pages } = courierOver(NOW + 100);
  await courier.poll();
  expect(errors).toEqual([]);
  expect(pages()).toBe(3);
});

test('a pass that settled something is begun again', async () => {
  const { courier, errors, pages } = courierOver(NOW);
  await courier.poll();
  expect(String(errors[0])).toContain('too many pages');
  expect(pages()).toBe(21);
});
