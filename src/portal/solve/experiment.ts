// One experiment: what stands in the form, what this browser made of it, and what the server made of it.

import { type Signal, signal } from '@preact/signals';
import { DomainError } from '../../core/errors.ts';
import type { PublicJwk } from '../../protocol/seal.ts';
import { readOperator } from '../operators/registry.ts';
import { ask, askWithKey } from '../session.ts';
import { type DeskControls, desk } from '../work/desk.ts';
import type { Comparison, Glimpse, Solved } from '../work/messages.ts';
import type { SolverDescription } from './description.ts';

export type Input = Readonly<Record<string, unknown>>;

export type Here =
  | { readonly state: 'idle'; readonly why?: string }
  | {
      readonly state: 'running';
      readonly fraction: number;
      readonly glimpse: Glimpse | undefined;
      /** What stays in sight until there is something newer. */
      readonly before: Solved | undefined;
      /** Nobody asked for it; whoever presses Run means another one. */
      readonly isPreview: boolean;
    }
  | { readonly state: 'done'; readonly solved: Solved; readonly input: Input }
  | { readonly state: 'failed'; readonly error: unknown };

/** The result in sight: of the last run, or of the one before while a new one goes on. */
export function solvedIn(here: Here): Solved | undefined {
  if (here.state === 'done') return here.solved;
  return here.state === 'running' ? here.before : undefined;
}

export type There =
  | { readonly state: 'idle' }
  | { readonly state: 'running' }
  | {
      readonly state: 'done';
      readonly envelope: Readonly<Record<string, unknown>>;
      readonly comparison: Comparison;
      readonly elapsedMs: number;
    }
  | { readonly state: 'failed'; readonly error: unknown };

/** What is computed, here and there. */
export interface Subject {
  /** Under /api/svc/, where the same is asked of the server. */
  readonly route: string;
  /** @param patienceMs  what takes longer is refused with BUDGET_EXCEEDED before it begins */
  solve(input: Input, patienceMs: number | undefined, controls: DeskControls): Promise<Solved>;
}

export const solverSubject = ({ id }: SolverDescription): Subject => ({
  route: id,
  solve: async (input, patienceMs, controls) => {
    const laws = await Promise.all(((input.operators ?? []) as readonly string[]).map(readOperator));
    const ask = { solver: id, input, laws, ...(patienceMs === undefined ? {} : { patienceMs }) };
    return desk.ask('solve', ask, controls);
  },
});

/** A link that is opened runs at once what takes no longer than this; more waits for the visitor. */
const PATIENCE_MS = 4_000;
/** A result in sight is not replaced by glimpses of a run that is about to end anyway. */
const SHORT_MS = 600;

export class Experiment {
  readonly here: Signal<Here> = signal({ state: 'idle' });
  readonly there: Signal<There> = signal({ state: 'idle' });
  readonly #subject: Subject;
  #controller: AbortController | undefined;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Run in this browser, unless it takes long: what a page does of its own accord. */
  async preview(input: Input): Promise<void> {
    await this.#solve(input, PATIENCE_MS);
  }

  /** Run in this browser and on the server, and compare. */
  async run(input: Input): Promise<void> {
    const solved = this.#solve(input);
    if (await solved) await this.check();
  }

  /** Let the server compute what this browser did. */
  async check(): Promise<void> {
    const here = this.here.value;
    if (here.state !== 'done') return;
    const controller = this.#begin();
    const { signal: cancelled } = controller;
    this.there.value = { state: 'running' };
    const begin = performance.now();
    try {
      const envelope = await askWithKey('POST', `/api/svc/${this.#subject.route}`, {
        body: here.input,
        signal: cancelled,
      });
      const elapsedMs = performance.now() - begin;
      const trusted = await trustedKeys();
      const comparison = await desk.ask('compare', { pure: here.solved.pure, envelope, trusted });
      if (!cancelled.aborted) this.there.value = { state: 'done', envelope, comparison, elapsedMs };
    } catch (error) {
      this.there.value = cancelled.aborted ? { state: 'idle' } : { state: 'failed', error };
    }
  }

  /** Nothing can be computed yet. */
  wait(why: string): void {
    this.cancel();
    this.here.value = { state: 'idle', why };
  }

  cancel(): void {
    this.#controller?.abort();
  }

  #begin(): AbortController {
    this.cancel();
    this.#controller = new AbortController();
    return this.#controller;
  }

  async #solve(input: Input, patienceMs?: number): Promise<boolean> {
    const controller = this.#begin();
    const isPreview = patienceMs !== undefined;
    const before = solvedIn(this.here.value);
    const begin = performance.now();
    let glimpse: Glimpse | undefined;
    let fraction = 0;
    let request = 0;
    const show = () => {
      request = 0;
      this.here.value = { state: 'running', fraction, glimpse, before, isPreview };
    };
    // However fast the worker reports, a page is drawn once a frame and stays free for the visitor.
    const showSoon = () => {
      request ||= requestAnimationFrame(show);
    };
    this.there.value = { state: 'idle' };
    show();
    try {
      const solved = await this.#subject.solve(input, patienceMs, {
        signal: controller.signal,
        onProgress: (done) => {
          fraction = done;
          showSoon();
        },
        onGlimpse: (seen) => {
          if (!before || performance.now() - begin > SHORT_MS) glimpse = seen;
          fraction = seen.fraction;
          showSoon();
        },
      });
      if (this.#controller !== controller) return false;
      this.here.value = { state: 'done', solved, input };
      return true;
    } catch (error) {
      if (this.#controller === controller) this.here.value = outcomeOf(error, isPreview);
      return false;
    } finally {
      cancelAnimationFrame(request);
    }
  }
}

/** A cancelled run, and one that a page would not begin by itself, are no failures. */
function outcomeOf(error: unknown, isPreview: boolean): Here {
  const code = error instanceof DomainError ? error.code : undefined;
  if (code === 'CANCELLED') return { state: 'idle', why: 'Cancelled.' };
  if (code === 'BUDGET_EXCEEDED' && isPreview && error instanceof Error) return { state: 'idle', why: error.message };
  return { state: 'failed', error };
}

let known: readonly PublicJwk[] | undefined;

/** The keys with which this node seals; asked once. */
export async function trustedKeys(): Promise<readonly PublicJwk[]> {
  known ??= (await ask('GET', '/api/.well-known/jwks.json')).keys as readonly PublicJwk[];
  return known;
}
