// Anchor keys: one secret a machine, from which it has a name and a signing key for each mother. They stay in the database,
// sealed, and every one of them is kept: the name before is signed for by the key before.

import { ANCHOR_KEY_BYTES, anchorSeed, pseudonymOf } from '../../chain/anchor.ts';
import type { NoteSigner } from '../../chain/note.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type AnchorRepository, anchorKeyRows } from '../../storage/anchors/anchors.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import { ed25519Signer } from '../node/key-ring.ts';
import type { SealedBox } from '../node/sealed-box.ts';

/** Who a machine is to one mother, as long as one key lasts. */
export interface Alias {
  readonly epoch: number;
  readonly pseudonym: string;
  readonly signer: NoteSigner;
}

export interface AnchorKeysOptions {
  readonly machines: MachineService;
  readonly anchors: AnchorRepository;
  readonly box: SealedBox;
  readonly randomBytes: (count: number) => Uint8Array;
}

export class AnchorKeys {
  readonly #options: AnchorKeysOptions;

  constructor(options: AnchorKeysOptions) {
    this.#options = options;
  }

  /** The newest alias; the first key is made when there is none. @throws DomainError MACHINE_ARCHIVED */
  async newest(child: Machine, by: Principal | undefined, mother: string): Promise<Alias> {
    const found = await this.of(child, mother);
    if (found !== undefined) return found;
    await this.#add(child, by, 'made', (newest) => newest === undefined);
    const made = await this.of(child, mother);
    if (made === undefined) throw new Error(`The anchor key of ${child.id} was made and is not there.`);
    return made;
  }

  /** The alias of an epoch, or the newest one. @param mother  her id_hash */
  async of({ id }: Machine, mother: string, epoch?: number): Promise<Alias | undefined> {
    const { anchors, box } = this.#options;
    const stored = (await anchors.keys(id)).find((one) => epoch === undefined || one.epoch === epoch);
    if (stored === undefined) return undefined;
    const secret = box.open(nameOf(id, stored.epoch), stored.sealed);
    const signer = ed25519Signer(anchorSeed(secret, mother));
    return { epoch: stored.epoch, pseudonym: pseudonymOf(secret, mother), signer };
  }

  /** @returns the new epoch. @throws DomainError CONFLICT if the newest key is younger than an anchor may be */
  async rotate(child: Machine, by: Principal): Promise<number> {
    return this.#add(child, by, 'rotated', (newest, now) => {
      const from = (newest?.createdSvcond ?? Number.NEGATIVE_INFINITY) + LIMITS.chain.anchors.everyTicks;
      if (now >= from) return true;
      throw new DomainError('CONFLICT', `The anchor key is new; from tick ${from} on it can be rotated, it is ${now}.`);
    });
  }

  async #add(
    child: Machine,
    by: Principal | undefined,
    act: 'made' | 'rotated',
    isWanted: (newest: { readonly createdSvcond: number } | undefined, now: number) => boolean,
  ): Promise<number> {
    const { machines, anchors, box, randomBytes } = this.#options;
    const { answer } = await machines.commitAlone(child, async ({ id }, on) => {
      const [newest] = await anchors.keys(id, on);
      const epoch = (newest?.epoch ?? 0) + 1;
      const row = machines.row(by, 'anchor_key', 'api', { act, epoch });
      if (!isWanted(newest, row.svcond)) return { rows: [], answer: epoch - 1 };
      const sealed = box.seal(nameOf(id, epoch), randomBytes(ANCHOR_KEY_BYTES));
      const key = { machineId: id, epoch, sealed, createdSvcond: row.svcond };
      return { rows: [row], writes: [into(anchorKeyRows, key)], answer: epoch };
    });
    return answer;
  }
}

function nameOf(machineId: string, epoch: number): string {
  return `svc-anchor-key\0${machineId}\0${epoch}`;
}
