// The tree over one chain: tiles and checkpoints against the rows, and the signatures against the node's keys.
//
// Where rows and tiles disagree, the signed checkpoints decide who is wrong: rows that lead to a signed root are right, and
// rows that do not were rewritten, however well their hashes fit together.

import { GrowingTree } from '../../chain/growing-tree.ts';
import { type Hash, isSame, leafHash } from '../../chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint } from '../../chain/note.ts';
import { HASH_BYTES, TILE_WIDTH, tileRoot } from '../../chain/tiles.ts';
import { concat, fromHex } from '../../core/bits.ts';
import type { InspectedCheckpoint, InspectedMachine } from '../../storage/fsck/machines.ts';
import type { Tile } from '../../storage/machines/trees.ts';
import { isSignedFast } from '../node/key-ring.ts';
import type { Find, FsckCode } from './faults.ts';

/** Reads the tiles of one machine that are stored of those that are named. */
export type ReadTiles = (names: readonly { readonly level: number; readonly index: number }[]) => Promise<Tile[]>;

const TILES_AT_ONCE = 64;

/** A place at which a tile says something else than the rows. */
interface Difference {
  readonly level: number;
  readonly index: number;
  readonly place: number;
}

export class TreeCheck {
  readonly #machine: InspectedMachine;
  readonly #find: Find;
  readonly #keys: readonly Uint8Array[] | undefined;
  readonly #readTiles: ReadTiles;
  readonly #tree = new GrowingTree();
  /** The unfinished tile of each level. */
  readonly #growing: Hash[][] = [];
  readonly #waiting: Tile[] = [];
  readonly #differences: Difference[] = [];
  readonly #missing: Tile[] = [];
  /** Rows up to here lead to a root that was signed; those from there to `#wrongBefore` do not. */
  #goodBefore = 0;
  #wrongBefore: number | undefined;

