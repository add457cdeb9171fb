// svc seats: the contracts and instances in which the account of a key acts for a party.

import { type Command, Option } from 'commander';
import { type ApiInput, type ApiOutput, createClient } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import type { CliContext } from './context.ts';
import { type PageOptions, printNextCursor, withServiceOptions } from './machines.ts';
import { paint, print, printJson, printStatus, type Terminal } from './terminal.ts';

type SeatOptions = PageOptions & Pick<ApiInput<'seat.list'>, 'machine' | 'status'>;
type Seat = ApiOutput<'seat.list'>['rows'][number];

const STATUSES = ['active', 'paused', 'frozen', 'completed', 'failed'] as const satisfies readonly Seat['status'][];

export function addSeatsCommand(svc: Command, { terminal }: CliContext): void {
  withServiceOptions(svc.command('seats'))
    .description('list the contracts and instances in which your account acts for a party, on all machines')
    .option('--machine <slug>', 'only seats on this machine')
    .addOption(new Option('--status <status>', 'only this status').choices(STATUSES))
    .option('--limit <count>', 'maximum rows')
    .option('--cursor <cursor>', 'continue after the previous page')
    .action((options: SeatOptions) => printSeats(terminal, options));
}

async function printSeats(
  terminal: Terminal,
  { url, key, json, machine, status, limit, cursor }: SeatOptions,
): Promise<void> {
  if (key === undefined)
    throw new DomainError('AUTH_REQUIRED', 'No key was given. Seats belong to an account: set SVC_KEY or use --key.');
  const page = await createClient({ url, key }).call('seat.list', { machine, status, limit, cursor });
  if (json) return printJson(terminal, page);
  for (const seat of page.rows) print(terminal, lineOf(terminal, seat));
  if (page.rows.length === 0)
    printStatus(
      terminal,
      machine === undefined && status === undefined ? 'no contract binds this account' : 'no such seat',
    );
  printNextCursor(terminal, page.next_cursor);
}

function lineOf(terminal: Terminal, seat: Seat): string {
  const { slug, contract, name, instance, party, key, status, currentState, next_fire } = seat;
  const where = [slug, contract, ...(instance === null ? [] : [instance])].join('  ');
  const next = next_fire === null ? '' : `, next at tick ${next_fire}`;
  const by = key === null ? [] : [`by key ${key}`];
  const rest = [`${paint(terminal, 'bold', currentState)}  ${status}${next}`, ...by, ...(name === null ? [] : [name])];
  return [where, party, ...rest].join('  ');
}
