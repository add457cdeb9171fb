// svc machine …: machines of a service, and their chains.

import type { Command } from 'commander';
import { call } from '../client/client.ts';
import { spinUp } from '../operations/contracts/own-contracts.ts';
import { machineStats, validateChain } from '../operations/machines/chain.ts';
import { getMachine } from '../operations/machines/machines.ts';
import { listMachines } from '../operations/machines/overview.ts';
import { machineEvents } from '../operations/machines/reports.ts';
import { type CliContext, jsonOption, keyOption, REFUSED_EXIT, type ServiceOptions, urlOption } from './context.ts';
import { paint, print, printJson, progressBar, say, type Terminal } from './terminal.ts';

interface MachineRecord {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  readonly is_public: boolean;
  readonly id_hash: string;
  readonly address: string;
  readonly head: { readonly seq: number; readonly svcond: number; readonly row_hash: string };
  readonly role?: string | null;
}

type PageOptions = ServiceOptions & { readonly limit?: string; readonly cursor?: string };

/** Adds what every command has that asks a service. */
export function asking(command: Command): Command {
  return command.addOption(urlOption()).addOption(keyOption()).addOption(jsonOption());
}

export function machineCommands(machine: Command, context: CliContext): void {
  const { terminal } = context;
  asking(machine.command('list'))
    .description('list public machines and, with a key, your own')
    .option('--limit <count>', 'at most so many')
    .option('--cursor <cursor>', 'go on where the list before ended')
    .action((options: PageOptions) => list(terminal, options));
  asking(machine.command('show <slug>'))
    .description('print what a machine is called, who it is and what its chain holds')
    .action((slug: string, options: ServiceOptions) => show(terminal, slug, options));
  asking(machine.command('spin-up [name]'))
    .description('make a machine; without a key, an identity and a key are made with it and shown this once')
    .action((name: string | undefined, options: ServiceOptions) => make(terminal, name, options));
  asking(machine.command('events <slug>'))
    .description('list the events of a machine, newest first; for members')
    .option('--name <name>', 'only events of this name')
    .option('--since <tick>', 'only events of this tick and later')
    .option('--all', 'those that were sent to it as well')
    .option('--limit <count>', 'at most so many')
    .option('--cursor <cursor>', 'go on where the list before ended')
    .action((slug: string, options: EventOptions) => events(terminal, slug, options));
  asking(machine.command('validate <slug>'))
    .description(
      'let the service check the chain: hashes, links, ticks, payloads, and the tree of the newest checkpoint',
    )
    .option('--from <seq>', 'first row', '0')
    .option('--to <seq>', 'last row')
    .action((slug: string, options: ServiceOptions & { from: string; to?: string }) =>
      validate(terminal, slug, options),
    );
}

async function list(terminal: Terminal, { url, key, json, limit, cursor }: PageOptions): Promise<void> {
  const answer = await call(listMachines, { limit, cursor }, { url, key });
  if (json) return printJson(terminal, answer);
  for (const { slug, status, is_public, head, role, name } of answer.rows as MachineRecord[]) {
    const access = [is_public ? 'public' : 'private', role].filter(Boolean).join(', ');
    print(terminal, `${paint(terminal, 'bold', slug)}  ${status}, ${access}  ${head.seq + 1} rows  ${name}`);
  }
  sayNext(terminal, answer.next_cursor);
}

function sayNext(terminal: Terminal, cursor: unknown): void {
  if (typeof cursor === 'string') say(terminal, paint(terminal, 'dim', `there is more: --cursor ${cursor}`));
}

