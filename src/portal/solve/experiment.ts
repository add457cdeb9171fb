// One experiment: its run in the browser, its run on the server and their comparison.

import { type Signal, signal } from '@preact/signals';
import type { ApiInput, ApiOutput } from '../../client/client.ts';
import { DomainError } from '../../core/errors.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import { getOperator } from '../operators/registry.ts';
import { callApi, callApiWithKey } from '../session.ts';
import type { Comparison, LiveFrame, RunResult } from '../worker/messages.ts';
import { type TaskOptions, workerClient } from '../worker/worker-client.ts';
import type { SolverDescription } from './solver-description.ts';

export type Input = Readonly<Record<string, unknown>>;

export type LocalRun =
  | { readonly state: 'idle'; readonly reason?: string }
  | {
      readonly state: 'running';
      readonly fraction: number;
      readonly liveFrame: LiveFrame | undefined;
      /** Previous result, shown until a newer frame or result arrives. */
      readonly previous: RunResult | undefined;
      /** Started by the page, not by the Run button. */
      readonly isPreview: boolean;
    }
  /** `given` is the input as the form stated it, without what a run binds. */
  | { readonly state: 'done'; readonly result: RunResult; readonly input: Input; readonly given: Input }
  | { readonly state: 'failed'; readonly error: unknown; readonly given: Input; readonly isPreview: boolean };

/** Result to show: of the last completed run, also while a new run is in progress. */
export function currentResult(run: LocalRun): RunResult | undefined {
  if (run.state === 'done') return run.result;
  return run.state === 'running' ? run.previous : undefined;
}

/**
 * Whether a run has ended that was of these inputs. What an earlier one has shown is no result of theirs.
 *
 * @param input  undefined if the inputs state none
 */
export function isOfInput(run: LocalRun, input: Input | undefined): boolean {
  const hasEnded = run.state === 'done' || run.state === 'failed';
  return hasEnded && input !== undefined && JSON.stringify(run.given) === JSON.stringify(input);
}

/** What was refused last, here or by the node; undefined for what was computed. */
export function refusalOf({ localRun, serverRun }: Experiment): { error: unknown; isSubmitted: boolean } | undefined {
  const [here, there] = [localRun.value, serverRun.value];
  if (here.state === 'failed') return { error: here.error, isSubmitted: !here.isPreview };
  return there.state === 'failed' ? { error: there.error, isSubmitted: true } : undefined;
}

/** A sealed result of the node. */
export type ServerEnvelope = Exclude<ApiOutput<'compute.run'>, { readonly gate: unknown }>;

export type ServerRun =
  | { readonly state: 'idle' }
  | { readonly state: 'running' }
  | {
      readonly state: 'done';
      readonly envelope: ServerEnvelope;
      readonly comparison: Comparison;
      readonly elapsedMs: number;
    }
  | { readonly state: 'failed'; readonly error: unknown };

/** Computation of an experiment in the browser and on the server. */
export interface ExperimentSpec {
  /** Operation of the same computation on the server. */
  readonly operation: 'compute.run' | `${string}.solve`;
  /** The input of a run, the same in the browser and on the server: with the time, if the computation takes it. */
  bind?(input: Input): Input;
  /** @param maxEstimateMs  longer runs fail with BUDGET_EXCEEDED before they start */
  solve(input: Input, maxEstimateMs: number | undefined, options: TaskOptions): Promise<RunResult>;
}

export const solverSpec = ({ id, clock }: SolverDescription): ExperimentSpec => ({
  operation: `${id}.solve`,
  bind: (input) =>
    clock === undefined || input[clock] !== undefined ? input : { ...input, [clock]: Date.now() / 1_000 },
  solve: async (input, maxEstimateMs, options) => {
    const laws = await Promise.all(((input.operators ?? []) as readonly string[]).map(getOperator));
    const request = { solver: id, input, laws, ...(maxEstimateMs === undefined ? {} : { maxEstimateMs }) };
    return workerClient.request('solve', request, options);
  },
});

/** Longest estimate that a page runs on load; longer runs wait for the Run button. */
const MAX_PREVIEW_MS = 4_000;
/** Keep the previous result this long before showing live frames; short runs finish first. */
const LIVE_FRAME_DELAY_MS = 600;

export class Experiment {
  readonly localRun: Signal<LocalRun> = signal({ state: 'idle' });
  readonly serverRun: Signal<ServerRun> = signal({ state: 'idle' });
  readonly #spec: ExperimentSpec;
  #controller: AbortController | undefined;

