// Attack: many demo keys of one address fill the queue of the solvers.

import { afterEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService({}, { SVC_WORKERS: '1' });
const { url, services, pool } = service.running;

afterEach(() => void vi.restoreAllMocks());

const KEYS = 6;
const CALLS_PER_KEY = 4;
/** Long enough for the pool. */
const RUN = { dim: 2, nx: 48, steps: 400, method: 'implicit' };
/** Holds the only worker until it is cancelled. */
const ENDLESS = { N: 2_000, steps: 100_000 };

test('six demo keys of one address are one tenant: a quiet one gets the next place', async () => {
  const { perOwner } = LIMITS.kernel;
  const account = (await services.access.authenticate(service.keys.write)).accountId;
  // With one worker, runs end in the order in which they got their place.
  const order: string[] = [];
  const run = pool.run.bind(pool);
  vi.spyOn(pool, 'run').mockImplementation(async (image, given, controls) => {
    const output = await run(image, given, controls);
    order.push(controls?.owner === account ? 'quiet' : 'storm');
    return output;
  });

  const minted = await Promise.all(Array.from({ length: KEYS }, () => services.keys.mintDemo()));
  const headersOf = (key = '') => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const abort = new AbortController();
  const endless = fetch(`${url}/api/svc/evolve`, {
    ...{ method: 'POST', body: JSON.stringify(ENDLESS), headers: headersOf(minted[0]?.key), signal: abort.signal },
  }).catch(() => undefined);
  await expect.poll(() => pool.load()).toEqual({ size: 1, running: 1, waiting: 0 });

  const solve = async (headers: Record<string, string>) =>
    (await service.call('POST /api/svc/heat', { json: RUN, headers })).status;
  const storm = minted.flatMap(({ key }) => Array.from({ length: CALLS_PER_KEY }, () => solve(headersOf(key))));
  const refused = Promise.all(storm).then((statuses) => statuses.filter((status) => status === 429).length);
  await expect.poll(() => pool.load().waiting).toBe(perOwner - 1);
  const quiet = solve({ authorization: `Bearer ${service.keys.write}` });
  await expect.poll(() => pool.load().waiting).toBe(perOwner);

  abort.abort();
  expect(await quiet).toBe(200);
  await endless;
  // Places of one tenant, waiting or running; the other calls are refused.
  expect(await refused).toBe(KEYS * CALLS_PER_KEY - (perOwner - 1));
  expect(order[0]).toBe('quiet');
  expect(order.filter((name) => name === 'storm')).not.toHaveLength(0);
});

test('a quiet account has its place after one run of another, beside six demo keys as beside none', async () => {
  const { access, keys } = services;
  const account = (await access.authenticate(service.keys.write)).accountId;
  const counts = { storm: 0 };
  /** Runs of others that ended while a quiet one waited or ran. */
  const passed: number[] = [];
  const run = pool.run.bind(pool);
  vi.spyOn(pool, 'run').mockImplementation(async (image, given, controls) => {
    const isQuiet = controls?.owner === account;
    const before = counts.storm;
    const output = await run(image, given, controls);
    if (isQuiet) passed.push(counts.storm - before);
    else counts.storm++;
    return output;
  });
  const solve = async (key: string, n: number) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await service.call('POST /api/svc/heat', { json: { ...RUN, steps: RUN.steps + n }, headers })).status;
  };
  const RUNS = 6;
  for (let i = 0; i < RUNS; i++) expect(await solve(service.keys.write, i)).toBe(200);
  expect(passed.splice(0)).toEqual(Array.from({ length: RUNS }, () => 0));
  const minted = await Promise.all(Array.from({ length: KEYS }, () => keys.mintDemo()));
  let isOver = false;
  let refused = 0;
  const storm = minted.flatMap(({ key }) =>
    Array.from({ length: CALLS_PER_KEY }, async () => {
      for (let n = 0; !isOver; n++) if ((await solve(key, n % 7)) === 429) refused++;
    }),
  );
  await expect.poll(() => pool.load().waiting).toBeGreaterThan(2);
  for (let i = 0; i < RUNS; i++) expect(await solve(service.keys.write, i)).toBe(200);
  isOver = true;
  await Promise.all(storm);
  expect(passed).toHaveLength(RUNS);
  // Alone it waits for nobody; beside them for the run that the only worker has.
  expect(Math.max(...passed)).toBeLessThanOrEqual(1);
  expect(counts.storm).toBeGreaterThan(RUNS / 2);
  expect(refused).toBeGreaterThan(0);
});
