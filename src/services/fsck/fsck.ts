// Checks a database and reports every fault: chains, trees, signatures, contracts, and rows without an owner.
//
// Everything is read in one read-only transaction. Each chain is read once, in batches, whatever its length.

import type { VerifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { AccessInspection } from '../../storage/fsck/access.ts';
import { AnchorInspection } from '../../storage/fsck/anchors.ts';
import { ContractInspection, type InspectedFire } from '../../storage/fsck/contracts.ts';
import { type InspectedMachine, type InspectedRow, MachineInspection } from '../../storage/fsck/machines.ts';
import { NodeInspection } from '../../storage/fsck/node.ts';
import { OracleInspection } from '../../storage/fsck/oracles.ts';
import { OutboxInspection } from '../../storage/fsck/outbox.ts';
import { type MigratedSchema, SchemaInspection } from '../../storage/fsck/schema.ts';
import { StrayInspection } from '../../storage/fsck/strays.ts';
import { TallyInspection } from '../../storage/fsck/tally.ts';
import { TreeRepository } from '../../storage/machines/trees.ts';
import { NODE_SLUG } from '../machines/machines.ts';
import { AnchorSettingsCheck } from './anchor-settings.ts';
import { AnchorsCheck } from './anchors.ts';
import { ContractsCheck } from './contracts.ts';
import { DeveloperKeysCheck } from './developer-keys.ts';
import { FaultReporter, type FsckFault, type ReportFault } from './faults.ts';
import { checkHeldSeal, HeldCheckpointCheck, type HeldSeal } from './held-seal.ts';
import { InstancesCheck } from './instances.ts';
import { MembersCheck } from './members.ts';
import { checkSealedHeads, checkSeals, checkWitnessed, SealRecordsCheck } from './node.ts';
import { OraclesCheck } from './oracles.ts';
import { OutboxCheck } from './outbox.ts';
import { RowsCheck, toChainRow } from './rows.ts';
import { checkSchema } from './schema.ts';
import { SettingsCheck } from './settings.ts';
import { SharesCheck } from './shares.ts';
import { checkStored, type StoredOptions } from './stored.ts';
import { TallyCheck } from './tally.ts';
import { TreeCheck } from './tree.ts';

export interface FsckOptions extends StoredOptions {
  /** Checks only this machine. */
  readonly slug?: string | undefined;
  /** The schema that the migrations make; without it, the schema is not checked. */
  readonly schema?: MigratedSchema | undefined;
  /** Keys of the logs that the node witnesses; notes of other logs are not verified. */
  readonly logs?: readonly VerifierKey[];
  /** A seal or checkpoint that was kept outside the database. Its signature must have been checked. */
  readonly held?: HeldSeal | undefined;
  readonly onFault: (fault: FsckFault) => void;
  /** Called after each batch of rows. */
  readonly onProgress?: (progress: { readonly machines: number; readonly rows: number }) => void;
}

export interface FsckSummary {
  readonly machines: number;
  readonly rows: number;
  readonly faults: number;
}

const ROW_BATCH_SIZE = 2_000;
const MACHINE_BATCH_SIZE = 100;

/**
 * @param on  a transaction, so that everything is read from one snapshot
 * @throws any error of the database, unless differences of the schema explain it
 */
export async function fsck(on: Executor, options: FsckOptions): Promise<FsckSummary> {
  const { schema, onFault } = options;
  const reporter = new FaultReporter(onFault);
  const isMigrated = schema === undefined || (await checkSchema(new SchemaInspection(on), schema, reporter.of(null)));
  const count = { machines: 0, rows: 0 };
  try {
    await checkRows(on, options, reporter, count);
  } catch (error) {
    if (isMigrated) throw error;
    const message = `The rest cannot be read with this schema: ${error instanceof Error ? error.message : String(error)}`;
    reporter.of(null)('database', {}, 'SCHEMA', message);
  }
  reporter.close();
  return { ...count, faults: reporter.total };
}

async function checkRows(
  on: Executor,
  options: FsckOptions,
  reporter: FaultReporter,
  count: { machines: number; rows: number },
): Promise<void> {
  const { slug, onProgress } = options;
  const inspection = new MachineInspection(on);
  let after: string | undefined;
  for (;;) {
    const found = await inspection.machines(after, slug, MACHINE_BATCH_SIZE);
    for (const machine of found) {
      const check = new MachineCheck(machine, inspection, on, options, reporter.of(machine.slug));
      const { machines, rows } = count;
      count.rows += await check.run((more) => onProgress?.({ machines, rows: rows + more }));
      count.machines++;
      reporter.close();
    }
    after = found.at(-1)?.id;
    if (found.length < MACHINE_BATCH_SIZE) break;
  }
  if (slug === undefined) await checkNode(on, options, (machine) => reporter.of(machine));
}

/** Checks what belongs to no machine. */
async function checkNode(
  on: Executor,
  options: FsckOptions,
  reportOf: (slug: string | null) => ReportFault,
): Promise<void> {
  const { keys, logs = [], held } = options;
  const inspection = new NodeInspection(on);
  const report = reportOf(null);
  await checkSealedHeads(inspection, await checkSeals(inspection, keys, report), reportOf);
  if (held?.kind === 'seal') await checkHeldSeal(held, inspection, report);
  if (held?.kind === 'checkpoint' && (await new MachineInspection(on).machines(undefined, held.slug, 1)).length === 0)
    reportOf(held.slug)('machine', { slug: held.slug }, 'SEAL', 'The machine of the given checkpoint is missing.');
  await checkWitnessed(inspection, logs, report);
  for (const { table, key, missing } of await new StrayInspection(on).all())
    report(table, key, 'STRAY', `The ${missing} that this row refers to is missing.`);
  await checkStored(on, options, report);
}

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
  /** Checks that collect what they need from the rows, and compare their tables at the end. */
  readonly #otherChecks: readonly { visit(row: Row): void; finish(tables: ReadonlySet<string>): Promise<void> }[];

  constructor(
    machine: InspectedMachine,
    inspection: MachineInspection,
    on: Executor,
    { keys, held, nowMs }: FsckOptions,
    report: ReportFault,
  ) {
    this.#machine = machine;
    this.#inspection = inspection;
    this.#contractInspection = new ContractInspection(on);
    this.#report = report;
    this.#rows = new RowsCheck(machine, report);
    const trees = new TreeRepository(on);
    this.#tree = new TreeCheck(machine, keys, (names) => trees.tiles(machine.id, names), report);
    this.#contracts = new ContractsCheck(machine, report);
    const isHeld = held?.kind === 'checkpoint' && held.slug === machine.slug;
    this.#heldCheckpoint = new HeldCheckpointCheck(isHeld ? held.note : undefined, report);
    const anchors = new AnchorInspection(on);
    this.#anchors = new AnchorsCheck(machine, anchors, report);
    const access = new AccessInspection(on);
    this.#instances = new InstancesCheck(machine.id, this.#contractInspection, report);
    this.#otherChecks = [
      new SettingsCheck(machine, inspection, report),
      new AnchorSettingsCheck(machine.id, anchors, report),
      new TallyCheck(machine.id, new TallyInspection(on), report),
      new OraclesCheck(machine.id, new OracleInspection(on), report),
      new MembersCheck(machine.id, access, report),
      new DeveloperKeysCheck(machine.id, access, report),
      new SharesCheck(machine.id, access, report),
      ...(machine.slug === NODE_SLUG ? [new SealRecordsCheck(new NodeInspection(on), report)] : []),
      new OutboxCheck(machine, nowMs, new OutboxInspection(on), report),
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
    let batch = await this.#inspection.rows(id, 0, ROW_BATCH_SIZE);
    while (batch.length > 0) {
      const last = batch.at(-1)?.seq ?? 0;
      const following = await this.#inspection.rows(id, last + 1, ROW_BATCH_SIZE);
      await this.#checkBatch(batch, end, last, following[0]?.prev_hash ?? head_hash);
      count += batch.length;
      end = last + 1;
      onProgress(count);
      batch = following;
    }
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

  /**
   * @param from  expected number of the first row
   * @param next  the hash that the row after the batch names, or the head's if there is none
   */
  async #checkBatch(batch: readonly InspectedRow[], from: number, to: number, next: string): Promise<void> {
    const { id } = this.#machine;
    const fires = groupBy(await this.#contractInspection.fires(id, from, to), ({ seq }) => seq);
    const checkpoints = new Map(
      (await this.#inspection.checkpoints(id, from + 1, to + 1)).map((checkpoint) => [checkpoint.size, checkpoint]),
    );
    const anchors = await this.#anchors.anchorsBySize(from + 1, to + 1);
    const chained: Row[] = [];
    for (const [i, row] of batch.entries()) {
      const hash = this.#rows.visit(row, batch[i + 1]?.prev_hash ?? next);
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
    const types = new Map(batch.map(({ seq, type }) => [seq, type]));
    const keysBySeq = groupBy(await this.#inspection.eventKeys(this.#machine.id, from, to), ({ seq }) => seq);
    for (const [seq, keys] of keysBySeq) {
      const type = types.get(seq);
      for (const { key } of keys)
        if (type !== 'event')
          this.#report('event_key', { key }, 'SAID', `Row ${seq} is ${type ?? 'missing'}, not an event.`, 'seq');
        // Any of them may be wrong, so all are reported.
        else if (keys.length > 1)
          this.#report('event_key', { key }, 'SAID', `${keys.length} keys name row ${seq}.`, 'seq');
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
