import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { KernelImage, KernelRun } from '../../src/kernels/abi.ts';
import { createPool, type Pool, type PoolOptions } from '../../src/kernels/pool.ts';
import { LocalRunner } from '../../src/kernels/run-here.ts';
import { harnessImage } from '../numerics/compile.ts';

const MANNER = { count: 0, spin: 1, trap: 2, hog: 3, refuse: 4 };
/** Additions in a step of about a millisecond. */
const HEAVY = 1_000_000;

let image: KernelImage;
const pools: Pool[] = [];

beforeAll(async () => {
  image = await harnessImage('test/harness/faulty-kernel.ts');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function open(options: PoolOptions = {}): Pool {
  const pool = createPool({ size: 1, ...options });
  pools.push(pool);
  return pool;
}

function unruly(manner: number, steps = 10, additions = 10): KernelRun {
  const inputs = [{ view: 0, data: new Float64Array([0.5]) }];
  return { parameters: [manner, 4, additions], inputs, steps, outputs: [0], statistics: 2 };
}

const well = unruly(MANNER.count);
const long = unruly(MANNER.count, 1_000_000, HEAVY);

test('a run in the pool leaves the same bits as a run in this thread', async () => {
  const here = await new LocalRunner().run(image, well);
  expect(await open().run(image, well)).toEqual(here);
  expect(here.views[0]).toEqual(new Float64Array([100.5, 0, 0, 0]));
});

test('many runs over two workers each get their own answer', async () => {
  const pool = open({ size: 2 });
  const runs = Array.from({ length: 30 }, (_, i) => pool.run(image, unruly(MANNER.count, i)));
  const sums = (await Promise.all(runs)).map((output) => output.views[0]?.[0]);
  expect(sums).toEqual(Array.from({ length: 30 }, (_, i) => i * 10 + 0.5));
  expect(pool.load()).toEqual({ size: 2, running: 0, waiting: 0 });
});

test('the inputs stay with the caller, and a view into a large buffer posts only its own elements', async () => {
  const large = new Float64Array(1_000_000).fill(2);
  const run = { ...well, inputs: [{ view: 0, data: large.subarray(5, 7) }] };
  const output = await open().run(image, run);
  expect(output.views[0]?.slice(1)).toEqual(new Float64Array([2, 0, 0]));
  expect(large.length).toBe(1_000_000);
});

test('the event loop keeps turning while a heavy run is in the pool', async () => {
  const gone = new AbortController();
  const pool = open();
  await pool.run(image, well);
  const running = pool.run(image, long, { signal: gone.signal });
  let ticks = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      ticks++;
      if (ticks === 20) {
        clearInterval(timer);
        resolve();
      }
    }, 2);
  });
  expect(pool.load().running).toBe(1);
  gone.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a cancelled run frees its worker between two chunks, and the worker lives on', async () => {
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  const gone = new AbortController();
  const pool = open();
  let fraction = 0;
  const heard = Promise.withResolvers<void>();
  const onProgress = (now: number) => {
    fraction = now;
    heard.resolve();
  };
  const running = pool.run(image, long, { signal: gone.signal, onProgress });
  await heard.promise;
  expect(fraction).toBeGreaterThan(0);
  gone.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await pool.run(image, well)).steps).toBe(10);
  expect(terminate).not.toHaveBeenCalled();
});

test('an instance is used again, but not after a trap', async () => {
  const pool = open();
  const runsOfInstance = async () => (await pool.run(image, well)).statistics[1];
  expect([await runsOfInstance(), await runsOfInstance()]).toEqual([1, 2]);
  await expect(pool.run(image, unruly(MANNER.trap))).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  expect(await runsOfInstance()).toBe(1);
});

