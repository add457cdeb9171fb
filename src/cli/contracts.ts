// svc contract …: state contracts of a machine.

import { type Command, Option } from 'commander';
import { type ClientOptions, call } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import {
  createContract,
  createCustomContract,
  fireContract,
  getContract,
  importContract,
  listContracts,
  moveContract,
  pauseContract,
  resumeContract,
} from '../operations/contracts/contracts.ts';
import { getTemplate, listTemplates } from '../operations/contracts/templates.ts';
import type { CliContext, ServiceOptions } from './context.ts';
import { asking } from './machines.ts';
import { readJson } from './receipts.ts';
import { paint, print, printJson, say, type Terminal } from './terminal.ts';

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

export function contractCommands(contract: Command, context: CliContext): void {
  const { terminal } = context;
  asking(contract.command('list <slug>'))
    .description('list the contracts of a machine, oldest first')
    .action(async (slug: string, { url, key, json }: ServiceOptions) => {
      const answer = await call(listContracts, { slug }, { url, key });
      if (json) printJson(terminal, answer);
      else for (const one of answer.rows as ContractRecord[]) printContract(terminal, one);
    });
  asking(contract.command('show <slug> <id>'))
    .description('print a contract: its state, what it holds, its newest transitions')
    .action((slug: string, id: string, options: ServiceOptions) => show(terminal, slug, id, options));
  asking(contract.command('deploy <slug> <what>'))
    .description('deploy a template by its id, or a definition or an export from a JSON file')
    .option('--name <name>', 'what people call it')
    .option('--parameter <name=value...>', 'parameters instead of the defaults')
    .action((slug: string, what: string, options: DeployOptions) => deploy(terminal, slug, what, options));
  asking(contract.command('fire <slug> <id> [transition]'))
    .description('fire the next enabled transition, or a named one; its condition is still read')
    .option('--payload <json>', 'what an event would carry')
    .action((slug: string, id: string, transition: string | undefined, options: FireOptions) =>
      fire(terminal, { slug, id, transition }, options),
    );
  asking(contract.command('pause <slug> <id>'))
    .description('nothing fires until it is resumed')
    .action(async (slug: string, id: string, options: ServiceOptions) => {
      changed(terminal, await call(pauseContract, { slug, id }, options), options);
    });
  asking(contract.command('resume <slug> <id>'))
    .description('resume a paused or failed contract')
    .addOption(
      new Option('--mode <mode>', 'one-shots keep their time, are shifted by the pause, or begin again')
        .choices(['deadline', 'remaining', 'restart'])
        .default('deadline'),
    )
    .action(async (slug: string, id: string, { mode, ...options }: ServiceOptions & { mode: string }) => {
      changed(terminal, await call(resumeContract, { slug, id, mode }, options), options);
    });
  asking(contract.command('templates [id]'))
    .description('list the built-in templates, or print one with its definition')
    .action((id: string | undefined, options: ServiceOptions) => templates(terminal, id, options));
}

function printContract(terminal: Terminal, contract: ContractRecord): void {
  const { id, name, currentState, status, fire_count, next_fire } = contract;
  const next = next_fire === null ? '' : `, next at tick ${next_fire}`;
  print(terminal, `${id}  ${paint(terminal, 'bold', currentState)}  ${status}  ${fire_count} fires${next}  ${name}`);
}

async function show(terminal: Terminal, slug: string, id: string, { url, key, json }: ServiceOptions): Promise<void> {
  const answer = await call(getContract, { slug, id }, { url, key });
  if (json) return printJson(terminal, answer);
  const { contract, transitions } = answer as unknown as {
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

async function deploy(terminal: Terminal, slug: string, what: string, options: DeployOptions): Promise<void> {
  const { url, key, name, parameter } = options;
  const settings = { slug, name, ...(parameter === undefined ? {} : { parameters: parametersOf(parameter) }) };
  const answer = what.endsWith('.json')
    ? await deployFile(readJson(what), settings, { url, key })
    : await call(createContract, { ...settings, template_id: what }, { url, key });
  changed(terminal, answer, options);
}

/** A definition, or what `GET …/export` answered. */
function deployFile(
  file: Record<string, unknown>,
  settings: { readonly slug: string; readonly name: string | undefined; readonly parameters?: object },
  options: ClientOptions,
): Promise<Record<string, unknown>> {
  const exported = typeof file.export === 'object' ? file.export : file.format === undefined ? undefined : file;
  if (exported === undefined) return call(createCustomContract, { ...settings, definition: file }, options);
  if (settings.name !== undefined || settings.parameters !== undefined)
    throw new DomainError(
      'VALIDATION_FAILED',
      'An export brings its name and parameters; --name and --parameter are not allowed.',
    );
  return call(importContract, { slug: settings.slug, export: exported }, options);
}

/** `name=value`: a JSON number or boolean, else a text. */
function parametersOf(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new DomainError('VALIDATION_FAILED', `${text} is no parameter; name=value is expected.`);
      const value = text.slice(at + 1);
      const isPlain = /^(true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value);
      return [text.slice(0, at), isPlain ? JSON.parse(value) : value];
    }),
  );
}

type FireOptions = ServiceOptions & { readonly payload?: string };

async function fire(
  terminal: Terminal,
  { slug, id, transition }: { readonly slug: string; readonly id: string; readonly transition: string | undefined },
  { url, key, json, payload }: FireOptions,
): Promise<void> {
  if (payload !== undefined && transition === undefined)
    throw new DomainError('VALIDATION_FAILED', '--payload goes with a named transition.');
  const answer =
    transition === undefined
      ? await call(fireContract, { slug, id }, { url, key })
      : await call(moveContract, { slug, id, transition, payload: payloadOf(payload) }, { url, key });
  if (json) return printJson(terminal, answer);
  const {
    fired,
    fire: done,
    reason,
  } = answer as {
    fired: boolean;
    fire?: { from: string; to: string; transition: string; seq: number };
    reason?: string;
  };
  print(terminal, fired && done ? `${done.from} → ${done.to} by ${done.transition}, row ${done.seq}` : 'nothing fired');
  if (!fired && reason !== undefined) say(terminal, reason);
}

function payloadOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DomainError('VALIDATION_FAILED', '--payload is not JSON.', { cause });
  }
}

function changed(terminal: Terminal, answer: Record<string, unknown>, { json }: ServiceOptions): void {
  if (json) printJson(terminal, answer);
  else printContract(terminal, answer.contract as ContractRecord);
}

async function templates(
  terminal: Terminal,
  id: string | undefined,
  { url, key, json }: ServiceOptions,
): Promise<void> {
  if (id !== undefined) return printJson(terminal, await call(getTemplate, { templateId: id }, { url, key }));
  const answer = await call(listTemplates, {}, { url, key });
  if (json) return printJson(terminal, answer);
  for (const row of answer.rows as { id: string; title: string; category: string }[])
    print(terminal, `${paint(terminal, 'bold', row.id)}  ${row.title}  ${paint(terminal, 'dim', row.category)}`);
}
