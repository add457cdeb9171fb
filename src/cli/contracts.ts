// svc contract: manages the state contracts of a machine.

import { type Command, Option } from 'commander';
import { type ClientOptions, call } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import { createContract, createCustomContract, getContract, listContracts } from '../operations/contracts/contracts.ts';
import { fireContract, fireTransition } from '../operations/contracts/fire.ts';
import { importContract } from '../operations/contracts/import-export.ts';
import { pauseContract, resumeContract } from '../operations/contracts/lifecycle.ts';
import { getTemplate, listTemplates } from '../operations/contracts/templates.ts';
import type { CliContext, ServiceOptions } from './context.ts';
import { withServiceOptions } from './machines.ts';
import { readJson } from './receipts.ts';
import { paint, print, printJson, printStatus, type Terminal } from './terminal.ts';

interface ContractRecord {
  readonly id: string;
  readonly name: string;
  readonly currentState: string;
  readonly status: string;
  readonly fire_count: number;
  readonly next_fire: number | null;
  readonly current_version_no: number;
  readonly context: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function addContractCommands(contract: Command, context: CliContext): void {
  const { terminal } = context;
  withServiceOptions(contract.command('list <slug>'))
    .description('list the contracts of a machine, oldest first')
    .action(async (slug: string, { url, key, json }: ServiceOptions) => {
      const response = await call(listContracts, { slug }, { url, key });
      if (json) printJson(terminal, response);
      else for (const row of response.rows as ContractRecord[]) printContract(terminal, row);
    });
  withServiceOptions(contract.command('show <slug> <id>'))
    .description('print a contract: its state, parameters, context and newest transitions')
    .action((slug: string, id: string, options: ServiceOptions) => printContractDetails(terminal, slug, id, options));
  withServiceOptions(contract.command('deploy <slug> <source>'))
    .description('deploy a template (id), or a definition or export (JSON file)')
    .option('--name <name>', 'display name')
    .option('--parameter <name=value...>', 'parameters that replace the defaults')
    .action((slug: string, source: string, options: DeployOptions) => deployContract(terminal, slug, source, options));
  withServiceOptions(contract.command('fire <slug> <id> [transition]'))
    .description('fire the next enabled transition, or a named one; its condition must still hold')
    .option('--payload <json>', 'event payload')
    .action((slug: string, id: string, transition: string | undefined, options: FireOptions) =>
      runFire(terminal, { slug, id, transition }, options),
    );
  withServiceOptions(contract.command('pause <slug> <id>'))
    .description('pause a contract: it does not fire until it is resumed')
    .action(async (slug: string, id: string, options: ServiceOptions) => {
      printChangedContract(terminal, await call(pauseContract, { slug, id }, options), options);
    });
  withServiceOptions(contract.command('resume <slug> <id>'))
    .description('resume a paused or failed contract')
    .addOption(
      new Option('--mode <mode>', 'one-shot timers keep their deadline, keep their remaining time, or restart')
        .choices(['deadline', 'remaining', 'restart'])
        .default('deadline'),
    )
    .action(async (slug: string, id: string, { mode, ...options }: ServiceOptions & { mode: string }) => {
      printChangedContract(terminal, await call(resumeContract, { slug, id, mode }, options), options);
    });
  withServiceOptions(contract.command('templates [id]'))
    .description('list the built-in templates, or print one with its definition')
    .action((id: string | undefined, options: ServiceOptions) => printTemplates(terminal, id, options));
}

function printContract(terminal: Terminal, contract: ContractRecord): void {
  const { id, name, currentState, status, fire_count, next_fire } = contract;
  const next = next_fire === null ? '' : `, next at tick ${next_fire}`;
  print(terminal, `${id}  ${paint(terminal, 'bold', currentState)}  ${status}  ${fire_count} fires${next}  ${name}`);
}

async function printContractDetails(
  terminal: Terminal,
  slug: string,
  id: string,
  { url, key, json }: ServiceOptions,
): Promise<void> {
  const response = await call(getContract, { slug, id }, { url, key });
  if (json) return printJson(terminal, response);
  const { contract, transitions } = response as unknown as {
    contract: ContractRecord;
    transitions: { seq: number; svcond: number; from: string; to: string; transition: string }[];
  };
  printContract(terminal, contract);
  for (const [title, values] of [
    ['parameters', contract.parameters],
    ['context', contract.context],
  ] as const) {
    for (const [name, value] of Object.entries(values))
      print(terminal, `  ${title} ${name} = ${JSON.stringify(value)}`);
  }
  for (const { seq, svcond, from, to, transition } of transitions)
    print(terminal, `  row ${seq}, tick ${svcond}: ${from} → ${to} by ${transition}`);
}

type DeployOptions = ServiceOptions & { readonly name?: string; readonly parameter?: readonly string[] };

async function deployContract(terminal: Terminal, slug: string, source: string, options: DeployOptions): Promise<void> {
  const { url, key, name, parameter } = options;
  const settings = { slug, name, ...(parameter === undefined ? {} : { parameters: parseParameters(parameter) }) };
  const response = source.endsWith('.json')
    ? await deployFromFile(readJson(source), settings, { url, key })
    : await call(createContract, { ...settings, template_id: source }, { url, key });
  printChangedContract(terminal, response, options);
}

/** Deploys a definition, or the response of `GET …/export`. */
function deployFromFile(
  file: Record<string, unknown>,
  settings: { readonly slug: string; readonly name: string | undefined; readonly parameters?: object },
  options: ClientOptions,
): Promise<Record<string, unknown>> {
  const exportDocument = typeof file.export === 'object' ? file.export : file.format === undefined ? undefined : file;
  if (exportDocument === undefined) return call(createCustomContract, { ...settings, definition: file }, options);
  if (settings.name !== undefined || settings.parameters !== undefined)
    throw new DomainError(
      'VALIDATION_FAILED',
      '--name and --parameter are not allowed: an export contains its own name and parameters.',
    );
  return call(importContract, { slug: settings.slug, export: exportDocument }, options);
}

/** Parses `name=value`; the value is a JSON number or boolean, otherwise a string. */
function parseParameters(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const separator = text.indexOf('=');
      if (separator < 1) throw new DomainError('VALIDATION_FAILED', `${text} is not a parameter. Use name=value.`);
      const value = text.slice(separator + 1);
      const isLiteral = /^(true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value);
      return [text.slice(0, separator), isLiteral ? JSON.parse(value) : value];
    }),
  );
}

