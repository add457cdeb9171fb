// `svc`, the command line. Only this module reads the process environment.

import { Command, CommanderError } from 'commander';
import { SOFTWARE_VERSION } from '../operations/node/software-version.ts';
import { addCommands } from './commands.ts';
import type { CliContext } from './context.ts';
import { reportError, type Terminal } from './terminal.ts';

const USAGE_EXIT = 2;

/** https://no-color.org: any text turns colours off. */
const allowsColour = (process.env.NO_COLOR ?? '') === '';
const terminal: Terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  isColoured: {
    stdout: allowsColour && process.stdout.isTTY === true,
    stderr: allowsColour && process.stderr.isTTY === true,
  },
};

const controller = new AbortController();
const context: CliContext = { terminal, env: process.env, signal: controller.signal };

async function program(operands: readonly string[]): Promise<Command> {
  const svc = new Command('svc')
    .description('Verifiable computation: a number you can re-run, in a history you cannot rewrite.')
    .version(SOFTWARE_VERSION, '-V, --version', 'print the version of the package')
    .exitOverride()
    .configureOutput({ writeErr: (text) => terminal.stderr.write(text) })
    .showHelpAfterError('(svc --help shows all commands)');
  await addCommands(svc, context, operands);
  return svc;
}

async function main(): Promise<void> {
  process.once('SIGINT', () => controller.abort());
  try {
    await (await program(process.argv.slice(2))).parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT;
      return;
    }
    process.exitCode = reportError(terminal, error);
  }
}

// A reader that closes early (`svc … | head`) is not a failure; the exit code set so far still applies.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});
// Status messages are optional: a closed stderr is ignored.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await main();
