import { describe, expect, test } from 'vitest';
import { Desk } from '../../src/portal/work/desk.ts';
import type { Order, Report } from '../../src/portal/work/messages.ts';

/** A worker that does what the test tells it to. */
class StubWorker extends EventTarget {
  readonly orders: Order[] = [];
  isTerminated = false;
  postMessage(order: Order): void {
    this.orders.push(order);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  say(report: Report): void {
    this.dispatchEvent(new MessageEvent('message', { data: report }));
  }
}

const GRACE_MS = 20;

function openDesk() {
  const workers: StubWorker[] = [];
  const desk = new Desk(() => {
    const worker = new StubWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  }, GRACE_MS);
  const workerAt = (index: number): StubWorker => {
    const worker = workers[index];
    if (!worker) throw new Error(`Worker ${index} was not started.`);
    return worker;
  };
  return { desk, workers, workerAt };
}

const ask = { envelope: {} };

describe('the desk', () => {
  test('answers belong to their questions, in whatever order they come', async () => {
    const { desk, workers, workerAt } = openDesk();
    const [first, second] = [desk.ask('seal', ask), desk.ask('seal', ask)];
    const [one, two] = workerAt(0).orders.map(({ id }) => id);
    workerAt(0).say({ id: two ?? 0, kind: 'done', answer: [{ claim: 'second', ok: true }] });
    workerAt(0).say({ id: one ?? 0, kind: 'done', answer: [{ claim: 'first', ok: true }] });
    expect((await first)[0]?.claim).toBe('first');
    expect((await second)[0]?.claim).toBe('second');
    expect(workers).toHaveLength(1);
  });

  test('a failure keeps its code and its details', async () => {
    const { desk, workerAt } = openDesk();
    const answer = desk.ask('seal', ask);
    const failure = { code: 'VALIDATION_FAILED', message: 'No.', details: [], facts: { why: 'because' } } as const;
    workerAt(0).say({ id: 1, kind: 'failed', failure });
    await expect(answer).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'No.',
      facts: { why: 'because' },
    });
  });

  test('a worker that dies fails what it had, and the next question gets a new one', async () => {
    const { desk, workers, workerAt } = openDesk();
    const lost = [desk.ask('seal', ask), desk.ask('seal', ask)];
    workerAt(0).dispatchEvent(new Event('error', { cancelable: true }));
    for (const one of lost) await expect(one).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(workerAt(0).isTerminated).toBe(true);
    const next = desk.ask('seal', ask);
    expect(workers).toHaveLength(2);
    workerAt(1).say({ id: 3, kind: 'done', answer: [] });
    expect(await next).toEqual([]);
  });

  test('a cancellation is answered at once and harms nobody else', async () => {
    const { desk, workers, workerAt } = openDesk();
    const controller = new AbortController();
    const cancelled = desk.ask('seal', ask, { signal: controller.signal });
    const other = desk.ask('seal', ask);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(workerAt(0).orders.at(-1)).toEqual({ id: 1, kind: 'cancel' });
    const failure = { code: 'CANCELLED', message: 'Cancelled.', details: [], facts: {} } as const;
    workerAt(0).say({ id: 1, kind: 'failed', failure });
    await new Promise((resolve) => setTimeout(resolve, 2 * GRACE_MS));
    workerAt(0).say({ id: 2, kind: 'done', answer: [] });
    expect(await other).toEqual([]);
    expect(workers).toHaveLength(1);
  });

  test('a worker that does not hear a cancellation is stopped, and the others are asked again', async () => {
    const { desk, workerAt } = openDesk();
    const controller = new AbortController();
    const cancelled = desk.ask('seal', ask, { signal: controller.signal });
    const other = desk.ask('seal', ask);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    await new Promise((resolve) => setTimeout(resolve, 2 * GRACE_MS));
    expect(workerAt(0).isTerminated).toBe(true);
    expect(workerAt(1).orders.map(({ id }) => id)).toEqual([2]);
    workerAt(1).say({ id: 2, kind: 'done', answer: [] });
    expect(await other).toEqual([]);
  });
});
