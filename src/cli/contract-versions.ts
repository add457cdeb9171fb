// svc contract patch: another version of a deployed contract, with a migration of its state, or what it would do.

import type { Command } from 'commander';
import { type ApiInput, type ApiOutput, createClient } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import type { CliContext, ServiceOptions } from './context.ts';
import { parseParameters } from './contract-parameters.ts';
import { readJson } from './files.ts';
import { withServiceOptions } from './machines.ts';
import { paint, print, printJson, type Terminal } from './terminal.ts';

type Patch = ApiInput<'contract.patch'>;
type Carried = NonNullable<ApiOutput<'contract.dry-run'>['carried']>;

type PatchOptions = ServiceOptions & {
  readonly parameter?: readonly string[];
  readonly migrate?: string;
  readonly ifVersion?: string;
  readonly reset?: boolean;
  readonly preview?: boolean;
};

export function addVersionCommands(contract: Command, { terminal }: CliContext): void {
  withServiceOptions(contract.command('patch <slug> <id> <file>'))
    .description('give a contract another definition (JSON file); with parties it is proposed')
    .option('--parameter <name=value...>', 'parameters that replace the defaults')
    .option('--migrate <file>', 'what becomes of its state: {"states", "context", "collections", "clocks", "drop"}')
    .option('--if-version <number>', 'the version that you expect')
    .option('--reset', 'start from the initial state')
    .option('--preview', 'print what would become of it, and change nothing')
    .action((slug: string, id: string, file: string, options: PatchOptions) =>
      runPatch(terminal, { slug, id }, file, options),
    );
}

async function runPatch(
  terminal: Terminal,
  path: { readonly slug: string; readonly id: string },
  file: string,
  options: PatchOptions,
): Promise<void> {
  const { url, key, json, parameter, ifVersion, reset, preview } = options;
  // The service validates both documents.
  const definition = readJson(file) as unknown as NonNullable<Patch['definition']>;
  const migrate =
    options.migrate === undefined ? undefined : (readJson(options.migrate) as unknown as Patch['migrate']);
  const parameters = parameter === undefined ? {} : { parameters: parseParameters(parameter) };
  const change = { ...path, definition, ...parameters, ...(migrate === undefined ? {} : { migrate }) };
  const client = createClient({ url, key });
  if (preview === true) {
    if (reset === true || ifVersion !== undefined)
      throw new DomainError('VALIDATION_FAILED', '--preview cannot be combined with --reset or --if-version.');
    const answer = await client.call('contract.dry-run', change);
    if (json) return printJson(terminal, answer);
    if (answer.carried === null) print(terminal, 'the contract has this definition already');
    else printCarried(terminal, answer.carried);
    return;
  }
  const expected = ifVersion === undefined ? {} : { if_match: Number(ifVersion) };
  const answer = await client.call('contract.patch', { ...change, ...expected, reset: reset === true });
  if (json) return printJson(terminal, answer);
  const { contract, proposal } = answer;
  if (proposal !== null) print(terminal, `proposal ${proposal.no}, terms ${proposal.terms_hash}`);
  print(terminal, `version ${contract.current_version_no}, ${contract.currentState}`);
}

function printCarried(terminal: Terminal, carried: Carried): void {
  const { from, to, reset, context, collections, clocks, timers } = carried;
  print(terminal, `state ${from} → ${paint(terminal, 'bold', to)}${reset ? ' (begins anew; needs --reset)' : ''}`);
  for (const { name, fate, before, after } of context)
    print(terminal, `  ${name} ${fate}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
  for (const [what, parts] of [
    ['entries', collections],
    ['ticks', clocks],
  ] as const)
    for (const { name, fate, source, size } of parts) {
      const origin = source === null || source === name ? '' : ` from ${source}`;
      print(terminal, `  ${name} ${fate}${origin}: ${size} ${what}`);
    }
  for (const { transition, svcond, at, fate } of timers)
    print(terminal, `  timer of ${transition} (${fate}): tick ${svcond}, ${at}`);
}
