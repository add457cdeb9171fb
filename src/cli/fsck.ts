// svc fsck: every fault in the database of this configuration, named.

import type { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { inspect } from '../inspect.ts';
import { type CliContext, jsonOption, REFUSED_EXIT } from './context.ts';
import { paint, print, printJson, say } from './terminal.ts';

interface FsckCommandOptions {
  readonly machine?: string;
  readonly json?: boolean;
}

export function addFsckCommand(svc: Command, context: CliContext): void {
  svc
    .command('fsck')
    .description('walk the database here (SVC_DATA or DATABASE_URL) and name every fault; nothing is written')
    .option('--machine <slug>', 'only this machine')
    .addOption(jsonOption())
    .action((options: FsckCommandOptions) => runFsck(context, options));
}

type Fault = Parameters<Parameters<typeof inspect>[1]['onFault']>[0];

async function runFsck({ terminal, env }: CliContext, { machine, json }: FsckCommandOptions): Promise<void> {
  const faults: Fault[] = [];
  const isWatched = terminal.stderr.isTTY === true;
  const { hasCheckedSignatures, ...summary } = await inspect(readConfiguration(env), {
    slug: machine,
    onFault: (fault) => {
      // Now, not at the end: whoever reads the faults may stop at the first.
      process.exitCode = REFUSED_EXIT;
      if (json) faults.push(fault);
      else print(terminal, lineOf(fault));
    },
    onProgress: ({ machines, rows }) => {
      if (isWatched) terminal.stderr.write(`\r${machines} machines, ${rows} rows`);
    },
  });
  if (isWatched) terminal.stderr.write('\r\u001b[K');
  const isIntact = summary.faults === 0;
  if (json) {
    printJson(terminal, { ok: true, intact: isIntact, signatures: hasCheckedSignatures, ...summary, faults });
    return;
  }
  const found = isIntact ? 'no faults' : `${summary.faults} faults`;
  print(
    terminal,
    paint(terminal, isIntact ? 'green' : 'red', `${found} in ${summary.rows} rows of ${summary.machines} machines`),
  );
  if (!hasCheckedSignatures)
    say(terminal, paint(terminal, 'yellow', 'signatures were not checked: SVC_MASTER_KEY opens the keys of the node'));
}

function lineOf({ machine, table, key, column, code, message }: Fault): string {
  const row = Object.entries(key).map(([name, value]) => `${name}=${value}`);
  const place = [machine ?? '-', table, ...row, ...(column === undefined ? [] : [`column ${column}`])].join(' ');
  return `${code}  ${place}: ${message}`;
}
