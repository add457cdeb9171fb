// Checks one machine: its rows, read in batches whatever their number, and every table that the rows confirm.

import type { Row } from '../../chain/row.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { AccessInspection } from '../../storage/fsck/access.ts';
import { ActivityInspection } from '../../storage/fsck/activities.ts';
import { AnchorInspection } from '../../storage/fsck/anchors.ts';
import { ArchiveInspection } from '../../storage/fsck/archive.ts';
import { ContractInspection, type InspectedFire } from '../../storage/fsck/contracts.ts';
import { DigestInspection } from '../../storage/fsck/digests.ts';
import {
  type InspectedMachine,
  type InspectedRow,
  MachineInspection,
  type RowBatch,
} from '../../storage/fsck/machines.ts';
import { NodeInspection } from '../../storage/fsck/node.ts';
import { OracleInspection } from '../../storage/fsck/oracles.ts';
import { OutboxInspection } from '../../storage/fsck/outbox.ts';
import { SeatInspection } from '../../storage/fsck/seats.ts';
import { SentEventInspection } from '../../storage/fsck/sent-events.ts';
import { TallyInspection } from '../../storage/fsck/tally.ts';
import { RowArchive } from '../../storage/machines/archive/archive.ts';
import { TreeRepository } from '../../storage/machines/trees.ts';
import { NODE_SLUG } from '../machines/machines.ts';
import { ActivitiesCheck } from './activities.ts';
import { AnchorSettingsCheck } from './anchor-settings.ts';
import { AnchorsCheck } from './anchors.ts';
import { ArchiveCheck } from './archive.ts';
import { ContractsCheck } from './contracts.ts';
import { DeveloperKeysCheck } from './developer-keys.ts';
import { FaultReporter, type FsckFault, type ReportFault } from './faults.ts';
import { HeldCheckpointCheck, type HeldSeal } from './held-seal.ts';
import { InstancesCheck } from './instances.ts';
import { MembersCheck } from './members.ts';
import { SealRecordsCheck } from './node.ts';
import { OraclesCheck } from './oracles.ts';
import { OutboxCheck } from './outbox.ts';
import { PartiesCheck } from './parties.ts';
import { RowsCheck, toChainRow } from './rows.ts';
import { SeatsCheck } from './seats.ts';
import { SentEventsCheck } from './sent-events.ts';
import { SettingsCheck } from './settings.ts';
import { SharesCheck } from './shares.ts';
import type { MachineMark } from './since.ts';
import type { StoredOptions } from './stored.ts';
import { TallyCheck } from './tally.ts';
import { TreeCheck } from './tree.ts';

/** What the check of one machine depends on. */
export interface MachineOptions extends Pick<StoredOptions, 'keys' | 'nowMs'> {
  /** A seal or checkpoint that was kept outside the database. Its signature must have been checked. */
  readonly held?: HeldSeal | undefined;
  /** Whether the marks of machines are wanted. */
  readonly isMarked?: boolean;
  /** Folder of archived rows. */
  readonly archiveFolder?: string | undefined;
}

const ROW_BATCH_SIZE = 2_000;

/** A machine to check, and how the last clean run found it; it is then checked only if it has changed. */
export interface MachineTask {
  readonly machine: InspectedMachine;
  readonly known?: MachineMark | undefined;
}

/** What the check of one machine found. */
export interface MachineResult {
  readonly id: string;
  /** Number of rows that were checked. */
  readonly rows: number;
  /** What the next run may rely on; undefined unless the options ask for it. */
  readonly mark: MachineMark | undefined;
  readonly isUnchanged: boolean;
  readonly faults: readonly FsckFault[];
  /** Those of `faults`, and those that are only counted in them. */
  readonly total: number;
}

