import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { KernelImage, KernelRun } from '../../src/kernels/abi.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { createPool, type Pool, type PoolOptions } from '../../src/kernels/pool.ts';
import { TaskPool } from '../../src/kernels/task-pool.ts';
import { harnessImage } from '../numerics/compile.ts';

const MODE = { count: 0, loopForever: 1, trap: 2, exhaustMemory: 3, reject: 4 };
/** Additions in a step of about a millisecond. */
const ADDITIONS_PER_MS = 1_000_000;

let image: KernelImage;
const pools: Pool[] = [];

beforeAll(async () => {
  image = await harnessImage('test/harness/faulty-kernel.ts');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function openPool(options: PoolOptions = {}): Pool {
  const pool = createPool({ size: 1, ...options });
  pools.push(pool);
  return pool;
}

function faulty(mode: number, steps = 10, additions = 10): KernelRun {
  const inputs = { field: new Float64Array([0.5]) };
  const parameters = { mode, length: 4, additions };
  return { parameters, inputs, steps, outputs: ['field'], statistics: ['sum', 'runs'] };
}

const shortRun = faulty(MODE.count);
const longRun = faulty(MODE.count, 1_000_000, ADDITIONS_PER_MS);

test('a run in the pool gives the same bits as a run in this thread', async () => {
  const local = await new LocalRunner().run(image, shortRun);
  expect(await openPool().run(image, shortRun)).toEqual(local);
  expect(local.views.field).toEqual(new Float64Array([100.5, 0, 0, 0]));
});

test('many runs on two workers each get their own output', async () => {
  const pool = openPool({ size: 2 });
  const runs = Array.from({ length: 30 }, (_, i) => pool.run(image, faulty(MODE.count, i)));
  const sums = (await Promise.all(runs)).map((output) => output.views.field?.[0]);
  expect(sums).toEqual(Array.from({ length: 30 }, (_, i) => i * 10 + 0.5));
  expect(pool.load()).toEqual({ size: 2, running: 0, waiting: 0 });
});

test('inputs are copied, and a view into a large buffer posts only its own elements', async () => {
  const large = new Float64Array(1_000_000).fill(2);
  const run = { ...shortRun, inputs: { field: large.subarray(5, 7) } };
  const output = await openPool().run(image, run);
  expect(output.views.field?.slice(1)).toEqual(new Float64Array([2, 0, 0]));
  expect(large.length).toBe(1_000_000);
});

test('a long run in the pool does not block the event loop', async () => {
  const abort = new AbortController();
  const pool = openPool();
  await pool.run(image, shortRun);
  const running = pool.run(image, longRun, { signal: abort.signal });
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
  abort.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a cancelled run frees its worker between two chunks, without terminating it', async () => {
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  const abort = new AbortController();
  const pool = openPool();
  let fraction = 0;
  const firstProgress = Promise.withResolvers<void>();
  const onProgress = (now: number) => {
    fraction = now;
    firstProgress.resolve();
  };
  const running = pool.run(image, longRun, { signal: abort.signal, onProgress });
  await firstProgress.promise;
  expect(fraction).toBeGreaterThan(0);
  abort.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await pool.run(image, shortRun)).steps).toBe(10);
  expect(terminate).not.toHaveBeenCalled();
});

test('an instance is reused, but not after a trap', async () => {
  const pool = openPool();
  const runsOfInstance = async () => (await pool.run(image, shortRun)).statistics.runs;
  expect([await runsOfInstance(), await runsOfInstance()]).toEqual([1, 2]);
  await expect(pool.run(image, faulty(MODE.trap))).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  expect(await runsOfInstance()).toBe(1);
});

