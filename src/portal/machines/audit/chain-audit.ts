// Verifies a chain in the browser: fetches rows from the newest backwards, checks the hash and link of each, and checks
// them against the root of a signed checkpoint.
//
// Each row contains the hash of the previous row, so an inclusion proof of the newest covered row covers all rows
// linked to it. If all rows are loaded, the root is recomputed as well.

import { type Signal, signal } from '@preact/signals';
import type { RowFault } from '../../../chain/validate.ts';
import type { ClaimRow } from '../../kit/claim-list.ts';
import { formatCount } from '../../kit/format.ts';
import { callApiAsVisitor } from '../../session.ts';
import { loadTrustedKeys } from '../../solve/experiment.ts';
import { workerClient } from '../../worker/worker-client.ts';
import { getCheckpoint, listRows, MAX_ROWS } from '../machine-api.ts';
import type { MachineRecord, RowRecord } from '../records.ts';
import type { SignedCheckpoint } from './chain-checks.ts';
import { loadCheckpoint, saveCheckpoint } from './checkpoint-store.ts';
import { findFirstRowOutsideTree } from './row-inclusion.ts';
import { firstLinkedRow, type RowVerdict, rowVerdicts } from './row-verdicts.ts';

export interface AuditState {
  readonly status: 'idle' | 'running' | 'done' | 'failed';
  /** Range of verified rows. */
  readonly from: number;
  readonly to: number;
  readonly verdicts: ReadonlyMap<number, RowVerdict>;
  readonly checkpoint: SignedCheckpoint | undefined;
  readonly claims: readonly ClaimRow[];
  readonly error?: unknown;
}

const INITIAL_STATE: AuditState = {
  status: 'idle',
  from: 0,
  to: -1,
  verdicts: new Map(),
  checkpoint: undefined,
  claims: [],
};

/** Rows verified per click. */
export const BATCH_ROWS = 1_000;

export class ChainAudit {
  readonly state: Signal<AuditState> = signal(INITIAL_STATE);
  readonly #machine: () => MachineRecord;
  /** Oldest first, without gaps. */
  #rows: RowRecord[] = [];
  #unreadable = 0;
  #faults = new Map<number, RowFault>();
  #isRunning = false;

  /** @param machine  returns the current record */
  constructor(machine: () => MachineRecord) {
    this.#machine = machine;
  }

