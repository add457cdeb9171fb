// The tree over a machine's chain: tiles as rows come in, signed checkpoints, proofs, and validation against both.

import {
  consistencyRanges,
  type Hash,
  inclusionRanges,
  leafHash,
  type ReadSubtree,
  rangeHash,
  type Subtree,
  subtreesBeside,
} from '../../chain/merkle.ts';
import { type NoteSigner, signCheckpoint, verifierKey } from '../../chain/note.ts';
import { foldTile, HASH_BYTES, placeOf, TILE_WIDTH, tileRoot } from '../../chain/tiles.ts';
import { BEGINNING, type Validation, validateRows } from '../../chain/validate.ts';
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
  /** The name of this node in origins: `{host}/m/{slug}`. */
  readonly host: string;
  readonly clock: Clock;
}

const TILE_BYTES = TILE_WIDTH * HASH_BYTES;
/** Rows that the tree takes in at once: a machine may have millions that no checkpoint covers yet. */
const GROWN_AT_ONCE = 16_384;

/** A subtree that was not loaded is wanted. */
class Missing extends Error {
  readonly subtree: Subtree;
  constructor(subtree: Subtree) {
    super('A subtree is missing.');
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

  /** The key that checkpoints of this machine are checked with, in the form in which witnesses keep it. */
  verifierKeyOf(machine: Machine): string {
    return verifierKey(this.originOf(machine), this.#options.signer.publicKey);
  }

  /** The newest checkpoint; a new one if rows were added and the last is old enough. */
  async checkpoint(machine: Machine): Promise<StoredCheckpoint> {
    const newest = await this.#options.trees.newestCheckpoint(machine.id);
    const size = machine.head.seq + 1;
    const now = tickOf(this.#options.clock.now());
    if (newest && (newest.size >= size || now - newest.svcond < LIMITS.chain.checkpointTicks)) return newest;
    return this.#advance(machine, newest?.size ?? 0, now);
  }

  /** The path from a row to the root of a tree of `size` rows. @throws DomainError VALIDATION_FAILED */
  async inclusion(machine: Machine, seq: number, size: number): Promise<{ leaf: Hash; root: Hash; path: Hash[] }> {
    await this.#requireSize(machine, 'size', size);
    if (seq >= size) throw outOfRange('seq', seq, `a row before ${size}`);
    return this.#reading(machine, (read) => ({
      leaf: read({ level: 0, index: seq }),
      root: rangeHash({ from: 0, to: size }, read),
      path: inclusionRanges(seq, size).map((range) => rangeHash(range, read)),
    }));
  }

