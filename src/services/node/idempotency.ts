// Writes that carry an Idempotency-Key happen once, however often they are sent.

import { createHash, randomUUID } from 'node:crypto';
import { DomainError } from '../../core/errors.ts';
import { type IdempotencyRepository, type StoredAnswer, whileAnswering } from '../../storage/node/idempotency.ts';
import type { SealedBox } from './sealed-box.ts';

export interface KeyedCall {
  /** A key's id, or the address that a call without a key came from. */
  readonly principal: string;
  readonly isKeyless: boolean;
  readonly key: string;
  readonly route: string;
  /** What the request is about beside its body, as one text: which machine, which version. */
  readonly target: string;
  readonly body: Uint8Array;
}

const MAX_KEY_CHARACTERS = 255;
/** Many people may share an address, and an answer may hold a key that is shown once: only what nobody guesses asks for it again. */
const MIN_KEYLESS_CHARACTERS = 16;

export class IdempotencyService {
  readonly #repository: IdempotencyRepository;
  readonly #nowMs: () => number;
  readonly #box: SealedBox;

  /** @param box  answers are stored sealed: some hold a key that is shown once */
  constructor(repository: IdempotencyRepository, box: SealedBox, nowMs: () => number) {
    this.#repository = repository;
    this.#nowMs = nowMs;
    this.#box = box;
  }

  /**
   * Run the call, or answer what the first one answered. A refusal stores nothing and frees the key.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_FLIGHT, IDEMPOTENCY_ANSWER_LOST, and whatever `run` throws
   */
  async once(
    call: KeyedCall,
    run: () => Promise<StoredAnswer>,
  ): Promise<{ readonly answer: StoredAnswer; readonly isReplayed: boolean }> {
    const { principal, isKeyless, key, route, target, body } = call;
    const least = isKeyless ? MIN_KEYLESS_CHARACTERS : 1;
    if (key.length < least || key.length > MAX_KEY_CHARACTERS) {
      const whose = isKeyless ? ' without an API key, so that nobody guesses it (a UUID has 36)' : '';
      throw new DomainError(
        'VALIDATION_FAILED',
        `The Idempotency-Key has ${key.length} characters; ${least} to ${MAX_KEY_CHARACTERS} are allowed${whose}.`,
      );
    }
    const bodySha256 = createHash('sha256').update(`${target}\0`).update(body).digest();
    const claim = await this.#repository.claim({ principal, key, route, bodySha256 }, randomUUID(), this.#nowMs());
    const name = `svc-answer\0${principal}\0${key}`;
    if (claim.kind === 'done') return this.#replayed(name, claim.answer);
    let answer: StoredAnswer;
    try {
      answer = await whileAnswering(claim.lease, run);
    } catch (error) {
      await this.#repository.abandon(claim.lease, this.#nowMs());
      throw error;
    }
    const sealed = { ...answer, body: this.#box.seal(name, answer.body) };
    if (await this.#repository.complete(claim.lease, sealed)) return { answer, isReplayed: false };
    // The lease ran out and somebody else has answered: theirs is the answer.
    const other = await this.#repository.claim({ principal, key, route, bodySha256 }, randomUUID(), this.#nowMs());
    return other.kind === 'done' ? this.#replayed(name, other.answer) : { answer, isReplayed: false };
  }

  #replayed(name: string, answer: StoredAnswer): { readonly answer: StoredAnswer; readonly isReplayed: boolean } {
    return { answer: { ...answer, body: this.#box.open(name, answer.body) }, isReplayed: true };
  }
}
