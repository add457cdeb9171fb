// svc fsck: reports every fault in the configured database.

import type { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import type { runFsck } from '../run-fsck.ts';
import { type CliContext, jsonOption, REJECTED_EXIT } from './context.ts';
import { readText } from './files.ts';
import { paint, print, printJson, printStatus } from './terminal.ts';

interface FsckCommandOptions {
  readonly machine?: string;
  readonly seal?: string;
  readonly since?: string;
  readonly replay?: boolean;
  readonly json?: boolean;
}

export function addFsckCommand(svc: Command, context: CliContext): void {
  svc
    .command('fsck')
    .description('check the local database (SVC_DATA or DATABASE_URL) and report every fault; writes nothing')
    .option('--machine <slug>', 'check only this machine')
    .option('--seal <file>', 'a seal or checkpoint that you kept, to find what was deleted since')
    .option('--since <file>', 'record of the last clean run: check machines that changed since, and write it anew')
    .option('--replay', 'compute the values of filed runs again')
    .addOption(jsonOption())
    .action((options: FsckCommandOptions) => printFaults(context, options));
}

type Fault = Parameters<Parameters<typeof runFsck>[1]['onFault']>[0];

async function printFaults(
  { terminal, env }: CliContext,
  { machine, seal, since, replay = false, json }: FsckCommandOptions,
): Promise<void> {
  const faults: Fault[] = [];
  const isInteractive = terminal.stderr.isTTY === true;
  const { runFsck } = await import('../run-fsck.ts');
  const { hasCheckedSignatures, isRecorded, ...summary } = await runFsck(readConfiguration(env), {
    slug: machine,
    sealText: seal === undefined ? undefined : readText(seal),
    sinceFile: since,
    isReplayed: replay,
    onFault: (fault) => {
      // Set immediately: a reader may close stdout after the first fault.
      process.exitCode = REJECTED_EXIT;
      if (json) faults.push(fault);
      else print(terminal, formatFault(fault));
    },
    onProgress: ({ machines, rows }) => {
      if (isInteractive) terminal.stderr.write(`\r${machines} machines, ${rows} rows`);
    },
  });
  if (isInteractive) terminal.stderr.write('\r\u001b[K');
  const isIntact = summary.faults === 0;
  if (json) {
    printJson(terminal, {
      ok: true,
      intact: isIntact,
      signatures: hasCheckedSignatures,
      ...summary,
      ...(since === undefined ? {} : { recorded: isRecorded }),
      faults,
    });
    return;
  }
  const unchanged = since === undefined ? '' : `; ${summary.unchanged} have not changed since the run in ${since}`;
  const count = isIntact ? 'no faults' : `${summary.faults} faults`;
  print(
    terminal,
    paint(
      terminal,
      isIntact ? 'green' : 'red',
      `${count} in ${summary.rows} rows of ${summary.machines} machines${unchanged}`,
    ),
  );
  if (since !== undefined && !isRecorded)
    printStatus(terminal, `${since} was not written: only a run without faults is recorded`);
  if (!hasCheckedSignatures)
    printStatus(
      terminal,
      paint(terminal, 'yellow', 'signatures were not checked: set SVC_MASTER_KEY to decrypt the keys of the node'),
    );
}

function formatFault({ machine, table, key, column, code, message }: Fault): string {
  const row = Object.entries(key).map(([name, value]) => `${name}=${value}`);
  const location = [machine ?? '-', table, ...row, ...(column === undefined ? [] : [`column ${column}`])].join(' ');
  return `${code}  ${location}: ${message}`;
}