test('a waiting run that is cancelled leaves the queue', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const pool = openPool();
  const running = pool.run(image, longRun, { signal: first.signal });
  const waiting = pool.run(image, shortRun, { signal: second.signal });
  expect(pool.load()).toEqual({ size: 1, running: 1, waiting: 1 });
  second.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(pool.load()).toEqual({ size: 1, running: 1, waiting: 0 });
  first.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(pool.run(image, shortRun, { signal: first.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a run that exceeds its deadline is OUT_OF_TIME; one that no worker has begun by then is QUEUE_FULL', async () => {
  const pool = openPool();
  await pool.run(image, shortRun);
  const running = pool.run(image, longRun, { deadlineMs: 60 });
  const waiting = pool.run(image, shortRun, { deadlineMs: 30 });
  const message = expect.stringContaining('did not start within 30 ms');
  await expect(waiting).rejects.toMatchObject({ code: 'QUEUE_FULL', message, retryAfterSeconds: expect.any(Number) });
  await expect(running).rejects.toMatchObject({ code: 'OUT_OF_TIME', message: expect.stringContaining('60 ms') });
  expect((await pool.run(image, shortRun)).info).toBe(0);
});

test('the deadline of a run begins when a worker begins it', async () => {
  const [waitMs, deadlineMs] = [200, 1_000];
  const abort = new AbortController();
  const pool = openPool();
  await pool.run(image, shortRun);
  const first = pool.run(image, longRun, { signal: abort.signal });
  const begin = performance.now();
  const second = pool.run(image, longRun, { deadlineMs });
  setTimeout(() => abort.abort(), waitMs);
  await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(second).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
  expect(performance.now() - begin).toBeGreaterThan(waitMs + deadlineMs - 20);
});

test('a worker that loads its script uses up no deadline, and is not ended for a run that nobody waits for', async () => {
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  const pool = openPool({ script: new URL('./fixtures/slow-worker.ts', import.meta.url) });
  await expect(pool.run(image, shortRun, { deadlineMs: 50 })).rejects.toMatchObject({ code: 'QUEUE_FULL' });
  expect((await pool.run(image, shortRun)).steps).toBe(10);
  expect(terminate).not.toHaveBeenCalled();
});

test('a warm pool has a worker: none starts with the first task', async () => {
  const start = vi.spyOn(Worker.prototype, 'unref');
  const pool = openPool({ size: 3 });
  await pool.warm();
  const started = new Set(start.mock.contexts);
  expect(started.size).toBe(1);
  await pool.warm();
  await pool.run(image, shortRun);
  expect(new Set(start.mock.contexts)).toEqual(started);
});

test('a worker that becomes free takes the task of one that still loads its script', async () => {
  const pool = openPool({ size: 2, script: new URL('./fixtures/slow-worker.ts', import.meta.url) });
  await pool.run(image, shortRun);
  const [, second] = await Promise.all([pool.run(image, faulty(MODE.count, 20, 10)), pool.run(image, shortRun)]);
  // The instance of the first worker has made all three.
  expect(second.statistics.runs).toBe(3);
});

test('an owner runs no more tasks than it may, also while a worker is free', async () => {
  const abort = new AbortController();
  const pool = openPool({ size: 2, maxRunningPerOwner: 1 });
  const long = [1, 2].map(() => pool.run(image, longRun, { owner: 'greedy', signal: abort.signal }));
  expect(pool.load()).toEqual({ size: 2, running: 1, waiting: 1 });
  expect((await pool.run(image, shortRun, { owner: 'modest' })).steps).toBe(10);
  abort.abort();
  for (const run of long) await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a kernel that never returns is terminated with its worker, and the next run gets a new worker', async () => {
  const pool = openPool();
  await pool.run(image, shortRun);
  const stuck = pool.run(image, faulty(MODE.loopForever), { deadlineMs: 100 });
  const behind = pool.run(image, shortRun);
  await expect(stuck).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
  expect((await behind).steps).toBe(10);
});

test('a trap is KERNEL_FAILED and does not affect other runs', async () => {
  const pool = openPool();
  const [trapped, sound] = await Promise.allSettled([pool.run(image, faulty(MODE.trap)), pool.run(image, shortRun)]);
  expect(trapped).toMatchObject({
    status: 'rejected',
    reason: { code: 'KERNEL_FAILED', message: /trapped in advance/ },
  });
  expect(sound).toMatchObject({ status: 'fulfilled', value: { steps: 10 } });
});

test('an illegal parameter is reported with its value', async () => {
  const refused = openPool().run(image, faulty(MODE.reject));
  await expect(refused).rejects.toMatchObject({ code: 'KERNEL_FAILED', facts: { parameter: 'mode', value: '4' } });
});

test('a kernel that exceeds the maximum memory returns an outcome and does not crash', async () => {
  const pool = openPool();
  expect((await pool.run(image, faulty(MODE.exhaustMemory))).info).toBe(3);
  expect((await pool.run(image, shortRun)).info).toBe(0);
});

test.each([
  ['exits', 7],
  ['exhausts its heap', 8],
])('a worker that %s fails only its own run', async (_, steps) => {
  const script = new URL('./fixtures/crashing-worker.ts', import.meta.url);
  const pool = openPool({ size: 2, script });
  const other = pool.run(image, faulty(MODE.count, 100, ADDITIONS_PER_MS));
  await expect(pool.run(image, faulty(MODE.count, steps))).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  expect((await other).steps).toBe(100);
  expect((await pool.run(image, shortRun)).steps).toBe(10);
});

test('a worker that cannot start fails the run instead of hanging', async () => {
  const script = new URL('./fixtures/no-such-worker.ts', import.meta.url);
  await expect(openPool({ script }).run(image, shortRun)).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
});

test.runIf(process.platform === 'linux')(
  'workers of a nice pool rank behind the event loop, which keeps its own rank',
  async () => {
    const own = getPriority();
    const kind = { script: new URL('./fixtures/priority-worker.ts', import.meta.url), heapMb: 16 };
    const prepare = async () => ({ fields: {}, transfer: [] });
    const priorityOf = async (options: PoolOptions) => {
      const pool = new TaskPool<undefined, number>({ ...kind, prepare }, { size: 1, ...options });
      const priority = await pool.run(undefined);
      await pool.close();
      return priority;
    };
    expect(await priorityOf({ niceness: 7 })).toBe(own + 7);
    expect(await priorityOf({})).toBe(own);
    expect(getPriority()).toBe(own);
  },
);

test('invalid kernel bytes fail the run and leave the worker free', async () => {
  const pool = openPool();
  const noise = { slug: 'noise', sha256: 'ff', bytes: new Uint8Array([1, 2, 3]) };
  await expect(pool.run(noise, shortRun)).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  expect((await pool.run(image, shortRun)).steps).toBe(10);
});

test('a full queue rejects runs with a retry time', async () => {
  const abort = new AbortController();
  const pool = openPool({ maxQueued: 2 });
  const accepted = [1, 2, 3].map(() => pool.run(image, longRun, { signal: abort.signal }));
  const refused = pool.run(image, shortRun);
  await expect(refused).rejects.toMatchObject({ code: 'QUEUE_FULL', retryAfterSeconds: expect.any(Number) });
  abort.abort();
  for (const run of accepted) await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await pool.run(image, shortRun)).steps).toBe(10);
});

