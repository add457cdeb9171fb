// svc archive: moves older rows of machines from the configured database to files.

import type { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import type { MachineArchived } from '../run-archive.ts';
import { type CliContext, jsonOption, REJECTED_EXIT } from './context.ts';
import { paint, print, printJson } from './terminal.ts';

interface ArchiveCommandOptions {
  readonly machine?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addArchiveCommand(svc: Command, context: CliContext): void {
  svc
    .command('archive')
    .description('move older rows of machines with keep_rows or keep_days to the files of SVC_ARCHIVE')
    .option('--machine <slug>', 'only this machine')
    .option('--dry-run', 'say how many rows would be moved, and move none')
    .addOption(jsonOption())
    .action((options: ArchiveCommandOptions) => printArchived(context, options));
}

async function printArchived(
  { terminal, env }: CliContext,
  { machine, dryRun = false, json }: ArchiveCommandOptions,
): Promise<void> {
  const machines: MachineArchived[] = [];
  const { runArchive } = await import('../run-archive.ts');
  await runArchive(readConfiguration(env), {
    slug: machine,
    isDryRun: dryRun,
    onMachine: (done) => {
      machines.push(done);
      if (done.failure !== undefined) process.exitCode = REJECTED_EXIT;
      if (!json && (done.rows > 0 || done.failure !== undefined)) print(terminal, textOf(done, dryRun));
    },
  });
  const rows = machines.reduce((sum, done) => sum + done.rows, 0);
  const failed = machines.filter(({ failure }) => failure !== undefined).length;
  if (json) {
    printJson(terminal, { ok: failed === 0, dry_run: dryRun, rows, machines });
    return;
  }
  const verb = dryRun ? 'may be moved' : 'moved';
  const ending = failed === 0 ? '' : `; ${failed} machines failed`;
  const total = `${rows} rows of ${machines.length} machines ${verb}${ending}`;
  print(terminal, paint(terminal, failed === 0 ? 'green' : 'red', total));
}

function textOf({ slug, rows, bytes, failure }: MachineArchived, isDryRun: boolean): string {
  const size = isDryRun ? '' : `, ${bytes} bytes`;
  return `${slug}: ${rows} rows${size}${failure === undefined ? '' : `; the rest stays: ${failure}`}`;
}
