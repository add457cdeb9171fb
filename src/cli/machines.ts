// svc machine: manages the machines of a service and validates their chains.

import type { Command } from 'commander';
import { type ApiInput, type ApiOutput, createClient } from '../client/client.ts';
import {
  type CliContext,
  jsonOption,
  keyOption,
  parseCount,
  REJECTED_EXIT,
  type ServiceOptions,
  urlOption,
} from './context.ts';
import { paint, print, printJson, printStatus, progressBar, type Terminal } from './terminal.ts';

export type PageOptions = ServiceOptions & { readonly limit?: string; readonly cursor?: string };

/** Adds the options of every command that calls a service. */
export function withServiceOptions(command: Command): Command {
  return command.addOption(urlOption()).addOption(keyOption()).addOption(jsonOption());
}

export function addMachineCommands(machine: Command, context: CliContext): void {
  const { terminal } = context;
  withServiceOptions(machine.command('list'))
    .description('list public machines and, with a key, your own')
    .option('--limit <count>', 'maximum rows')
    .option('--cursor <cursor>', 'continue after the previous page')
    .action((options: PageOptions) => printMachines(terminal, options));
  withServiceOptions(machine.command('show <slug>'))
    .description('print the name, identity and chain statistics of a machine')
    .action((slug: string, options: ServiceOptions) => printMachine(terminal, slug, options));
  withServiceOptions(machine.command('spin-up [name]'))
    .description('create a machine; without a key, also creates an identity and a key, shown only once')
    .option('--public', 'anyone may read it; by default members only')
    .action((name: string | undefined, options: SpinUpOptions) => spinUpMachine(terminal, name, options));
  withServiceOptions(machine.command('events <slug>'))
    .description('list the events of a machine, newest first; for members')
    .option('--name <name>', 'only events of this name')
    .option('--since <tick>', 'only events from this tick on')
    .option('--all', 'also events that were sent to the machine')
    .option('--limit <count>', 'maximum rows')
    .option('--cursor <cursor>', 'continue after the previous page')
    .action((slug: string, options: EventOptions) => printEvents(terminal, slug, options));
  withServiceOptions(machine.command('validate <slug>'))
    .description(
      'have the service check the chain: hashes, links, ticks, payloads, and the tree of the newest checkpoint',
    )
    .option('--from <seq>', 'first row', parseCount, 0)
    .option('--to <seq>', 'last row', parseCount)
    .action((slug: string, options: ServiceOptions & { from: number; to?: number }) =>
      validateMachine(terminal, slug, options),
    );
}

async function printMachines(terminal: Terminal, { url, key, json, limit, cursor }: PageOptions): Promise<void> {
  const response = await createClient({ url, key }).call('machine.list', { limit, cursor });
  if (json) return printJson(terminal, response);
  for (const { slug, status, is_public, head, role, name } of response.rows) {
    const access = [is_public ? 'public' : 'private', role].filter(Boolean).join(', ');
    print(terminal, `${paint(terminal, 'bold', slug)}  ${status}, ${access}  ${head.seq + 1} rows  ${name}`);
  }
  printNextCursor(terminal, response.next_cursor);
}

export function printNextCursor(terminal: Terminal, cursor: string | null): void {
  if (cursor !== null) printStatus(terminal, paint(terminal, 'dim', `more rows: --cursor ${cursor}`));
}

async function printMachine(terminal: Terminal, slug: string, { url, key, json }: ServiceOptions): Promise<void> {
  const client = createClient({ url, key });
  const { machine } = await client.call('machine.get', { slug });
  const { ok: _, ...stats } = await client.call('chain.stats', { slug });
  if (json) return printJson(terminal, { machine, stats });
  const { name, status, is_public, id_hash, address, head } = machine;
  print(terminal, `${paint(terminal, 'bold', slug)}  ${name}  ${status}, ${is_public ? 'public' : 'private'}`);
  print(terminal, `  id       ${id_hash}`);
  print(terminal, `  address  ${address}`);
  print(terminal, `  head     row ${head.seq} at tick ${head.svcond}, ${head.row_hash}`);
  for (const [type, rows] of Object.entries(stats.by_type)) print(terminal, `  ${String(rows).padStart(7)}  ${type}`);
}

type SpinUpOptions = ServiceOptions & { readonly public?: boolean };

async function spinUpMachine(
  terminal: Terminal,
  name: string | undefined,
  { url, key, json, public: isPublic = false }: SpinUpOptions,
): Promise<void> {
  const input = { displayName: name, is_public: isPublic };
  const response = await createClient({ url, key }).call('machine.spin-up', input);
  if (json) return printJson(terminal, response);
  const { machine, zid, equation, salt, key: newKey } = response;
  print(terminal, machine.slug);
  if (newKey === undefined) return;
  for (const [label, value] of Object.entries({ key: newKey, zid, equation, salt }))
    print(terminal, `${label} ${value}`);
  printStatus(terminal, 'Save them now: they are not shown again. Use the key with SVC_KEY or --key.');
}

type EventQuery = ApiInput<'chain.events'>;
type EventOptions = PageOptions & Pick<EventQuery, 'name' | 'since'> & { readonly all?: boolean };

async function printEvents(terminal: Terminal, slug: string, options: EventOptions): Promise<void> {
  const { url, key, json, all, name, since, limit, cursor } = options;
  const query: EventQuery = { slug, name, since, limit, cursor, source: all ? 'all' : 'emitted' };
  const response = await createClient({ url, key }).call('chain.events', query);
  if (json) return printJson(terminal, response);
  for (const { seq, svcond, source, name: event, payload } of response.rows)
    print(terminal, `${seq}  ${svcond}  ${source}  ${event ?? '(erased)'}  ${JSON.stringify(payload)}`);
  printNextCursor(terminal, response.next_cursor);
}

/** Validates range after range, to the end or the first fault. */
async function validateMachine(
  terminal: Terminal,
  slug: string,
  { url, key, json, from, to }: ServiceOptions & { readonly from: number; readonly to?: number },
): Promise<void> {
  const bar = progressBar(terminal, 'validate');
  const client = createClient({ url, key });
  let checked = 0;
  let erased = 0;
  let next: number | null = from;
  let last: ApiOutput<'chain.validate'> | undefined;
  while (next !== null) {
    // Without `to` the service checks only a short range.
    const query: ApiInput<'chain.validate'> = { slug, from: next, to: to ?? Number.MAX_SAFE_INTEGER };
    last = await client.call('chain.validate', query);
    checked += last.checked;
    erased += last.erased;
    bar.set((from + checked) / (last.head.seq + 1));
    next = last.valid ? last.next_from : null;
  }
  bar.clear();
  const { valid = false, first_bad: bad, uncheckpointed_from } = last ?? {};
  if (!valid) process.exitCode = REJECTED_EXIT;
  if (json) return printJson(terminal, { valid, from, checked, erased, first_bad: bad, uncheckpointed_from });
  print(terminal, valid ? paint(terminal, 'green', 'valid') : paint(terminal, 'red', 'NOT VALID'));
  print(terminal, `  ${checked} rows checked${erased === 0 ? '' : `, ${erased} without payload`}`);
  if (bad) print(terminal, `  row ${bad.seq}: ${bad.reason}`);
  else if (uncheckpointed_from !== null)
    print(terminal, `  rows from ${uncheckpointed_from} on are newer than the checkpoint`);
}