/** @param onProgress  called after each batch of rows, with their number so far */
export async function checkMachine(
  on: Executor,
  { machine, known }: MachineTask,
  options: MachineOptions,
  onProgress: (rows: number) => void = () => {},
): Promise<MachineResult> {
  const faults: FsckFault[] = [];
  const reporter = new FaultReporter((fault) => faults.push(fault));
  const report = reporter.of(machine.slug);
  const { id, head_seq: seq, head_hash: hash } = machine;
  const mark = options.isMarked ? { seq, hash, digest: await new DigestInspection(on).of(id) } : undefined;
  const isHeld = options.held?.kind === 'checkpoint' && options.held.slug === machine.slug;
  // The rows of the node's machine are compared with all seals, which are of no machine.
  const isAlways = isHeld || machine.slug === NODE_SLUG;
  if (!isAlways && isSameMark(mark, known)) return { id, rows: 0, mark, isUnchanged: true, faults, total: 0 };
  const archive = new RowArchive(options.archiveFolder);
  const inspection = new MachineInspection(on, archive);
  if (known !== undefined) await checkKnownRow(inspection, id, known, report);
  const rows = await new MachineCheck(machine, inspection, on, archive, options, report).run(onProgress);
  reporter.close();
  return { id, rows, mark, isUnchanged: false, faults, total: reporter.total };
}

function isSameMark(mark: MachineMark | undefined, known: MachineMark | undefined): boolean {
  return mark !== undefined && mark.seq === known?.seq && mark.hash === known.hash && mark.digest === known.digest;
}

/** The row that was the last one of the last clean run must still be there. */
async function checkKnownRow(
  inspection: MachineInspection,
  id: string,
  { seq, hash }: MachineMark,
  report: ReportFault,
): Promise<void> {
  const row = await inspection.row(id, Number(seq));
  if (row?.seq === Number(seq) && row.hash === hash) return;
  const what = row?.seq === Number(seq) ? 'The row is not that' : 'The row is missing that was the last one';
  report('audit', { seq: Number(seq) }, 'SEAL', `${what} of the last clean run: history was rewritten.`);
}

/** Number of the last row of a batch, also of one whose rows cannot be read. */
const endOf = ({ rows, range }: RowBatch): number | undefined => range?.record.last ?? rows.at(-1)?.seq;

class MachineCheck {
  readonly #machine: InspectedMachine;
  readonly #inspection: MachineInspection;
  readonly #contractInspection: ContractInspection;
  readonly #report: ReportFault;
  readonly #rows: RowsCheck;
  readonly #tree: TreeCheck;
  readonly #contracts: ContractsCheck;
  readonly #instances: InstancesCheck;
  readonly #anchors: AnchorsCheck;
  readonly #heldCheckpoint: HeldCheckpointCheck;
  readonly #archive: ArchiveCheck;
  /** Tick of the first row that no checkpoint covers. */
  #uncovered: string | undefined;
  /** Checks that collect what they need from the rows, and compare their tables at the end. */
  readonly #otherChecks: readonly { visit(row: Row): void; finish(tables: ReadonlySet<string>): Promise<void> }[];

