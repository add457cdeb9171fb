// Waits for answers of the database that only make limits sharper: for a short time, and after silence not at all.

import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { unixMs } from '../node/platform.ts';

const { retryMs } = LIMITS.sharedRate;

export class DatabaseSilence {
  readonly #clock: Clock;
  readonly #onSilent: (error: unknown) => void;
  readonly #waitMs: number;
  #untilMs = 0;

  /**
   * @param onSilent  called when the database does not answer
   * @param waitMs  how long an answer is waited for
   */
  constructor(clock: Clock, onSilent: (error: unknown) => void = () => {}, waitMs: number = LIMITS.sharedRate.waitMs) {
    this.#clock = clock;
    this.#onSilent = onSilent;
    this.#waitMs = waitMs;
  }

  /** Whether the database has not answered lately, and should not be asked yet. */
  get isSilent(): boolean {
    return unixMs(this.#clock) < this.#untilMs;
  }

  /** The answer of the database; undefined if it fails or is late, and then it is silent for a while. */
  async heard<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer in ${this.#waitMs} ms.`)), this.#waitMs).unref();
    });
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      this.#untilMs = unixMs(this.#clock) + retryMs;
      this.#onSilent(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
