// Executes each write with an Idempotency-Key once; retries get the stored answer.

import { createHash, randomUUID } from 'node:crypto';
import { toHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import {
  type IdempotencyRepository,
  type Lease,
  type LeaseName,
  type OutcomeBox,
  type StoredAnswer,
  withLease,
} from '../../storage/node/idempotency.ts';
import { EndedLeases } from './ended-leases.ts';
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

/** What a stored answer says beside its body: which request it answers, and how. `headers` is JSON text. */
export interface AnswerFacts {
  readonly principal: string;
  readonly key: string;
  readonly route: string;
  readonly bodySha256: Uint8Array;
  readonly status: number;
  readonly headers: string;
}

/** Opens a stored answer, which is sealed with its facts. @throws Error if a fact is not as it was sealed */
export function openAnswer(box: Pick<SealedBox, 'open'>, facts: AnswerFacts, sealed: Uint8Array): Uint8Array {
  try {
    return box.open(answerContext(facts), sealed);
  } catch {
    // Answers of before had only principal and key in the name; they live for a day.
    return box.open(`svc-answer\0${facts.principal}\0${facts.key}`, sealed);
  }
}

/** Names under which the answer of a call and what its effects returned are sealed. */
const answerContext = ({ principal, key, route, bodySha256, status, headers }: AnswerFacts) =>
  `svc-answer/2\0${JSON.stringify([principal, key, route, toHex(bodySha256), status, headers])}`;
export const effectContext = (principal: string, key: string) => `svc-effect\0${principal}\0${key}`;

const isLost = (error: unknown) => error instanceof DomainError && error.code === 'STORAGE_UNAVAILABLE';

const MAX_KEY_CHARACTERS = 255;
/**
 * Clients may share an address, and a stored answer may hold an API key: a key without an account must be unguessable.
 */
const MIN_KEYLESS_CHARACTERS = 16;

export class IdempotencyService {
  readonly #repository: IdempotencyRepository;
  readonly #nowMs: () => number;
  readonly #box: SealedBox;
  readonly #ended: EndedLeases;

  /** @param box  encrypts stored answers: some hold an API key that is shown once */
  constructor(repository: IdempotencyRepository, box: SealedBox, nowMs: () => number) {
    this.#repository = repository;
    this.#nowMs = nowMs;
    this.#box = box;
    this.#ended = new EndedLeases(repository, nowMs);
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
    const request = { principal, key, route, bodySha256 };
    await this.#ended.free(principal, key);
    const owner = randomUUID();
    const claim = await this.#freeingOnLoss({ principal, key, owner }, () =>
      this.#repository.claim(request, owner, this.#nowMs()),
    );
    const factsOf = ({ status, headers }: StoredAnswer): AnswerFacts => ({
      ...{ principal, key, route, bodySha256, status },
      headers: JSON.stringify(headers),
    });
    const replayed = (stored: StoredAnswer) => {
      const opened = openAnswer(this.#box, factsOf(stored), stored.body);
      return { answer: { ...stored, body: opened }, isReplayed: true };
    };
    if (claim.kind === 'done') return replayed(claim.answer);
    const { lease } = claim;
    const answer = await this.#freeingOnLoss(lease, async () => {
      try {
        return await withLease(lease, this.#outcomeBox(principal, key), run);
      } catch (error) {
        if (!isLost(error)) await this.#repository.abandon(lease, this.#nowMs());
        throw error;
      }
    });
    const sealed = { ...answer, body: this.#box.seal(answerContext(factsOf(answer)), answer.body) };
    if (await this.#freeingOnLoss(lease, () => this.#repository.complete(lease, sealed)))
      return { answer, isReplayed: false };
    // The lease expired and another node completed the call: its answer counts.
    const other = await this.#repository.claim(request, randomUUID(), this.#nowMs());
    return other.kind === 'done' ? replayed(other.answer) : { answer, isReplayed: false };
  }

  /** Whether a statement was made is not known when the database does not answer: its lease is freed later. */
  async #freeingOnLoss<Result>(lease: LeaseName, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isLost(error)) this.#ended.add(lease);
      throw error;
    }
  }

  /** Runs a part of a call that another node began under its key. */
  continueUnder<Answer>(lease: Lease, run: () => Promise<Answer>): Promise<Answer> {
    return withLease(lease, this.#outcomeBox(lease.principal, lease.key), run);
  }

  #outcomeBox(principal: string, key: string): OutcomeBox {
    const name = effectContext(principal, key);
    return { seal: (outcome) => this.#box.seal(name, outcome), open: (sealed) => this.#box.open(name, sealed) };
  }
}
