// Bundles: row ranges of a chain as self-verifying files (chain/bundle.ts) and HTML pages.

import { BUNDLE_FORMAT, type BundledRow, type MachineBundle } from '../../chain/bundle.ts';
import { addressOf, idHash } from '../../chain/identity.ts';
import { isCheckpointSignedBy, parseCheckpoint, verifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { bundleInPage, pageAroundBundle } from '../../protocol/bundle.ts';
import type { ContractVersionRepository, StoredDefinition } from '../../storage/contracts/versions.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredCheckpoint } from '../../storage/machines/trees.ts';
import type { TreeService } from './trees.ts';

export interface BundleServiceOptions {
  readonly trees: TreeService;
  readonly audit: AuditRepository;
  readonly contractVersions: ContractVersionRepository;
  /** Public keys of the node, newest first; an older one may have signed the newest checkpoint. */
  readonly keys: () => readonly Uint8Array[];
  /** The verifier as one HTML file; undefined if the portal was not built. */
  readonly verifierPage: () => string | undefined;
}

/** Rows per chunk, if their payloads are short. */
const ROWS_PER_CHUNK = 1_000;

interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A bundle as JSON text in chunks. */
export interface StreamedBundle {
  readonly etag: string;
  readonly chunks: AsyncIterable<string>;
}

export class BundleService {
  readonly #options: BundleServiceOptions;

  constructor(options: BundleServiceOptions) {
    this.#options = options;
  }

  /**
   * Bundles rows `from` to `to`, by default the last ones; fewer if their payloads are long. Rows and definitions are
   * read while they are sent, about a megabyte at a time.
   *
   * @throws DomainError VALIDATION_FAILED for an empty range
   */
  async stream(machine: Machine, range: Range): Promise<StreamedBundle> {
    const { audit, trees } = this.#options;
    const { slug, seq: last, row_hash: head } = machine.head;
    const end = Math.min(range.to ?? last, last);
    const from = range.from ?? Math.max(0, end - LIMITS.bundle.rows + 1);
    if (from > end) {
      const message = `from must be at most to, within rows 0 to ${last}; from is ${from}, to is ${end}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from', code: 'OUT_OF_RANGE', message }],
      });
    }
    const longest = { from, to: Math.min(end, from + LIMITS.bundle.rows - 1), maxBytes: LIMITS.bundle.payloadBytes };
    const to = await audit.lastWithin(machine.id, longest);
    const [before] = from === 0 ? [] : await audit.range(machine.id, slug, from - 1, from - 1);
    const id = idHash(slug, machine.genesisHash);
    const stored = await trees.checkpoint(machine);
    const checkpoint = await this.#proof(machine, from, to, stored);
    const top = {
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
      next_from: to < Math.max(last, stored.size - 1) ? to + 1 : null,
      before: before === undefined ? null : headOf(before),
    } satisfies Partial<MachineBundle>;
    // Every change of a row or a contract adds a row, so the head and the checkpoint stand for all that follows.
    const etag = sha256Hex(canonicalJson({ top, head, checkpoint }));
    return { etag, chunks: this.#chunks(machine, top, checkpoint) };
  }

  /** The same in the verifier page. @throws DomainError NOT_FOUND if the portal was not built */
  async streamPage(machine: Machine, range: Range): Promise<StreamedBundle> {
    const page = this.#options.verifierPage();
    if (page === undefined)
      throw new DomainError(
        'NOT_FOUND',
        'Verifier page not found: this node was built without the portal; use /bundle for JSON.',
      );
    const { etag, chunks } = await this.stream(machine, range);
    const [before, after] = pageAroundBundle(page);
    return { etag: sha256Hex(`${etag}\0${sha256Hex(page)}`), chunks: inPage(before, chunks, after) };
  }

  async *#chunks(
    machine: Machine,
    top: Pick<MachineBundle, 'from' | 'to'>,
    checkpoint: MachineBundle['checkpoint'],
  ): AsyncGenerator<string, void, void> {
    yield `${JSON.stringify(top).slice(0, -1)},"rows":[`;
    yield* this.#rows(machine, top.from, top.to);
    yield `],"checkpoint":${JSON.stringify(checkpoint)},"versions":[`;
    yield* this.#versions(machine);
    yield ']}\n';
  }

  async *#rows(machine: Machine, from: number, to: number): AsyncGenerator<string, void, void> {
    const page = { order: 'oldest first', limit: ROWS_PER_CHUNK, maxBytes: LIMITS.pageBytes } as const;
    for (let at = from; at <= to; ) {
      const range = { from: at, before: to + 1 };
      const { rows } = await this.#options.audit.page(machine.id, machine.head.slug, { ...page, ...range });
      const last = rows.at(-1);
      if (last === undefined) throw new Error(`Rows ${at} to ${to} of ${machine.head.slug} not found.`);
      yield listed(rows.map(bundledRow), at === from);
      at = last.seq + 1;
    }
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

  /** Versions of all contracts, newest contracts first, up to the limits. */
  async *#versions({ id }: Machine): AsyncGenerator<string, void, void> {
    const { versions: maxVersions, versionBytes } = LIMITS.bundle;
    let after: StoredDefinition | undefined;
    let count = 0;
    let bytes = 0;
    do {
      const page = { after, maxRows: maxVersions - count, maxBytes: Math.min(LIMITS.pageBytes, versionBytes - bytes) };
      const { rows, isCut } = await this.#options.contractVersions.pageOfMachine(id, page);
      if (rows.length > 0) yield listed(rows.map(bundledVersion), count === 0);
      after = isCut ? rows.at(-1) : undefined;
      count += rows.length;
      for (const { definitionText } of rows) bytes += definitionText.length;
    } while (after !== undefined && count < maxVersions && bytes < versionBytes);
  }
}

/** Elements of a list as JSON text, without its brackets. */
function listed(elements: readonly object[], isFirst: boolean): string {
  const text = elements.map((element) => JSON.stringify(element)).join(',');
  return isFirst ? text : `,${text}`;
}

async function* inPage(before: string, chunks: AsyncIterable<string>, after: string) {
  yield before;
  for await (const chunk of chunks) yield bundleInPage(chunk);
  yield after;
}

function headOf({ v, seq, svcond, type, source, actor, commit, prev, row_hash }: Row): Omit<BundledRow, 'salt'> {
  return { v, seq, svcond, type, source, actor, commit, prev, row_hash };
}

function bundledRow(row: Row): BundledRow {
  const { salt, payload_text } = row;
  return { ...headOf(row), ...(salt === undefined || payload_text === undefined ? {} : { salt, payload_text }) };
}

function bundledVersion(version: StoredDefinition): MachineBundle['versions'][number] {
  const { contractId: contract, no, definitionText: definition, definitionHash: definition_hash, svcond } = version;
  return { contract, no, definition, definition_hash, svcond };
}
