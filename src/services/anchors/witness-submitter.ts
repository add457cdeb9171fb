// Submits checkpoints to witnesses in the background, since a witness may be slow on purpose. Submissions are queued,
// and a few run at a time. If the queue is full, a submission is dropped until the machine is next due.

import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { AnchorRepository } from '../../storage/anchors/anchors.ts';
import type { Witness } from '../../storage/anchors/settings.ts';
import type { AnchorWitnessRepository } from '../../storage/anchors/witnesses.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { WitnessClient } from './witness-client.ts';

export interface WitnessSubmitterOptions {
  readonly machineRepository: MachineRepository;
  readonly anchors: AnchorRepository;
  readonly witnessStates: AnchorWitnessRepository;
  readonly client: WitnessClient;
  readonly clock: Clock;
  /** Called when an attempt fails with a defect rather than a refusal. */
  readonly onError: (error: unknown) => void;
}

const MAX_IN_FLIGHT = 16;
const MAX_QUEUED = 1_000;

export class WitnessSubmitter {
  readonly #options: WitnessSubmitterOptions;
  readonly #stop = new AbortController();
  readonly #queue = new Map<string, { readonly machineId: string; readonly witness: Witness }>();
  readonly #inFlight = new Set<Promise<void>>();

  constructor(options: WitnessSubmitterOptions) {
    this.#options = options;
  }

  /** @returns false if the same submission is queued already, or the queue is full */
  enqueue(machineId: string, witness: Witness): boolean {
    const key = `${machineId} ${witness.url}`;
    if (this.#stop.signal.aborted || this.#queue.has(key) || this.#queue.size >= MAX_QUEUED) return false;
    this.#queue.set(key, { machineId, witness });
    this.#drain();
    return true;
  }

  /** Resolves when the queue is empty and nothing is in flight. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  /** Clears the queue and aborts the submissions in flight. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#queue.clear();
    await this.settled();
  }

  #drain(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const [next] = this.#queue;
      if (next === undefined) return;
      const [key, { machineId, witness }] = next;
      this.#queue.delete(key);
      const running = this.#submit(machineId, witness)
        .catch(this.#options.onError)
        .finally(() => {
          this.#inFlight.delete(running);
          this.#drain();
        });
      this.#inFlight.add(running);
    }
  }

  async #submit(machineId: string, witness: Witness): Promise<void> {
    const { machineRepository, anchors, witnessStates, client, clock } = this.#options;
    const [machine] = await machineRepository.byIds([machineId], false);
    const state = (await witnessStates.list(machineId)).find(({ url }) => url === witness.url);
    const size = state?.size ?? 0;
    if (machine === undefined || (size > 0 && !(await anchors.hasUnanchoredRows(machineId, size)))) return;
    const svcond = tickOf(clock.now());
    const { signal } = this.#stop;
    try {
      const cosigned = await client.submit(machine, witness, size, signal);
      await witnessStates.recordCosignature(machineId, witness.url, { ...cosigned, svcond });
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof DomainError ? error.code : 'INTERNAL';
      await witnessStates.recordFailure(machineId, witness.url, { svcond, code });
      if (code === 'INTERNAL') throw error;
    }
  }
}
