// Seals over all machines (chain/node-seal.ts): on schedule once per LIMITS.chain.sealEveryTicks, and on demand at most
// once per LIMITS.chain.sealTicks.
//
// A seal only ever extends the one before it. A machine or a row that is missing stays as it was sealed, and the node
// stops sealing if the heads that it sealed were changed. So whoever changes the database cannot have the node sign that
// nothing was ever there. After a damaged seal it goes on, and the next seal says so.

import { type DamagedSeals, SEAL_FORMAT, SEAL_TYPE, sealRoot, sealText } from '../../chain/node-seal.ts';
import { toHex } from '../../core/bits.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import { signDsse } from '../../protocol/dsse.ts';
import type { Signer } from '../../protocol/signing.ts';
import type { Genesis } from '../../storage/node/node.ts';
import type { HeadPair, MachineHead, NodeSeal, NodeSealRepository } from '../../storage/node/node-seals.ts';
import { isSignedByNative } from './key-ring.ts';
import { rootOf, type SoundSeal, soundSeal } from './stored-seal.ts';

export interface SealServiceOptions {
  readonly seals: NodeSealRepository;
  readonly signer: Signer;
  /** Public keys of the node, also earlier ones. */
  readonly keys: readonly Uint8Array[];
  readonly genesis: Genesis;
  readonly clock: Clock;
  /** Called when the node cannot make a seal, or makes one after damaged ones. */
  readonly onRefused: (message: string) => void;
}

export class SealService {
  readonly #options: SealServiceOptions;
  #pending: Promise<NodeSeal> | undefined;

  constructor(options: SealServiceOptions) {
    this.#options = options;
  }

  /**
   * The newest seal; creates a new one if that has expired or is damaged.
   *
   * @throws DomainError SEAL_DAMAGED if it is damaged, and the heads that it covers were changed too
   */
  async newest() {
    const newest = await this.#newestWithin(LIMITS.chain.sealTicks);
    const sound = this.#read(newest);
    if (sound === undefined) {
      const message = `Seal ${newest.no} of this node is damaged in the database, and the stored heads do not allow another one. Run svc fsck.`;
      throw new DomainError('SEAL_DAMAGED', message);
    }
    const { no, svcond, machines, root } = newest;
    const { publicKey: public_key } = this.#options.signer;
    return { no, svcond, machines, root: toHex(root), envelope: sound.envelope, public_key };
  }

  /** Creates a seal if none was made for LIMITS.chain.sealEveryTicks, also if nothing has changed since. */
  async sealWhenDue(): Promise<void> {
    await this.#newestWithin(LIMITS.chain.sealEveryTicks);
  }

  async #newestWithin(ticks: number): Promise<NodeSeal> {
    const { seals, clock } = this.#options;
    const newest = await seals.newest();
    const now = tickOf(clock.now());
    const isCurrent = newest !== undefined && now - newest.svcond < ticks && this.#read(newest) !== undefined;
    return isCurrent ? newest : this.#create(now);
  }

  #read(seal: NodeSeal): SoundSeal | undefined {
    return soundSeal(seal, this.#options.keys, isSignedByNative);
  }

  /** Concurrent calls share one seal. */
  #create(now: number): Promise<NodeSeal> {
    this.#pending ??= this.#sign(now).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #sign(svcond: number): Promise<NodeSeal> {
    const { seals, signer, genesis, onRefused } = this.#options;
    const { newest, heads: pairs } = await seals.newestWithHeads();
    const previous = newest && (await this.#newestSound(newest));
    // A damaged seal confirms no heads. So the next one states the root that they have: if the damaged one is restored,
    // the auditor compares the two.
    let damaged: DamagedSeals | undefined;
    if (newest !== undefined && (previous?.seal !== newest || previous.fields.format === SEAL_FORMAT)) {
      const stored = pairs.flatMap((pair) => pair.sealed ?? []);
      const root = toHex(await sealRoot(stored, nextTurn));
      if (root !== rootOf(newest, this.#options.keys, isSignedByNative)) {
        onRefused(`The stored heads do not give the root of seal ${newest.no}; no seal is made. Run svc fsck.`);
        return newest;
      }
      if (previous?.seal !== newest) damaged = { from: (previous?.seal.no ?? 0) + 1, root };
    }
    const heads = pairs.flatMap((pair) => extended(pair) ?? []);
    const root = await sealRoot(heads, nextTurn);
    const no = (newest?.no ?? 0) + 1;
    if (damaged) onRefused(`Seals ${damaged.from} to ${no - 1} are damaged; seal ${no} names them. Run svc fsck.`);
    const fields = { no, svcond, machines: heads.length, root, previous: previous?.text, damaged, genesis };
    const payload = utf8(sealText(fields));
    const envelope = JSON.stringify(signDsse(SEAL_TYPE, payload, signer));
    const seal = { no, svcond, machines: heads.length, root, envelope };
    const changed = pairs.flatMap((pair) => (extended(pair) === pair.sealed ? [] : (extended(pair) ?? [])));
    // If another node has stored this number already, its seal counts.
    return (await seals.add(seal, changed)) ? seal : ((await seals.newest()) ?? seal);
  }

  /** The newest sound seal, from this one back. */
  async #newestSound(newest: NodeSeal): Promise<SoundSeal | undefined> {
    for (let batch: readonly NodeSeal[] = [newest]; batch.length > 0; ) {
      for (const seal of batch) {
        const sound = this.#read(seal);
        if (sound !== undefined) return sound;
      }
      await nextTurn();
      batch = await this.#options.seals.before(batch.at(-1)?.no ?? 0, BATCH_SIZE);
    }
    return undefined;
  }
}

/** Seals that are read at a time to find a sound one. */
const BATCH_SIZE = 100;

/** The head that the next seal covers: the current one if it follows the sealed one. */
function extended({ current, sealed }: HeadPair): MachineHead | undefined {
  if (current === undefined || sealed === undefined) return current ?? sealed;
  const { seq, headHash } = current;
  return seq > sealed.seq ? { ...sealed, seq, headHash } : sealed;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
