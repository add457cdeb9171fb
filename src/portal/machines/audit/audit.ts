// A chain verified by this browser: rows fetched from the newest back, each checked against itself and the one before,
// and all of them tied to the root of a checkpoint that the node signed.
//
// A row commits to the row before it. So once the newest row that a checkpoint covers is shown to stand in its tree, every
// row that leads to it by whole links is committed to as well. With all rows at hand the root is built anew besides.

import { type Signal, signal } from '@preact/signals';
import type { Fault } from '../../../chain/validate.ts';
import type { ClaimRow } from '../../kit/claim-list.ts';
import { trustedKeys } from '../../solve/experiment.ts';
import { desk } from '../../work/desk.ts';
import { chainOf, MOST_ROWS, read, readCheckpoint, readRows } from '../node.ts';
import type { MachineRecord, RowRecord } from '../records.ts';
import { inThousands } from '../tick-words.ts';
import type { SignedCheckpoint } from './check-rows.ts';
import { firstOutside } from './first-outside.ts';
import { rememberCheckpoint, seenCheckpoint } from './seen.ts';
import { type RowVerdict, tiedFrom, verdictsOf } from './verdicts.ts';

export interface Audited {
  readonly state: 'idle' | 'running' | 'done' | 'failed';
  /** The stretch that was looked at. */
  readonly from: number;
  readonly to: number;
  readonly verdicts: ReadonlyMap<number, RowVerdict>;
  readonly checkpoint: SignedCheckpoint | undefined;
  readonly claims: readonly ClaimRow[];
  readonly error?: unknown;
}

const NOTHING: Audited = {
  state: 'idle',
  from: 0,
  to: -1,
  verdicts: new Map(),
  checkpoint: undefined,
  claims: [],
};

/** Rows of one press. */
export const STRETCH = 1_000;

export class Audit {
  readonly seen: Signal<Audited> = signal(NOTHING);
  readonly #machine: () => MachineRecord;
  /** Oldest first, without gaps. */
  #rows: RowRecord[] = [];
  #unread = 0;
  #faults = new Map<number, Fault>();
  #isRunning = false;

  /** @param machine  as it is known now */
  constructor(machine: () => MachineRecord) {
    this.#machine = machine;
  }

