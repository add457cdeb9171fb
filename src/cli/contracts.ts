// svc contract: manages the state contracts of a machine.

import { type Command, Option } from 'commander';
import { type ApiInput, type ApiOutput, type ClientOptions, createClient } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import { parseStrictJson } from '../core/strict-json.ts';
import type { CliContext, ServiceOptions } from './context.ts';
import { parseParameters } from './contract-parameters.ts';
import { addVersionCommands } from './contract-versions.ts';
import { addDraftCommands } from './drafts.ts';
import { readJson } from './files.ts';
import { type PageOptions, printNextCursor, withServiceOptions } from './machines.ts';
import { addPartyCommands, parseBindOptions } from './parties.ts';
import { paint, print, printJson, printStatus, type Terminal } from './terminal.ts';

type Contract = ApiOutput<'contract.get'>['contract'];

type Settings = Omit<ApiInput<'contract.create'>, 'template_id'>;

export function addContractCommands(contract: Command, context: CliContext): void {
  const { terminal } = context;
  withServiceOptions(contract.command('list <slug>'))
    .description('list the contracts of a machine, oldest first')
    .option('--limit <count>', 'maximum rows')
    .option('--cursor <cursor>', 'continue after the previous page')
    .action(async (slug: string, { url, key, json, limit, cursor }: PageOptions) => {
      const response = await createClient({ url, key }).call('contract.list', { slug, limit, cursor });
      if (json) return printJson(terminal, response);
      for (const row of response.rows) printContract(terminal, row);
      printNextCursor(terminal, response.next_cursor);
    });
  withServiceOptions(contract.command('show <slug> <id>'))
    .description('print a contract: its state, parameters, context and newest transitions')
    .action((slug: string, id: string, options: ServiceOptions) => printContractDetails(terminal, slug, id, options));
  withServiceOptions(contract.command('deploy <slug> <source>'))
    .description('deploy a template (id), or a definition or export (JSON file)')
    .option('--name <name>', 'display name')
    .option('--parameter <name=value...>', 'parameters that replace the defaults')
    .option('--bind <party=who...>', 'who acts for a party: ZID, Ed25519 public key or id of a developer key')
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
      printChangedContract(terminal, await createClient(options).call('contract.pause', { slug, id }), options);
    });
  withServiceOptions(contract.command('resume <slug> <id>'))
    .description('resume a paused or failed contract')
    .addOption(
      new Option('--mode <mode>', 'one-shot timers keep their deadline, keep their remaining time, or restart')
        .choices(['deadline', 'remaining', 'restart'])
        .default('deadline'),
    )
    .action(
      async (
        slug: string,
        id: string,
        { mode, ...options }: ServiceOptions & Pick<ApiInput<'contract.resume'>, 'mode'>,
      ) => {
        printChangedContract(
          terminal,
          await createClient(options).call('contract.resume', { slug, id, mode }),
          options,
        );
      },
    );
  addVersionCommands(contract, context);
  addPartyCommands(contract, context);
  addDraftCommands(contract, context);
  withServiceOptions(contract.command('templates [id]'))
    .description('list the built-in templates, or print one with its definition')
    .action((id: string | undefined, options: ServiceOptions) => printTemplates(terminal, id, options));
}

function printContract(terminal: Terminal, contract: Contract): void {
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
  const response = await createClient({ url, key }).call('contract.get', { slug, id });
  if (json) return printJson(terminal, response);
  const { contract, transitions } = response;
  printContract(terminal, contract);
  for (const [title, values] of [
    ['parameters', contract.parameters],
    ['context', contract.context],
    ['collection', contract.collections ?? {}],
  ] as const) {
    for (const [name, value] of Object.entries(values))
      print(terminal, `  ${title} ${name} = ${JSON.stringify(value)}`);
  }
  for (const { seq, svcond, from, to, transition } of transitions)
    print(terminal, `  row ${seq}, tick ${svcond}: ${from} → ${to} by ${transition}`);
}

type DeployOptions = ServiceOptions & {
  readonly name?: string;
  readonly parameter?: readonly string[];
  readonly bind?: readonly string[];
};

async function deployContract(terminal: Terminal, slug: string, source: string, options: DeployOptions): Promise<void> {
  const { url, key, name, parameter, bind } = options;
  const settings: Settings = {
    slug,
    name,
    ...(parameter === undefined ? {} : { parameters: parseParameters(parameter) }),
    ...(bind === undefined ? {} : { bindings: parseBindOptions(bind) }),
  };
  const response = source.endsWith('.json')
    ? await deployFromFile(readJson(source), settings, { url, key })
    : await createClient({ url, key }).call('contract.create', { ...settings, template_id: source });
  printChangedContract(terminal, response, options);
}

/** Deploys a definition, or the response of `GET …/export`. */
function deployFromFile(
  file: Record<string, unknown>,
  settings: Settings,
  options: ClientOptions,
): Promise<{ readonly contract: Contract }> {
  const exportDocument = typeof file.export === 'object' ? file.export : file.format === undefined ? undefined : file;
  // The service validates the document.
  if (exportDocument === undefined) {
    const definition = file as unknown as ApiInput<'contract.custom'>['definition'];
    return createClient(options).call('contract.custom', { ...settings, definition });
  }
  if (settings.name !== undefined || settings.parameters !== undefined)
    throw new DomainError(
      'VALIDATION_FAILED',
      '--name and --parameter are not allowed: an export contains its own name and parameters.',
    );
  const { slug, bindings } = settings;
  const imported = { slug, bindings, export: exportDocument as ApiInput<'contract.import'>['export'] };
  return createClient(options).call('contract.import', imported);
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
      ? await createClient({ url, key }).call('contract.fire', { slug, id })
      : await createClient({ url, key }).call('contract.transition', {
          slug,
          id,
          transition,
          ...parsePayload(payload),
        });
  if (json) return printJson(terminal, response);
  const { fired, fire, reason } = response;
  print(terminal, fired && fire ? `${fire.from} → ${fire.to} by ${fire.transition}, row ${fire.seq}` : 'nothing fired');
  if (!fired && reason !== undefined) printStatus(terminal, reason);
}

function parsePayload(text: string | undefined): Pick<ApiInput<'contract.transition'>, 'payload'> {
  if (text === undefined) return {};
  try {
    return { payload: parseStrictJson(text) as Readonly<Record<string, unknown>> };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('VALIDATION_FAILED', '--payload must be JSON.', { cause });
  }
}

function printChangedContract(
  terminal: Terminal,
  response: { readonly contract: Contract },
  { json }: ServiceOptions,
): void {
  if (json) printJson(terminal, response);
  else printContract(terminal, response.contract);
}

async function printTemplates(
  terminal: Terminal,
  id: string | undefined,
  { url, key, json }: ServiceOptions,
): Promise<void> {
  if (id !== undefined)
    return printJson(terminal, await createClient({ url, key }).call('template.get', { templateId: id }));
  const response = await createClient({ url, key }).call('template.list', {});
  if (json) return printJson(terminal, response);
  for (const row of response.rows)
    print(terminal, `${paint(terminal, 'bold', row.id)}  ${row.title}  ${paint(terminal, 'dim', row.category)}`);
}