type FireOptions = ServiceOptions & { readonly payload?: string };

async function runFire(
  terminal: Terminal,
  { slug, id, transition }: { readonly slug: string; readonly id: string; readonly transition: string | undefined },
  { url, key, json, payload }: FireOptions,
): Promise<void> {
  if (payload !== undefined && transition === undefined)
    throw new DomainError('VALIDATION_FAILED', '--payload requires a named transition.');
  const response =
    transition === undefined
      ? await call(fireContract, { slug, id }, { url, key })
      : await call(fireTransition, { slug, id, transition, payload: parsePayload(payload) }, { url, key });
  if (json) return printJson(terminal, response);
  const { fired, fire, reason } = response as {
    fired: boolean;
    fire?: { from: string; to: string; transition: string; seq: number };
    reason?: string;
  };
  print(terminal, fired && fire ? `${fire.from} → ${fire.to} by ${fire.transition}, row ${fire.seq}` : 'nothing fired');
  if (!fired && reason !== undefined) printStatus(terminal, reason);
}

function parsePayload(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DomainError('VALIDATION_FAILED', '--payload must be JSON.', { cause });
  }
}

function printChangedContract(terminal: Terminal, response: Record<string, unknown>, { json }: ServiceOptions): void {
  if (json) printJson(terminal, response);
  else printContract(terminal, response.contract as ContractRecord);
}

async function printTemplates(
  terminal: Terminal,
  id: string | undefined,
  { url, key, json }: ServiceOptions,
): Promise<void> {
  if (id !== undefined) return printJson(terminal, await call(getTemplate, { templateId: id }, { url, key }));
  const response = await call(listTemplates, {}, { url, key });
  if (json) return printJson(terminal, response);
  for (const row of response.rows as { id: string; title: string; category: string }[])
    print(terminal, `${paint(terminal, 'bold', row.id)}  ${row.title}  ${paint(terminal, 'dim', row.category)}`);
}
