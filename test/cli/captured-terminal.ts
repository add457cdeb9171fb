// A terminal that keeps what it was sent, for commands that run in the process of the test.

import { Writable } from 'node:stream';
import type { CliContext } from '../../src/cli/context.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

interface Captured {
  readonly terminal: Terminal;
  /** Data alone. */
  stdout(): string;
  /** Data and status, in their order. */
  sent(): string;
}

export function capture(isColoured: boolean): Captured {
  let [data, all] = ['', ''];
  const stream = (isData: boolean) =>
    new Writable({
      write(chunk, _, done) {
        all += String(chunk);
        if (isData) data += String(chunk);
        done();
      },
    }) as unknown as NodeJS.WriteStream;
  return {
    terminal: { stdout: stream(true), stderr: stream(false), isColoured: { stdout: isColoured, stderr: isColoured } },
    stdout: () => data,
    sent: () => all,
  };
}

export const contextOf = (terminal: Terminal): CliContext => ({
  terminal,
  env: {},
  signal: new AbortController().signal,
});
