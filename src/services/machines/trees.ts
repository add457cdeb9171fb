// Merkle tree over a machine's chain: stored tiles, signed checkpoints, proofs, and validation against them.

import {
  consistencyRanges,
  type Hash,
  inclusionRanges,
  leafHash,
  type ReadSubtree,
  rangeHash,
  type Subtree,
  siblingSubtrees,
} from '../../chain/merkle.ts';
import { type NoteSigner, signCheckpoint, verifierKey } from '../../chain/note.ts';
import { foldTile, HASH_BYTES, TILE_WIDTH, tileRangeOf, tileRoot } from '../../chain/tiles.ts';
import { CHAIN_START, type Validation, validateRows } from '../../chain/validate.ts';
import { concat } from '../../core/bits.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredCheckpoint, Tile, TreeRepository } from '../../storage/machines/trees.ts';
import type { Storage } from '../../storage/storage.ts';

export interface TreeServiceOptions {
  readonly trees: TreeRepository;
  readonly audit: AuditRepository;
  readonly transaction: Storage['transaction'];
  readonly signer: NoteSigner;
  /** Host of this node in checkpoint origins: `{host}/m/{slug}`. */
  readonly host: string;
  readonly clock: Clock;
}

/** How often a node looks which heads it must sign. */
export const SIGNING_MS = 5_000;
const TILE_BYTES = TILE_WIDTH * HASH_BYTES;
/** Rows added to the tree per transaction: a machine may have millions that no checkpoint covers yet. */
const ROWS_PER_BATCH = 16_384;

/** A computation needs a subtree that is not loaded. */
class MissingSubtreeError extends Error {
  readonly subtree: Subtree;
  constructor(subtree: Subtree) {
    super('Subtree not loaded.');
    this.subtree = subtree;
  }
}

export class TreeService {
  readonly #options: TreeServiceOptions;

  constructor(options: TreeServiceOptions) {
    this.#options = options;
  }

  originOf({ head: { slug } }: Machine): string {
    return `${this.#options.host}/m/${slug}`;
  }

