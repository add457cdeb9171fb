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
import { HASH_BYTES, TILE_WIDTH, type TileName, tileRangeOf, tileRoot } from '../../chain/tiles.ts';
import { CHAIN_START, type Validation, validateRows } from '../../chain/validate.ts';
import { concat } from '../../core/bits.ts';
import { type Clock, TICK_SECONDS, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { LIMITS } from '../../core/limits.ts';
import { SHARDS } from '../../storage/contracts/timers.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type {
  CheckpointOfMachine,
  StoredCheckpoint,
  TileOfMachine,
  TreeRepository,
} from '../../storage/machines/trees.ts';
import type { Storage } from '../../storage/storage.ts';
import { LoadedTree, MissingSubtreeError, subtreesOf } from './loaded-tree.ts';

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
/** Machines whose heads are signed with the same statements: their rows are locked for the last of them. */
const MACHINES_TOGETHER = 100;
/** One signs while the database works for the other. */
const LANES = 2;
/** A signed head comes at most this long after it was due: what lies between two looks, and as much again. */
const SPARE_TICKS = Math.ceil((2 * SIGNING_MS) / 1e3 / TICK_SECONDS);
/** Assumed until a node has measured it. */
const HEADS_PER_SECOND = 1_000;

/** A machine with rows that its newest checkpoint does not cover. */
interface Grown {
  readonly machine: Machine;
  /** Rows that it covers. */
  readonly before: number;
}

export class TreeService {
  readonly #options: TreeServiceOptions;
  /** Of the last time that many were signed. */
  #headsPerSecond = HEADS_PER_SECOND;

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
    const start = clock.now();
    const afterTicks = isCut
      ? this.#signAfterTicks((await trees.countPending()) * ((shards?.length ?? SHARDS) / SHARDS))
      : 0;
    while (isCut && clock.fault?.() === undefined) {
      const now = tickOf(clock.now());
      const ids = await trees.listPending({ before: now - afterTicks + 1, shards, limit });
      const unseen = ids.filter((id) => !seen.has(id));
      const machines = await read(unseen);
      for (const { id } of machines) seen.add(id);
      const lane = async () => {
        while (machines.length > 0) {
          failures.push(...(await this.#signHeads(machines.splice(0, MACHINES_TOGETHER), now)));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      isCut = ids.length === limit && unseen.length > 0;
    }
    const seconds = Number(clock.now() - start) / 1e9;
    if (seen.size >= MACHINES_TOGETHER && seconds > 0) this.#headsPerSecond = seen.size / seconds;
    if (failures.length > 0) throw failures[0];
    return seen.size;
  }

  /** How long rows wait before their head is signed: less if the last of so many heads would come too late. */
  #signAfterTicks(waiting: number): number {
    const { signAfterTicks, checkpointTicks } = LIMITS.chain;
    const neededTicks = waiting / this.#headsPerSecond / TICK_SECONDS;
    return Math.max(0, Math.min(signAfterTicks, Math.floor(checkpointTicks - SPARE_TICKS - neededTicks)));
  }

  /** @returns why heads could not be signed */
  async #signHeads(machines: readonly Machine[], svcond: number): Promise<unknown[]> {
    const { trees } = this.#options;
    const covered = await trees.coveredSizes(machines.map(({ id }) => id));
    const grown = machines
      .map((machine) => ({ machine, before: covered.get(machine.id) ?? 0 }))
      .filter(({ machine, before }) => machine.head.seq + 1 > before);
    // What cannot be signed with the others is signed alone, so that a damaged tree holds up no other machine.
    const signed = await this.#signTogether(grown, svcond).catch(() => new Set<string>());
    const failures: unknown[] = [];
    for (const { machine, before } of grown) {
      if (signed.has(machine.id)) continue;
      await this.#createCheckpoint(machine, before, svcond).catch((error) => failures.push(error));
    }
    return failures;
  }

  /**
   * Signs, with a few statements for all, the heads of machines whose new rows end in a tile that is not full and that
   * holds those before them.
   *
   * @returns the machines that are done
   */
  async #signTogether(grown: readonly Grown[], svcond: number): Promise<ReadonlySet<string>> {
    const { trees, audit, transaction } = this.#options;
    const tileOf = (size: number) => Math.floor(size / TILE_WIDTH);
    const growths = grown
      .map(({ machine, before }) => ({ machine, before, size: machine.head.seq + 1 }))
      .filter(({ before, size }) => tileOf(before) === tileOf(size))
      .map((growth) => ({ ...growth, root: (read: ReadSubtree) => rangeHash({ from: 0, to: growth.size }, read) }));
    const hashes = await audit.newestHashes(
      growths.map(({ machine, before, size }) => ({ machineId: machine.id, from: before, to: size })),
    );
    const names = growths.flatMap(({ machine, root }) =>
      tilesOf(subtreesOf(root)).map((tile) => ({ ...tile, machineId: machine.id })),
    );
    const stored = groupBy(await trees.tilesOf(names), ({ machineId }) => machineId);
    const tiles: TileOfMachine[] = [];
    const checkpoints: CheckpointOfMachine[] = [];
    for (const { machine, before, size, root } of growths) {
      const name = { machineId: machine.id, level: 0, index: tileOf(size) };
      const known = stored.get(machine.id) ?? [];
      const added = hashes.get(machine.id) ?? [];
      const partial = known.find(({ level, index }) => level === 0 && index === name.index)?.hashes ?? new Uint8Array();
      const kept = partial.subarray(0, HASH_BYTES * (before % TILE_WIDTH));
      if (added.length !== size - before || kept.length !== HASH_BYTES * (before % TILE_WIDTH)) continue;
      const tile = { ...name, hashes: concat(kept, ...added.map(leafHash)) };
      const loaded = new LoadedTree();
      for (const one of [...known, tile]) loaded.add(one);
      try {
        checkpoints.push(this.#signed(machine, root(loaded.read), svcond));
        tiles.push(tile);
      } catch (error) {
        if (!(error instanceof MissingSubtreeError)) throw error;
      }
    }
    await transaction((on) => trees.addTiles(tiles, on));
    await transaction((on) => trees.addCheckpoints(checkpoints, on));
    return new Set(checkpoints.map(({ machineId }) => machineId));
  }

  async #createCheckpoint(machine: Machine, before: number, svcond: number): Promise<StoredCheckpoint> {
    const { trees, transaction } = this.#options;
    const size = machine.head.seq + 1;
    for (let from = before; from < size; from += ROWS_PER_BATCH) {
      const tiles = await this.#buildTiles(machine, from, Math.min(size, from + ROWS_PER_BATCH));
      await transaction((on) => trees.addTiles(tiles, on));
    }
    const root = await this.#withSubtrees(machine, (read) => rangeHash({ from: 0, to: size }, read));
    const checkpoint = this.#signed(machine, root, svcond);
    const added = await transaction((on) => trees.addCheckpoints([checkpoint], on));
    // If another node has signed this size already, use its note: one checkpoint per size.
    return added.length > 0 ? checkpoint : ((await trees.newestCheckpoint(machine.id)) ?? checkpoint);
  }

