// `svc`, the command line. Only this module reads the process environment.

import { Command, CommanderError, Option } from 'commander';
import { SOFTWARE_VERSION } from '../operations/node/software-version.ts';
import { SOLVERS } from '../solvers/index.ts';
import { addAskCommand } from './ask.ts';
import { addBundleCommand } from './bundle.ts';
import { addComputeCommand } from './compute.ts';
import { type CliContext, keyOption, parseUrl, urlOption } from './context.ts';
import { addContractCommands } from './contracts.ts';
import { addFsckCommand } from './fsck.ts';
import { addKeyCommands } from './keys.ts';
import { addMachineCommands } from './machines.ts';
import { addOperatorCommands } from './operators.ts';
import { runPulse } from './pulse.ts';
import { runReplay, runVerify } from './receipts.ts';
import { addSolveCommands } from './solve.ts';
import { addTailCommand } from './tail.ts';
import { reportError, type Terminal } from './terminal.ts';

const USAGE_EXIT = 2;

const terminal: Terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  isColoured: process.stderr.isTTY === true && process.env.NO_COLOR === undefined,
};

const controller = new AbortController();
const context: CliContext = { terminal, env: process.env, signal: controller.signal };

/** The modules of a service (database, HTTP, MCP) load only for the commands that start one. */
function program(): Command {
  const svc = new Command('svc')
    .description('Verifiable computation: a number you can re-run, in a history you cannot rewrite.')
    .version(SOFTWARE_VERSION, '-V, --version', 'print the version of the package')
    .exitOverride()
    .configureOutput({ writeErr: (text) => terminal.stderr.write(text) })
    .showHelpAfterError('(svc --help shows all commands)');

  svc
    .command('serve')
    .description('start the service (PORT, HOST, SVC_DATA, DATABASE_URL, SVC_MASTER_KEY)')
    .action(async () => (await import('./serve.ts')).runServe(context));
  svc
    .command('worker')
    .description(
      'fire timers and deliver webhooks next to other nodes on one PostgreSQL (DATABASE_URL, SVC_MASTER_KEY)',
    )
    .action(async () => (await import('./serve.ts')).runWorker(context));
  svc
    .command('pulse')
    .description('read the pulse clock of a service')
    .addOption(urlOption())
    .option('--json', 'print the complete record as JSON')
    .action((options) => runPulse(context, options));
  addAskCommand(svc, context);
  addSolveCommands(
    svc.command('solve').description(`run a solver: ${SOLVERS.map((solver) => solver.id).join(', ')}`),
    context,
  );
  addComputeCommand(svc, context);
  addOperatorCommands(
    svc.command('operators').description('find, show and list closed-form operators, offline'),
    context,
  );
  svc
    .command('verify <file>')
    .description('check a receipt (seal and laws) or a bundle (every claim), offline')
    .option('--jwks <file>', 'trusted public keys (from /api/.well-known/jwks.json); without them the exit code is 5')
    .option('--json', 'print the report as JSON')
    .action((file, options) => runVerify(context, file, options));
  svc
    .command('replay <file>')
    .description('re-run a receipt with its kernel and compare every bit, offline')
    .option('--jwks <file>', 'trusted public keys; without them the exit code is 5')
    .option(
      '--kernel <file>',
      'kernel of the receipt, if it differs from this version (from /api/kernels/<sha256>.wasm)',
    )
    .option('--json', 'print the report as JSON')
    .action((file, options) => runReplay(context, file, options));
  svc
    .command('mcp')
    .description('serve the tools to an MCP client over standard input and output')
    .addOption(
      new Option('--url <address>', 'URL of a service (default: a local one)').env('SVC_URL').argParser(parseUrl),
    )
    .addOption(keyOption())
    .action(async (options) => (await import('./mcp.ts')).runMcp(context, options));
  addMachineCommands(svc.command('machine').description('machines: list, show, spin-up, events, validate'), context);
  addContractCommands(
    svc
      .command('contract')
      .description(
        'contracts: list, show, deploy, fire, pause, resume, templates; in files: check, test, simulate, diff, explain',
      ),
    context,
  );
  addTailCommand(svc, context);
  addBundleCommand(svc, context);
  addFsckCommand(svc, context);
  addKeyCommands(svc.command('keys').description('mint, list, create and revoke keys'), context);
  return svc;
}

async function main(): Promise<void> {
  process.once('SIGINT', () => controller.abort());
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
