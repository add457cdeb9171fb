// A run with readers: any order of frames, reads and disconnections; bounded bytes; nobody listening.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { LiveRun } from '../../../src/services/compute/live-run.ts';
import type { Frame } from '../../../src/services/node/tail-log.ts';

const LIMITS = { ringFrames: 8, ringBytes: 2_000, abandonedMs: 1_000 };
const newRun = (limits = LIMITS) => new LiveRun({ id: 'r', keyId: 'k', tenant: 't', solver: 'heat', limits });
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A reader that keeps its place over disconnections. */
class Reader {
  readonly #run: LiveRun;
  readonly seen: Frame[] = [];
  #frames: AsyncGenerator<Frame, void, void> | undefined;
  since = 0;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  async read(): Promise<void> {
    this.#frames ??= this.#run.read(this.since, never, {});
    const { value } = await this.#frames.next();
    if (!value) return;
    if (value.type !== 'begin') this.seen.push(value);
    this.since = value.seq;
  }

  async disconnect(): Promise<void> {
    await this.#frames?.return();
    this.#frames = undefined;
  }

  get hasMore(): boolean {
    return this.seen.at(-1)?.type !== 'result';
  }
}

const Step = fc.constantFrom('push', 'push', 'push', 'read', 'disconnect');

test('a reader misses nothing but what gaps name, whatever happens, and the run keeps bounded bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 80 }), fc.nat(300), async (steps, characters) => {
      const run = newRun();
      const reader = new Reader(run);
      let pushed = 0;
      for (const step of steps) {
        if (step === 'push') run.push({ fraction: ++pushed, text: 'ü'.repeat(characters) });
        // A read waits for a frame that nobody will push here.
        else if (step === 'read' && reader.since < pushed) await reader.read();
        else if (step === 'disconnect') await reader.disconnect();
        expect(run.bytes).toBeLessThanOrEqual(LIMITS.ringBytes);
      }
      run.finish('{"ok":true}');
      while (reader.hasMore) await reader.read();
      let seq = 0;
      for (const frame of reader.seen) {
        if (frame.type === 'gap') expect(frame.data).toEqual({ from: seq + 1, to: frame.seq });
        else expect(frame.seq).toBe(seq + 1);
        if (frame.type === 'frame') expect(JSON.parse(frame.json ?? '')).toMatchObject({ fraction: frame.seq });
        seq = frame.seq;
      }
      expect(seq).toBe(pushed + 1);
      expect(reader.seen.at(-1)).toMatchObject({ type: 'result', json: '{"ok":true}' });
      await reader.disconnect();
      expect(run.readers).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test('a reader who sleeps through 1,000 frames finds the newest ones and a gap', async () => {
  const run = newRun({ ...LIMITS, ringFrames: 64, ringBytes: 1_000_000 });
  const reader = new Reader(run);
  run.push({ fraction: 0 });
  await reader.read();
  await reader.read();
  for (let i = 1; i < 1_000; i++) run.push({ fraction: i / 1_000, base64: 'x'.repeat(80_000) });
  expect(run.bytes).toBeGreaterThan(900_000);
  expect(run.bytes).toBeLessThanOrEqual(1_000_000);
  run.finish('{}');
  while (reader.hasMore) await reader.read();
  expect(reader.seen.map(({ type }) => type)).toEqual(['frame', 'gap', ...Array(12).fill('frame'), 'result']);
});

test('a picture that has no room in the ring is sent without the picture', async () => {
  const run = newRun();
  run.push({ fraction: 0.5, base64: 'x'.repeat(5_000) });
  const reader = new Reader(run);
  await reader.read();
  await reader.read();
  expect(reader.seen).toMatchObject([{ seq: 1, json: '{"fraction":0.5}' }]);
});

test('a run without readers is cancelled, and one with a reader is not', async () => {
  const run = newRun();
  const reader = new Reader(run);
  await reader.read();
  vi.advanceTimersByTime(10_000);
  expect(run.signal.aborted).toBe(false);
  await reader.disconnect();
  vi.advanceTimersByTime(999);
  const other = new Reader(run);
  await other.read();
  vi.advanceTimersByTime(10_000);
  expect(run.signal.aborted).toBe(false);
  await other.disconnect();
  vi.advanceTimersByTime(1_000);
  expect(run.signal.aborted).toBe(true);
  const late = new Reader(run);
  await late.read();
  await expect(late.read()).rejects.toMatchObject({ code: 'CANCELLED', message: /no reader for 1 s/ });
});

test('a run that has ended changes no more', async () => {
  const run = newRun();
  run.finish('{"ok":true}');
  run.push({ fraction: 1 });
  run.cancel(new DomainError('CANCELLED', 'too late'));
  run.fail(new Error('too late'));
  vi.advanceTimersByTime(10_000);
  expect(run.signal.aborted).toBe(false);
  const reader = new Reader(run);
  while (reader.hasMore) await reader.read();
  expect(reader.seen).toHaveLength(1);
});