test('a run that is cancelled while it waits leaves the queue', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const pool = open();
  const running = pool.run(image, long, { signal: first.signal });
  const waiting = pool.run(image, well, { signal: second.signal });
  expect(pool.load()).toEqual({ size: 1, running: 1, waiting: 1 });
  second.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(pool.load()).toEqual({ size: 1, running: 1, waiting: 0 });
  first.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(pool.run(image, well, { signal: first.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a run that is out of time is answered so, whether it runs or waits', async () => {
  const pool = open();
  const running = pool.run(image, long, { deadlineMs: 60 });
  const waiting = pool.run(image, well, { deadlineMs: 30 });
  await expect(waiting).rejects.toMatchObject({ code: 'OUT_OF_TIME', message: expect.stringContaining('30 ms') });
  await expect(running).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
  expect((await pool.run(image, well)).info).toBe(0);
});

test('a kernel that never comes back is stopped with its worker, and the run behind it gets a new one', async () => {
  const pool = open();
  await pool.run(image, well);
  const stuck = pool.run(image, unruly(MANNER.spin), { deadlineMs: 100 });
  const behind = pool.run(image, well);
  await expect(stuck).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
  expect((await behind).steps).toBe(10);
});

test('a trap answers KERNEL_FAILED, and other runs are unharmed', async () => {
  const pool = open();
  const [trapped, sound] = await Promise.allSettled([pool.run(image, unruly(MANNER.trap)), pool.run(image, well)]);
  expect(trapped).toMatchObject({
    status: 'rejected',
    reason: { code: 'KERNEL_FAILED', message: /trapped in advance/ },
  });
  expect(sound).toMatchObject({ status: 'fulfilled', value: { steps: 10 } });
});

test('an illegal parameter is named with its value', async () => {
  const refused = open().run(image, unruly(MANNER.refuse));
  await expect(refused).rejects.toMatchObject({ code: 'KERNEL_FAILED', facts: { parameter: 1, value: '4' } });
});

test('a kernel that wants more memory than the maximum gets an outcome, not a crash', async () => {
  const pool = open();
  expect((await pool.run(image, unruly(MANNER.hog))).info).toBe(3);
  expect((await pool.run(image, well)).info).toBe(0);
});

test.each([
  ['ends', 7],
  ['runs out of heap', 8],
])('a worker that %s fails its own run only', async (_, steps) => {
  const script = new URL('./fixtures/mortal-worker.ts', import.meta.url);
  const pool = open({ size: 2, script });
  const other = pool.run(image, unruly(MANNER.count, 100, HEAVY));
  await expect(pool.run(image, unruly(MANNER.count, steps))).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  expect((await other).steps).toBe(100);
  expect((await pool.run(image, well)).steps).toBe(10);
});

test('a worker that cannot start fails the run instead of hanging', async () => {
  const script = new URL('./fixtures/no-such-worker.ts', import.meta.url);
  await expect(open({ script }).run(image, well)).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
});

test('bytes that are no kernel fail the run and leave the worker free', async () => {
  const pool = open();
  const noise = { slug: 'noise', sha256: 'ff', bytes: new Uint8Array([1, 2, 3]) };
  await expect(pool.run(noise, well)).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  expect((await pool.run(image, well)).steps).toBe(10);
});

test('above its bound the queue refuses and says when to come back', async () => {
  const gone = new AbortController();
  const pool = open({ queue: 2 });
  const taken = [1, 2, 3].map(() => pool.run(image, long, { signal: gone.signal }));
  const refused = pool.run(image, well);
  await expect(refused).rejects.toMatchObject({ code: 'QUEUE_FULL', retryAfterSeconds: expect.any(Number) });
  gone.abort();
  for (const run of taken) await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await pool.run(image, well)).steps).toBe(10);
});

test('one owner cannot take all places, and gets its own back', async () => {
  const gone = new AbortController();
  const pool = open({ perOwner: 2 });
  const taken = [1, 2].map(() => pool.run(image, long, { owner: 'greedy', signal: gone.signal }));
  await expect(pool.run(image, well, { owner: 'greedy' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const modest = pool.run(image, well, { owner: 'modest' });
  gone.abort();
  for (const run of taken) await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await modest).steps).toBe(10);
  expect((await pool.run(image, well, { owner: 'greedy' })).steps).toBe(10);
});

test('progress grows and comes at most every 100 ms', async () => {
  const told: { fraction: number; at: number }[] = [];
  const onProgress = (fraction: number) => told.push({ fraction, at: performance.now() });
  const begin = performance.now();
  await open().run(image, unruly(MANNER.count, 400, HEAVY), { onProgress });
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual((performance.now() - begin) / 100);
  expect(told.map((one) => one.fraction)).toEqual(told.map((one) => one.fraction).toSorted((a, b) => a - b));
});

test('a draining pool finishes what it took and takes nothing new', async () => {
  const pool = open();
  const taken = [1, 2, 3].map(() => pool.run(image, well));
  const closed = pool.close({ drain: true });
  await expect(pool.run(image, well)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  await closed;
  expect((await Promise.all(taken)).map((output) => output.steps)).toEqual([10, 10, 10]);
});

test('a pool that is closed ends running and waiting runs', async () => {
  const pool = open();
  await pool.run(image, well);
  const taken = Promise.allSettled([pool.run(image, unruly(MANNER.spin)), pool.run(image, well)]);
  await pool.close();
  expect(await taken).toMatchObject([{ reason: { code: 'SHUTTING_DOWN' } }, { reason: { code: 'SHUTTING_DOWN' } }]);
});