  /** @param keys  public keys of the node; undefined where they could not be opened */
  constructor(machine: InspectedMachine, keys: readonly Uint8Array[] | undefined, readTiles: ReadTiles, find: Find) {
    this.#machine = machine;
    this.#keys = keys;
    this.#readTiles = readTiles;
    this.#find = find;
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Of the rows so far. */
  get root(): Hash {
    return this.#tree.root();
  }

  /** @param hash  of the next row, hex */
  see(hash: string): void {
    let grown = leafHash(fromHex(hash) ?? new Uint8Array());
    this.#tree.add(grown);
    for (let level = 0; ; level++) {
      const tile = this.#growing[level] ?? [];
      this.#growing[level] = tile;
      tile.push(grown);
      if (tile.length < TILE_WIDTH) return;
      const hashes = concat(...tile);
      const index = this.#countOf(level) / TILE_WIDTH - 1;
      this.#waiting.push({ level, index, hashes });
      tile.length = 0;
      grown = tileRoot(hashes);
    }
  }

  /** A checkpoint of as many rows as have been seen. */
  checkpoint(stored: InspectedCheckpoint): void {
    const { size } = stored;
    const fault = this.#faultOf(stored);
    if (fault) this.#find('checkpoint', { size }, ...fault);
    // What was signed stands, whatever became of the column beside it.
    if (fault && fault[2] !== 'root') return;
    const { checkpoint: signed } = parseCheckpoint(stored.note) ?? {};
    if (signed && isSame(signed.root, this.#tree.root())) this.#goodBefore = size;
    else this.#wrongBefore ??= size;
  }

  #faultOf({ size, root, note }: InspectedCheckpoint): [FsckCode, string, string] | undefined {
    const { slug } = this.#machine;
    const parsed = parseCheckpoint(note);
    if (parsed === undefined) return ['CHECKPOINT', 'note is no checkpoint.', 'note'];
    const { checkpoint: signed } = parsed;
    const isSigned = this.#keys?.some((key) => isCheckpointSignedBy(parsed, signed.origin, key, isSignedFast));
    if (isSigned === false) return ['SIGNATURE', 'note is not signed by a key of this node.', 'note'];
    if (!signed.origin.endsWith(`/m/${slug}`))
      return ['CHECKPOINT', `note is of ${signed.origin}, not of ${slug}.`, 'note'];
    if (signed.size !== size) return ['CHECKPOINT', `size is ${size}; ${signed.size} was signed.`, 'size'];
    return isSame(signed.root, root) ? undefined : ['CHECKPOINT', 'root is not the one that was signed.', 'root'];
  }

  /** Compares the tiles that have become full; called now and then. */
  async compare(isAll = false): Promise<void> {
    if (this.#waiting.length < TILES_AT_ONCE && !isAll) return;
    const stored = new Map(
      (await this.#readTiles(this.#waiting)).map((one) => [`${one.level} ${one.index}`, one.hashes]),
    );
    for (const expected of this.#waiting.splice(0)) {
      const { level, index, hashes } = expected;
      const found = stored.get(`${level} ${index}`);
      if (found === undefined) this.#missing.push(expected);
      else this.#compareTile(level, index, found, hashes);
    }
  }

  /** @returns how many tiles each level has at most */
  async finish(): Promise<number[]> {
    const counts = this.#growing.map((_, level) => Math.ceil(this.#countOf(level) / TILE_WIDTH));
    for (const [level, tile] of this.#growing.entries()) {
      if (tile.length > 0)
        this.#waiting.push({ level, index: Math.floor(this.#countOf(level) / TILE_WIDTH), hashes: concat(...tile) });
    }
    await this.compare(true);
    for (const { level, index } of this.#missing) {
      if (this.#neededIn(level, index) > 0) this.#find('tile', { level, idx: index }, 'TILE', 'The tile is not there.');
    }
    this.#blame();
    return counts;
  }

  /** Hashes of a level that the rows so far give. */
  #countOf(level: number): number {
    return Math.floor(this.#tree.size / TILE_WIDTH ** level);
  }

  /** Hashes of a tile that the newest checkpoint needs. A node that died may have left more. */
  #neededIn(level: number, index: number): number {
    const covered = Math.min(Number(this.#machine.checkpoint_size), this.#tree.size);
    const hashes = Math.floor(covered / TILE_WIDTH ** level) - index * TILE_WIDTH;
    return Math.max(0, Math.min(TILE_WIDTH, hashes));
  }

  #compareTile(level: number, index: number, found: Uint8Array, expected: Uint8Array): void {
    const key = { level, idx: index };
    if (found.length > expected.length) {
      const count = found.length / HASH_BYTES;
      this.#find(
        'tile',
        key,
        'TILE',
        `The tile has ${count} hashes; the rows give ${expected.length / HASH_BYTES}.`,
        'hashes',
      );
    } else if (found.length < this.#neededIn(level, index) * HASH_BYTES) {
      this.#find('tile', key, 'TILE', 'The tile lacks hashes that the newest checkpoint covers.', 'hashes');
    }
    const end = Math.min(found.length, expected.length);
    for (let at = 0; at < end; at += HASH_BYTES) {
      if (isSame(found.subarray(at, at + HASH_BYTES), expected.subarray(at, at + HASH_BYTES))) continue;
      this.#differences.push({ level, index, place: at / HASH_BYTES });
      return;
    }
  }

  #blame(): void {
    const rewritten = this.#wrongBefore;
    const isRewritten = (seq: number) => rewritten !== undefined && seq >= this.#goodBefore && seq < rewritten;
    let isNamed = false;
    for (const { level, index, place } of this.#differences) {
      const seq = (index * TILE_WIDTH + place) * TILE_WIDTH ** level;
      if (level === 0 && isRewritten(seq)) {
        isNamed = true;
        const message = `The row is not in the tree that was signed with ${rewritten} rows: history was rewritten.`;
        this.#find('audit', { seq }, 'TREE', message);
      } else if (!isRewritten(seq) && !isNamed) {
        const message = `Hash ${place} is not the one that the rows give.`;
        this.#find('tile', { level, idx: index }, 'TILE', message, 'hashes');
      }
    }
    if (rewritten === undefined || isNamed) return;
    const message = `One of rows ${this.#goodBefore} to ${rewritten - 1} is not the one that was signed: history was rewritten.`;
    this.#find('audit', { seq: this.#goodBefore }, 'TREE', message);
  }
}
