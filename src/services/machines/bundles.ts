// Bundles: row ranges of a chain as self-verifying files (chain/bundle.ts) and HTML pages.

import { BUNDLE_FORMAT, type BundledRow, type MachineBundle } from '../../chain/bundle.ts';
import { addressOf, idHash } from '../../chain/identity.ts';
import { isCheckpointSignedBy, parseCheckpoint, verifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { embedBundle } from '../../protocol/bundle.ts';
import type { ContractRepository } from '../../storage/contracts/contracts.ts';
import type { ContractVersionRepository } from '../../storage/contracts/versions.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredCheckpoint } from '../../storage/machines/trees.ts';
import type { TreeService } from './trees.ts';

export interface BundleServiceOptions {
  readonly trees: TreeService;
  readonly audit: AuditRepository;
  readonly contracts: ContractRepository;
  readonly contractVersions: ContractVersionRepository;
  /** Public keys of the node, newest first; an older one may have signed the newest checkpoint. */
  readonly keys: () => readonly Uint8Array[];
  /** The verifier as one HTML file; undefined if the portal was not built. */
  readonly verifierPage: () => string | undefined;
}

/** Rows per query; a payload has up to 64 KiB. */
const BATCH_SIZE = 200;

export class BundleService {
  readonly #options: BundleServiceOptions;

  constructor(options: BundleServiceOptions) {
    this.#options = options;
  }

  /**
   * Bundles rows `from` to `to`, by default the last ones; fewer if their payloads are long.
   *
   * @throws DomainError VALIDATION_FAILED for an empty range
   */
  async create(
    machine: Machine,
    range: { readonly from?: number | undefined; readonly to?: number | undefined },
  ): Promise<MachineBundle> {
    const { slug, seq: last } = machine.head;
    const end = Math.min(range.to ?? last, last);
    const from = range.from ?? Math.max(0, end - LIMITS.bundle.rows + 1);
    if (from > end) {
      const message = `from must be at most to, within rows 0 to ${last}; from is ${from}, to is ${end}.`;
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
      // The checkpoint may cover rows that were added during the read.
      next_from: to < Math.max(last, checkpoint.size - 1) ? to + 1 : null,
      before: before === undefined ? null : headOf(before),
      rows,
      checkpoint: await this.#proof(machine, from, to, checkpoint),
      versions: await this.#versions(machine),
    };
  }

  /** The verifier page with the bundle embedded. @throws DomainError NOT_FOUND if the portal was not built */
  renderPage(bundle: MachineBundle): string {
    const page = this.#options.verifierPage();
    if (page === undefined)
      throw new DomainError(
        'NOT_FOUND',
        'Verifier page not found: this node was built without the portal; use /bundle for JSON.',
      );
    return embedBundle(page, bundle);
  }

  async #rows(machine: Machine, from: number, to: number): Promise<BundledRow[]> {
    const rows: BundledRow[] = [];
    let characters = 0;
    for (let at = from; at <= to; at += BATCH_SIZE) {
      const { slug } = machine.head;
      for (const row of await this.#options.audit.range(machine.id, slug, at, Math.min(to, at + BATCH_SIZE - 1))) {
        characters += row.payload_text?.length ?? 0;
        if (characters > LIMITS.bundle.payloadCharacters && rows.length > 0) return rows;
        rows.push(bundledRow(row));
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
    // Rows newer than the checkpoint have no siblings under its root.
    const isCovered = from < size;
    const siblings = isCovered ? await trees.siblingHashes(machine, from, to + 1, size) : [];
    const [first] = from === 0 ? [] : await audit.range(machine.id, machine.head.slug, 0, 0);
    const genesis = first && {
      row: headOf(first),
      path: (await trees.inclusion(machine, 0, size)).path.map(toHex),
    };
    return { note, verifier_key, beside: siblings.map(toHex), genesis: genesis ?? null };
  }

  /** The key that signed the note, under the origin in the note: the node may have another host now. */
  #verifierKeyOf(note: string): string {
    const parsed = parseCheckpoint(note);
    if (parsed === undefined) throw new Error('A stored checkpoint is malformed.');
    const { origin } = parsed.checkpoint;
    const keys = this.#options.keys();
    const [key] = [...keys.filter((each) => isCheckpointSignedBy(parsed, origin, each)), ...keys];
    if (key === undefined) throw new Error('The node has no signing key.');
    return verifierKey(origin, key);
  }

  /** Versions of all contracts, newest contracts first, up to the limit. */
  async #versions({ id }: Machine): Promise<MachineBundle['versions']> {
    const { contracts, contractVersions } = this.#options;
    const versions: MachineBundle['versions'] = [];
    for (const contract of (await contracts.ofMachine(id)).reverse()) {
      for (const version of await contractVersions.list(id, contract.id)) {
        if (versions.length === LIMITS.bundle.versions) return versions;
        const { no, definitionText: definition, definitionHash: definition_hash, svcond } = version;
        versions.push({ contract: contract.id, no, definition, definition_hash, svcond });
      }
    }
    return versions;
  }
}

function headOf({ v, seq, svcond, type, source, actor, commit, prev, row_hash }: Row): Omit<BundledRow, 'salt'> {
  return { v, seq, svcond, type, source, actor, commit, prev, row_hash };
}

function bundledRow(row: Row): BundledRow {
  const { salt, payload_text } = row;
  return { ...headOf(row), ...(salt === undefined || payload_text === undefined ? {} : { salt, payload_text }) };
}