test('one owner cannot occupy the whole pool, and its share is freed afterwards', async () => {
  const abort = new AbortController();
  const pool = openPool({ maxPerOwner: 2 });
  const accepted = [1, 2].map(() => pool.run(image, longRun, { owner: 'greedy', signal: abort.signal }));
  await expect(pool.run(image, shortRun, { owner: 'greedy' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const otherRun = pool.run(image, shortRun, { owner: 'modest' });
  abort.abort();
  for (const run of accepted) await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await otherRun).steps).toBe(10);
  expect((await pool.run(image, shortRun, { owner: 'greedy' })).steps).toBe(10);
});

test('an owner with one run displaces a waiting run of an owner with many from a full queue', async () => {
  const abort = new AbortController();
  const pool = openPool({ maxQueued: 2 });
  const greedy = [1, 2, 3].map(() => pool.run(image, longRun, { owner: 'greedy', signal: abort.signal }));
  const modest = pool.run(image, shortRun, { owner: 'modest' });
  await expect(greedy[2]).rejects.toMatchObject({ code: 'QUEUE_FULL', retryAfterSeconds: expect.any(Number) });
  expect(pool.load()).toEqual({ size: 1, running: 1, waiting: 2 });
  abort.abort();
  for (const run of greedy.slice(0, 2)) await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await modest).steps).toBe(10);
});

test('progress increases and is reported at most every 100 ms', async () => {
  const reports: { fraction: number; at: number }[] = [];
  const onProgress = (fraction: number) => reports.push({ fraction, at: performance.now() });
  const begin = performance.now();
  await openPool().run(image, faulty(MODE.count, 400, ADDITIONS_PER_MS), { onProgress });
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.length).toBeLessThanOrEqual((performance.now() - begin) / 100);
  expect(reports.map(({ fraction }) => fraction)).toEqual(
    reports.map(({ fraction }) => fraction).toSorted((a, b) => a - b),
  );
});

test('a draining pool finishes accepted runs and rejects new runs', async () => {
  const pool = openPool();
  const accepted = [1, 2, 3].map(() => pool.run(image, shortRun));
  const closed = pool.close({ drain: true });
  await expect(pool.run(image, shortRun)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  await closed;
  expect((await Promise.all(accepted)).map((output) => output.steps)).toEqual([10, 10, 10]);
});

test('closing a pool rejects running and waiting runs', async () => {
  const pool = openPool();
  await pool.run(image, shortRun);
  const accepted = Promise.allSettled([pool.run(image, faulty(MODE.loopForever)), pool.run(image, shortRun)]);
  await pool.close();
  expect(await accepted).toMatchObject([{ reason: { code: 'SHUTTING_DOWN' } }, { reason: { code: 'SHUTTING_DOWN' } }]);
});
