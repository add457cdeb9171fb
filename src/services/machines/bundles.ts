// Stretches of chains as files that prove themselves (chain/bundle.ts), and as pages that check themselves.

import { BUNDLE_FORMAT, type BundledRow, type MachineBundle } from '../../chain/bundle.ts';
import { addressOf, idHash } from '../../chain/identity.ts';
import { isCheckpointSignedBy, parseCheckpoint, verifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ContractRepository } from '../../storage/contracts/contracts.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredCheckpoint } from '../../storage/machines/trees.ts';
import type { TreeService } from './trees.ts';

export interface BundleServiceOptions {
  readonly trees: TreeService;
  readonly audit: AuditRepository;
  readonly contracts: ContractRepository;
  /** Public keys of the node, newest first: an older one may have signed the newest checkpoint. */
  readonly keys: () => readonly Uint8Array[];
  /** The verifier as one HTML file; undefined where the portal was not built. */
  readonly verifierPage: () => string | undefined;
}

/** A payload has up to 64 KiB: so many rows are read at once. */
const READ_AT_ONCE = 200;

export class BundleService {
  readonly #options: BundleServiceOptions;

  constructor(options: BundleServiceOptions) {
    this.#options = options;
  }

  /**
   * Rows `from` up to and including `to`, the last ones by default; fewer where their payloads are long.
   *
   * @throws DomainError VALIDATION_FAILED for a stretch that is none
   */
  async ofMachine(
    machine: Machine,
    asked: { readonly from?: number | undefined; readonly to?: number | undefined },
  ): Promise<MachineBundle> {
    const { slug, seq: last } = machine.head;
    const end = Math.min(asked.to ?? last, last);
    const from = asked.from ?? Math.max(0, end - LIMITS.bundle.rows + 1);
    if (from > end) {
      const message = `from is ${from}, to is ${end}; rows 0 to ${last} are there.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from', code: 'OUT_OF_RANGE', message }],
      });
    }
    const rows = await this.#rows(machine, from, Math.min(end, from + LIMITS.bundle.rows - 1));
    const to = from + rows.length - 1;
    const [before] = from === 0 ? [] : await this.#options.audit.range(machine.id, slug, from - 1, from - 1);
    const id = idHash(slug, machine.genesisHash);
    const checkpoint = await this.#options.trees.checkpoint(machine);
    return {
      format: BUNDLE_FORMAT,
      kind: 'machine',
      machine: {
        slug,
        genesis_tick: machine.genesisTick,
        genesis_hash: machine.genesisHash,
        id_hash: id,
        address: addressOf(id),
      },
      from,
      to,
      // Rows that came while these were read may be in the checkpoint.
      next_from: to < Math.max(last, checkpoint.size - 1) ? to + 1 : null,
      before: before === undefined ? null : headOf(before),
      rows,
      checkpoint: await this.#proof(machine, from, to, checkpoint),
      versions: await this.#versions(machine),
    };
  }

  /** The verifier with the bundle inside, as one page. @throws DomainError NOT_FOUND where the portal was not built */
  pageOf(bundle: MachineBundle): string {
    const page = this.#options.verifierPage();
    if (page === undefined)
      throw new DomainError('NOT_FOUND', 'This node was built without its pages; /bundle answers the same as JSON.');
    // A block of data is no script to the page's policy; nothing in it can end the block.
    const data = JSON.stringify(bundle).replaceAll('<', '\\u003c');
    const place = page.lastIndexOf('<script type="module">');
    return `${page.slice(0, place)}<script type="application/json" id="bundle">${data}</script>\n${page.slice(place)}`;
  }

  async #rows(machine: Machine, from: number, to: number): Promise<BundledRow[]> {
    const rows: BundledRow[] = [];
    let characters = 0;
    for (let at = from; at <= to; at += READ_AT_ONCE) {
      const { slug } = machine.head;
      for (const row of await this.#options.audit.range(machine.id, slug, at, Math.min(to, at + READ_AT_ONCE - 1))) {
        characters += row.payload_text?.length ?? 0;
        if (characters > LIMITS.bundle.payloadCharacters && rows.length > 0) return rows;
        rows.push(shown(row));
      }
    }
    return rows;
  }

  async #proof(
    machine: Machine,
    from: number,
    to: number,
    { size, note }: StoredCheckpoint,
  ): Promise<MachineBundle['checkpoint']> {
    const { trees, audit } = this.#options;
    const verifier_key = this.#verifierKeyOf(note);
    // The newest rows may be younger than the checkpoint: then there is nothing to lead to its root.
    const isCovered = from < size;
    const beside = isCovered ? await trees.beside(machine, from, to + 1, size) : [];
    const [first] = from === 0 ? [] : await audit.range(machine.id, machine.head.slug, 0, 0);
    const genesis = first && {
      row: headOf(first),
      path: (await trees.inclusion(machine, 0, size)).path.map(toHex),
    };
    return { note, verifier_key, beside: beside.map(toHex), genesis: genesis ?? null };
  }

  /** The key that signed, under the name that it signed as: the node may be called otherwise by now. */
  #verifierKeyOf(note: string): string {
    const parsed = parseCheckpoint(note);
    if (parsed === undefined) throw new Error('A stored checkpoint cannot be read.');
    const { origin } = parsed.checkpoint;
    const keys = this.#options.keys();
    const [key] = [...keys.filter((one) => isCheckpointSignedBy(parsed, origin, one)), ...keys];
    if (key === undefined) throw new Error('The node has no key.');
    return verifierKey(origin, key);
  }

  /** Of all contracts, the newest versions first where there are too many. */
  async #versions({ id }: Machine): Promise<MachineBundle['versions']> {
    const { contracts } = this.#options;
    const found: MachineBundle['versions'] = [];
    for (const contract of (await contracts.ofMachine(id)).reverse()) {
      for (const one of await contracts.versions(id, contract.id)) {
        if (found.length === LIMITS.bundle.versions) return found;
        const { no, definitionText: definition, definitionHash: definition_hash, svcond } = one;
        found.push({ contract: contract.id, no, definition, definition_hash, svcond });
      }
    }
    return found;
  }
}

function headOf({ v, seq, svcond, type, source, actor, commit, prev, row_hash }: Row): Omit<BundledRow, 'salt'> {
  return { v, seq, svcond, type, source, actor, commit, prev, row_hash };
}

function shown(row: Row): BundledRow {
  const { salt, payload_text } = row;
  return { ...headOf(row), ...(salt === undefined || payload_text === undefined ? {} : { salt, payload_text }) };
}
