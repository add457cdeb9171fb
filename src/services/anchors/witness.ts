// This node as a witness of other logs (https://c2sp.org/tlog-witness): it remembers the newest checkpoint of each log whose
// keys it was given, and cosigns what continues it.

import { cosignatureLine, parseSubmission } from '../../chain/cosignature.ts';
import { emptyRoot, isConsistent } from '../../chain/merkle.ts';
import { isCheckpointSignedBy, type NoteSigner, type VerifierKey, verifierKey } from '../../chain/note.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { WitnessedRepository } from '../../storage/anchors/witnessed.ts';

export interface WitnessServiceOptions {
  readonly witnessed: WitnessedRepository;
  /** Keys of logs; the name is the origin of their checkpoints. */
  readonly logs: readonly VerifierKey[];
  readonly signer: NoteSigner;
  /** What this witness is called. */
  readonly name: string;
  readonly clock: Clock;
}

const NS_PER_SECOND = 1_000_000_000n;

export class WitnessService {
  readonly #options: WitnessServiceOptions;

  constructor(options: WitnessServiceOptions) {
    this.#options = options;
  }

  /** The key that its cosignatures are checked with, in the form in which logs keep it. */
  get verifierKey(): string {
    const { name, signer } = this.#options;
    return verifierKey(name, signer.publicKey, 'cosignature');
  }

  /**
   * @returns the cosignature, a line of a signed note
   * @throws DomainError BAD_REQUEST, NOT_FOUND for a log that is not known, FORBIDDEN without a signature of a known key,
   *   CONFLICT with the size that is remembered in `facts.size`, VALIDATION_FAILED if the proof does not hold
   */
  async addCheckpoint(text: string): Promise<string> {
    const { witnessed, logs, signer, name, clock } = this.#options;
    const submission = parseSubmission(text);
    if (submission === undefined) throw new DomainError('BAD_REQUEST', 'This is no submission of a checkpoint.');
    const { oldSize, proof, note, parsed } = submission;
    const { origin, size, root } = parsed.checkpoint;
    const keys = logs.filter((log) => log.name === origin);
    if (keys.length === 0) throw new DomainError('NOT_FOUND', 'The origin is not one that is witnessed here.');
    if (!keys.some(({ publicKey }) => isCheckpointSignedBy(parsed, origin, publicKey)))
      throw new DomainError('FORBIDDEN', 'No key of the log that is known here has signed the checkpoint.');
    if (oldSize > size) throw new DomainError('BAD_REQUEST', `The old size ${oldSize} is above the size ${size}.`);
    const known = await witnessed.newest(origin);
    const { size: knownSize, root: knownRoot } = known ?? { size: 0, root: emptyRoot() };
    if (oldSize !== knownSize) throw conflict(knownSize);
    if (!isConsistent(oldSize, size, knownRoot, root, proof)) {
      // The same size with another root is a log that said two things, not a proof that went wrong.
      if (oldSize === size && proof.length === 0) throw conflict(knownSize);
      throw new DomainError('VALIDATION_FAILED', 'The proof does not lead from the old checkpoint to the new one.');
    }
    const now = clock.now();
    const fresh = { size, root, note, svcond: tickOf(now) };
    if (!(await witnessed.advance(origin, known, fresh))) {
      throw conflict((await witnessed.newest(origin))?.size ?? 0);
    }
    return cosignatureLine(parsed, name, signer, Number(now / NS_PER_SECOND));
  }
}

function conflict(size: number): DomainError {
  return new DomainError('CONFLICT', `The newest checkpoint of this log has size ${size}.`, { facts: { size } });
}
