// The commands of `svc`. A call loads the modules of its own command only: the solvers and laws alone take a second.

import { type Command, Option } from 'commander';
import { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { quoteValue } from '../core/validation.ts';
import { type CliContext, keyOption, parseUrl, urlOption } from './context.ts';

/** Adds a command to the program, with its options and subcommands. */
type AddCommand = (svc: Command, context: CliContext) => void | Promise<void>;

/** By name, in the order of the help. Receipts and services load only when their command runs. */
const COMMANDS: Readonly<Record<string, AddCommand>> = {
  serve: (svc, context) => {
    svc
      .command('serve')
      .description('start the service (PORT, HOST, SVC_DATA, DATABASE_URL, SVC_MASTER_KEY)')
      .action(async () => (await import('./serve.ts')).runServe(context));
  },
  worker: (svc, context) => {
    svc
      .command('worker')
      .description(
        'deliver webhooks and anchors next to svc serve on one PostgreSQL, and fire timers while no svc serve lives ' +
          '(DATABASE_URL, SVC_MASTER_KEY)',
      )
      .action(async () => (await import('./serve.ts')).runWorker(context));
  },
  pulse: (svc, context) => {
    svc
      .command('pulse')
      .description('read the pulse clock of a service')
      .addOption(urlOption())
      .option('--json', 'print the complete record as JSON')
      .action(async (options) => (await import('./pulse.ts')).runPulse(context, options));
  },
  ask: async (svc, context) => (await import('./ask.ts')).addAskCommand(svc, context),
  solve: async (svc, context) => (await import('./solve.ts')).addSolveCommands(svc, context),
  run: async (svc, context) => (await import('./run.ts')).addRunCommand(svc, context),
  runs: async (svc, context) => {
    const runs = svc.command('runs').description('filed runs of a key: list and search, show, run again');
    (await import('./runs.ts')).addRunsCommands(runs, context);
  },
  compute: async (svc, context) => (await import('./compute.ts')).addComputeCommand(svc, context),
  operators: async (svc, context) => {
    const operators = svc.command('operators').description('find, show and list closed-form operators, offline');
    (await import('./operators.ts')).addOperatorCommands(operators, context);
  },
  verify: (svc, context) => {
    svc
      .command('verify <file>')
      .description('check a receipt (seal and laws) or a bundle (every claim), offline')
      .option('--jwks <file>', 'trusted public keys (from /api/.well-known/jwks.json); without them the exit code is 5')
      .option('--json', 'print the report as JSON')
      .action(async (file, options) => (await import('./receipts.ts')).runVerify(context, file, options));
  },
  replay: (svc, context) => {
    svc
      .command('replay <file>')
      .description('re-run a receipt with its kernel and compare every bit, offline')
      .option('--jwks <file>', 'trusted public keys; without them the exit code is 5')
      .option(
        '--kernel <file>',
        'kernel of the receipt, if it differs from this version (from /api/kernels/<sha256>.wasm)',
      )
      .option('--json', 'print the report as JSON')
      .action(async (file, options) => (await import('./receipts.ts')).runReplay(context, file, options));
  },
  cite: async (svc, context) => (await import('./cite.ts')).addCiteCommand(svc, context),
  mcp: (svc, context) => {
    svc
      .command('mcp')
      .description('serve the tools to an MCP client over standard input and output')
      .addOption(
        new Option('--url <address>', 'URL of a service (default: a local one)').env('SVC_URL').argParser(parseUrl),
      )
      .addOption(keyOption())
      .action(async (options) => (await import('./mcp.ts')).runMcp(context, options));
  },
  machine: async (svc, context) => {
    const machine = svc.command('machine').description('machines: list, show, spin-up, events, validate');
    (await import('./machines.ts')).addMachineCommands(machine, context);
  },
  contract: async (svc, context) => {
    const contract = svc
      .command('contract')
      .description(
        'contracts: list, show, deploy, fire, pause, resume, templates; in files: check, test, simulate, diff, explain',
      );
    (await import('./contracts.ts')).addContractCommands(contract, context);
  },
  seats: async (svc, context) => (await import('./seats.ts')).addSeatsCommand(svc, context),
  tail: async (svc, context) => (await import('./tail.ts')).addTailCommand(svc, context),
  bundle: async (svc, context) => (await import('./bundle.ts')).addBundleCommand(svc, context),
  fsck: async (svc, context) => (await import('./fsck.ts')).addFsckCommand(svc, context),
  archive: async (svc, context) => (await import('./archive.ts')).addArchiveCommand(svc, context),
  help: (svc) => addHelpCommand(svc),
  completion: async (svc, context) => (await import('./completion.ts')).addCompletionCommand(svc, context),
  keys: async (svc, context) => {
    const keys = svc.command('keys').description('mint, list, create and revoke keys');
    (await import('./keys.ts')).addKeyCommands(keys, context);
  },
};

/** Help of the command that several words name; the library’s own command knows one word. */
function addHelpCommand(svc: Command): void {
  svc
    .command('help [command...]')
    .description('show the help of a command: svc help machine show')
    .action((words: string[]) => helpOf(svc, words));
}

function helpOf(command: Command, [word, ...rest]: readonly string[], path = command.name()): void {
  if (word === undefined) command.help();
  const found = command.commands.find((one) => one.name() === word);
  if (found !== undefined) {
    helpOf(found, rest, `${path} ${word}`);
    return;
  }
  const nearest = didYouMean(
    word,
    command.commands.map((one) => one.name()),
  );
  throw new DomainError('NOT_FOUND', `${path} has no command ${quoteValue(word)}.${nearest}`);
}

const VERSION = ['-V', '--version'];
/** They list the commands of the program. */
const OF_ALL = ['help', 'completion'];

const isCommand = (name: string) => Object.hasOwn(COMMANDS, name);

/**
 * Adds the command that `operands` name, or all of them if they name none: then the help or a suggestion lists them.
 *
 * @param operands  of the process, without the program
 */
export async function addCommands(svc: Command, context: CliContext, operands: readonly string[]): Promise<void> {
  svc.helpCommand(false);
  const [first = '', second = ''] = operands;
  if (VERSION.includes(first)) return;
  const isOfAll = !isCommand(first) || (OF_ALL.includes(first) && !(first === 'help' && isCommand(second)));
  const names = isOfAll ? Object.keys(COMMANDS) : first === 'help' ? [first, second] : [first];
  for (const name of new Set(names)) await COMMANDS[name]?.(svc, context);
}
