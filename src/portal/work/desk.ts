// The page's side of the worker: one at a time, started when it is first needed, replaced when it dies.

import { DomainError } from '../../core/errors.ts';
import type { Glimpse, Order, Report, Work, WorkName } from './messages.ts';

export interface DeskControls {
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onGlimpse?: (glimpse: Glimpse) => void;
}

interface Open {
  readonly order: Order;
  readonly controls: DeskControls;
  readonly resolve: (answer: Work[WorkName]['answer']) => void;
  readonly reject: (error: DomainError) => void;
}

/** A worker that does not notice a cancellation for this long is stopped; it may still be loading. */
const GRACE_MS = 2_000;

export class Desk {
  readonly #start: () => Worker;
  readonly #graceMs: number;
  readonly #open = new Map<number, Open>();
  /** Cancelled, and not yet acknowledged by the worker. */
  readonly #leaving = new Set<number>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(start: () => Worker, graceMs = GRACE_MS) {
    this.#start = start;
    this.#graceMs = graceMs;
  }

  /** @throws DomainError as the task does; CANCELLED at once; INTERNAL if the worker dies */
  ask<Name extends WorkName>(
    kind: Name,
    ask: Work[Name]['ask'],
    controls: DeskControls = {},
  ): Promise<Work[Name]['answer']> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Work[WorkName]['answer']>();
    const order = { ...ask, id, kind } as Order;
    this.#open.set(id, { order, controls, resolve, reject });
    this.#ready().postMessage(order);
    const onAbort = () => this.#cancel(id);
    controls.signal?.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => controls.signal?.removeEventListener('abort', onAbort)) as Promise<
      Work[Name]['answer']
    >;
  }

  #ready(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#start();
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => this.#hear(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail();
    });
    this.#worker = worker;
    return worker;
  }

  #hear(report: Report): void {
    const isLast = report.kind === 'done' || report.kind === 'failed';
    if (isLast) this.#leaving.delete(report.id);
    const open = this.#open.get(report.id);
    if (!open) return;
    if (isLast) this.#open.delete(report.id);
    if (report.kind === 'progress') open.controls.onProgress?.(report.fraction);
    else if (report.kind === 'glimpse') open.controls.onGlimpse?.(report.glimpse);
    else if (report.kind === 'done') open.resolve(report.answer);
    else {
      const { code, message, details, facts } = report.failure;
      open.reject(new DomainError(code, message, { details, facts }));
    }
  }

  #cancel(id: number): void {
    const worker = this.#worker;
    this.#open.get(id)?.reject(new DomainError('CANCELLED', 'The run was cancelled.'));
    this.#open.delete(id);
    this.#leaving.add(id);
    worker?.postMessage({ id, kind: 'cancel' } satisfies Order);
    setTimeout(() => {
      if (this.#leaving.has(id) && this.#worker === worker) this.#replace();
    }, this.#graceMs);
  }

  /** The others are asked again: nothing that a worker does leaves a trace. */
  #replace(): void {
    this.#stop();
    for (const { order } of this.#open.values()) this.#ready().postMessage(order);
  }

  /** Any of them may have been what killed it, so none is asked again unasked. */
  #fail(): void {
    this.#stop();
    const open = [...this.#open.values()];
    this.#open.clear();
    const message = 'The worker stopped. Nothing is lost but this run; try again.';
    for (const one of open) one.reject(new DomainError('INTERNAL', message));
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#leaving.clear();
  }
}

/** The desk of all pages. */
export const desk = new Desk(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
