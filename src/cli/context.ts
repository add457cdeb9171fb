// What every command is given, and the options that several share.

import { InvalidArgumentError, Option } from 'commander';
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
  new Option('--url <address>', 'address of a service').env('SVC_URL').default(DEFAULT_URL).argParser(webAddress);

export const keyOption = () =>
  new Option('--key <key>', 'key to send (better in the environment: it stays out of the history)').env('SVC_KEY');

export const sealingUrlOption = () =>
  new Option('--url <address>', 'let this service compute and seal it; without it, it is computed here, unsealed')
    .env('SVC_URL')
    .argParser(webAddress);

/** @throws InvalidArgumentError */
export function webAddress(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(`An address such as ${DEFAULT_URL} is expected.`);
}

export const jsonOption = () => new Option('--json', 'print JSON');

/** Options of whatever asks a service. */
export interface ServiceOptions {
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Exit code of something that was looked at and found wanting. */
export const REFUSED_EXIT = 4;
