// Runs trials (dry runs, replays of a history) in slices, one slice of one trial per turn of the event loop.
//
// Machines with trials take turns. However many trials run, the event loop waits for one slice at most, and a short one
// does not wait for the long ones.

import type { Clock } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { FairQueue } from '../../core/fair-queue.ts';
import { LIMITS } from '../../core/limits.ts';

interface Trial {
  readonly machineId: string;
  /** Takes one slice. @returns whether it has ended */
  readonly slice: () => boolean;
}

const MS_NS = 1_000_000n;

export class TrialTurns {
  readonly #clock: Clock;
  readonly #queue = new FairQueue<Trial>();
  #isTurning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs a trial to its end.
   *
   * @param startedNs  start of the request, from which its time limit counts
   * @throws DomainError OUT_OF_TIME; RATE_LIMITED beyond the trials of one machine; what the trial throws
   */
  run<Answer>(machineId: string, trial: Generator<void, Answer>, startedNs: bigint): Promise<Answer> {
    const { perMachine } = LIMITS.contracts.whatIf;
    if (this.#queue.countOf(machineId) >= perMachine) {
      const message = `Limit of ${perMachine} trials of one machine at a time reached; wait for one to end.`;
      return Promise.reject(new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      const slice = () => {
        try {
          const end = this.#slice(trial, startedNs);
          if (end !== undefined) resolve(end.answer);
          return end !== undefined;
        } catch (error) {
          reject(error);
          return true;
        }
      };
      this.#queue.push(machineId, { machineId, slice });
      if (!this.#isTurning) void this.#turn();
    });
  }

  async #turn(): Promise<void> {
    this.#isTurning = true;
    for (let trial = this.#queue.next(); trial !== undefined; trial = this.#queue.next()) {
      // Behind the others of its machine, if it has not ended; pushed first, so that the machine keeps its turn.
      if (!trial.slice()) this.#queue.push(trial.machineId, trial);
      this.#queue.finish(trial.machineId);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#isTurning = false;
  }

  /** @returns the answer, or undefined at the end of the slice. @throws DomainError OUT_OF_TIME */
  #slice<Answer>(trial: Generator<void, Answer>, startedNs: bigint): { readonly answer: Answer } | undefined {
    const { deadlineMs } = LIMITS.contracts.whatIf;
    const sliceStart = this.#clock.now();
    for (let next = trial.next(); ; next = trial.next()) {
      if (next.done) return { answer: next.value };
      const now = this.#clock.now();
      if (now - startedNs > BigInt(deadlineMs) * MS_NS) {
        const message = `Time limit of ${deadlineMs} ms for a replay exceeded; start at a later tick.`;
        throw new DomainError('OUT_OF_TIME', message);
      }
      if (now - sliceStart >= BigInt(LIMITS.kernel.chunkMs) * MS_NS) return undefined;
    }
  }
}
