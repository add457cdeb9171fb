// A machine anchored in another: the mother's chain takes in what the child signed under its pseudonym, then the child's chain
// notes where. Two machines are two changes: what was cut short between them is made up for by the next call, which finds
// the first half done.

import { signAnchor, signContinuity } from '../../chain/anchor.ts';
import { idHash } from '../../chain/identity.ts';
import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import {
  type AnchoredSummary,
  type AnchorRepository,
  anchoredRows,
  anchorRows,
  continuityRows,
  type StoredAnchor,
} from '../../storage/anchors/anchors.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import { assertNotArchived, type MachineService } from '../machines/machines.ts';
import type { TreeService } from '../machines/trees.ts';
import type { Alias, AnchorKeys } from './keys.ts';

/** An anchor, and where the child notes it. */
export interface AnchoredRecord extends StoredAnchor {
  /** The mother's id_hash, which the signature covers. */
  readonly mother: string;
  readonly duplicate: boolean;
  /** The child's row. */
  readonly child_seq: number;
}

export interface AnchorServiceOptions {
  readonly machines: MachineService;
  readonly stored: MachineRepository;
  readonly anchors: AnchorRepository;
  readonly keys: AnchorKeys;
  readonly trees: TreeService;
}

export interface AnchorPage {
  readonly limit: number;
  /** Rows of the mother's chain before this one. */
  readonly before?: number | undefined;
}

/** Mothers who are told of a new pseudonym at once; others learn it with the next anchor. */
const TOLD_AT_ONCE = 64;

export class AnchorService {
  readonly #options: AnchorServiceOptions;

  constructor(options: AnchorServiceOptions) {
    this.#options = options;
  }