  /** C2SP verifier key for checkpoints of this machine. */
  verifierKeyOf(machine: Machine): string {
    return verifierKey(this.originOf(machine), this.#options.signer.publicKey);
  }

  /** The newest checkpoint; creates a new one if rows were added and the last one has expired. */
  async checkpoint(machine: Machine): Promise<StoredCheckpoint> {
    const newest = await this.#options.trees.newestCheckpoint(machine.id);
    const size = machine.head.seq + 1;
    const now = tickOf(this.#options.clock.now());
    if (newest && (newest.size >= size || now - newest.svcond < LIMITS.chain.checkpointTicks)) return newest;
    return this.#createCheckpoint(machine, newest?.size ?? 0, now);
  }

  /** Inclusion proof: path from a row to the root of a tree of `size` rows. @throws DomainError VALIDATION_FAILED */
  async inclusion(machine: Machine, seq: number, size: number): Promise<{ leaf: Hash; root: Hash; path: Hash[] }> {
    await this.#requireSize(machine, 'size', size);
    if (seq >= size) throw outOfRange('seq', seq, `below ${size}`);
    return this.#withSubtrees(machine, (read) => ({
      leaf: read({ level: 0, index: seq }),
      root: rangeHash({ from: 0, to: size }, read),
      path: inclusionRanges(seq, size).map((range) => rangeHash(range, read)),
    }));
  }

  /**
   * Consistency proof: the tree of `from` rows is a prefix of the tree of `to` rows.
   *
   * @throws DomainError VALIDATION_FAILED
   */
  async consistency(machine: Machine, from: number, to: number): Promise<{ roots: [Hash, Hash]; path: Hash[] }> {
    await this.#requireSize(machine, 'to', to);
    if (from > to) throw outOfRange('from', from, `at most ${to}`);
    return this.#withSubtrees(machine, (read) => ({
      roots: [rangeHash({ from: 0, to: from }, read), rangeHash({ from: 0, to }, read)],
      path: consistencyRanges(from, to).map((range) => rangeHash(range, read)),
    }));
  }

  /** Sibling hashes that, with rows `from` to `to - 1`, give the root of a tree of `size` rows. */
  async siblingHashes(machine: Machine, from: number, to: number, size: number): Promise<Hash[]> {
    await this.#requireSize(machine, 'size', size);
    const siblings = siblingSubtrees({ from, to: Math.min(to, size) }, size);
    return this.#withSubtrees(machine, (read) => siblings.map(read), siblings);
  }

  /** Validates rows `from` to `to` against their hashes, the preceding row and the newest checkpoint. */
  async validate(
    machine: Machine,
    from: number,
    to: number,
  ): Promise<Validation & { readonly checkpoint: StoredCheckpoint | undefined }> {
    const { audit, trees } = this.#options;
    const { slug } = machine.head;
    const loaded = await audit.range(machine.id, slug, Math.max(0, from - 1), to);
    const before = from === 0 ? CHAIN_START : loaded.find(({ seq }) => seq === from - 1);
    const rows = loaded.filter(({ seq }) => seq >= from);
    const checkpoint = await trees.newestCheckpoint(machine.id);
    const size = checkpoint?.size ?? 0;
    const validation =
      checkpoint === undefined || from >= size
        ? validateRows(rows, slug, from, before)
        : await this.#withSubtrees(
            machine,
            (read) => validateRows(rows, slug, from, before, { size, root: checkpoint.root, read }),
            [
              ...siblingSubtrees({ from, to: Math.min(to + 1, size) }, size),
              ...tileLeaves(from, Math.min(to + 1, size)),
            ],
          );
    return { ...withMissingRows(validation, to), checkpoint };
  }

  /**
   * Signs the heads of machines of these shards whose first row without a checkpoint has waited, longest waiting first;
   * called periodically. @returns how many were signed
   */
  async signPending(
    read: (ids: readonly string[]) => Promise<Machine[]>,
    { limit, shards }: { readonly limit: number; readonly shards?: readonly number[] },
  ): Promise<number> {
    const { trees, clock } = this.#options;
    const seen = new Set<string>();
    const failures: unknown[] = [];
    let isCut = shards?.length !== 0;
    while (isCut && clock.fault?.() === undefined) {
      const now = tickOf(clock.now());
      const ids = await trees.listPending({ before: now - LIMITS.chain.signAfterTicks + 1, shards, limit });
      const unseen = ids.filter((id) => !seen.has(id));
      for (const machine of await read(unseen)) {
        seen.add(machine.id);
        const newest = await trees.newestCheckpoint(machine.id);
        // A damaged tree holds up no other machine.
        await this.#createCheckpoint(machine, newest?.size ?? 0, now).catch((error) => failures.push(error));
      }
      isCut = ids.length === limit && unseen.length > 0;
    }
    if (failures.length > 0) throw failures[0];
    return seen.size;
  }

  async #createCheckpoint(machine: Machine, before: number, svcond: number): Promise<StoredCheckpoint> {
    const { trees, signer, transaction } = this.#options;
    const size = machine.head.seq + 1;
    for (let from = before; from < size; from += ROWS_PER_BATCH) {
      const tiles = await this.#buildTiles(machine, from, Math.min(size, from + ROWS_PER_BATCH));
      await transaction((on) => trees.addTiles(machine.id, tiles, on));
    }
    const root = await this.#withSubtrees(machine, (read) => rangeHash({ from: 0, to: size }, read));
    const note = signCheckpoint({ origin: this.originOf(machine), size, root }, signer);
    const checkpoint = { size, root, note, svcond };
    const isFirst = await transaction((on) => trees.addCheckpoint(machine.id, checkpoint, on));
    // If another node has signed this size already, use its note: one checkpoint per size.
    return isFirst ? checkpoint : ((await trees.newestCheckpoint(machine.id)) ?? checkpoint);
  }

  /** Tiles that rows `before` to `size - 1` fill or extend. Stored hashes of a partial tile are reused. */
  async #buildTiles(machine: Machine, before: number, size: number): Promise<Tile[]> {
    const { audit, trees } = this.#options;
    const tiles: Tile[] = [];
    let added: Hash[] = (await audit.hashes(machine.id, before, size)).map(leafHash);
    // Each full tile is one hash of the tile above.
    for (let level = 0; added.length > 0; level++) {
      const position = Math.floor(before / TILE_WIDTH ** level);
      const firstIndex = Math.floor(position / TILE_WIDTH);
      const storedBytes = HASH_BYTES * (position % TILE_WIDTH);
      const [partial] = storedBytes === 0 ? [] : await trees.tiles(machine.id, [{ level, index: firstIndex }]);
      const stored = (partial?.hashes ?? new Uint8Array()).subarray(0, storedBytes);
      if (stored.length !== storedBytes) throw new Error(`Tile ${level} ${firstIndex} of ${machine.id} not found.`);
      const all = concat(stored, ...added);
      added = [];
      for (let first = 0; first < all.length; first += TILE_BYTES) {
        const hashes = all.slice(first, first + TILE_BYTES);
        tiles.push({ level, index: firstIndex + first / TILE_BYTES, hashes });
        if (hashes.length === TILE_BYTES) added.push(tileRoot(hashes));
      }
    }
    return tiles;
  }

  async #requireSize(machine: Machine, path: string, size: number): Promise<void> {
    const { size: covered } = await this.checkpoint(machine);
    if (size > covered) throw outOfRange(path, size, `at most ${covered}, the size of the newest checkpoint`);
  }

  /** Loads subtrees and runs a computation over them. Without `known`, a dry run records which ones it reads. */
  async #withSubtrees<T>(machine: Machine, compute: (read: ReadSubtree) => T, known?: readonly Subtree[]): Promise<T> {
    const loaded = new LoadedTree();
    let requested: Subtree[] = [...(known ?? [])];
    if (known === undefined) {
      compute((subtree) => {
        requested.push(subtree);
        return PLACEHOLDER;
      });
    }
    const attempted = new Set<string>();
    for (;;) {
      await this.#load(machine.id, loaded, requested);
      try {
        return compute(loaded.read);
      } catch (error) {
        if (!(error instanceof MissingSubtreeError)) throw error;
        const { level, index } = error.subtree;
        if (attempted.has(`${level} ${index}`))
          throw new Error(`Subtree ${level} ${index} of ${machine.id} not found.`);
        attempted.add(`${level} ${index}`);
        requested = [error.subtree];
      }
    }
  }

  async #load(machineId: string, loaded: LoadedTree, requested: readonly Subtree[]): Promise<void> {
    const names = new Map(
      requested.map(tileRangeOf).map(({ level, index }) => [`${level} ${index}`, { level, index }]),
    );
    for (const tile of await this.#options.trees.tiles(machineId, [...names.values()])) loaded.add(tile);
  }
}

