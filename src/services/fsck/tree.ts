// Checks the tree of one chain: tiles and checkpoints against the rows, and signatures against the node's keys.
//
// If rows and tiles disagree, the signed checkpoints decide which are wrong. Rows that lead to a signed root are
// correct; other rows were rewritten, even if their hashes are consistent.

import { CompactRange } from '../../chain/compact-range.ts';
import { type Hash, isSameBytes, leafHash } from '../../chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint } from '../../chain/note.ts';
import { HASH_BYTES, TILE_HEIGHT, TILE_WIDTH } from '../../chain/tiles.ts';
import { concat, fromHex } from '../../core/bits.ts';
import type { InspectedCheckpoint, InspectedMachine } from '../../storage/fsck/machines.ts';
import type { Tile } from '../../storage/machines/trees.ts';
import { isSignedByNative } from '../node/key-ring.ts';
import type { FsckCode, ReportFault } from './faults.ts';

/** Reads the named tiles of one machine; missing ones are omitted. */
export type ReadTiles = (names: readonly { readonly level: number; readonly index: number }[]) => Promise<Tile[]>;

const TILE_BATCH_SIZE = 64;

/** A hash in a tile that differs from the rows. */
interface Difference {
  readonly level: number;
  readonly index: number;
  /** Position of the hash in the tile. */
  readonly position: number;
}

export class TreeCheck {
  readonly #machine: InspectedMachine;
  readonly #report: ReportFault;
  readonly #keys: readonly Uint8Array[] | undefined;
  readonly #readTiles: ReadTiles;
  readonly #tree = new CompactRange();
  /** The incomplete tile of each level. */
  readonly #partialTiles: Hash[][] = [];
  readonly #pendingTiles: Tile[] = [];
  readonly #differences: Difference[] = [];
  readonly #missing: Tile[] = [];
  /** Rows before `#verifiedSize` lead to a signed root; those from there to `#mismatchSize` do not. */
  #verifiedSize = 0;
  #mismatchSize: number | undefined;

