// Checkpoints on their way to witnesses. A witness may be slow on purpose, so nobody waits for it: what is wanted is queued,
// a few are asked at once, and what does not fit waits for its next turn.

import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { AnchorRepository } from '../../storage/anchors/anchors.ts';
import type { AnchorSettingsRepository, Witness } from '../../storage/anchors/settings.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { WitnessClient } from './witness-client.ts';

export interface WitnessingOptions {
  readonly stored: MachineRepository;
  readonly anchors: AnchorRepository;
  readonly settings: AnchorSettingsRepository;
  readonly client: WitnessClient;
  readonly clock: Clock;
  /** A try that broke rather than being refused. */
  readonly onFailed: (error: unknown) => void;
}

const AT_ONCE = 16;
const MOST_WAITING = 1_000;

export class Witnessing {
  readonly #options: WitnessingOptions;
  readonly #stop = new AbortController();
  readonly #waiting = new Map<string, { readonly machineId: string; readonly witness: Witness }>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: WitnessingOptions) {
    this.#options = options;
  }

  /** @returns false if the same is wanted already, or too much is */
  add(machineId: string, witness: Witness): boolean {
    const key = `${machineId} ${witness.url}`;
    if (this.#stop.signal.aborted || this.#waiting.has(key) || this.#waiting.size >= MOST_WAITING) return false;
    this.#waiting.set(key, { machineId, witness });
    this.#start();
    return true;
  }

  /** Everything that was wanted so far was tried. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Calls off what is under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#waiting.clear();
    await this.settled();
  }

  #start(): void {
    while (this.#running.size < AT_ONCE) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [key, { machineId, witness }] = next;
      this.#waiting.delete(key);
      const work = this.#try(machineId, witness)
        .catch(this.#options.onFailed)
        .finally(() => {
          this.#running.delete(work);
          this.#start();
        });
      this.#running.add(work);
    }
  }

  async #try(machineId: string, witness: Witness): Promise<void> {
    const { stored, anchors, settings, client, clock } = this.#options;
    const [machine] = await stored.byIds([machineId], false);
    const state = (await settings.witnesses(machineId)).find(({ url }) => url === witness.url);
    const size = state?.size ?? 0;
    if (machine === undefined || (size > 0 && !(await anchors.hasNews(machineId, size)))) return;
    const svcond = tickOf(clock.now());
    const { signal } = this.#stop;
    try {
      const cosigned = await client.submit(machine, witness, size, signal);
      await settings.cosigned(machineId, witness.url, { ...cosigned, svcond });
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof DomainError ? error.code : 'INTERNAL';
      await settings.refusedBy(machineId, witness.url, { svcond, code });
      if (code === 'INTERNAL') throw error;
    }
  }
}
