// Checks the callers of open streams again when a key is revoked, here or on another node: in one pass over all, a few
// at a time. Revocations during a pass, and soon after it, lead to one more.

import type { Services } from '../operations/services.ts';
import { systemTimers } from './timers.ts';

/** Checks a caller again, and ends the stream if it has lost access. Never rejects. */
type Recheck = () => Promise<unknown>;

const AT_ONCE = 16;
/** From the end of a pass to the next one; a stream ends within a tick of the notice. */
const PAUSE_MS = 250;

export class Rechecks {
  readonly #all = new Set<Recheck>();
  #isDue = false;
  #isPassing = false;

  constructor(access: Pick<Services['access'], 'onRevocation'>) {
    access.onRevocation(() => {
      this.#isDue = true;
      void this.#pass();
    });
  }

  /** @returns a function that removes it */
  add(recheck: Recheck): () => void {
    this.#all.add(recheck);
    return () => this.#all.delete(recheck);
  }

  async #pass(): Promise<void> {
    if (this.#isPassing || !this.#isDue) return;
    this.#isPassing = true;
    this.#isDue = false;
    const queue = [...this.#all].values();
    const work = async () => {
      for (const recheck of queue) if (this.#all.has(recheck)) await recheck();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    systemTimers.after(PAUSE_MS, () => {
      this.#isPassing = false;
      void this.#pass();
    });
  }
}