  constructor(spec: ExperimentSpec) {
    this.#spec = spec;
  }

  /** Runs in this browser on page load or input, unless the estimate is too long. */
  async preview(input: Input): Promise<void> {
    await this.#runLocally(input, MAX_PREVIEW_MS);
  }

  /** Runs in this browser and on the server, and compares. */
  async run(input: Input): Promise<void> {
    if (await this.#runLocally(input)) await this.runOnServer();
  }

  /**
   * Repeats the last local run on the server and compares.
   *
   * @param folder  files the run there, in the library of the visitor's key
   */
  async runOnServer(folder?: string): Promise<void> {
    const local = this.localRun.value;
    if (local.state !== 'done') return;
    const controller = this.#createController();
    const { signal: cancelled } = controller;
    this.serverRun.value = { state: 'running' };
    const begin = performance.now();
    try {
      const { operation } = this.#spec;
      // The node validates the input.
      const filed = folder === undefined ? {} : { folder };
      const input = { ...local.input, ...filed } as ApiInput<typeof operation>;
      const envelope = await callApiWithKey(operation, input, { signal: cancelled });
      if ('gate' in envelope) throw new DomainError('VALIDATION_FAILED', envelope.gate.reason);
      const elapsedMs = performance.now() - begin;
      const trusted = await loadTrustedKeys();
      const comparison = await workerClient.request('compare', { pure: local.result.pure, envelope, trusted });
      if (!cancelled.aborted) this.serverRun.value = { state: 'done', envelope, comparison, elapsedMs };
    } catch (error) {
      this.serverRun.value = cancelled.aborted ? { state: 'idle' } : { state: 'failed', error };
    }
  }

  /** Cancels the run and shows the reason. */
  setIdle(reason: string): void {
    this.cancel();
    this.localRun.value = { state: 'idle', reason };
  }

  cancel(): void {
    this.#controller?.abort();
  }

  #createController(): AbortController {
    this.cancel();
    this.#controller = new AbortController();
    return this.#controller;
  }

  async #runLocally(given: Input, maxEstimateMs?: number): Promise<boolean> {
    const input = this.#spec.bind?.(given) ?? given;
    const controller = this.#createController();
    const isPreview = maxEstimateMs !== undefined;
    const previous = currentResult(this.localRun.value);
    const begin = performance.now();
    let liveFrame: LiveFrame | undefined;
    let fraction = 0;
    let animationFrame = 0;
    const update = () => {
      animationFrame = 0;
      this.localRun.value = { state: 'running', fraction, liveFrame, previous, isPreview };
    };
    // At most one update per animation frame, however fast the worker reports.
    const scheduleUpdate = () => {
      animationFrame ||= requestAnimationFrame(update);
    };
    this.serverRun.value = { state: 'idle' };
    update();
    try {
      const result = await this.#spec.solve(input, maxEstimateMs, {
        signal: controller.signal,
        onProgress: (completed) => {
          fraction = completed;
          scheduleUpdate();
        },
        onFrame: (frame) => {
          if (!previous || performance.now() - begin > LIVE_FRAME_DELAY_MS) liveFrame = frame;
          fraction = frame.fraction;
          scheduleUpdate();
        },
      });
      if (this.#controller !== controller) return false;
      this.localRun.value = { state: 'done', result, input, given };
      return true;
    } catch (error) {
      if (this.#controller === controller) this.localRun.value = stateAfterError(error, isPreview, given);
      return false;
    } finally {
      cancelAnimationFrame(animationFrame);
    }
  }
}

/** A cancelled run and a preview over the limit count as idle, not failed. */
function stateAfterError(error: unknown, isPreview: boolean, given: Input): LocalRun {
  const code = error instanceof DomainError ? error.code : undefined;
  if (code === 'CANCELLED') return { state: 'idle', reason: 'Cancelled.' };
  if (code === 'BUDGET_EXCEEDED' && isPreview && error instanceof Error)
    return { state: 'idle', reason: error.message };
  return { state: 'failed', error, given, isPreview };
}

let cachedKeys: readonly PublicJwk[] | undefined;

/** Loads this node's signing keys once. */
export async function loadTrustedKeys(): Promise<readonly PublicJwk[]> {
  cachedKeys ??= (await callApi('jwks.read', {})).keys;
  return cachedKeys;
}