  /** What shows that the tree of `to` rows begins with that of `from`. @throws DomainError VALIDATION_FAILED */
  async consistency(machine: Machine, from: number, to: number): Promise<{ roots: [Hash, Hash]; path: Hash[] }> {
    await this.#requireSize(machine, 'to', to);
    if (from > to) throw outOfRange('from', from, `a size up to ${to}`);
    return this.#reading(machine, (read) => ({
      roots: [rangeHash({ from: 0, to: from }, read), rangeHash({ from: 0, to }, read)],
      path: consistencyRanges(from, to).map((range) => rangeHash(range, read)),
    }));
  }

  /** The hashes beside rows `from` up to, not including, `to` that lead with them to the root of a tree of `size` rows. */
  async beside(machine: Machine, from: number, to: number, size: number): Promise<Hash[]> {
    await this.#requireSize(machine, 'size', size);
    const wanted = subtreesBeside({ from, to: Math.min(to, size) }, size);
    return this.#reading(machine, (read) => wanted.map(read), wanted);
  }

  /** Rows `from` up to and including `to` against themselves, the row before and the newest checkpoint. */
  async validate(
    machine: Machine,
    from: number,
    to: number,
  ): Promise<Validation & { readonly checkpoint: StoredCheckpoint | undefined }> {
    const { audit, trees } = this.#options;
    const { slug } = machine.head;
    const found = await audit.range(machine.id, slug, Math.max(0, from - 1), to);
    const before = from === 0 ? BEGINNING : found.find(({ seq }) => seq === from - 1);
    const rows = found.filter(({ seq }) => seq >= from);
    const checkpoint = await trees.newestCheckpoint(machine.id);
    const size = checkpoint?.size ?? 0;
    const validation =
      checkpoint === undefined || from >= size
        ? validateRows(rows, slug, from, before)
        : await this.#reading(
            machine,
            (read) => validateRows(rows, slug, from, before, { size, root: checkpoint.root, read }),
            [
              ...subtreesBeside({ from, to: Math.min(to + 1, size) }, size),
              ...tileLeaves(from, Math.min(to + 1, size)),
            ],
          );
    return { ...lengthened(validation, to), checkpoint };
  }

  /** Checkpoints for machines whose rows have waited; called now and then. @returns how many were signed */
  async sweep(read: (ids: readonly string[]) => Promise<Machine[]>, limit: number): Promise<number> {
    const machines = await read(await this.#options.trees.behind(limit));
    let signed = 0;
    for (const machine of machines) {
      const { size } = await this.checkpoint(machine);
      if (size === machine.head.seq + 1) signed++;
    }
    return signed;
  }

  async #advance(machine: Machine, before: number, svcond: number): Promise<StoredCheckpoint> {
    const { trees, signer, transaction } = this.#options;
    const size = machine.head.seq + 1;
    for (let from = before; from < size; from += GROWN_AT_ONCE) {
      const tiles = await this.#grow(machine, from, Math.min(size, from + GROWN_AT_ONCE));
      await transaction((on) => trees.addTiles(machine.id, tiles, on));
    }
    const root = await this.#reading(machine, (read) => rangeHash({ from: 0, to: size }, read));
    const note = signCheckpoint({ origin: this.originOf(machine), size, root }, signer);
    const fresh = { size, root, note, svcond };
    const isFirst = await transaction((on) => trees.addCheckpoint(machine.id, fresh, on));
    // Another node signed this size a moment ago: its note is as good, and there should be one.
    return isFirst ? fresh : ((await trees.newestCheckpoint(machine.id)) ?? fresh);
  }

  /** The tiles that rows from `before` up to `size` fill or lengthen. What stands in a tile is kept, not read again. */
  async #grow(machine: Machine, before: number, size: number): Promise<Tile[]> {
    const { audit, trees } = this.#options;
    const grown: Tile[] = [];
    let fresh: Hash[] = (await audit.hashes(machine.id, before, size)).map(leafHash);
    // Each full tile is one hash of the tile above.
    for (let level = 0; fresh.length > 0; level++) {
      const place = Math.floor(before / TILE_WIDTH ** level);
      const begun = Math.floor(place / TILE_WIDTH);
      const keptBytes = HASH_BYTES * (place % TILE_WIDTH);
      const [standing] = keptBytes === 0 ? [] : await trees.tiles(machine.id, [{ level, index: begun }]);
      const kept = (standing?.hashes ?? new Uint8Array()).subarray(0, keptBytes);
      if (kept.length !== keptBytes) throw new Error(`Tile ${level} ${begun} of ${machine.id} is not stored.`);
      const all = concat(kept, ...fresh);
      fresh = [];
      for (let first = 0; first < all.length; first += TILE_BYTES) {
        const hashes = all.slice(first, first + TILE_BYTES);
        grown.push({ level, index: begun + first / TILE_BYTES, hashes });
        if (hashes.length === TILE_BYTES) fresh.push(tileRoot(hashes));
      }
    }
    return grown;
  }

  async #requireSize(machine: Machine, path: string, size: number): Promise<void> {
    const { size: covered } = await this.checkpoint(machine);
    if (size > covered) throw outOfRange(path, size, `a size up to ${covered}, that of the newest checkpoint,`);
  }

  /** Runs a computation over subtrees: on those that it is known to want, or first to hear which they are. */
  async #reading<T>(machine: Machine, compute: (read: ReadSubtree) => T, known?: readonly Subtree[]): Promise<T> {
    const loaded = new LoadedTree();
    let wanted: Subtree[] = [...(known ?? [])];
    if (known === undefined) {
      compute((subtree) => {
        wanted.push(subtree);
        return NOTHING;
      });
    }
    const tried = new Set<string>();
    for (;;) {
      await this.#load(machine.id, loaded, wanted);
      try {
        return compute(loaded.read);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        const { level, index } = error.subtree;
        if (tried.has(`${level} ${index}`))
          throw new Error(`Subtree ${level} ${index} of ${machine.id} is not stored.`);
        tried.add(`${level} ${index}`);
        wanted = [error.subtree];
      }
    }
  }

  async #load(machineId: string, loaded: LoadedTree, wanted: readonly Subtree[]): Promise<void> {
    const names = new Map(wanted.map(placeOf).map(({ level, index }) => [`${level} ${index}`, { level, index }]));
    for (const tile of await this.#options.trees.tiles(machineId, [...names.values()])) loaded.add(tile);
  }
}

/** A leaf of each tile that holds leaves of this stretch: with them a row that differs is found without asking again. */
function tileLeaves(from: number, to: number): Subtree[] {
  const tiles = Math.ceil(to / TILE_WIDTH) - Math.floor(from / TILE_WIDTH);
  return Array.from({ length: Math.max(0, tiles) }, (_, i) => ({
    level: 0,
    index: Math.max(from, (Math.floor(from / TILE_WIDTH) + i) * TILE_WIDTH),
  }));
}

const NOTHING: Hash = new Uint8Array(HASH_BYTES);

/** The tiles that were read. */
class LoadedTree {
  readonly #tiles = new Map<string, Uint8Array>();

  add({ level, index, hashes }: Tile): void {
    this.#tiles.set(`${level} ${index}`, hashes);
  }

  readonly read: ReadSubtree = (subtree) => {
    const { level, index, first, count } = placeOf(subtree);
    const tile = this.#tiles.get(`${level} ${index}`);
    if (tile && tile.length >= HASH_BYTES * (first + count)) return foldTile(tile, first, count);
    throw new Missing(subtree);
  };
}

/** A stretch that ends before it should has lost its last rows. */
function lengthened(validation: Validation, to: number): Validation {
  if (!validation.valid || validation.to === to) return validation;
  return { ...validation, valid: false, first_bad: { seq: validation.to + 1, reason: 'GAP' } };
}

function outOfRange(path: string, got: number, allowed: string): DomainError {
  const message = `${path} is ${got}; ${allowed} is expected.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'OUT_OF_RANGE', message }] });
}