  constructor(
    machine: InspectedMachine,
    inspection: MachineInspection,
    on: Executor,
    archive: RowArchive,
    { keys, held, nowMs }: MachineOptions,
    report: ReportFault,
  ) {
    this.#machine = machine;
    this.#inspection = inspection;
    this.#contractInspection = new ContractInspection(on);
    this.#report = report;
    this.#rows = new RowsCheck(machine, report);
    const trees = new TreeRepository(on);
    this.#tree = new TreeCheck(machine, keys, (names) => trees.tiles(machine.id, names), report);
    const parties = new PartiesCheck(report, (contract) => this.#instances.keyOf(contract));
    this.#contracts = new ContractsCheck(machine, nowMs, report, parties);
    const isHeld = held?.kind === 'checkpoint' && held.slug === machine.slug;
    const archived = new ArchiveInspection(on, archive);
    this.#archive = new ArchiveCheck(machine.id, archived, report);
    this.#heldCheckpoint = new HeldCheckpointCheck(isHeld ? held.note : undefined, report);
    const anchors = new AnchorInspection(on, archived);
    this.#anchors = new AnchorsCheck(machine, anchors, report);
    const access = new AccessInspection(on);
    this.#instances = new InstancesCheck(machine.id, nowMs, this.#contractInspection, report, parties);
    this.#otherChecks = [
      new SettingsCheck(machine, inspection, report),
      new AnchorSettingsCheck(machine.id, nowMs, anchors, report),
      new TallyCheck(machine.id, new TallyInspection(on), report),
      new OraclesCheck(machine.id, nowMs, new OracleInspection(on), report),
      new MembersCheck(machine.id, access, report),
      new DeveloperKeysCheck(machine.id, access, report),
      new SharesCheck(machine.id, access, report),
      ...(machine.slug === NODE_SLUG ? [new SealRecordsCheck(new NodeInspection(on, archived), report)] : []),
      new OutboxCheck(machine, nowMs, new OutboxInspection(on, archived), report),
      new SentEventsCheck(machine, nowMs, new SentEventInspection(on, archived), report),
      new ActivitiesCheck(machine, nowMs, new ActivityInspection(on), report),
      new SeatsCheck(machine.id, this.#contractInspection, new SeatInspection(on), report),
    ];
  }

  /** @returns the number of rows */
  async run(onProgress: (rows: number) => void): Promise<number> {
    const { id, head_hash } = this.#machine;
    let count = 0;
    let end = 0;
    const tables = await this.#inspection.tablesOf(id);
    await this.#anchors.start(tables);
    await this.#instances.begin();
    let batch = await this.#batchAfter(undefined);
    let following = await this.#batchAfter(batch);
    while (endOf(batch) !== undefined) {
      const last = endOf(batch) ?? 0;
      // The database reads while this thread checks. A failure is thrown where the rows are needed.
      const later = this.#batchAfter(following);
      later.catch(() => {});
      if (batch.range !== undefined) await this.#archive.visit(batch.range);
      const [first] = batch.rows;
      if (first !== undefined && first.seq > end) await this.#archive.visitGap(end, first.seq - 1);
      if (batch.rows.length === 0) this.#rows.skip(batch.range?.record ?? { last, lastHash: '', lastSvcond: 0 });
      else await this.#checkBatch(batch.rows, end, last, following.rows[0]?.prev_hash ?? head_hash);
      count += batch.rows.length;
      end = last + 1;
      onProgress(count);
      batch = following;
      following = await later;
    }
    await this.#archive.finish();
    // What the other checks collect from all rows is not complete.
    if (!this.#archive.isReadable) return count;
    this.#rows.finish();
    this.#heldCheckpoint.finish(end);
    await this.#checkTree();
    await this.#checkContracts(end);
    await this.#anchors.finish();
    for (const other of this.#otherChecks) await other.finish(tables);
    for (const { seq } of await this.#inspection.impossibleRows(id))
      this.#report('audit', { seq }, 'GAP', 'The row number is out of range.', 'seq');
    return count;
  }

  /** The rows after a batch; the first ones if it is undefined, none if it is empty. */
  async #batchAfter(batch: RowBatch | undefined): Promise<RowBatch> {
    const last = batch === undefined ? -1 : endOf(batch);
    return last === undefined ? { rows: [] } : this.#inspection.batch(this.#machine.id, last + 1, ROW_BATCH_SIZE);
  }

  /**
   * @param from  expected number of the first row
   * @param next  the hash that the row after the batch names, or the head's if there is none
   */
  async #checkBatch(batch: readonly InspectedRow[], from: number, to: number, next: string): Promise<void> {
    const { id } = this.#machine;
    if (!this.#archive.isReadable) {
      for (const [i, row] of batch.entries()) this.#rows.visit(row, batch[i + 1]?.prev_hash ?? next);
      return;
    }
    const fires = groupBy(await this.#contractInspection.fires(id, from, to), ({ seq }) => seq);
    const checkpoints = new Map(
      (await this.#inspection.checkpoints(id, from + 1, to + 1)).map((checkpoint) => [checkpoint.size, checkpoint]),
    );
    const anchors = await this.#anchors.anchorsBySize(from + 1, to + 1);
    const chained: Row[] = [];
    for (const [i, row] of batch.entries()) {
      const hash = this.#rows.visit(row, batch[i + 1]?.prev_hash ?? next);
      if (String(row.seq) === this.#machine.checkpoint_size) this.#uncovered = row.svcond;
      const chainRow = toChainRow(row, this.#machine.slug);
      chained.push(chainRow);
      this.#contracts.visit(chainRow, fires.get(String(row.seq)) ?? []);
      this.#instances.visit(chainRow);
      for (const other of this.#otherChecks) other.visit(chainRow);
      fires.delete(String(row.seq));
      // After a gap, the leaves of the tree are unknown.
      if (!this.#rows.isContiguous) continue;
      this.#tree.add(hash);
      const checkpoint = checkpoints.get(row.seq + 1);
      if (checkpoint) this.#tree.checkCheckpoint(checkpoint);
      this.#heldCheckpoint.visit(row.seq + 1, () => this.#tree.root);
      for (const anchor of anchors.get(String(row.seq + 1)) ?? []) this.#anchors.compareRoot(anchor, this.#tree.root);
      await this.#tree.compareTiles();
    }
    await this.#anchors.compareRows(chained, this.#rows.idHash);
    for (const fire of [...fires.values()].flat()) this.#reportMissingRow(fire);
    await this.#checkEventKeys(batch, from, to);
  }

  #reportMissingRow({ contract_id, transition, occurrence, seq }: InspectedFire): void {
    this.#report('fire', { contract_id, transition, occurrence, seq }, 'FIRE', `Row ${seq} is missing.`, 'seq');
  }

  async #checkEventKeys(batch: readonly InspectedRow[], from: number, to: number): Promise<void> {
    const rowOf = new Map(batch.map((row) => [row.seq, row]));
    const keysBySeq = groupBy(await this.#inspection.eventKeys(this.#machine.id, from, to), ({ seq }) => seq);
    for (const [seq, keys] of keysBySeq) {
      const { type, svcond: tick } = rowOf.get(seq) ?? {};
      for (const { key, svcond } of keys)
        if (type !== 'event')
          this.#report('event_key', { key }, 'SAID', `Row ${seq} is ${type ?? 'missing'}, not an event.`, 'seq');
        // Any of them may be wrong, so all are reported.
        else if (keys.length > 1)
          this.#report('event_key', { key }, 'SAID', `${keys.length} keys name row ${seq}.`, 'seq');
        else if (svcond !== tick)
          this.#report('event_key', { key }, 'SAID', `svcond is ${svcond}; row ${seq} has ${tick}.`, 'svcond');
    }
  }

  async #checkTree(): Promise<void> {
    if (!this.#rows.isContiguous) return;
    const { id, slug, checkpoint_size } = this.#machine;
    const tiles = await this.#tree.finish();
    for (const { level, idx } of await this.#inspection.strayTiles(id, tiles))
      this.#report('tile', { level, idx }, 'TILE', 'The chain is too short for this tile.', 'idx');
    const { impossible, largest } = await this.#inspection.checkpointSizes(id, this.#tree.size);
    for (const size of impossible)
      this.#report(
        'checkpoint',
        { size },
        'CHECKPOINT',
        `size is out of range; the chain has ${this.#tree.size} rows.`,
        'size',
      );
    if (largest !== checkpoint_size)
      this.#report(
        'machine',
        { id, slug },
        'CHECKPOINT',
        `checkpoint_size is ${checkpoint_size}; the newest checkpoint has ${largest}.`,
        'checkpoint_size',
      );
    this.#checkPending();
  }

  /** The tick since which the machine waits for a checkpoint: that of a row without one. */
  #checkPending(): void {
    const { id, slug, pending_since: since, head_svcond: last } = this.#machine;
    const first = this.#uncovered;
    const isRight =
      first === undefined || since === null
        ? first === undefined && since === null
        : BigInt(since) >= BigInt(first) && BigInt(since) <= BigInt(last);
    if (isRight) return;
    const expected = first === undefined ? 'null: a checkpoint covers all rows' : `a tick from ${first} to ${last}`;
    this.#report(
      'machine',
      { id, slug },
      'CHECKPOINT',
      `pending_since is ${since}; expected ${expected}.`,
      'pending_since',
    );
  }

  async #checkContracts(count: number): Promise<void> {
    const { id } = this.#machine;
    this.#contracts.finish(await this.#contractInspection.contracts(id), await this.#contractInspection.versions(id));
    await this.#instances.finish();
    this.#contracts.checkBalances(await this.#contractInspection.balances(id));
    for (const fire of await this.#contractInspection.impossibleFires(id, count)) this.#reportMissingRow(fire);
    for (const { key, seq } of await this.#inspection.impossibleEventKeys(id, count))
      this.#report('event_key', { key }, 'SAID', `Row ${seq} is missing.`, 'seq');
  }
}