  /** @param keys  public keys of the node; undefined if they could not be opened */
  constructor(
    machine: InspectedMachine,
    keys: readonly Uint8Array[] | undefined,
    readTiles: ReadTiles,
    report: ReportFault,
  ) {
    this.#machine = machine;
    this.#keys = keys;
    this.#readTiles = readTiles;
    this.#report = report;
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Root of the rows so far. */
  get root(): Hash {
    return this.#tree.root();
  }

  /** @param hash  hash of the next row, hex */
  add(hash: string): void {
    this.#tree.add(leafHash(fromHex(hash) ?? new Uint8Array()), (height, node) => {
      if (height % TILE_HEIGHT === 0) this.#addToTile(height / TILE_HEIGHT, node);
    });
  }

  #addToTile(level: number, node: Hash): void {
    const tile = this.#partialTiles[level] ?? [];
    this.#partialTiles[level] = tile;
    tile.push(node);
    if (tile.length < TILE_WIDTH) return;
    const index = this.#countOf(level) / TILE_WIDTH - 1;
    this.#pendingTiles.push({ level, index, hashes: concat(...tile) });
    tile.length = 0;
  }

  /** Checks a checkpoint whose size is the number of rows so far. */
  checkCheckpoint(stored: InspectedCheckpoint): void {
    const { size } = stored;
    const fault = this.#faultOf(stored);
    if (fault) this.#report('checkpoint', { size }, ...fault);
    // The signed note is valid evidence even if the root column is wrong.
    if (fault && fault[2] !== 'root') return;
    const { checkpoint: signed } = parseCheckpoint(stored.note) ?? {};
    if (signed && isSameBytes(signed.root, this.#tree.root())) this.#verifiedSize = size;
    else this.#mismatchSize ??= size;
  }

  #faultOf({ size, root, note }: InspectedCheckpoint): [FsckCode, string, string] | undefined {
    const { slug } = this.#machine;
    const parsed = parseCheckpoint(note);
    if (parsed === undefined) return ['CHECKPOINT', 'note is not a checkpoint.', 'note'];
    const { checkpoint: signed } = parsed;
    const isSigned = this.#keys?.some((key) => isCheckpointSignedBy(parsed, signed.origin, key, isSignedByNative));
    if (isSigned === false) return ['SIGNATURE', 'note is not signed by a key of this node.', 'note'];
    if (!signed.origin.endsWith(`/m/${slug}`))
      return ['CHECKPOINT', `note is of ${signed.origin}, not of ${slug}.`, 'note'];
    if (signed.size !== size) return ['CHECKPOINT', `size is ${size}; ${signed.size} was signed.`, 'size'];
    return isSameBytes(signed.root, root) ? undefined : ['CHECKPOINT', 'root differs from the signed one.', 'root'];
  }

  /** Compares the completed tiles, once there are enough for a batch. */
  async compareTiles(isAll = false): Promise<void> {
    if (this.#pendingTiles.length < TILE_BATCH_SIZE && !isAll) return;
    const stored = new Map(
      (await this.#readTiles(this.#pendingTiles)).map(({ level, index, hashes }) => [`${level} ${index}`, hashes]),
    );
    for (const expected of this.#pendingTiles.splice(0)) {
      const { level, index, hashes } = expected;
      const found = stored.get(`${level} ${index}`);
      if (found === undefined) this.#missing.push(expected);
      else this.#compareTile(level, index, found, hashes);
    }
  }

  /** @returns the maximum number of tiles of each level */
  async finish(): Promise<number[]> {
    const counts = this.#partialTiles.map((_, level) => Math.ceil(this.#countOf(level) / TILE_WIDTH));
    for (const [level, tile] of this.#partialTiles.entries()) {
      if (tile.length > 0)
        this.#pendingTiles.push({
          level,
          index: Math.floor(this.#countOf(level) / TILE_WIDTH),
          hashes: concat(...tile),
        });
    }
    await this.compareTiles(true);
    for (const { level, index } of this.#missing) {
      if (this.#coveredIn(level, index) > 0)
        this.#report('tile', { level, idx: index }, 'TILE', 'The tile is missing.');
    }
    this.#reportDifferences();
    return counts;
  }

  /** Number of hashes on a level for the rows so far. */
  #countOf(level: number): number {
    return Math.floor(this.#tree.size / TILE_WIDTH ** level);
  }

  /** Number of hashes in a tile that the newest checkpoint covers. A crashed node may have stored more. */
  #coveredIn(level: number, index: number): number {
    const covered = Math.min(Number(this.#machine.checkpoint_size), this.#tree.size);
    const hashes = Math.floor(covered / TILE_WIDTH ** level) - index * TILE_WIDTH;
    return Math.max(0, Math.min(TILE_WIDTH, hashes));
  }

  #compareTile(level: number, index: number, found: Uint8Array, expected: Uint8Array): void {
    const key = { level, idx: index };
    if (found.length > expected.length) {
      const count = found.length / HASH_BYTES;
      this.#report(
        'tile',
        key,
        'TILE',
        `The tile has ${count} hashes; expected ${expected.length / HASH_BYTES}.`,
        'hashes',
      );
    } else if (found.length < this.#coveredIn(level, index) * HASH_BYTES) {
      this.#report('tile', key, 'TILE', 'Hashes that the newest checkpoint covers are missing.', 'hashes');
    }
    const end = Math.min(found.length, expected.length);
    for (let at = 0; at < end; at += HASH_BYTES) {
      if (isSameBytes(found.subarray(at, at + HASH_BYTES), expected.subarray(at, at + HASH_BYTES))) continue;
      this.#differences.push({ level, index, position: at / HASH_BYTES });
      return;
    }
  }

  #reportDifferences(): void {
    const rewritten = this.#mismatchSize;
    const isRewritten = (seq: number) => rewritten !== undefined && seq >= this.#verifiedSize && seq < rewritten;
    let isRowReported = false;
    for (const { level, index, position } of this.#differences) {
      const seq = (index * TILE_WIDTH + position) * TILE_WIDTH ** level;
      if (level === 0 && isRewritten(seq)) {
        isRowReported = true;
        const message = `The row is not in the signed tree of ${rewritten} rows: history was rewritten.`;
        this.#report('audit', { seq }, 'TREE', message);
      } else if (!isRewritten(seq) && !isRowReported) {
        const message = `Hash ${position} differs from the rows.`;
        this.#report('tile', { level, idx: index }, 'TILE', message, 'hashes');
      }
    }
    if (rewritten === undefined || isRowReported) return;
    const message = `One of rows ${this.#verifiedSize} to ${rewritten - 1} is not in the signed tree: history was rewritten.`;
    this.#report('audit', { seq: this.#verifiedSize }, 'TREE', message);
  }
}
