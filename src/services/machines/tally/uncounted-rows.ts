// Rows of a chain that do not count for a token: how many precede a row, and which row is the nth of the others.
//
// Rows never change, so the number of uncounted ones before each block of rows stays in memory. A question reads the
// blocks that it is about, however long the chain is.

import { LRUCache } from 'lru-cache';
import { groupBy } from '../../../core/group-by.ts';
import type { TallyRepository } from '../../../storage/machines/tally.ts';

const BLOCK_ROWS = 256;
/** Blocks of all machines in memory, of 8 bytes each. */
const MAX_CACHED_BLOCKS = 1_000_000;

export class UncountedRows {
  readonly #tallies: TallyRepository;
  /** Of each machine, the numbers of uncounted rows before each of its first blocks. */
  readonly #blocks = new LRUCache<string, readonly number[]>({
    maxSize: MAX_CACHED_BLOCKS,
    sizeCalculation: (starts) => starts.length,
  });

  constructor(tallies: TallyRepository) {
    this.#tallies = tallies;
  }

  /** Numbers of uncounted rows up to each of these rows, which must exist. */
  async upTo(machineId: string, seqs: readonly number[]): Promise<number[]> {
    const starts = await this.#starts(machineId, Math.max(...seqs));
    const inBlock = await this.#inBlocks(machineId, seqs.map(blockOf));
    return seqs.map((seq) => {
      const block = blockOf(seq);
      return (starts[block] ?? 0) + (inBlock.get(block) ?? []).filter((each) => each <= seq).length;
    });
  }

  /**
   * Rows by their number among the counted ones, from 0.
   *
   * @param last  a row at or after them
   */
  async countedSeqs(machineId: string, numbers: readonly number[], last: number): Promise<number[]> {
    const starts = await this.#starts(machineId, last);
    const blocks = numbers.map((number) => lastBlockWithin(starts, number));
    const inBlock = await this.#inBlocks(machineId, blocks);
    return numbers.map((number, i) => {
      const block = blocks[i] ?? 0;
      let seq = number + (starts[block] ?? 0);
      for (const each of inBlock.get(block) ?? []) if (each <= seq) seq++;
      return seq;
    });
  }

  /** Tick of the last counted row up to this one. */
  async lastCountedSvcond(machineId: string, last: number): Promise<number> {
    const [uncounted = 0] = await this.upTo(machineId, [last]);
    const [seq = 0] = await this.countedSeqs(machineId, [last - uncounted], last);
    return this.#tallies.svcondOf(machineId, seq);
  }

  /** Numbers of uncounted rows before each block, up to that of the row `last`. */
  async #starts(machineId: string, last: number): Promise<readonly number[]> {
    const known = this.#blocks.get(machineId) ?? [0];
    const end = blockOf(last);
    if (known.length > end) return known;
    const first = known.length - 1;
    const counts = await this.#tallies.countUncounted(machineId, BLOCK_ROWS, first, end);
    const starts = [...known];
    for (let block = first; block < end; block++) starts.push((starts[block] ?? 0) + (counts.get(block) ?? 0));
    this.#blocks.set(machineId, starts);
    return starts;
  }

  /** The uncounted rows of these blocks, in order. */
  async #inBlocks(machineId: string, blocks: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    return groupBy(await this.#tallies.uncountedIn(machineId, BLOCK_ROWS, [...new Set(blocks)]), blockOf);
  }
}

const blockOf = (seq: number) => Math.floor(seq / BLOCK_ROWS);

/** The block of a counted row: the last one that no more than `number` counted rows precede. */
function lastBlockWithin(starts: readonly number[], number: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (middle * BLOCK_ROWS - (starts[middle] ?? 0) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}
