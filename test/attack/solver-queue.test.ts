// Attack: many demo keys of one address fill the queue of the solvers.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService({}, { SVC_WORKERS: '1' });
const { services, pool } = service.running;

const KEYS = 6;
const CALLS_PER_KEY = 4;
/** Long enough for the pool. */
const RUN = { dim: 2, nx: 48, steps: 3_000, method: 'implicit' };

test('six demo keys of one address are one tenant: a quiet one gets the next place', async () => {
  const finished: string[] = [];
  const solve = async (name: string, headers: Record<string, string>) => {
    const answer = await service.call('POST /api/svc/heat', { json: RUN, headers });
    finished.push(name);
    return answer.status;
  };
  const minted = await Promise.all(Array.from({ length: KEYS }, () => services.keys.mintDemo()));
  const storm = minted.flatMap(({ key }) =>
    Array.from({ length: CALLS_PER_KEY }, () => solve('storm', { authorization: `Bearer ${key}` })),
  );
  // Places of one tenant, waiting or running; the other calls are refused.
  await expect.poll(() => pool.load()).toEqual({ size: 1, running: 1, waiting: LIMITS.kernel.perOwner - 1 });
  await expect.poll(() => finished.length).toBeGreaterThanOrEqual(KEYS * CALLS_PER_KEY - LIMITS.kernel.perOwner);

  const before = finished.length;
  const quiet = await solve('quiet', { authorization: `Bearer ${service.keys.write}` });
  expect(quiet).toBe(200);
  // The run that had the worker, and one that was answered while the quiet call was on its way.
  expect(finished.indexOf('quiet') - before).toBeLessThanOrEqual(2);
  const statuses = await Promise.all(storm);
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMITS.kernel.perOwner);
  expect(statuses.filter((status) => status === 429)).toHaveLength(KEYS * CALLS_PER_KEY - LIMITS.kernel.perOwner);
});
