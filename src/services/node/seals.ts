// Seals over all machines (chain/node-seal.ts): on schedule once per LIMITS.chain.sealEveryTicks, and on demand at most
// once per LIMITS.chain.sealTicks.
//
// A seal only ever extends the one before it. A machine or a row that is missing stays as it was sealed, and the node
// stops sealing if the heads that it sealed were changed. So whoever changes the database cannot have the node sign that
// nothing was ever there.

import { isSameBytes } from '../../chain/merkle.ts';
import { SEAL_FORMAT, SEAL_TYPE, sealRoot, sealText } from '../../chain/node-seal.ts';
import { fromBase64, toHex } from '../../core/bits.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import { type DsseEnvelope, signDsse } from '../../protocol/dsse.ts';
import type { Signer } from '../../protocol/signing.ts';
import type { Genesis } from '../../storage/node/node.ts';
import type { HeadPair, MachineHead, NodeSeal, NodeSealRepository } from '../../storage/node/node-seals.ts';

export interface SealServiceOptions {
  readonly seals: NodeSealRepository;
  readonly signer: Signer;
  readonly genesis: Genesis;
  readonly clock: Clock;
  /** Called when the node cannot make a seal. */
  readonly onRefused: (message: string) => void;
}

export class SealService {
  readonly #options: SealServiceOptions;
  #pending: Promise<NodeSeal> | undefined;

  constructor(options: SealServiceOptions) {
    this.#options = options;
  }

  /** The newest seal; creates a new one if that has expired. */
  async newest() {
    const { no, svcond, machines, root, envelope } = await this.#newestWithin(LIMITS.chain.sealTicks);
    return {
      no,
      svcond,
      machines,
      root: toHex(root),
      envelope: JSON.parse(envelope) as SealEnvelope,
      public_key: this.#options.signer.publicKey,
    };
  }

  /** Creates a seal if none was made for LIMITS.chain.sealEveryTicks, also if nothing has changed since. */
  async sealWhenDue(): Promise<void> {
    await this.#newestWithin(LIMITS.chain.sealEveryTicks);
  }

  async #newestWithin(ticks: number): Promise<NodeSeal> {
    const { seals, clock } = this.#options;
    const newest = await seals.newest();
    const now = tickOf(clock.now());
    return newest !== undefined && now - newest.svcond < ticks ? newest : this.#create(now);
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
    const previous = newest && sealedText(newest);
    // Seals of format 1 were made before their heads were stored.
    if (newest && previous && (JSON.parse(previous) as { format?: unknown }).format === SEAL_FORMAT) {
      const sealed = pairs.flatMap((pair) => pair.sealed ?? []);
      if (!isSameBytes(await sealRoot(sealed, nextTurn), newest.root)) {
        onRefused(`The stored heads do not give the root of seal ${newest.no}; no seal is made. Run svc fsck.`);
        return newest;
      }
    }
    const heads = pairs.flatMap((pair) => extended(pair) ?? []);
    const root = await sealRoot(heads, nextTurn);
    const no = (newest?.no ?? 0) + 1;
    const payload = utf8(sealText({ no, svcond, machines: heads.length, root, previous, genesis }));
    const envelope = JSON.stringify(signDsse(SEAL_TYPE, payload, signer));
    const seal = { no, svcond, machines: heads.length, root, envelope };
    const changed = pairs.flatMap((pair) => (extended(pair) === pair.sealed ? [] : (extended(pair) ?? [])));
    // If another node has stored this number already, its seal counts.
    return (await seals.add(seal, changed)) ? seal : ((await seals.newest()) ?? seal);
  }
}

/** The head that the next seal covers: the current one if it follows the sealed one. */
function extended({ current, sealed }: HeadPair): MachineHead | undefined {
  if (current === undefined || sealed === undefined) return current ?? sealed;
  const { seq, headHash } = current;
  return seq > sealed.seq ? { ...sealed, seq, headHash } : sealed;
}

/** The signed text of a stored seal. */
export function sealedText({ envelope }: Pick<NodeSeal, 'envelope'>): string {
  const { payload } = JSON.parse(envelope) as SealEnvelope;
  return new TextDecoder().decode(fromBase64(payload));
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** DSSE envelope of a seal, stored as JSON. */
export type SealEnvelope = DsseEnvelope<typeof SEAL_TYPE>;