/** One leaf of each tile in the range, so that a differing row is found without another query. */
function tileLeaves(from: number, to: number): Subtree[] {
  const tiles = Math.ceil(to / TILE_WIDTH) - Math.floor(from / TILE_WIDTH);
  return Array.from({ length: Math.max(0, tiles) }, (_, i) => ({
    level: 0,
    index: Math.max(from, (Math.floor(from / TILE_WIDTH) + i) * TILE_WIDTH),
  }));
}

const PLACEHOLDER: Hash = new Uint8Array(HASH_BYTES);

/** Tiles loaded so far. */
class LoadedTree {
  readonly #tiles = new Map<string, Uint8Array>();

  add({ level, index, hashes }: Tile): void {
    this.#tiles.set(`${level} ${index}`, hashes);
  }

  readonly read: ReadSubtree = (subtree) => {
    const { level, index, first, count } = tileRangeOf(subtree);
    const tile = this.#tiles.get(`${level} ${index}`);
    if (tile && tile.length >= HASH_BYTES * (first + count)) return foldTile(tile, first, count);
    throw new MissingSubtreeError(subtree);
  };
}

/** Reports a gap if the rows end before `to`. */
function withMissingRows(validation: Validation, to: number): Validation {
  if (!validation.valid || validation.to === to) return validation;
  return { ...validation, valid: false, first_bad: { seq: validation.to + 1, reason: 'GAP' } };
}

function outOfRange(path: string, given: number, allowed: string): DomainError {
  const message = `${path} must be ${allowed}, not ${given}.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'OUT_OF_RANGE', message }] });
}
