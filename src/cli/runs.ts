// svc runs: the runs that a key has filed on a service, listed, shown, and run again on this computer.

import type { Command } from 'commander';
import { type ApiOutput, createClient } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import { shortText } from '../core/plain-text.ts';
import { type CliContext, jsonOption, keyOption, parseCount, type ServiceOptions, urlOption } from './context.ts';
import { csvOption, printCsv } from './csv.ts';
import { paint, print, printJson, printStatus } from './terminal.ts';
import { valueText } from './value-text.ts';

interface ListOptions extends ServiceOptions {
  readonly folder?: string;
  readonly solver?: string;
  readonly limit?: number;
}

interface ShowOptions extends ServiceOptions {
  readonly csv?: boolean;
}

interface AgainOptions extends ServiceOptions {
  readonly jwks?: string;
  readonly kernel?: string;
}

export function addRunsCommands(runs: Command, context: CliContext): void {
  runs
    .command('list', { isDefault: true })
    .description('list your filed runs, newest first; words find those with each of them in solver, law or folder')
    .argument('[words...]', 'parts of the solver, the law or the folder')
    .option('--folder <name>', 'only this folder')
    .option('--solver <id>', 'only this solver; compute for laws')
    .option('--limit <count>', 'maximum number of runs', parseCount)
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(jsonOption())
    .action((words: readonly string[], options: ListOptions) => listRuns(context, words, options));
  runs
    .command('show <id>')
    .description('show a filed run: its value, inputs and quantities')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(csvOption())
    .addOption(jsonOption())
    .action((id: string, options: ShowOptions) => showRun(context, id, options));
  runs
    .command('again <id>')
    .description('run a filed run again on this computer and compare every bit')
    .option('--jwks <file>', 'trusted public keys; without them nobody is known to have signed, and the exit code is 5')
    .option('--kernel <file>', 'kernel of the run, if it differs from this version')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(jsonOption())
    .action((id: string, options: AgainOptions) => runAgain(context, id, options));
}

/** Only a key has filed runs. */
function clientOf({ url, key }: ServiceOptions) {
  if (key !== undefined) return createClient({ url, key });
  throw new DomainError(
    'AUTH_REQUIRED',
    'No key was given. Runs belong to the key that filed them: set SVC_KEY or use --key.',
  );
}

async function listRuns(
  { terminal }: CliContext,
  words: readonly string[],
  { folder, solver, limit, json, ...service }: ListOptions,
): Promise<void> {
  const page = await clientOf(service).call('run.list', {
    ...(words.length === 0 ? {} : { search: words.join(' ') }),
    ...(folder === undefined ? {} : { folder }),
    ...(solver === undefined ? {} : { solver: solver as 'compute' }),
    ...(limit === undefined ? {} : { limit }),
  });
  if (json) return printJson(terminal, page);
  for (const row of page.rows) print(terminal, lineOf(row));
  if (page.rows.length === 0)
    printStatus(terminal, words.length === 0 ? 'no filed runs' : `no run has ${words.join(' ')}`);
  else if (page.next_cursor !== null) printStatus(terminal, 'there are older runs; add words, or raise --limit');
}

type Row = ApiOutput<'run.list'>['rows'][number];

function lineOf({ id, solver, law_id, law_title, folder, value, unit, created_at }: Row): string {
  const name = law_id === null ? solver : `${law_id} ${law_title ?? ''}`.trim();
  const number = valueText({ value, unit }, undefined);
  return [id, created_at, name, number, ...(folder === null ? [] : [`in ${folder}`])].join('  ');
}

async function showRun({ terminal }: CliContext, id: string, { csv, json, ...service }: ShowOptions): Promise<void> {
  const run = await clientOf(service).call('run.get', { id });
  const { envelope, folder, created_at } = run;
  if (json) return printJson(terminal, run);
  if (csv) return printCsv(terminal, envelope);
  const { solver, value, unit, uncertainty, inputs, quantities, operatorChain } = envelope;
  const place = folder === null ? '' : ` in ${folder}`;
  print(terminal, `${paint(terminal, 'bold', valueText({ value, unit, uncertainty }, undefined))}`);
  print(terminal, `${solver} by ${operatorChain.slice(1).join(', ') || solver}, filed ${created_at}${place}`);
  for (const [name, input] of Object.entries(inputs))
    print(
      terminal,
      `  ${name.padEnd(NAME_WIDTH)} ${shortText(typeof input === 'string' ? input : JSON.stringify(input))}`,
    );
  if (quantities.length > 0) print(terminal, 'quantities:');
  for (const quantity of quantities)
    print(terminal, `  ${quantity.name.padEnd(NAME_WIDTH)} ${valueText(quantity, undefined)}`);
  printStatus(terminal, paint(terminal, 'dim', `svc runs again ${id} computes it again on this computer`));
}

const NAME_WIDTH = 28;

async function runAgain(context: CliContext, id: string, options: AgainOptions): Promise<void> {
  const { envelope } = await clientOf(options).call('run.get', { id });
  const { replayReceipt } = await import('./receipts.ts');
  await replayReceipt(context, { ...envelope }, options, { url: options.url, command: `svc runs again ${id}` });
}
