// Anchors a child machine in a mother machine: the mother's chain stores an anchor that the child signed under a
// pseudonym, then the child's chain records where. These are two changes. If the node dies in between, the next call
// finds the first one done and completes the second.

import { signAnchor, signContinuity } from '../../chain/anchor.ts';
import { idHash } from '../../chain/identity.ts';
import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import {
  type AnchorRepository,
  anchoredRows,
  anchorRows,
  continuityRows,
  type StoredAnchor,
} from '../../storage/anchors/anchors.ts';
import type { MotherRepository } from '../../storage/anchors/mothers.ts';
import { into } from '../../storage/database/writer.ts';
import { assertNotArchived, type Machine, type MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import type { TreeService } from '../machines/trees.ts';
import type { AnchorConsent } from './consent.ts';
import type { Alias, AnchorKeys } from './keys.ts';

export interface AnchorServiceOptions {
  readonly machines: MachineService;
  readonly machineRepository: MachineRepository;
  readonly anchors: AnchorRepository;
  readonly motherStates: MotherRepository;
  readonly keys: AnchorKeys;
  readonly trees: TreeService;
  readonly consent: AnchorConsent;
}

export interface AnchorPage {
  readonly limit: number;
  /** Only rows of the mother's chain before this one. */
  readonly before?: number | undefined;
}

/** Mothers that receive a new pseudonym at its rotation; others receive it with the next anchor. */
const MAX_MOTHERS_PER_ROTATION = 64;

export class AnchorService {
  readonly #options: AnchorServiceOptions;

  constructor(options: AnchorServiceOptions) {
    this.#options = options;
  }

  /**
   * Anchors the newest checkpoint. Idempotent: a checkpoint of the same size returns the existing anchor.
   *
   * @param by  undefined for scheduled anchors
   * @param zid  whose right to anchor in the mother is used
   * @returns the anchor, and the child's row that records it
   * @throws DomainError VALIDATION_FAILED, ANCHOR_NOT_ACCEPTED, RATE_LIMITED, CONFLICT if the mother is paused,
   *   MACHINE_ARCHIVED
   */
  async anchor(child: Machine, mother: Machine, by: Principal | undefined, zid: string) {
    const { machines, anchors, motherStates, keys, trees, consent } = this.#options;
    if (child.id === mother.id) {
      const message = `child_slug must be a machine other than the mother; it is ${child.head.slug}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'child_slug', code: 'SAME_MACHINE', message }],
      });
    }
    assertNotArchived(child);
    assertNotArchived(mother);
    // Before anything is counted or written.
    assertActive(mother);
    const refund = await consent.admit(mother, zid);
    const motherHash = idHashOf(mother);
    const alias = await keys.getOrCreate(child, by, motherHash);
    await this.#ensureContinuity(child, mother, alias, zid);
    const { size, root } = await trees.checkpoint(child);
    const unsigned = { mother: motherHash, pseudonym: alias.pseudonym, size, root: toHex(root) };
    const { answer: existing, rows } = await machines.commitExclusive(mother, async (now, on) => {
      assertActive(now);
      const found = await anchors.find(now.id, alias.pseudonym, size, on);
      if (found !== undefined) return { rows: [], answer: found };
      await consent.assert(now, zid, on);
      // The system is the actor, since the caller's identity may reveal the child.
      const svcond = machines.row(undefined, 'anchor', 'anchor', {}).svcond;
      const anchor = signAnchor({ ...unsigned, svcond }, alias.signer);
      const row = { svcond, type: 'anchor', source: 'anchor', actor: SYSTEM_ACTOR, payload: anchor };
      const write = into(anchorRows, { motherId: now.id, seq: now.head.seq + 1, anchor });
      return { rows: [row], writes: [write], answer: undefined };
    });
    if (existing !== undefined) await refund();
    const anchor = existing ?? (await anchors.find(mother.id, alias.pseudonym, size));
    if (anchor === undefined) throw new Error('Anchor not found after its commit.');
    const child_seq = await this.#recordInChild(child, mother, by, anchor);
    await motherStates.advance(child.id, mother.id, { epoch: alias.epoch, size });
    return { ...anchor, mother: motherHash, duplicate: rows.length === 0, child_seq };
  }

  /** Writes the child's row about an anchor. A private mother is named by its id_hash only. */
  async #recordInChild(
    child: Machine,
    mother: Machine,
    by: Principal | undefined,
    anchor: StoredAnchor,
  ): Promise<number> {
    const { machines, anchors } = this.#options;
    const { answer } = await machines.commitExclusive(child, async ({ id, head }, on) => {
      const existingSeq = await anchors.anchoredSeq(id, mother.id, anchor, on);
      if (existingSeq !== undefined) return { rows: [], answer: existingSeq };
      const { pseudonym, size } = anchor;
      const slug = mother.isPublic ? { mother_slug: mother.head.slug } : {};
      const row = machines.row(by, 'anchored', 'anchor', { mother: idHashOf(mother), ...slug, ...anchor });
      const seq = head.seq + 1;
      const write = into(anchoredRows, { machineId: id, motherId: mother.id, pseudonym, size, seq });
      return { rows: [row], writes: [write], answer: seq };
    });
    return answer;
  }

  /**
   * Rotates the anchor key, and with it the pseudonym at every mother. Both keys sign the continuity of the pseudonyms.
   *
   * @throws DomainError CONFLICT if the key is too young, MACHINE_ARCHIVED
   */
  async rotate(child: Machine, by: Principal) {
    const { machineRepository, motherStates, keys } = this.#options;
    const epoch = await keys.rotate(child, by);
    const states = await motherStates.list(child.id, MAX_MOTHERS_PER_ROTATION);
    const known = states.filter((state) => state.epoch !== undefined).map(({ motherId }) => motherId);
    const mothers = [];
    for (const mother of await machineRepository.byIds(known, false)) {
      const alias = await keys.getOrCreate(child, by, idHashOf(mother));
      const code = await this.#ensureContinuity(child, mother, alias, by.zid ?? '').then(() => null, codeOf);
      mothers.push({ mother: mother.head.slug, pseudonym: alias.pseudonym, ok: code === null, code });
    }
    return { epoch, mothers };
  }

  /** Writes a continuity proof if the mother knows an older alias only. */
  async #ensureContinuity(child: Machine, mother: Machine, alias: Alias, zid: string): Promise<void> {
    const { machines, anchors, motherStates, keys, consent } = this.#options;
    const state = await motherStates.get(child.id, mother.id);
    if (state?.epoch === undefined || state.epoch >= alias.epoch) return;
    const previous = await keys.get(child, idHashOf(mother), state.epoch);
    if (previous === undefined) throw new Error(`Anchor key ${state.epoch} of ${child.id} not found.`);
    await machines.commitExclusive(mother, async (now, on) => {
      assertActive(now);
      const { pseudonym } = alias;
      if (await anchors.isContinued(now.id, pseudonym, on)) return { rows: [], answer: undefined };
      await consent.assert(now, zid, on);
      const { svcond, ...row } = machines.row(undefined, 'anchor_continuity', 'anchor', {});
      const from = [previous.pseudonym, previous.signer] as const;
      const to = [alias.pseudonym, alias.signer] as const;
      const payload = signContinuity(idHashOf(mother), from, to, svcond);
      const write = { motherId: now.id, pseudonym, continues: previous.pseudonym, seq: now.head.seq + 1 };
      return { rows: [{ ...row, svcond, payload }], writes: [into(continuityRows, write)], answer: undefined };
    });
    await motherStates.advance(child.id, mother.id, { epoch: alias.epoch, size: 0 });
  }

  /** Lists the anchors in a mother, newest first. */
  async list(mother: Machine, { limit, ...page }: AnchorPage & { readonly pseudonym?: string | undefined }) {
    const found = await this.#options.anchors.list(mother.id, { ...page, limit: limit + 1 });
    return { mother: idHashOf(mother), ...pageOf(found, limit, ({ seq }) => seq) };
  }

  /** Summarizes the anchors in a mother by pseudonym, newest anchor first. */
  async summaries(mother: Machine, { limit, ...page }: AnchorPage) {
    const found = await this.#options.anchors.summaries(mother.id, { ...page, limit: limit + 1 });
    return { mother: idHashOf(mother), ...pageOf(found, limit, ({ newest }) => newest.seq) };
  }
}

function idHashOf({ head: { slug }, genesisHash }: Machine): string {
  return idHash(slug, genesisHash);
}

/** @param found  rows of the page, and one more if there is a next page */
function pageOf<Row>(found: readonly Row[], limit: number, seqOf: (row: Row) => number) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next_cursor: found.length > limit && last !== undefined ? String(seqOf(last)) : null };
}

/** @throws DomainError CONFLICT */
function assertActive({ status, head: { slug } }: Machine): void {
  if (status !== 'active')
    throw new DomainError('CONFLICT', `Machine ${slug} is ${status}; it must be active to accept anchors.`);
}

/** Returns the code of a refusal; throws any other error again. */
export function codeOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  throw error;
}
