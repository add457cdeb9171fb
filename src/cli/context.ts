// What every command is given, and the options that several share.

import { Option } from 'commander';
import type { Terminal } from './terminal.ts';

/** Everything a command may ask of its surroundings. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
}

export const DEFAULT_URL = 'http://127.0.0.1:8787';

export const urlOption = () =>
  new Option('--url <address>', 'address of a service').env('SVC_URL').default(DEFAULT_URL);

export const keyOption = () =>
  new Option('--key <key>', 'key to send (better in the environment: it stays out of the history)').env('SVC_KEY');
