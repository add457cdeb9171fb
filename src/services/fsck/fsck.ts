// Checks a database and reports every fault: chains, trees, signatures, contracts, and rows without an owner.
//
// Everything is read in one read-only transaction. Each chain is read once, in batches, whatever its length.

import type { VerifierKey } from '../../chain/note.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { ArchiveInspection } from '../../storage/fsck/archive.ts';
import { type InspectedMachine, MachineInspection } from '../../storage/fsck/machines.ts';
import { NodeInspection } from '../../storage/fsck/node.ts';
import { type MigratedSchema, SchemaInspection } from '../../storage/fsck/schema.ts';
import { StrayInspection } from '../../storage/fsck/strays.ts';
import { RowArchive } from '../../storage/machines/archive/archive.ts';
import { FaultReporter, type FsckFault, type ReportFault } from './faults.ts';
import { checkHeldSeal } from './held-seal.ts';
import { checkMachine, type MachineOptions, type MachineResult, type MachineTask } from './machine.ts';
import { MachineWorkers, type SharedDatabase } from './machine-workers.ts';
import { checkSealedHeads, checkSeals, checkWitnessed } from './node.ts';
import { checkSchema } from './schema.ts';
import type { MachineMark, MachineMarks } from './since.ts';
import { checkStored, type StoredOptions } from './stored.ts';

export interface FsckOptions extends StoredOptions, MachineOptions {
  /** Checks only this machine. */
  readonly slug?: string | undefined;
  /** The schema that the migrations make; without it, the schema is not checked. */
  readonly schema?: MigratedSchema | undefined;
  /** Keys of the logs that the node witnesses; notes of other logs are not verified. */
  readonly logs?: readonly VerifierKey[];
  /** How worker threads reach the database, if they are to check machines too. `on` must be a snapshot of it. */
  readonly shared?: SharedDatabase | undefined;
  /** Machines as the last clean run found them: those that have not changed are not checked again. */
  readonly since?: MachineMarks | undefined;
  /** Receives the mark of each machine, on which the next run may rely if this one is clean. */
  readonly onMark?: ((id: string, mark: MachineMark) => void) | undefined;
  readonly onFault: (fault: FsckFault) => void;
  /** Called after each batch of rows. */
  readonly onProgress?: (progress: { readonly machines: number; readonly rows: number }) => void;
}

export interface FsckSummary {
  readonly machines: number;
  /** Rows that were checked. */
  readonly rows: number;
  /** Machines that have not changed since the last clean run, whose rows were not checked. */
  readonly unchanged: number;
  readonly faults: number;
}

const MACHINE_BATCH_SIZE = 100;

/**
 * @param on  a transaction, so that everything is read from one snapshot
 * @throws any error of the database, unless differences of the schema explain it
 */
export async function fsck(on: Executor, options: FsckOptions): Promise<FsckSummary> {
  const { schema, onFault } = options;
  const reporter = new FaultReporter(onFault);
  const isMigrated = schema === undefined || (await checkSchema(new SchemaInspection(on), schema, reporter.of(null)));
  const count = { machines: 0, rows: 0, unchanged: 0 };
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
  count: { machines: number; rows: number; unchanged: number },
): Promise<void> {
  const { slug, shared, since, onMark, onProgress } = options;
  const missing = new Map(since);
  const nextMachine = machinesInTurn(new MachineInspection(on), slug);
  const next = async (): Promise<MachineTask | undefined> => {
    const machine = await nextMachine();
    return machine && { machine, known: since?.get(machine.id) };
  };
  const onChecked = ({ id, mark, rows, isUnchanged, faults, total }: MachineResult) => {
    missing.delete(id);
    if (mark !== undefined) onMark?.(id, mark);
    if (isUnchanged) count.unchanged++;
    reporter.pass(faults, total);
    count.machines++;
    count.rows += rows;
    onProgress?.({ ...count });
  };
  const workers = new MachineWorkers(on);
  try {
    if (shared !== undefined && slug === undefined)
      await workers.start(shared, machineOptions(options), next, onChecked);
    // With workers, this thread only gives them machines: it would keep them waiting.
    else
      for (let task = await next(); task !== undefined; task = await next()) {
        const more = (rows: number) => onProgress?.({ ...count, rows: count.rows + rows });
        onChecked(await checkMachine(on, task, machineOptions(options), more));
      }
    if (slug === undefined) await checkNode(on, options, (machine) => reporter.of(machine));
    await workers.finish();
    for (const [id, { seq }] of slug === undefined ? missing : []) {
      const message = `The machine had ${Number(seq) + 1} rows in the last clean run, and is missing.`;
      reporter.of(null)('machine', { id }, 'SEAL', message, 'id');
    }
  } finally {
    await workers.stop();
  }
}

/** What the check of a machine needs to know, in a form that can be given to another thread. */
function machineOptions({ keys, held, nowMs, archiveFolder, onMark }: FsckOptions): MachineOptions {
  return { keys, held, nowMs, archiveFolder, isMarked: onMark !== undefined };
}

/** Each call gives the next machine, in the order of their ids; undefined after the last. */
function machinesInTurn(
  inspection: MachineInspection,
  slug: string | undefined,
): () => Promise<InspectedMachine | undefined> {
  let waiting: InspectedMachine[] = [];
  let after: string | undefined;
  let isLast = false;
  const take = async () => {
    if (waiting.length === 0 && !isLast) {
      waiting = await inspection.machines(after, slug, MACHINE_BATCH_SIZE);
      after = waiting.at(-1)?.id;
      isLast = waiting.length < MACHINE_BATCH_SIZE;
    }
    return waiting.shift();
  };
  // One call at a time, so that no page is read twice.
  let turn: Promise<unknown> = Promise.resolve();
  return () => {
    const taken = turn.then(take);
    turn = taken.catch(() => {});
    return taken;
  };
}

/** Checks what belongs to no machine. */
export async function checkNode(
  on: Executor,
  options: FsckOptions,
  reportOf: (slug: string | null) => ReportFault,
): Promise<void> {
  const { keys, logs = [], held, archiveFolder } = options;
  const inspection = new NodeInspection(on, new ArchiveInspection(on, new RowArchive(archiveFolder)));
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
