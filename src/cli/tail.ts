// svc tail: prints the rows of a chain as they are committed, each exactly once, also across reconnects.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type ApiOutput, createClient } from '../client/client.ts';
import { parseServerEvents } from '../client/event-stream.ts';
import { errorFromBody } from '../client/request.ts';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { type CliContext, parseCount, type ServiceOptions } from './context.ts';
import { withServiceOptions } from './machines.ts';
import { paint, print, printJson, printStatus, type Terminal } from './terminal.ts';

interface TailOptions extends ServiceOptions {
  readonly since?: number;
  readonly type?: string;
  readonly count?: number;
}

type TailedRow = ApiOutput<'chain.explore'>['rows'][number];

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;

export function addTailCommand(svc: Command, context: CliContext): void {
  withServiceOptions(svc.command('tail <slug>'))
    .description('follow the rows of a chain; with --json, one JSON object per line')
    .option('--since <seq>', 'start after this row (default: now)', parseCount)
    .option('--type <type>', 'only rows of this type')
    .option('--count <rows>', 'stop after this number of rows', parseCount)
    .action((slug: string, options: TailOptions) => tail(context, slug, options));
}

async function tail({ terminal, signal }: CliContext, slug: string, options: TailOptions): Promise<void> {
  const { count = Number.POSITIVE_INFINITY } = options;
  let lastSeq = options.since;
  let printed = 0;
  let backoffMs = MIN_BACKOFF_MS;
  let isConnected = false;
  while (!signal.aborted && printed < count) {
    try {
      for await (const row of streamRows(terminal, slug, lastSeq, options, signal)) {
        // Printed on connect, because a quiet machine may send no row for a long time.
        if (!isConnected)
          printStatus(
            terminal,
            paint(terminal, 'dim', `following ${slug} after row ${lastSeq ?? row.seq}; press Ctrl-C to stop`),
          );
        lastSeq = row.seq;
        isConnected = true;
        backoffMs = MIN_BACKOFF_MS;
        if ('type' in row) {
          printRow(terminal, row, options);
          if (++printed >= count) return;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      // No retry before the first response: the URL may be wrong.
      if (!isConnected || (error instanceof DomainError && isPermanent(error))) throw error;
    }
    if (signal.aborted) return;
    printStatus(terminal, paint(terminal, 'dim', `connection lost; resuming after row ${lastSeq ?? 'none'}`));
    await sleep(backoffMs, undefined, { signal }).catch(() => {});
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }
}

/** Yields rows, and bare row numbers for the start of the stream and for gaps. */
async function* streamRows(
  terminal: Terminal,
  slug: string,
  since: number | undefined,
  { url, key, type }: TailOptions,
  signal: AbortSignal,
): AsyncGenerator<TailedRow | { readonly seq: number }, void, void> {
  const options = { headers: { accept: 'text/event-stream' }, signal };
  const { body } = await createClient({ url, key }).open('explorer.stream', { slug, since, type }, options);
  if (body === null) return;
  for await (const { event, data } of parseServerEvents(body)) {
    const frame = JSON.parse(data) as Record<string, unknown>;
    if (frame.ok === false) throw errorFromBody(frame);
    if (event === 'gap') {
      printStatus(
        terminal,
        paint(terminal, 'yellow', `rows ${frame.from} to ${frame.to} were skipped; get them with svc bundle`),
      );
      yield { seq: Number(frame.to) };
    } else if (typeof frame.seq === 'number') {
      yield event === 'begin' ? { seq: frame.seq } : (frame as unknown as TailedRow);
    }
  }
}

/** Whether a retry is useless. Rate limits and server errors are temporary; other errors are permanent. */
function isPermanent({ code }: DomainError): boolean {
  const { status } = ERROR_FORMS[code];
  return status < 500 && status !== 429;
}

function printRow(terminal: Terminal, row: TailedRow, { json }: TailOptions): void {
  if (json) {
    printJson(terminal, row, 0);
    return;
  }
  const payload = row.payload === null ? '(no payload)' : JSON.stringify(row.payload);
  print(terminal, `${row.seq}  ${row.svcond}  ${paint(terminal, 'bold', row.type)}  ${payload}`);
}
