// Runs `svc archive`: opens the configured database and moves older rows of machines to the archive, or says which.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from './configuration.ts';
import { systemClock } from './core/clock.ts';
import { DomainError } from './core/errors.ts';
import { LIMITS } from './core/limits.ts';
import { ArchiveService } from './services/machines/archive.ts';
import { openDatabase, PATIENT } from './storage/database/database.ts';
import { assertMigrated } from './storage/database/migrate.ts';
import { RowArchive } from './storage/machines/archive/archive.ts';
import { type Machine, MachineRepository } from './storage/machines/machines.ts';
import { TreeRepository } from './storage/machines/trees.ts';

interface ArchiveRunOptions {
  /** Only this machine. */
  readonly slug?: string | undefined;
  readonly isDryRun: boolean;
  /** Receives what is moved of each machine, or would be. */
  readonly onMachine: (done: MachineArchived) => void;
}

export interface MachineArchived {
  readonly slug: string;
  /** Rows that were moved, or may be. */
  readonly rows: number;
  /** Of their files; 0 in a dry run. */
  readonly bytes: number;
  /** Why the rest stays; undefined without a failure. */
  readonly failure?: string | undefined;
}

const MACHINES_PER_PAGE = 500;

/**
 * @throws DomainError VALIDATION_FAILED without SVC_ARCHIVE, NOT_FOUND if the database or the machine is missing,
 *   STORAGE_LOCKED
 */
export async function runArchive(configuration: Configuration, options: ArchiveRunOptions): Promise<void> {
  const { databaseUrl, dataFolder, isEmbeddedSynced, archiveFolder } = configuration;
  if (archiveFolder === undefined)
    throw new DomainError('VALIDATION_FAILED', 'SVC_ARCHIVE is missing: set it to the folder of the archive.');
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'database')))
    throw new DomainError('NOT_FOUND', `Database not found in ${dataFolder}; set SVC_DATA or DATABASE_URL.`);
  const database = await openDatabase({ databaseUrl, dataFolder, sync: isEmbeddedSynced, timeouts: PATIENT });
  try {
    await assertMigrated(database);
    const { knex, transaction } = database;
    const machines = new MachineRepository(knex);
    const archive = new RowArchive(archiveFolder);
    const service = new ArchiveService({
      storage: { archive, machines, trees: new TreeRepository(knex), transaction, database },
      clock: systemClock(),
      owns: () => true,
      onFailed: () => {},
    });
    for await (const machine of chosen(machines, options.slug))
      options.onMachine(await archiveOf(machine, service, options));
  } finally {
    await database.close();
  }
}

async function* chosen(machines: MachineRepository, slug: string | undefined): AsyncGenerator<Machine> {
  if (slug !== undefined) {
    const machine = await machines.bySlug(slug);
    if (machine === undefined) throw new DomainError('NOT_FOUND', `There is no machine ${slug}.`);
    yield machine;
    return;
  }
  let page: Machine[] = [];
  do {
    page = await machines.keeping(page.at(-1)?.id, MACHINES_PER_PAGE);
    yield* page;
  } while (page.length === MACHINES_PER_PAGE);
}

async function archiveOf(
  machine: Machine,
  service: ArchiveService,
  { isDryRun }: Pick<ArchiveRunOptions, 'isDryRun'>,
): Promise<MachineArchived> {
  const { slug } = machine.head;
  if (isDryRun) {
    const due = await service.due(machine);
    return { slug, rows: due === undefined ? 0 : due.end - due.first, bytes: 0 };
  }
  let rows = 0;
  let bytes = 0;
  try {
    for (;;) {
      const moved = await service.archive(machine, LIMITS.archive.rangesPerTurn);
      for (const range of moved) {
        rows += range.last - range.first + 1;
        bytes += range.bytes;
      }
      if (moved.length < LIMITS.archive.rangesPerTurn) return { slug, rows, bytes };
    }
  } catch (error) {
    return { slug, rows, bytes, failure: error instanceof Error ? error.message : String(error) };
  }
}
