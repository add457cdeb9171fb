import { describe, expect, test } from 'vitest';
import type { WorkerEvent, WorkerRequest } from '../../src/portal/worker/messages.ts';
import { WorkerClient } from '../../src/portal/worker/worker-client.ts';

/** Worker stub driven by the test. */
class StubWorker extends EventTarget {
  readonly requests: WorkerRequest[] = [];
  isTerminated = false;
  postMessage(request: WorkerRequest): void {
    this.requests.push(request);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  emit(event: WorkerEvent): void {
    this.dispatchEvent(new MessageEvent('message', { data: event }));
  }
}

const CANCEL_TIMEOUT_MS = 20;

function createClient() {
  const workers: StubWorker[] = [];
  const client = new WorkerClient(() => {
    const worker = new StubWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  }, CANCEL_TIMEOUT_MS);
  const workerAt = (index: number): StubWorker => {
    const worker = workers[index];
    if (!worker) throw new Error(`Worker ${index} was not started.`);
    return worker;
  };
  return { client, workers, workerAt };
}

const input = { envelope: {} };

describe('the worker client', () => {
  test('results resolve their own requests, in any order', async () => {
    const { client, workers, workerAt } = createClient();
    const [first, second] = [client.request('verifySeal', input), client.request('verifySeal', input)];
    const [firstId, secondId] = workerAt(0).requests.map(({ id }) => id);
    workerAt(0).emit({ id: secondId ?? 0, kind: 'done', result: [{ claim: 'second', ok: true }] });
    workerAt(0).emit({ id: firstId ?? 0, kind: 'done', result: [{ claim: 'first', ok: true }] });
    expect((await first)[0]?.claim).toBe('first');
    expect((await second)[0]?.claim).toBe('second');
    expect(workers).toHaveLength(1);
  });

  test('a failure keeps its code, message and facts', async () => {
    const { client, workerAt } = createClient();
    const result = client.request('verifySeal', input);
    const failure = { code: 'VALIDATION_FAILED', message: 'No.', details: [], facts: { why: 'because' } } as const;
    workerAt(0).emit({ id: 1, kind: 'failed', failure });
    await expect(result).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'No.',
      facts: { why: 'because' },
    });
  });

  test('a worker crash rejects the pending requests, and the next request starts a new worker', async () => {
    const { client, workers, workerAt } = createClient();
    const pending = [client.request('verifySeal', input), client.request('verifySeal', input)];
    workerAt(0).dispatchEvent(new Event('error', { cancelable: true }));
    for (const request of pending) await expect(request).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(workerAt(0).isTerminated).toBe(true);
    const next = client.request('verifySeal', input);
    expect(workers).toHaveLength(2);
    workerAt(1).emit({ id: 3, kind: 'done', result: [] });
    expect(await next).toEqual([]);
  });

  test('a worker that could not fetch a script is replaced, and the other requests are sent again', async () => {
    const { client, workerAt } = createClient();
    const [failing, other] = [client.request('verifySeal', input), client.request('verifySeal', input)];
    const failure = { code: 'INTERNAL', message: 'Not fetched.', details: [], facts: {} } as const;
    workerAt(0).emit({ id: 1, kind: 'failed', failure, isWorkerBroken: true });
    await expect(failing).rejects.toMatchObject({ message: 'Not fetched.' });
    expect(workerAt(0).isTerminated).toBe(true);
    expect(workerAt(1).requests.map(({ id }) => id)).toEqual([2]);
    // It failed at the same script, and its message arrives late.
    workerAt(0).emit({ id: 2, kind: 'failed', failure, isWorkerBroken: true });
    workerAt(1).emit({ id: 2, kind: 'done', result: [] });
    expect(await other).toEqual([]);
  });

  test('a cancellation rejects immediately and does not affect other requests', async () => {
    const { client, workers, workerAt } = createClient();
    const controller = new AbortController();
    const cancelled = client.request('verifySeal', input, { signal: controller.signal });
    const other = client.request('verifySeal', input);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(workerAt(0).requests.at(-1)).toEqual({ id: 1, kind: 'cancel' });
    const failure = { code: 'CANCELLED', message: 'Cancelled.', details: [], facts: {} } as const;
    workerAt(0).emit({ id: 1, kind: 'failed', failure });
    await new Promise((resolve) => setTimeout(resolve, 2 * CANCEL_TIMEOUT_MS));
    workerAt(0).emit({ id: 2, kind: 'done', result: [] });
    expect(await other).toEqual([]);
    expect(workers).toHaveLength(1);
  });

  test('a worker that ignores a cancellation is terminated, and the other requests are sent again', async () => {
    const { client, workerAt } = createClient();
    const controller = new AbortController();
    const cancelled = client.request('verifySeal', input, { signal: controller.signal });
    const other = client.request('verifySeal', input);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    await new Promise((resolve) => setTimeout(resolve, 2 * CANCEL_TIMEOUT_MS));
    expect(workerAt(0).isTerminated).toBe(true);
    expect(workerAt(1).requests.map(({ id }) => id)).toEqual([2]);
    workerAt(1).emit({ id: 2, kind: 'done', result: [] });
    expect(await other).toEqual([]);
  });
});
