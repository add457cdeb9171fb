// The seal over all machines (chain/node-seal.ts), made when it is asked for, at most every so many ticks.

import { SEAL_TYPE, sealRoot, sealText } from '../../chain/node-seal.ts';
import { toBase64, toHex } from '../../core/bits.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import { type PublicJwk, preAuthenticationEncoding, type Signer } from '../../protocol/seal.ts';
import type { OverviewRepository } from '../../storage/machines/overview.ts';
import type { NodeSeal, SealRepository } from '../../storage/node/seals.ts';

export interface SealRecord {
  readonly no: number;
  readonly svcond: number;
  readonly machines: number;
  readonly root: string;
  readonly envelope: {
    readonly payloadType: typeof SEAL_TYPE;
    readonly payload: string;
    readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
  };
  readonly public_key: PublicJwk;
}

export interface SealServiceOptions {
  readonly seals: SealRepository;
  readonly overview: OverviewRepository;
  readonly signer: Signer;
  readonly clock: Clock;
}

export class SealService {
  readonly #options: SealServiceOptions;
  #making: Promise<NodeSeal> | undefined;

  constructor(options: SealServiceOptions) {
    this.#options = options;
  }

  /** The newest seal; a new one if it is old enough. */
  async newest(): Promise<SealRecord> {
    const { seals, signer, clock } = this.#options;
    const newest = await seals.newest();
    const now = tickOf(clock.now());
    const isFresh = newest !== undefined && now - newest.svcond < LIMITS.chain.sealTicks;
    const { no, svcond, machines, root, envelope } = isFresh ? newest : await this.#make(newest, now);
    return {
      no,
      svcond,
      machines,
      root: toHex(root),
      envelope: JSON.parse(envelope) as SealRecord['envelope'],
      public_key: signer.publicKey,
    };
  }

  /** Those who ask together wait for one. */
  #make(before: NodeSeal | undefined, now: number): Promise<NodeSeal> {
    this.#making ??= this.#sign(before, now).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #sign(before: NodeSeal | undefined, svcond: number): Promise<NodeSeal> {
    const { seals, overview, signer } = this.#options;
    const heads = await overview.heads();
    const root = sealRoot(heads);
    const no = (before?.no ?? 0) + 1;
    const payload = utf8(sealText({ no, svcond, machines: heads.length, root, before: before?.root }));
    const sig = toBase64(signer.sign(preAuthenticationEncoding(SEAL_TYPE, payload)));
    const envelope = JSON.stringify({
      payloadType: SEAL_TYPE,
      payload: toBase64(payload),
      signatures: [{ keyid: signer.publicKey.kid, sig }],
    } satisfies SealRecord['envelope']);
    const fresh = { no, svcond, machines: heads.length, root, envelope };
    // Another node made this one a moment ago: theirs stands.
    return (await seals.add(fresh)) ? fresh : ((await seals.newest()) ?? fresh);
  }
}
