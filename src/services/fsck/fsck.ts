// Walks a database and names every fault in it: chains, trees, signatures, contracts, and rows that belong to nothing.
//
// Everything is read in one transaction that writes nothing, and each chain once, row by row, whatever its length.

import { payloadOf } from '../../chain/bundle.ts';
import type { VerifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { AnchorInspection } from '../../storage/fsck/anchors.ts';
import {
  type InspectedFire,
  type InspectedMachine,
  type InspectedRow,
  InspectionRepository,
} from '../../storage/fsck/machines.ts';
import { RightsInspection } from '../../storage/fsck/rights.ts';
import { StrayInspection } from '../../storage/fsck/strays.ts';
import { TreeRepository } from '../../storage/machines/trees.ts';
import { AnchorSettingsCheck } from './anchor-settings.ts';
import { AnchorsCheck } from './anchors.ts';
import { ContractsCheck } from './contracts.ts';
import { DeveloperKeysCheck } from './developer-keys.ts';
import { type Find, Findings, type FsckFault } from './faults.ts';
import { MembersCheck } from './members.ts';
import { checkSeals, checkWitnessed } from './node.ts';
import { OraclesCheck } from './oracles.ts';
import { asRow, RowsCheck } from './rows.ts';
import { SharesCheck } from './shares.ts';
import { TallyCheck } from './tally.ts';
import { TreeCheck } from './tree.ts';

export interface FsckOptions {
  /** Only this machine. */
  readonly slug?: string | undefined;
  /** Public keys of the node, 32 bytes each; undefined where they could not be opened: then signatures are not checked. */
  readonly keys: readonly Uint8Array[] | undefined;
  /** Keys of the logs that the node is a witness of, as far as they are known. */
  readonly logs?: readonly VerifierKey[];
  readonly onFault: (fault: FsckFault) => void;
  /** Told now and then how far the walk has come. */
  readonly onProgress?: (walked: { readonly machines: number; readonly rows: number }) => void;
}

export interface FsckSummary {
  readonly machines: number;
  readonly rows: number;
  readonly faults: number;
}

const ROWS_AT_ONCE = 2_000;
const MACHINES_AT_ONCE = 100;
const OUTBOX_AT_ONCE = 500;

/** @param on  a transaction, so that all is read as it was at one moment */
export async function fsck(on: Executor, options: FsckOptions): Promise<FsckSummary> {
  const { slug, onFault, onProgress } = options;
  const inspection = new InspectionRepository(on);
  const findings = new Findings(onFault);
  let machines = 0;
  let rows = 0;
  let after: string | undefined;
  for (;;) {
    const found = await inspection.machines(after, slug, MACHINES_AT_ONCE);
    for (const machine of found) {
      const walk = new MachineWalk(machine, inspection, on, options, findings.of(machine.slug));
      rows += await walk.run((seen) => onProgress?.({ machines, rows: rows + seen }));
      machines++;
      findings.close();
    }
    after = found.at(-1)?.id;
    if (found.length < MACHINES_AT_ONCE) break;
  }
  if (slug === undefined) await checkNode(on, options, findings.of(null));
  findings.close();
  return { machines, rows, faults: findings.total };
}

/** What belongs to no machine. */
async function checkNode(on: Executor, { keys, logs = [] }: FsckOptions, find: Find): Promise<void> {
  const inspection = new AnchorInspection(on);
  await checkSeals(inspection, keys, find);
  await checkWitnessed(inspection, logs, find);
  for (const { table, key, missing } of await new StrayInspection(on).all())
    find(table, key, 'STRAY', `The ${missing} of this row is not there.`);
}

class MachineWalk {
  readonly #machine: InspectedMachine;
  readonly #inspection: InspectionRepository;
  readonly #find: Find;
  readonly #rows: RowsCheck;
  readonly #tree: TreeCheck;
  readonly #contracts: ContractsCheck;
  readonly #anchors: AnchorsCheck;
  /** Those that keep of the chain what they need, and read their tables at the end if there is anything in them. */
  readonly #others: readonly { see(row: Row): void; finish(tables: ReadonlySet<string>): Promise<void> }[];

  constructor(
    machine: InspectedMachine,
    inspection: InspectionRepository,
    on: Executor,
    { keys }: FsckOptions,
    find: Find,
  ) {
    this.#machine = machine;
    this.#inspection = inspection;
    this.#find = find;
    this.#rows = new RowsCheck(machine, find);
    const trees = new TreeRepository(on);
    this.#tree = new TreeCheck(machine, keys, (names) => trees.tiles(machine.id, names), find);
    this.#contracts = new ContractsCheck(machine, find);
    const anchors = new AnchorInspection(on);
    this.#anchors = new AnchorsCheck(machine, anchors, find);
    const rights = new RightsInspection(on);
    this.#others = [
      new AnchorSettingsCheck(machine.id, anchors, find),
      new TallyCheck(machine.id, inspection, find),
      new OraclesCheck(machine.id, inspection, find),
      new MembersCheck(machine.id, rights, find),
      new DeveloperKeysCheck(machine.id, rights, find),
      new SharesCheck(machine.id, rights, find),
    ];
  }

  /** @returns how many rows there are */
  async run(onProgress: (rows: number) => void): Promise<number> {
    const { id, head_hash } = this.#machine;
    let count = 0;
    let end = 0;
    const tables = await this.#inspection.tablesOf(id);
    await this.#anchors.start(tables);
    let batch = await this.#inspection.rows(id, 0, ROWS_AT_ONCE);
    while (batch.length > 0) {
      const last = batch.at(-1)?.seq ?? 0;
      const following = await this.#inspection.rows(id, last + 1, ROWS_AT_ONCE);
      await this.#walk(batch, end, last, following[0]?.prev_hash ?? head_hash);
      count += batch.length;
      end = last + 1;
      onProgress(count);
      batch = following;
    }
    this.#rows.finish();
    await this.#checkTree();
    await this.#checkContracts(end);
    await this.#checkOutbox();
    await this.#anchors.finish();
    for (const other of this.#others) await other.finish(tables);
    for (const { seq } of await this.#inspection.impossibleRows(id))
      this.#find('audit', { seq }, 'GAP', 'No row has such a number.', 'seq');
    return count;
  }

  /** @param from  the number that the first of these rows should have */
  async #walk(batch: readonly InspectedRow[], from: number, to: number, next: string): Promise<void> {
    const { id } = this.#machine;
    const fires = Map.groupBy(await this.#inspection.fires(id, from, to), ({ seq }) => seq);
    const checkpoints = new Map(
      (await this.#inspection.checkpoints(id, from + 1, to + 1)).map((one) => [one.size, one]),
    );
    const held = await this.#anchors.held(from + 1, to + 1);
    const chained: Row[] = [];
    for (const [i, row] of batch.entries()) {
      const hash = this.#rows.see(row, batch[i + 1]?.prev_hash ?? next);
      const one = asRow(row, this.#machine.slug);
      chained.push(one);
      this.#contracts.see(one, fires.get(String(row.seq)) ?? []);
      for (const other of this.#others) other.see(one);
      fires.delete(String(row.seq));
      // Behind a gap nobody knows the leaves of the tree.
      if (!this.#rows.isWhole) continue;
      this.#tree.see(hash);
      const checkpoint = checkpoints.get(row.seq + 1);
      if (checkpoint) this.#tree.checkpoint(checkpoint);
      for (const anchor of held.get(String(row.seq + 1)) ?? []) this.#anchors.compareRoot(anchor, this.#tree.root);
      await this.#tree.compare();
    }
    await this.#anchors.compare(chained, this.#rows.name);
    for (const fire of [...fires.values()].flat()) this.#noRow(fire);
    await this.#checkEventKeys(batch, from, to);
  }

  #noRow({ contract_id, transition, occurrence, seq }: InspectedFire): void {
    this.#find('fire', { contract_id, transition, occurrence, seq }, 'FIRE', `There is no row ${seq}.`, 'seq');
  }

  async #checkEventKeys(batch: readonly InspectedRow[], from: number, to: number): Promise<void> {
    const types = new Map(batch.map(({ seq, type }) => [seq, type]));
    const namedBy = Map.groupBy(await this.#inspection.eventKeys(this.#machine.id, from, to), ({ seq }) => seq);
    for (const [seq, keys] of namedBy) {
      const type = types.get(seq);
      for (const { key } of keys)
        if (type !== 'event')
          this.#find('event_key', { key }, 'SAID', `Row ${seq} is ${type ?? 'missing'}, not an event.`, 'seq');
        // Which of them tells the truth, no row says.
        else if (keys.length > 1)
          this.#find('event_key', { key }, 'SAID', `${keys.length} keys name row ${seq}.`, 'seq');
    }
  }

  async #checkTree(): Promise<void> {
    if (!this.#rows.isWhole) return;
    const { id, slug, checkpoint_size } = this.#machine;
    const tiles = await this.#tree.finish();
    for (const { level, idx } of await this.#inspection.strayTiles(id, tiles))
      this.#find('tile', { level, idx }, 'TILE', 'The chain has no such tile.', 'idx');
    const { impossible, largest } = await this.#inspection.checkpointSizes(id, this.#tree.size);
    for (const size of impossible)
      this.#find('checkpoint', { size }, 'CHECKPOINT', `The chain has ${this.#tree.size} rows.`, 'size');
    if (largest !== checkpoint_size)
      this.#find(
        'machine',
        { id, slug },
        'CHECKPOINT',
        `checkpoint_size is ${checkpoint_size}; the newest checkpoint has ${largest}.`,
        'checkpoint_size',
      );
  }

  async #checkContracts(count: number): Promise<void> {
    const { id } = this.#machine;
    this.#contracts.finish(await this.#inspection.contracts(id), await this.#inspection.versions(id));
    this.#contracts.checkBalances(await this.#inspection.balances(id));
    for (const fire of await this.#inspection.impossibleFires(id, count)) this.#noRow(fire);
    for (const { key, seq } of await this.#inspection.impossibleEventKeys(id, count))
      this.#find('event_key', { key }, 'SAID', `There is no row ${seq}.`, 'seq');
  }

  /** What is to be delivered says which transition asked for it. */
  async #checkOutbox(): Promise<void> {
    const { id: machineId, slug } = this.#machine;
    let after: string | undefined;
    for (;;) {
      const entries = await this.#inspection.outbox(machineId, after, OUTBOX_AT_ONCE);
      const bodies = entries.map(({ body }) => payloadOf({ payload_text: body }));
      const seqs = bodies.flatMap(({ seq }) => (Number.isSafeInteger(seq) ? [Number(seq)] : []));
      const types = new Map((await this.#inspection.typesOf(machineId, seqs)).map(({ seq, type }) => [seq, type]));
      for (const [i, { id, contract_id, created_svcond }] of entries.entries()) {
        const { machine, contract, seq, svcond } = bodies[i] ?? {};
        const isRight = machine === slug && contract === contract_id && String(svcond) === created_svcond;
        if (types.get(Number(seq)) !== 'transition')
          this.#find('outbox', { id }, 'SAID', `Row ${String(seq)} is no transition.`, 'body');
        else if (!isRight)
          this.#find('outbox', { id }, 'SAID', 'The body is about another machine, contract or tick.', 'body');
      }
      after = entries.at(-1)?.id;
      if (entries.length < OUTBOX_AT_ONCE) return;
    }
  }
}
