// Seals over all machines (chain/node-seal.ts), created on demand, at most one per LIMITS.chain.sealTicks.

import { SEAL_TYPE, sealRoot, sealText } from '../../chain/node-seal.ts';
import { toHex } from '../../core/bits.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import { type DsseEnvelope, signDsse } from '../../protocol/dsse.ts';
import type { Signer } from '../../protocol/signing.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { NodeSeal, NodeSealRepository } from '../../storage/node/node-seals.ts';

export interface SealServiceOptions {
  readonly seals: NodeSealRepository;
  readonly machines: MachineRepository;
  readonly signer: Signer;
  readonly clock: Clock;
}

export class SealService {
  readonly #options: SealServiceOptions;
  #pending: Promise<NodeSeal> | undefined;

  constructor(options: SealServiceOptions) {
    this.#options = options;
  }

  /** The newest seal; creates a new one if that has expired. */
  async newest() {
    const { seals, signer, clock } = this.#options;
    const newest = await seals.newest();
    const now = tickOf(clock.now());
    const isCurrent = newest !== undefined && now - newest.svcond < LIMITS.chain.sealTicks;
    const { no, svcond, machines, root, envelope } = isCurrent ? newest : await this.#create(newest, now);
    return {
      no,
      svcond,
      machines,
      root: toHex(root),
      envelope: JSON.parse(envelope) as SealEnvelope,
      public_key: signer.publicKey,
    };
  }

  /** Concurrent calls share one seal. */
  #create(before: NodeSeal | undefined, now: number): Promise<NodeSeal> {
    this.#pending ??= this.#sign(before, now).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #sign(before: NodeSeal | undefined, svcond: number): Promise<NodeSeal> {
    const { seals, machines, signer } = this.#options;
    const heads = await machines.heads();
    const root = sealRoot(heads);
    const no = (before?.no ?? 0) + 1;
    const payload = utf8(sealText({ no, svcond, machines: heads.length, root, previous: before?.root }));
    const envelope = JSON.stringify(signDsse(SEAL_TYPE, payload, signer));
    const seal = { no, svcond, machines: heads.length, root, envelope };
    // If another node has stored this number already, its seal counts.
    return (await seals.add(seal)) ? seal : ((await seals.newest()) ?? seal);
  }
}

/** DSSE envelope of a seal, stored as JSON. */
export type SealEnvelope = DsseEnvelope<typeof SEAL_TYPE>;
