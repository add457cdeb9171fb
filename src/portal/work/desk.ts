// The page's side of the worker: one at a time, started when it is first needed, replaced when it dies.

import { DomainError } from '../../core/errors.ts';
import type { Glimpse, Order, Report, Work, WorkName } from './messages.ts';

export interface DeskControls {
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onGlimpse?: (glimpse: Glimpse) => void;
}

interface Open {
  readonly controls: DeskControls;
  readonly resolve: (answer: Work[WorkName]['answer']) => void;
  readonly reject: (error: DomainError) => void;
}

/** A worker that does not notice a cancellation for this long is stopped. */
const GRACE_MS = 500;

export class Desk {
  readonly #start: () => Worker;
  readonly #open = new Map<number, Open>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** @throws DomainError as the task does; CANCELLED; INTERNAL if the worker dies */
  ask<Name extends WorkName>(
    kind: Name,
    ask: Work[Name]['ask'],
    controls: DeskControls = {},
  ): Promise<Work[Name]['answer']> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Work[WorkName]['answer']>();
    this.#open.set(id, { controls, resolve, reject });
    const worker = this.#ready();
    worker.postMessage({ ...ask, id, kind } as Order);
    const onAbort = () => this.#cancel(id, worker);
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
      this.#replace('The worker stopped. Nothing is lost but this run; try again.');
    });
    this.#worker = worker;
    return worker;
  }

  #hear(report: Report): void {
    const open = this.#open.get(report.id);
    if (!open) return;
    if (report.kind === 'progress') open.controls.onProgress?.(report.fraction);
    else if (report.kind === 'glimpse') open.controls.onGlimpse?.(report.glimpse);
    else {
      this.#open.delete(report.id);
      if (report.kind === 'done') open.resolve(report.answer);
      else {
        const { code, message, details, facts } = report.failure;
        open.reject(new DomainError(code, message, { details, facts }));
      }
    }
  }

  #cancel(id: number, worker: Worker): void {
    worker.postMessage({ id, kind: 'cancel' } satisfies Order);
    setTimeout(() => {
      if (this.#open.has(id) && this.#worker === worker) this.#replace('The run was cancelled.', 'CANCELLED');
    }, GRACE_MS);
  }

  #replace(message: string, code: 'INTERNAL' | 'CANCELLED' = 'INTERNAL'): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const one of open) one.reject(new DomainError(code, message));
  }
}

/** The desk of all pages. */
export const desk = new Desk(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