  /**
   * Anchors the newest checkpoint. That of the same size is anchored once; the second call answers the first anchor.
   *
   * @param by  undefined for what the machine does by itself
   * @throws DomainError VALIDATION_FAILED, CONFLICT if the mother is paused, MACHINE_ARCHIVED
   */
  async anchor(child: Machine, mother: Machine, by: Principal | undefined): Promise<AnchoredRecord> {
    const { machines, anchors, keys, trees } = this.#options;
    if (child.id === mother.id) {
      const message = `child_slug is ${child.head.slug}; a machine other than the mother is expected.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'child_slug', code: 'SAME_MACHINE', message }],
      });
    }
    assertNotArchived(child);
    const name = nameOf(mother);
    const alias = await keys.newest(child, by, name);
    await this.#tie(child, mother, alias);
    const { size, root } = await trees.checkpoint(child);
    const told = { mother: name, pseudonym: alias.pseudonym, size, root: toHex(root) };
    const { answer: known, rows } = await machines.commitAlone(mother, async (now, on) => {
      assertActive(now);
      const held = await anchors.find(now.id, alias.pseudonym, size, on);
      if (held !== undefined) return { rows: [], answer: held };
      // Of the system: whoever asks may be known as somebody of the child.
      const svcond = machines.row(undefined, 'anchor', 'anchor', {}).svcond;
      const anchor = signAnchor({ ...told, svcond }, alias.signer);
      const row = { svcond, type: 'anchor', source: 'anchor', actor: SYSTEM_ACTOR, payload: anchor };
      const write = into(anchorRows, { motherId: now.id, seq: now.head.seq + 1, anchor });
      return { rows: [row], writes: [write], answer: undefined };
    });
    const held = known ?? (await anchors.find(mother.id, alias.pseudonym, size));
    if (held === undefined) throw new Error('An anchor was committed and is not there.');
    const child_seq = await this.#note(child, mother, by, held);
    await anchors.advance(child.id, mother.id, { epoch: alias.epoch, size });
    return { ...held, mother: name, duplicate: rows.length === 0, child_seq };
  }

  /** A row of the child that says where it was anchored. A private mother is named by her id_hash alone. */
  async #note(child: Machine, mother: Machine, by: Principal | undefined, held: StoredAnchor): Promise<number> {
    const { machines, anchors } = this.#options;
    const { answer } = await machines.commitAlone(child, async ({ id, head }, on) => {
      const noted = await anchors.noted(id, mother.id, held, on);
      if (noted !== undefined) return { rows: [], answer: noted };
      const { pseudonym, size } = held;
      const slug = mother.isPublic ? { mother_slug: mother.head.slug } : {};
      const row = machines.row(by, 'anchored', 'anchor', { mother: nameOf(mother), ...slug, ...held });
      const seq = head.seq + 1;
      const write = into(anchoredRows, { machineId: id, motherId: mother.id, pseudonym, size, seq });
      return { rows: [row], writes: [write], answer: seq };
    });
    return answer;
  }

  /**
   * A new anchor key, and with it a new pseudonym at every mother, each tied to the one before by both keys.
   *
   * @throws DomainError CONFLICT if the key is too young, MACHINE_ARCHIVED
   */
  async rotate(
    child: Machine,
    by: Principal,
  ): Promise<{ epoch: number; mothers: { mother: string; pseudonym: string; ok: boolean; code: string | null }[] }> {
    const { stored, anchors, keys } = this.#options;
    const epoch = await keys.rotate(child, by);
    const states = await anchors.mothers(child.id, TOLD_AT_ONCE);
    const known = states.filter((state) => state.epoch !== undefined).map(({ motherId }) => motherId);
    const mothers = [];
    for (const mother of await stored.byIds(known, false)) {
      const alias = await keys.newest(child, by, nameOf(mother));
      const code = await this.#tie(child, mother, alias).then(() => null, codeOf);
      mothers.push({ mother: mother.head.slug, pseudonym: alias.pseudonym, ok: code === null, code });
    }
    return { epoch, mothers };
  }

  /** Ties the alias to the one that the mother knows, if that is an older one. */
  async #tie(child: Machine, mother: Machine, alias: Alias): Promise<void> {
    const { machines, anchors, keys } = this.#options;
    const state = await anchors.mother(child.id, mother.id);
    if (state?.epoch === undefined || state.epoch >= alias.epoch) return;
    const before = await keys.of(child, nameOf(mother), state.epoch);
    if (before === undefined) throw new Error(`The anchor key ${state.epoch} of ${child.id} is not there.`);
    await machines.commitAlone(mother, async (now, on) => {
      assertActive(now);
      const { pseudonym } = alias;
      if (await anchors.isContinued(now.id, pseudonym, on)) return { rows: [], answer: undefined };
      const { svcond, ...row } = machines.row(undefined, 'anchor_continuity', 'anchor', {});
      const [from, to] = [before, alias].map((one) => [one.pseudonym, one.signer] as const);
      if (from === undefined || to === undefined) throw new Error('Continuity has two ends.');
      const payload = signContinuity(nameOf(mother), from, to, svcond);
      const write = { motherId: now.id, pseudonym, continues: before.pseudonym, seq: now.head.seq + 1 };
      return { rows: [{ ...row, svcond, payload }], writes: [into(continuityRows, write)], answer: undefined };
    });
    await anchors.advance(child.id, mother.id, { epoch: alias.epoch, size: 0 });
  }

  /** What a mother holds, newest first. */
  async held(
    mother: Machine,
    { limit, ...page }: AnchorPage & { readonly pseudonym?: string | undefined },
  ): Promise<{ mother: string; rows: StoredAnchor[]; next_cursor: string | null }> {
    const found = await this.#options.anchors.held(mother.id, { ...page, limit: limit + 1 });
    return { mother: nameOf(mother), ...pageOf(found, limit, ({ seq }) => seq) };
  }

  /** Who is anchored here, by pseudonym; those with the newest anchors first. */
  async summaries(
    mother: Machine,
    { limit, ...page }: AnchorPage,
  ): Promise<{ mother: string; rows: AnchoredSummary[]; next_cursor: string | null }> {
    const found = await this.#options.anchors.summaries(mother.id, { ...page, limit: limit + 1 });
    return { mother: nameOf(mother), ...pageOf(found, limit, ({ newest }) => newest.seq) };
  }
}

function nameOf({ head: { slug }, genesisHash }: Machine): string {
  return idHash(slug, genesisHash);
}

/** `found` holds one more than the page, if there is one. */
function pageOf<Row>(found: readonly Row[], limit: number, seqOf: (row: Row) => number) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next_cursor: found.length > limit && last !== undefined ? String(seqOf(last)) : null };
}

/** @throws DomainError CONFLICT */
function assertActive({ status, head: { slug } }: Machine): void {
  if (status !== 'active') throw new DomainError('CONFLICT', `The machine ${slug} is ${status}: it takes no anchors.`);
}

/** Why something was refused. Anything but a refusal is a defect, and thrown. */
export function codeOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  throw error;
}