  /** The newest rows, or those before what was verified already. */
  async verify(direction: 'newest' | 'earlier'): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.seen.value = { ...this.seen.value, state: 'running', error: undefined };
    try {
      if (direction === 'newest') {
        this.#rows = [];
        this.#unread = 0;
        this.#faults.clear();
      }
      const checkpoint = await this.#signedCheckpoint();
      await this.#fetch();
      this.seen.value = await this.#conclude(checkpoint);
    } catch (error) {
      this.seen.value = { ...this.seen.value, state: 'failed', error };
    } finally {
      this.#isRunning = false;
    }
  }

  /** Rows that have come since: checked as they come, by their links. */
  async follow(newestFirst: readonly RowRecord[]): Promise<void> {
    const last = this.#rows.at(-1);
    if (this.#isRunning || this.seen.value.state !== 'done' || last === undefined) return;
    const rows = newestFirst.filter(({ seq }) => seq > last.seq).toReversed();
    if (rows.length === 0 || rows[0]?.seq !== last.seq + 1) return;
    this.#rows.push(...rows);
    await this.#check(rows, last);
    const { checkpoint, claims } = this.seen.value;
    this.seen.value = { ...this.#judged(checkpoint), claims };
  }

  async #signedCheckpoint(): Promise<SignedCheckpoint | undefined> {
    const { slug } = this.#machine();
    const [note, trusted] = await Promise.all([readCheckpoint(slug), trustedKeys()]);
    return desk.ask('note', { note, slug, trusted });
  }

  /** One stretch further back; a page waits for the one before it, which has the row that its first one names. */
  async #fetch(): Promise<void> {
    const { slug } = this.#machine();
    const first = this.#rows[0];
    const enough = this.#rows.length + STRETCH;
    let cursor = first === undefined ? undefined : String(first.seq);
    let waiting: RowRecord[] = [];
    while (this.#rows.length + waiting.length < enough) {
      const { rows, next_cursor } = await readRows(slug, { limit: MOST_ROWS, cursor });
      const page = rows.toReversed();
      await this.#take(waiting, page.at(-1));
      waiting = page;
      if (next_cursor === null || page.length === 0) break;
      cursor = next_cursor;
    }
    await this.#take(waiting, undefined);
  }

  async #take(rows: readonly RowRecord[], before: RowRecord | undefined): Promise<void> {
    if (rows.length === 0) return;
    const after = this.#rows[0];
    // What was there before now has the row that it names.
    if (after && this.#faults.size === 0 && after.prev !== rows.at(-1)?.row_hash) this.#faults.set(after.seq, 'LINK');
    this.#rows = [...rows, ...this.#rows];
    await this.#check(rows, before);
    this.seen.value = { ...this.#judged(undefined), state: 'running' };
  }

  async #check(rows: readonly RowRecord[], before: RowRecord | undefined): Promise<void> {
    const { slug } = this.#machine();
    const from = rows[0]?.seq ?? 0;
    const { faults, unread } = await desk.ask('rows', { stretch: { slug, rows, from, before } });
    for (const { seq, reason } of faults) this.#faults.set(seq, reason);
    this.#unread += unread;
  }

  async #conclude(checkpoint: SignedCheckpoint | undefined): Promise<Audited> {
    const claims: ClaimRow[] = [
      {
        claim: 'The checkpoint carries the signature of this node (Ed25519)',
        ok: checkpoint?.kid !== undefined,
        reason:
          checkpoint === undefined
            ? 'It is no checkpoint.'
            : `${checkpoint.origin}, key ${checkpoint.kid ?? 'unknown'}`,
      },
      ...this.#ownClaims(),
    ];
    if (checkpoint !== undefined) {
      const tied = await this.#tie(checkpoint);
      claims.push(
        ...tied,
        ...(await this.#beginning(
          checkpoint,
          tied.every(({ ok }) => ok === true),
        )),
      );
    }
    return { ...this.#judged(checkpoint), claims };
  }

  #ownClaims(): ClaimRow[] {
    const of = (...reasons: Fault[]) => [...this.#faults].filter(([, reason]) => reasons.includes(reason));
    const claim = (text: string, bad: readonly (readonly [number, string])[], note?: string): ClaimRow => ({
      claim: text,
      ok: bad.length === 0,
      reason:
        bad.length === 0
          ? note
          : `Not so: row ${bad
              .map(([seq]) => seq)
              .slice(0, 5)
              .join(', ')}.`,
    });
    const unread =
      this.#unread === 0
        ? undefined
        : `${inThousands(this.#unread)} are not there to be compared: erased, or sealed to the owner.`;
    return [
      claim('Every row has the hash of what it says', of('HASH')),
      claim('Every row names the row before it, none is missing, and ticks never fall', of('LINK', 'GAP', 'TICK')),
      claim('Every payload is the one that was committed to', of('COMMIT'), unread),
    ];
  }

  /** To the signed root, by a proof of the newest row that is covered, and by all rows where all are here. */
  async #tie(checkpoint: SignedCheckpoint): Promise<ClaimRow[]> {
    const { slug } = this.#machine();
    const from = this.#rows[0]?.seq ?? 0;
    const covered = this.#rows.filter(({ seq }) => seq < checkpoint.size);
    const newest = covered.at(-1);
    if (newest === undefined) return [];
    const tied = tiedFrom(this.#faults);
    const outside = await firstOutside(
      slug,
      covered.filter(({ seq }) => seq >= tied),
      checkpoint,
    );
    if (outside !== undefined) this.#faults.set(outside, 'TREE');
    const inside: ClaimRow = {
      claim: `Row ${inThousands(newest.seq)}, the newest that the checkpoint covers, stands in the signed tree`,
      ok: outside === undefined,
      reason: outside === undefined ? undefined : `The first row that does not is ${inThousands(outside)}.`,
    };
    if (from > 0 || newest.seq !== checkpoint.size - 1) return [inside];
    const root = await desk.ask('root', { rowHashes: covered.map(({ row_hash }) => row_hash) });
    return [
      inside,
      {
        claim: `The ${inThousands(checkpoint.size)} rows build the signed root, all of them`,
        ok: root === checkpoint.root,
        reason: root,
      },
      {
        claim: 'Row 0 is the one that the machine is named by',
        ok: covered[0]?.row_hash === this.#machine().genesis_hash,
      },
    ];
  }

  /** What this browser saw at an earlier visit must be the beginning of what it sees now. */
  async #beginning(checkpoint: SignedCheckpoint, isGood: boolean): Promise<ClaimRow[]> {
    const machine = this.#machine();
    const before = seenCheckpoint(machine);
    if (isGood && checkpoint.kid !== undefined) rememberCheckpoint(machine, checkpoint);
    if (before === undefined) return [];
    const claim = `The ${inThousands(before.size)} rows that this browser saw before are its beginning, unchanged`;
    if (before.size > checkpoint.size) {
      return [{ claim, ok: false, reason: `The node shows only ${inThousands(checkpoint.size)} of them.` }];
    }
    const path = `${chainOf(machine.slug)}/proof/consistency?from=${before.size}&to=${checkpoint.size}`;
    const proof = await read<{ readonly path: readonly string[] }>(path);
    return [{ claim, ok: await desk.ask('consistency', { before, after: checkpoint, path: proof.path }) }];
  }

  #judged(checkpoint: SignedCheckpoint | undefined): Audited {
    const verdicts = verdictsOf(this.#rows, this.#faults, checkpoint);
    const from = this.#rows[0]?.seq ?? 0;
    const to = this.#rows.at(-1)?.seq ?? -1;
    return { state: 'done', from, to, verdicts, checkpoint, claims: this.seen.value.claims };
  }
}
