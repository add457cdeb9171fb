// Anchor keys: one secret per machine, from which a pseudonym and a signing key are derived for each mother. They are
// stored sealed. Old keys are kept, since a continuity proof needs the signature of the previous key.

import { ANCHOR_KEY_BYTES, anchorSeed, pseudonymOf } from '../../chain/anchor.ts';
import type { NoteSigner } from '../../chain/note.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type AnchorKeyRepository, anchorKeyRows } from '../../storage/anchors/keys.ts';
import { into } from '../../storage/database/writer.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import { ed25519Signer } from '../node/key-ring.ts';
import type { SealedBox } from '../node/sealed-box.ts';

/** Identity of a machine to one mother, derived from one anchor key. */
export interface Alias {
  readonly epoch: number;
  readonly pseudonym: string;
  readonly signer: NoteSigner;
}

export interface AnchorKeysOptions {
  readonly machines: MachineService;
  readonly storedKeys: AnchorKeyRepository;
  readonly box: SealedBox;
  readonly randomBytes: (count: number) => Uint8Array;
}

export class AnchorKeys {
  readonly #options: AnchorKeysOptions;

  constructor(options: AnchorKeysOptions) {
    this.#options = options;
  }

  /** Returns the newest alias; creates the first key if needed. @throws DomainError MACHINE_ARCHIVED */
  async getOrCreate(child: Machine, by: Principal | undefined, mother: string): Promise<Alias> {
    const found = await this.get(child, mother);
    if (found !== undefined) return found;
    await this.#add(child, by, 'made', (newest) => newest === undefined);
    const created = await this.get(child, mother);
    if (created === undefined) throw new Error(`Anchor key of ${child.id} not found after it was created.`);
    return created;
  }

  /** Returns the alias of an epoch, or the newest one. @param mother  the mother's id_hash */
  async get({ id }: Machine, mother: string, epoch?: number): Promise<Alias | undefined> {
    const { storedKeys, box } = this.#options;
    const stored = (await storedKeys.list(id)).find((key) => epoch === undefined || key.epoch === epoch);
    if (stored === undefined) return undefined;
    const secret = box.open(anchorKeyContext(id, stored.epoch), stored.sealed);
    const signer = ed25519Signer(anchorSeed(secret, mother));
    return { epoch: stored.epoch, pseudonym: pseudonymOf(secret, mother), signer };
  }

  /** @returns the new epoch. @throws DomainError CONFLICT if the newest key is too young */
  async rotate(child: Machine, by: Principal): Promise<number> {
    return this.#add(child, by, 'rotated', (newest, now) => {
      const minTick = (newest?.createdSvcond ?? Number.NEGATIVE_INFINITY) + LIMITS.chain.anchors.everyTicks;
      if (now >= minTick) return true;
      throw new DomainError('CONFLICT', `The anchor key can be rotated from tick ${minTick} on; now is ${now}.`);
    });
  }

  async #add(
    child: Machine,
    by: Principal | undefined,
    act: 'made' | 'rotated',
    shouldAdd: (newest: { readonly createdSvcond: number } | undefined, now: number) => boolean,
  ): Promise<number> {
    const { machines, storedKeys, box, randomBytes } = this.#options;
    const { answer } = await machines.commitExclusive(child, async ({ id, head }, on) => {
      const [newest] = await storedKeys.list(id, on);
      const epoch = (newest?.epoch ?? 0) + 1;
      const row = machines.row(by, 'anchor_key', 'api', { act, epoch });
      if (!shouldAdd(newest, row.svcond)) return { rows: [], answer: epoch - 1 };
      const sealed = box.seal(anchorKeyContext(id, epoch), randomBytes(ANCHOR_KEY_BYTES));
      const key = { machineId: id, epoch, sealed, createdSvcond: Math.max(row.svcond, head.svcond) };
      return { rows: [row], writes: [into(anchorKeyRows, key)], answer: epoch };
    });
    return answer;
  }
}

/** Name under which a key is sealed. */
export function anchorKeyContext(machineId: string, epoch: number): string {
  return `svc-anchor-key\0${machineId}\0${epoch}`;
}
