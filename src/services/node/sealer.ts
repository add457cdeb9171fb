// Seals statements: those of one turn of the event loop share a signature, which costs more than their Merkle tree.

import { type WithResolvers, withResolvers } from '../../core/with-resolvers.ts';
import { type Seal, sealBatch } from '../../protocol/seal-batch.ts';
import type { PublicJwk, Signer } from '../../protocol/signing.ts';

/** Statements of one signature. A longer turn takes several. */
const MAX_BATCH = 256;

interface Pending extends WithResolvers<Seal> {
  readonly statement: Uint8Array;
}

export class Sealer {
  readonly #signer: Signer;
  #pending: Pending[] = [];
  #flush: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** Verifies the seals. */
  get publicKey(): PublicJwk {
    return this.#signer.publicKey;
  }

  /**
   * Seals a statement at the end of this turn of the event loop; a lone one has the plain form.
   *
   * @throws what the signer throws, for every statement of the batch
   */
  seal(statement: Uint8Array): Promise<Seal> {
    const pending = { statement, ...withResolvers<Seal>() };
    this.#pending.push(pending);
    if (this.#isClosed || this.#pending.length === MAX_BATCH) this.#sign();
    else this.#flush ??= setImmediate(() => this.#sign());
    return pending.promise;
  }

  /** Seals what is pending. Later statements are sealed at once, each by itself, for requests that are still running. */
  close(): void {
    this.#isClosed = true;
    this.#sign();
  }

  #sign(): void {
    clearImmediate(this.#flush);
    this.#flush = undefined;
    const batch = this.#pending;
    this.#pending = [];
    try {
      const seals = sealBatch(
        batch.map(({ statement }) => statement),
        this.#signer,
      );
      for (const [i, seal] of seals.entries()) batch[i]?.resolve(seal);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