  #signed(machine: Machine, root: Hash, svcond: number): CheckpointOfMachine {
    const size = machine.head.seq + 1;
    const note = signCheckpoint({ origin: this.originOf(machine), size, root }, this.#options.signer);
    return { machineId: machine.id, size, root, note, svcond };
  }

  /** Tiles that rows `before` to `size - 1` fill or extend. Stored hashes of a partial tile are reused. */
  async #buildTiles(machine: Machine, before: number, size: number): Promise<TileOfMachine[]> {
    const { audit, trees } = this.#options;
    const tiles: TileOfMachine[] = [];
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
        tiles.push({ machineId: machine.id, level, index: firstIndex + first / TILE_BYTES, hashes });
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
    let requested: readonly Subtree[] = known ?? subtreesOf(compute);
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
    for (const tile of await this.#options.trees.tiles(machineId, tilesOf(requested))) loaded.add(tile);
  }
}

/** Tiles with these subtrees, each once. */
function tilesOf(subtrees: readonly Subtree[]): TileName[] {
  const names = subtrees.map(tileRangeOf).map(({ level, index }) => [`${level} ${index}`, { level, index }] as const);
  return [...new Map(names).values()];
}

/** One leaf of each tile in the range, so that a differing row is found without another query. */
function tileLeaves(from: number, to: number): Subtree[] {
  const tiles = Math.ceil(to / TILE_WIDTH) - Math.floor(from / TILE_WIDTH);
  return Array.from({ length: Math.max(0, tiles) }, (_, i) => ({
    level: 0,
    index: Math.max(from, (Math.floor(from / TILE_WIDTH) + i) * TILE_WIDTH),
  }));
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
