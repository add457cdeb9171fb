import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { KernelImage, KernelRun } from '../../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../../src/kernels/instance.ts';
import { InstanceCache } from '../../src/kernels/instance-cache.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { harnessImage } from '../numerics/compile.ts';

const MODE = { count: 0, trap: 2, reject: 4, finishEarly: 5 };
const MEGABYTE = 1 << 20;

let image: KernelImage;

beforeAll(async () => {
  image = await harnessImage('test/harness/faulty-kernel.ts');
});

function faulty(mode: number, steps = 10, additions = 10): KernelRun {
  return { parameters: { mode, length: 4, additions }, steps, outputs: ['field'], statistics: ['sum', 'runs'] };
}

test('a long run yields to the event loop and can be cancelled', async () => {
  const abort = new AbortController();
  const onProgress = () => setTimeout(() => abort.abort(), 0);
  const longRun = faulty(MODE.count, 20_000, 1_000_000);
  const running = new LocalRunner().run(image, longRun, { signal: abort.signal, onProgress });
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a run that exceeds its deadline reports the deadline', async () => {
  const running = new LocalRunner().run(image, faulty(MODE.count, 1_000_000, 1_000_000), { deadlineMs: 30 });
  await expect(running).rejects.toMatchObject({ code: 'OUT_OF_TIME', message: expect.stringContaining('30 ms') });
});

test('two concurrent runs of one kernel never share memory', async () => {
  const runner = new LocalRunner();
  const outputs = await Promise.all([60, 90].map((steps) => runner.run(image, faulty(MODE.count, steps, 1_000_000))));
  expect(outputs.map((output) => output.statistics.sum)).toEqual([60e6, 90e6]);
});

test('an instance is reused, but not after a trap or a rejected parameter', async () => {
  const runner = new LocalRunner();
  await expect(runner.run(image, faulty(MODE.trap))).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  await expect(runner.run(image, faulty(MODE.reject))).rejects.toMatchObject({
    facts: { parameter: 'mode', value: '4' },
  });
  expect((await runner.run(image, faulty(MODE.count))).statistics).toEqual({ sum: 100, runs: 1 });
  expect((await runner.run(image, faulty(MODE.count))).statistics).toEqual({ sum: 100, runs: 2 });
});

test('short runs that begin together take turns with one instance', async () => {
  const runner = new LocalRunner();
  const outputs = await Promise.all(Array.from({ length: 200 }, () => runner.run(image, faulty(MODE.count))));
  // Each says how often its instance has run; a yield in the middle of a run may make another one.
  expect(Math.max(...outputs.map(({ statistics }) => statistics.runs ?? 0))).toBeGreaterThan(60);
});

test('a kernel that stops advancing has finished early', async () => {
  const output = await new LocalRunner().run(image, faulty(MODE.finishEarly, 1000));
  expect(output).toMatchObject({ info: 0, steps: 3 });
});

test('an input longer than its view is rejected before it is written', async () => {
  const run = { ...faulty(MODE.count), inputs: { field: new Float64Array(5) } };
  await expect(new LocalRunner().run(image, run)).rejects.toMatchObject({ message: /holds 4 elements, got 5/ });
});

test('a name that the kernel does not have is rejected, with those that it has', async () => {
  const messageOf = (change: Partial<KernelRun>) =>
    new LocalRunner().run(image, { ...faulty(MODE.count), ...change }).catch((error: Error) => error.message);
  const parameters = { ...faulty(MODE.count).parameters, constructor: 1 };
  expect(await messageOf({ parameters })).toBe(
    'Kernel faulty-kernel has no parameter constructor; it has mode, length, additions.',
  );
  const field = new Float64Array(1);
  expect(await messageOf({ inputs: { fields: field } })).toMatch('no view fields; it has field.');
  expect(await messageOf({ outputs: ['toString'] })).toMatch('no view toString; it has field.');
  expect(await messageOf({ statistics: ['run'] })).toMatch('no statistic run; it has sum, runs.');
});

test('a parameter that is left out is 0', async () => {
  const runner = new LocalRunner();
  await runner.run(image, faulty(MODE.count));
  const output = await runner.run(image, { parameters: { length: 4 }, steps: 10, outputs: ['field'] });
  expect(output.views).toEqual({ field: new Float64Array(4) });
  expect(output.statistics).toEqual({});
});

test('short chunks grow and long chunks shrink', async () => {
  const instance = instantiate(await compileKernel(image));
  let ms = 0;
  const fractions = (costMs: number, steps: number) => {
    const nowMs = () => {
      ms += costMs;
      return ms;
    };
    return [...drive(instance, faulty(MODE.count, steps), nowMs)].map((fraction) => Math.round(fraction * steps));
  };
  expect(fractions(0, 31)).toEqual([0, 0, 1, 3, 7, 15, 31]);
  expect(fractions(LIMITS.kernel.chunkMs, 4)).toEqual([0, 0, 1, 2, 3, 4]);
});

test('idle instances are cached up to a memory limit, least recently used first out', async () => {
  const cache = new InstanceCache();
  const module = await compileKernel(image);
  const withHash = (sha256: string) => ({ ...module, sha256 });
  const use = (sha256: string, bytes: number) => {
    const instance = cache.acquire(withHash(sha256));
    instance.exports.memory.grow(bytes / 65_536);
    cache.release(withHash(sha256), instance);
    return instance;
  };
  const [a, b] = [use('a', 20 * MEGABYTE), use('b', 20 * MEGABYTE)];
  use('a', 0);
  use('c', 30 * MEGABYTE);
  expect(cache.bytes).toBeLessThanOrEqual(LIMITS.kernel.idleInstanceBytes);
  expect(cache.acquire(withHash('a'))).toBe(a);
  expect(cache.acquire(withHash('b'))).not.toBe(b);
  cache.release(withHash('c'), cache.acquire(withHash('c')));
  use('d', LIMITS.kernel.idleInstanceBytes);
  expect(cache.bytes).toBe(0);
});

test('the maximum memory of a kernel equals the limit for plans', () => {
  const options = JSON.parse(readFileSync(join(ROOT, 'asconfig.json'), 'utf8')) as {
    options: { maximumMemory: number };
  };
  expect(options.options.maximumMemory * 65_536).toBe(LIMITS.kernel.memoryBytes);
});