async function show(terminal: Terminal, slug: string, { url, key, json }: ServiceOptions): Promise<void> {
  const { machine } = await call(getMachine, { slug }, { url, key });
  const { ok: _, ...stats } = await call(machineStats, { slug }, { url, key });
  if (json) return printJson(terminal, { machine, stats });
  const { name, status, is_public, id_hash, address, head } = machine as MachineRecord;
  print(terminal, `${paint(terminal, 'bold', slug)}  ${name}  ${status}, ${is_public ? 'public' : 'private'}`);
  print(terminal, `  id       ${id_hash}`);
  print(terminal, `  address  ${address}`);
  print(terminal, `  head     row ${head.seq} at tick ${head.svcond}, ${head.row_hash}`);
  for (const [type, rows] of Object.entries(stats.by_type as Record<string, number>))
    print(terminal, `  ${String(rows).padStart(7)}  ${type}`);
}

async function make(terminal: Terminal, name: string | undefined, { url, key, json }: ServiceOptions): Promise<void> {
  const answer = await call(spinUp, { displayName: name }, { url, key });
  if (json) return printJson(terminal, answer);
  const {
    machine,
    zid,
    equation,
    salt,
    key: made,
  } = answer as unknown as Record<string, string> & {
    machine: MachineRecord;
  };
  print(terminal, machine.slug);
  if (made === undefined) return;
  for (const [what, value] of Object.entries({ key: made, zid, equation, salt })) print(terminal, `${what} ${value}`);
  say(terminal, 'Keep them now: they are not shown again. Use the key with SVC_KEY or --key.');
}

type EventOptions = PageOptions & { readonly name?: string; readonly since?: string; readonly all?: boolean };

async function events(terminal: Terminal, slug: string, options: EventOptions): Promise<void> {
  const { url, key, json, all, name, since, limit, cursor } = options;
  const asked = { slug, name, since, limit, cursor, source: all ? 'all' : 'emitted' };
  const answer = await call(machineEvents, asked, { url, key });
  if (json) return printJson(terminal, answer);
  for (const { seq, svcond, source, name: event, payload } of answer.rows as Record<string, unknown>[])
    print(terminal, `${seq}  ${svcond}  ${source}  ${event ?? '(erased)'}  ${JSON.stringify(payload)}`);
  sayNext(terminal, answer.next_cursor);
}

interface Validated {
  readonly valid: boolean;
  readonly checked: number;
  readonly erased: number;
  readonly first_bad?: { readonly seq: number; readonly reason: string };
  readonly next_from: number | null;
  readonly head: { readonly seq: number };
  readonly uncheckpointed_from: number | null;
}

/** Stretch after stretch, to the end or to the first fault. */
async function validate(
  terminal: Terminal,
  slug: string,
  { url, key, json, from, to }: ServiceOptions & { readonly from: string; readonly to?: string },
): Promise<void> {
  const bar = progressBar(terminal, 'validate');
  const first = Number(from);
  let checked = 0;
  let erased = 0;
  let next: number | null = first;
  let last: Validated | undefined;
  while (next !== null) {
    // Without an end the service would check a short stretch only.
    const asked = { slug, from: next, to: to ?? Number.MAX_SAFE_INTEGER };
    last = (await call(validateChain, asked, { url, key })) as unknown as Validated;
    checked += last.checked;
    erased += last.erased;
    bar.set((first + checked) / (last.head.seq + 1));
    next = last.valid ? last.next_from : null;
  }
  bar.clear();
  const { valid = false, first_bad: bad, uncheckpointed_from } = last ?? {};
  if (!valid) process.exitCode = REFUSED_EXIT;
  if (json) return printJson(terminal, { valid, from: first, checked, erased, first_bad: bad, uncheckpointed_from });
  print(terminal, valid ? paint(terminal, 'green', 'valid') : paint(terminal, 'red', 'NOT VALID'));
  print(terminal, `  ${checked} rows checked${erased === 0 ? '' : `, ${erased} without their payload`}`);
  if (bad) print(terminal, `  row ${bad.seq}: ${bad.reason}`);
  else if (uncheckpointed_from !== null)
    print(terminal, `  rows from ${uncheckpointed_from} on are newer than the checkpoint`);
}
