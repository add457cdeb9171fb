// Witness for other logs (https://c2sp.org/tlog-witness): stores the newest checkpoint of each configured log, and
// cosigns checkpoints that extend it.

import { cosignatureLine, parseSubmission } from '../../chain/cosignature.ts';
import { emptyRoot, isConsistent } from '../../chain/merkle.ts';
import { isCheckpointSignedBy, type NoteSigner, type VerifierKey, verifierKey } from '../../chain/note.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { WitnessedRepository } from '../../storage/anchors/witnessed.ts';

export interface WitnessServiceOptions {
  readonly witnessed: WitnessedRepository;
  /** Keys of the logs; the name is the origin of their checkpoints. */
  readonly logs: readonly VerifierKey[];
  readonly signer: NoteSigner;
  /** Name of this witness. */
  readonly name: string;
  readonly clock: Clock;
}

const NS_PER_SECOND = 1_000_000_000n;

export class WitnessService {
  readonly #options: WitnessServiceOptions;

  constructor(options: WitnessServiceOptions) {
    this.#options = options;
  }

  /** The key that verifies its cosignatures, in C2SP form. */
  get verifierKey(): string {
    const { name, signer } = this.#options;
    return verifierKey(name, signer.publicKey, 'cosignature');
  }

  /**
   * @returns the cosignature, a line of a signed note
   * @throws DomainError BAD_REQUEST, NOT_FOUND for an unknown log, FORBIDDEN without a signature by a known key,
   *   CONFLICT with the stored size in `facts.size`, VALIDATION_FAILED if the proof is wrong
   */
  async addCheckpoint(text: string): Promise<string> {
    const { witnessed, logs, signer, name, clock } = this.#options;
    const submission = parseSubmission(text);
    if (submission === undefined)
      throw new DomainError('BAD_REQUEST', 'The body is not a valid add-checkpoint request.');
    const { oldSize, proof, note, parsed } = submission;
    const { origin, size, root } = parsed.checkpoint;
    const keys = logs.filter((log) => log.name === origin);
    if (keys.length === 0) throw new DomainError('NOT_FOUND', 'This node does not witness that origin.');
    if (!keys.some(({ publicKey }) => isCheckpointSignedBy(parsed, origin, publicKey)))
      throw new DomainError('FORBIDDEN', 'The checkpoint is not signed by a known key of the log.');
    if (oldSize > size) throw new DomainError('BAD_REQUEST', `The old size must be at most ${size}; it is ${oldSize}.`);
    const known = await witnessed.newest(origin);
    const { size: knownSize, root: knownRoot } = known ?? { size: 0, root: emptyRoot() };
    if (oldSize !== knownSize) throw conflict(knownSize);
    if (!isConsistent(oldSize, size, knownRoot, root, proof)) {
      // Same size with another root: the log has forked, so this is a conflict rather than a wrong proof.
      if (oldSize === size && proof.length === 0) throw conflict(knownSize);
      throw new DomainError('VALIDATION_FAILED', 'The proof does not lead from the old checkpoint to the new one.');
    }
    const now = clock.now();
    const next = { size, root, note, svcond: tickOf(now) };
    if (!(await witnessed.advance(origin, known, next))) {
      throw conflict((await witnessed.newest(origin))?.size ?? 0);
    }
    return cosignatureLine(parsed, name, signer, Number(now / NS_PER_SECOND));
  }
}

function conflict(size: number): DomainError {
  return new DomainError('CONFLICT', `The newest checkpoint of this log has size ${size}.`, { facts: { size } });
}
