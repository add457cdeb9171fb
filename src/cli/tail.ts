// svc tail SLUG: the rows of a chain as they are committed, each once, however often the connection breaks.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { serverEvents } from '../client/event-stream.ts';
import { openResponse, refusalOf } from '../client/request.ts';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { addressOf } from '../operations/address.ts';
import { exploreStream } from '../operations/machines/streams.ts';
import type { CliContext, ServiceOptions } from './context.ts';
import { asking } from './machines.ts';
import { paint, print, say, type Terminal } from './terminal.ts';

interface TailOptions extends ServiceOptions {
  readonly since?: number;
  readonly type?: string;
  readonly count?: number;
}

interface TailedRow {
  readonly seq: number;
  readonly svcond: number;
  readonly type: string;
  readonly actor: string;
  readonly payload: unknown;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export function addTailCommand(svc: Command, context: CliContext): void {
  asking(svc.command('tail <slug>'))
    .description('follow the rows of a chain; with --json, one JSON object a line')
    .option('--since <seq>', 'begin after this row instead of now', whole)
    .option('--type <type>', 'only rows of this type')
    .option('--count <rows>', 'end after so many rows', whole)
    .action((slug: string, options: TailOptions) => tail(context, slug, options));
}

function whole(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('A whole number is expected.');
  return value;
}

async function tail({ terminal, signal }: CliContext, slug: string, options: TailOptions): Promise<void> {
  const { count = Number.POSITIVE_INFINITY } = options;
  let last = options.since;
  let shown = 0;
  let pause = FIRST_PAUSE_MS;
  let hasBegun = false;
  while (!signal.aborted && shown < count) {
    try {
      for await (const row of rowsAfter(terminal, slug, last, options, signal)) {
        // Or one who waits on a quiet machine does not know whether anything is followed.
        if (!hasBegun)
          say(terminal, paint(terminal, 'dim', `following ${slug} after row ${last ?? row.seq}; Ctrl-C ends it`));
        last = row.seq;
        hasBegun = true;
        pause = FIRST_PAUSE_MS;
        if ('type' in row) {
          printRow(terminal, row, options);
          if (++shown >= count) return;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      // Before the first answer nothing is waited for: the address may be wrong.
      if (!hasBegun || (error instanceof DomainError && isFinal(error))) throw error;
    }
    if (signal.aborted) return;
    say(terminal, paint(terminal, 'dim', `the connection ended; going on after row ${last ?? 'none'}`));
    await sleep(pause, undefined, { signal }).catch(() => {});
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** Rows, and places in the chain that stand for none: where the stream begins, and what was left out. */
async function* rowsAfter(
  terminal: Terminal,
  slug: string,
  since: number | undefined,
  { url, key, type }: TailOptions,
  signal: AbortSignal,
): AsyncGenerator<TailedRow | { readonly seq: number }, void, void> {
  const { url: address } = addressOf(exploreStream, { slug, since, type }, url);
  const headers = { accept: 'text/event-stream' };
  const { body } = await openResponse(address, { key, headers, signal });
  if (body === null) return;
  for await (const { event, data } of serverEvents(body)) {
    const frame = JSON.parse(data) as Record<string, unknown>;
    if (frame.ok === false) throw refusalOf(frame);
    if (event === 'gap') {
      say(terminal, paint(terminal, 'yellow', `rows ${frame.from} to ${frame.to} were left out; svc bundle has them`));
      yield { seq: Number(frame.to) };
    } else if (typeof frame.seq === 'number') {
      yield event === 'begin' ? { seq: frame.seq } : (frame as unknown as TailedRow);
    }
  }
}

/** Whether asking again is in vain: who may not read now will not soon; who asked too often, or a node that stops, may be tried. */
function isFinal({ code }: DomainError): boolean {
  const { status } = ERROR_FORMS[code];
  return status < 500 && status !== 429;
}

function printRow(terminal: Terminal, row: TailedRow, { json }: TailOptions): void {
  const payload = row.payload === null ? '(no payload)' : JSON.stringify(row.payload);
  const line = `${row.seq}  ${row.svcond}  ${paint(terminal, 'bold', row.type)}  ${payload}`;
  print(terminal, json ? JSON.stringify(row) : line);
}
