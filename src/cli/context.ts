// The context of commands, and options that several commands share.

import { InvalidArgumentError, Option } from 'commander';
import { parseWhole } from '../core/decimal.ts';
import type { Terminal } from './terminal.ts';

/** The environment of a command. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export const DEFAULT_URL = 'http://127.0.0.1:8787';

export const urlOption = () =>
  new Option('--url <address>', 'URL of a service').env('SVC_URL').default(DEFAULT_URL).argParser(parseUrl);

export const keyOption = () =>
  new Option('--key <key>', 'API key (prefer the environment variable: it stays out of the shell history)').env(
    'SVC_KEY',
  );

export const sealingUrlOption = () =>
  new Option(
    '--url <address>',
    'URL of a service that computes and seals the result (default: compute locally, unsealed)',
  )
    .env('SVC_URL')
    .argParser(parseUrl);

/** @throws InvalidArgumentError */
export function parseUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(`Use a URL such as ${DEFAULT_URL}.`);
}

/** @throws InvalidArgumentError */
export function parseCount(text: string): number {
  const value = parseWhole(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Use a whole number.');
  return value;
}

export const jsonOption = () => new Option('--json', 'print JSON');

/** Options of commands that call a service. */
export interface ServiceOptions {
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Exit code of a failed check: a receipt, bundle, chain, database or input that was read and rejected. */
export const REJECTED_EXIT = 4;

/** Exit code of a receipt or bundle whose signature holds, by a key that nobody named as trusted. */
export const UNKNOWN_KEY_EXIT = 5;

export const NOT_SEALED_NOTE = 'computed locally and not sealed; use --url for a receipt that anyone can verify';
