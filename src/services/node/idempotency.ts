// Executes each write with an Idempotency-Key once; retries get the stored answer.

import { createHash, randomUUID } from 'node:crypto';
import { DomainError } from '../../core/errors.ts';
import {
  type IdempotencyRepository,
  type OutcomeBox,
  type StoredAnswer,
  withLease,
} from '../../storage/node/idempotency.ts';
import type { SealedBox } from './sealed-box.ts';

export interface KeyedCall {
  /** Id of the API key, or the client address of a call without a key. */
  readonly principal: string;
  readonly isKeyless: boolean;
  readonly key: string;
  readonly route: string;
  /** Path parameters and precondition of the request, as one text: machine, version. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** Names under which the answer of a call and what its effects returned are sealed. */
export const answerContext = (principal: string, key: string) => `svc-answer\0${principal}\0${key}`;
export const effectContext = (principal: string, key: string) => `svc-effect\0${principal}\0${key}`;

const MAX_KEY_CHARACTERS = 255;
/**
 * Clients may share an address, and a stored answer may hold an API key: a key without an account must be unguessable.
 */
const MIN_KEYLESS_CHARACTERS = 16;

export class IdempotencyService {
  readonly #repository: IdempotencyRepository;
  readonly #nowMs: () => number;
  readonly #box: SealedBox;

  /** @param box  encrypts stored answers: some hold an API key that is shown once */
  constructor(repository: IdempotencyRepository, box: SealedBox, nowMs: () => number) {
    this.#repository = repository;
    this.#nowMs = nowMs;
    this.#box = box;
  }

  /**
   * Runs the call, continues one that ended without an answer, or returns the stored answer of the first one. A refusal
   * stores nothing and frees the key.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_FLIGHT, IDEMPOTENCY_ANSWER_LOST, and the errors of `run`
   */
  async runOnce(
    call: KeyedCall,
    run: () => Promise<StoredAnswer>,
  ): Promise<{ readonly answer: StoredAnswer; readonly isReplayed: boolean }> {
    const { principal, isKeyless, key, route, target, body } = call;
    const min = isKeyless ? MIN_KEYLESS_CHARACTERS : 1;
    if (key.length < min || key.length > MAX_KEY_CHARACTERS) {
      const hint = isKeyless ? '; without an API key use an unguessable one, a UUID for example' : '';
      throw new DomainError(
        'VALIDATION_FAILED',
        `Idempotency-Key must have ${min} to ${MAX_KEY_CHARACTERS} characters, not ${key.length}${hint}.`,
      );
    }
    const bodySha256 = createHash('sha256').update(`${target}\0`).update(body).digest();
    const claim = await this.#repository.claim({ principal, key, route, bodySha256 }, randomUUID(), this.#nowMs());
    const name = answerContext(principal, key);
    if (claim.kind === 'done') return this.#replayed(name, claim.answer);
    let answer: StoredAnswer;
    try {
      answer = await withLease(claim.lease, this.#outcomeBox(principal, key), run);
    } catch (error) {
      await this.#repository.abandon(claim.lease, this.#nowMs());
      throw error;
    }
    const sealed = { ...answer, body: this.#box.seal(name, answer.body) };
    if (await this.#repository.complete(claim.lease, sealed)) return { answer, isReplayed: false };
    // The lease expired and another node completed the call: its answer counts.
    const other = await this.#repository.claim({ principal, key, route, bodySha256 }, randomUUID(), this.#nowMs());
    return other.kind === 'done' ? this.#replayed(name, other.answer) : { answer, isReplayed: false };
  }

  #outcomeBox(principal: string, key: string): OutcomeBox {
    const name = effectContext(principal, key);
    return { seal: (outcome) => this.#box.seal(name, outcome), open: (sealed) => this.#box.open(name, sealed) };
  }

  #replayed(name: string, answer: StoredAnswer): { readonly answer: StoredAnswer; readonly isReplayed: boolean } {
    return { answer: { ...answer, body: this.#box.open(name, answer.body) }, isReplayed: true };
  }
}
