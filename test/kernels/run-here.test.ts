import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { KernelImage, KernelRun } from '../../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../../src/kernels/instance.ts';
import { LocalRunner } from '../../src/kernels/run-here.ts';
import { WarmInstances } from '../../src/kernels/warm.ts';
import { harnessImage } from '../numerics/compile.ts';

const MANNER = { count: 0, trap: 2, refuse: 4, early: 5 };
const MEGABYTE = 1 << 20;

let image: KernelImage;

beforeAll(async () => {
  image = await harnessImage('test/harness/faulty-kernel.ts');
});

function unruly(manner: number, steps = 10, additions = 10): KernelRun {
  return { parameters: [manner, 4, additions], steps, outputs: [0], statistics: 2 };
}

test('the event loop gets its turns during a long run, and a cancellation gets in', async () => {
  const gone = new AbortController();
  const onProgress = () => setTimeout(() => gone.abort(), 0);
  const long = unruly(MANNER.count, 20_000, 1_000_000);
  const running = new LocalRunner().run(image, long, { signal: gone.signal, onProgress });
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a run that is out of time says how much it had', async () => {
  const running = new LocalRunner().run(image, unruly(MANNER.count, 1_000_000, 1_000_000), { deadlineMs: 30 });
  await expect(running).rejects.toMatchObject({ code: 'OUT_OF_TIME', message: expect.stringContaining('30 ms') });
});

test('two runs of one kernel at the same time never share a memory', async () => {
  const runner = new LocalRunner();
  const outputs = await Promise.all([60, 90].map((steps) => runner.run(image, unruly(MANNER.count, steps, 1_000_000))));
  expect(outputs.map((output) => output.statistics[0])).toEqual([60e6, 90e6]);
});

test('an instance is used again, but not after a trap or a refusal', async () => {
  const runner = new LocalRunner();
  await expect(runner.run(image, unruly(MANNER.trap))).rejects.toMatchObject({ code: 'KERNEL_FAILED' });
  await expect(runner.run(image, unruly(MANNER.refuse))).rejects.toMatchObject({ facts: { parameter: 1 } });
  expect((await runner.run(image, unruly(MANNER.count))).statistics).toEqual(new Float64Array([100, 1]));
  expect((await runner.run(image, unruly(MANNER.count))).statistics).toEqual(new Float64Array([100, 2]));
});

test('a kernel that stops advancing has finished early', async () => {
  const output = await new LocalRunner().run(image, unruly(MANNER.early, 1000));
  expect(output).toMatchObject({ info: 0, steps: 3 });
});

test('an array that is longer than its view is refused before it overwrites anything', async () => {
  const run = { ...unruly(MANNER.count), inputs: [{ view: 0, data: new Float64Array(5) }] };
  await expect(new LocalRunner().run(image, run)).rejects.toMatchObject({ message: /holds 4 elements, got 5/ });
});

test('more parameters than the block holds are refused', async () => {
  const run = { ...unruly(MANNER.count), parameters: new Array(65).fill(0) };
  await expect(new LocalRunner().run(image, run)).rejects.toMatchObject({ message: /64 parameters, got 65/ });
});

test('chunks grow while they are short, and shrink when they are long', async () => {
  const instance = instantiate(await compileKernel(image));
  let ms = 0;
  const fractions = (costMs: number, steps: number) => {
    const nowMs = () => {
      ms += costMs;
      return ms;
    };
    return [...drive(instance, unruly(MANNER.count, steps), nowMs)].map((fraction) => Math.round(fraction * steps));
  };
  expect(fractions(0, 31)).toEqual([1, 3, 7, 15, 31]);
  expect(fractions(LIMITS.kernel.chunkMs, 4)).toEqual([1, 2, 3, 4]);
});

test('idle instances are kept up to a bound of memory, the latest used longest', async () => {
  const warm = new WarmInstances();
  const module = await compileKernel(image);
  const named = (sha256: string) => ({ ...module, sha256 });
  const used = (sha256: string, bytes: number) => {
    const instance = warm.take(named(sha256));
    instance.exports.memory.grow(bytes / 65_536);
    warm.give(named(sha256), instance);
    return instance;
  };
  const [a, b] = [used('a', 20 * MEGABYTE), used('b', 20 * MEGABYTE)];
  used('a', 0);
  used('c', 30 * MEGABYTE);
  expect(warm.bytes).toBeLessThanOrEqual(LIMITS.kernel.warmBytes);
  expect(warm.take(named('a'))).toBe(a);
  expect(warm.take(named('b'))).not.toBe(b);
  warm.give(named('c'), warm.take(named('c')));
  used('d', LIMITS.kernel.warmBytes);
  expect(warm.bytes).toBe(0);
});

test('the largest memory of a kernel is the limit that plans are held to', () => {
  const options = JSON.parse(readFileSync(join(ROOT, 'asconfig.json'), 'utf8')) as {
    options: { maximumMemory: number };
  };
  expect(options.options.maximumMemory * 65_536).toBe(LIMITS.kernel.memoryBytes);
});