  /** Verifies the newest rows, or a batch before the rows verified so far. */
  async verify(direction: 'newest' | 'earlier'): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.state.value = { ...this.state.value, status: 'running', error: undefined };
    try {
      if (direction === 'newest') {
        this.#rows = [];
        this.#unreadable = 0;
        this.#faults.clear();
      }
      const checkpoint = await this.#loadCheckpoint();
      await this.#fetchRows();
      this.state.value = await this.#finish(checkpoint);
    } catch (error) {
      this.state.value = { ...this.state.value, status: 'failed', error };
    } finally {
      this.#isRunning = false;
    }
  }

  /** Checks new rows on arrival, by their hashes and links only. */
  async follow(newestFirst: readonly RowRecord[]): Promise<void> {
    const last = this.#rows.at(-1);
    if (this.#isRunning || this.state.value.status !== 'done' || last === undefined) return;
    const rows = newestFirst.filter(({ seq }) => seq > last.seq).toReversed();
    if (rows.length === 0 || rows[0]?.seq !== last.seq + 1) return;
    this.#rows.push(...rows);
    await this.#checkRows(rows, last);
    const { checkpoint, claims } = this.state.value;
    this.state.value = { ...this.#currentState(checkpoint), claims };
  }

  async #loadCheckpoint(): Promise<SignedCheckpoint | undefined> {
    const { slug } = this.#machine();
    const [note, trusted] = await Promise.all([getCheckpoint(slug), loadTrustedKeys()]);
    return workerClient.request('openCheckpoint', { note, slug, trusted });
  }

  /** Fetches one more batch; each page is checked after the next one, which contains the row before it. */
  async #fetchRows(): Promise<void> {
    const { slug } = this.#machine();
    const first = this.#rows[0];
    const targetCount = this.#rows.length + BATCH_ROWS;
    let cursor = first === undefined ? undefined : String(first.seq);
    let pendingPage: RowRecord[] = [];
    while (this.#rows.length + pendingPage.length < targetCount) {
      const { rows, next_cursor } = await listRows(slug, { limit: MAX_ROWS, cursor });
      const page = rows.toReversed();
      await this.#prependRows(pendingPage, page.at(-1));
      pendingPage = page;
      if (next_cursor === null || page.length === 0) break;
      cursor = next_cursor;
    }
    await this.#prependRows(pendingPage, undefined);
  }

  async #prependRows(rows: readonly RowRecord[], before: RowRecord | undefined): Promise<void> {
    if (rows.length === 0) return;
    const after = this.#rows[0];
    // The previous row of the first loaded row is known only now.
    if (after && this.#faults.size === 0 && after.prev !== rows.at(-1)?.row_hash) this.#faults.set(after.seq, 'LINK');
    this.#rows = [...rows, ...this.#rows];
    await this.#checkRows(rows, before);
    this.state.value = { ...this.#currentState(undefined), status: 'running' };
  }

  async #checkRows(rows: readonly RowRecord[], before: RowRecord | undefined): Promise<void> {
    const { slug } = this.#machine();
    const from = rows[0]?.seq ?? 0;
    const { faults, unreadable } = await workerClient.request('checkRows', { range: { slug, rows, from, before } });
    for (const { seq, reason } of faults) this.#faults.set(seq, reason);
    this.#unreadable += unreadable;
  }

  async #finish(checkpoint: SignedCheckpoint | undefined): Promise<AuditState> {
    const claims: ClaimRow[] = [
      {
        claim: 'The checkpoint is signed by this node (Ed25519)',
        ok: checkpoint?.kid !== undefined,
        reason:
          checkpoint === undefined
            ? 'Not a valid checkpoint.'
            : `${checkpoint.origin}, key ${checkpoint.kid ?? 'unknown'}`,
      },
      ...this.#rowClaims(),
    ];
    if (checkpoint !== undefined) {
      const treeClaims = await this.#treeClaims(checkpoint);
      const isVerified = treeClaims.every(({ ok }) => ok === true);
      claims.push(...treeClaims, ...(await this.#consistencyClaims(checkpoint, isVerified)));
    }
    return { ...this.#currentState(checkpoint), claims };
  }

  #rowClaims(): ClaimRow[] {
    const faultsOf = (...reasons: RowFault[]) => [...this.#faults].filter(([, reason]) => reasons.includes(reason));
    const claim = (text: string, faults: readonly (readonly [number, string])[], note?: string): ClaimRow => ({
      claim: text,
      ok: faults.length === 0,
      reason:
        faults.length === 0
          ? note
          : `Failed for row ${faults
              .map(([seq]) => seq)
              .slice(0, 5)
              .join(', ')}.`,
    });
    const unreadableNote =
      this.#unreadable === 0
        ? undefined
        : `${formatCount(this.#unreadable)} could not be compared: erased, or sealed to the owner.`;
    return [
      claim('Every row matches its hash', faultsOf('HASH')),
      claim(
        'Every row links to the previous row, none is missing, and ticks never decrease',
        faultsOf('LINK', 'GAP', 'TICK'),
      ),
      claim('Every payload matches its commitment', faultsOf('COMMIT'), unreadableNote),
    ];
  }

  /** Checks inclusion in the signed tree, and the root itself if all rows are loaded. */
  async #treeClaims(checkpoint: SignedCheckpoint): Promise<ClaimRow[]> {
    const { slug } = this.#machine();
    const from = this.#rows[0]?.seq ?? 0;
    const covered = this.#rows.filter(({ seq }) => seq < checkpoint.size);
    const newest = covered.at(-1);
    if (newest === undefined) return [];
    const firstLinked = firstLinkedRow(this.#faults);
    const firstOutside = await findFirstRowOutsideTree(
      slug,
      covered.filter(({ seq }) => seq >= firstLinked),
      checkpoint,
    );
    if (firstOutside !== undefined) this.#faults.set(firstOutside, 'TREE');
    const inclusion: ClaimRow = {
      claim: `Row ${formatCount(newest.seq)}, the newest that the checkpoint covers, is in the signed tree`,
      ok: firstOutside === undefined,
      reason:
        firstOutside === undefined ? undefined : `The first row outside the tree is ${formatCount(firstOutside)}.`,
    };
    if (from > 0 || newest.seq !== checkpoint.size - 1) return [inclusion];
    const root = await workerClient.request('rootHash', { rowHashes: covered.map(({ row_hash }) => row_hash) });
    return [
      inclusion,
      {
        claim: `All ${formatCount(checkpoint.size)} rows hash to the signed root`,
        ok: root === checkpoint.root,
        reason: root,
      },
      {
        claim: 'Row 0 matches the identity of the machine',
        ok: covered[0]?.row_hash === this.#machine().genesis_hash,
      },
    ];
  }

  /** Checks that the tree extends the checkpoint stored at an earlier visit. */
  async #consistencyClaims(checkpoint: SignedCheckpoint, isVerified: boolean): Promise<ClaimRow[]> {
    const machine = this.#machine();
    const before = loadCheckpoint(machine);
    if (isVerified && checkpoint.kid !== undefined) saveCheckpoint(machine, checkpoint);
    if (before === undefined) return [];
    const claim = `The first ${formatCount(before.size)} rows are unchanged since this browser verified them`;
    if (before.size > checkpoint.size) {
      return [{ claim, ok: false, reason: `The node now has only ${formatCount(checkpoint.size)} rows.` }];
    }
    const sizes = { from: before.size, to: checkpoint.size };
    const proof = await callApiAsVisitor('chain.consistency', { slug: machine.slug, ...sizes });
    return [
      { claim, ok: await workerClient.request('verifyConsistency', { before, after: checkpoint, path: proof.path }) },
    ];
  }

  #currentState(checkpoint: SignedCheckpoint | undefined): AuditState {
    const verdicts = rowVerdicts(this.#rows, this.#faults, checkpoint);
    const from = this.#rows[0]?.seq ?? 0;
    const to = this.#rows.at(-1)?.seq ?? -1;
    return { status: 'done', from, to, verdicts, checkpoint, claims: this.state.value.claims };
  }
}
