// `svc`: the command line. Reads the environment once and hands it down.

import { Command, CommanderError, Option } from 'commander';
import { SOLVERS } from '../solvers/index.ts';
import { type CliContext, keyOption, urlOption } from './context.ts';
import { keysCommands } from './keys.ts';
import { runMcp } from './mcp.ts';
import { runPulse } from './pulse.ts';
import { runReplay, runVerify } from './receipts.ts';
import { runServe } from './serve.ts';
import { addSolveCommands } from './solve.ts';
import { reportError, type Terminal } from './terminal.ts';

const USAGE_EXIT = 2;

const terminal: Terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  isColoured: process.stderr.isTTY === true && process.env.NO_COLOR === undefined,
};

const stop = new AbortController();
const context: CliContext = { terminal, env: process.env, signal: stop.signal };

function program(): Command {
  const svc = new Command('svc')
    .description('Verifiable computation: a number you can re-run, in a history you cannot rewrite.')
    .exitOverride()
    .configureOutput({ writeErr: (text) => terminal.stderr.write(text) })
    .showHelpAfterError('(svc --help shows all commands)');

  svc
    .command('serve')
    .description('start the service here (PORT, HOST, SVC_DATA, DATABASE_URL, SVC_MASTER_KEY)')
    .action(() => runServe(context));
  svc
    .command('pulse')
    .description('read the pulse clock of a service')
    .addOption(urlOption())
    .option('--json', 'print the whole record as JSON')
    .action((options) => runPulse(context, options));
  addSolveCommands(
    svc.command('solve').description(`run a solver: ${SOLVERS.map((solver) => solver.id).join(', ')}`),
    context,
  );
  svc
    .command('verify <file>')
    .description('check seal and signature of a receipt, offline')
    .option('--jwks <file>', 'public keys that you trust (from /api/.well-known/jwks.json)')
    .option('--json', 'print the report as JSON')
    .action((file, options) => runVerify(context, file, options));
  svc
    .command('replay <file>')
    .description('re-run a receipt with the bytes of its kernel and compare every bit, offline')
    .option('--jwks <file>', 'public keys that you trust')
    .option('--kernel <file>', 'the kernel, if it is not one of this version (from /api/kernels/<sha256>.wasm)')
    .option('--json', 'print the report as JSON')
    .action((file, options) => runReplay(context, file, options));
  svc
    .command('mcp')
    .description('serve the tools to an MCP client over standard input and output')
    .addOption(new Option('--url <address>', 'address of a service; without it, the one here').env('SVC_URL'))
    .addOption(keyOption())
    .action((options) => runMcp(context, options));
  keysCommands(svc.command('keys').description('mint, list, create and revoke keys'), context);
  return svc;
}

async function main(): Promise<void> {
  process.once('SIGINT', () => stop.abort());
  try {
    await program().parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT;
      return;
    }
    process.exitCode = reportError(terminal, error);
  }
}

// A reader that closes early (`svc … | head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

await main();
