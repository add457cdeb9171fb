// Terminal output: data on stdout, status on stderr, colour and progress bars only on a TTY.
//
// Every line may quote a service, a file or an old row. So control characters are shown, never sent to the terminal.

import { randomUUID } from 'node:crypto';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { visibleControls, visibleJson } from '../core/plain-text.ts';

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** By stream: one of them may go into a file or a pipe. */
  readonly isColoured: { readonly stdout: boolean; readonly stderr: boolean };
}

const STYLE_CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** Stands for the start of an escape until the line is printed. Each process has its own, so no text contains it. */
const STYLE_MARK = randomUUID();

const STYLES = new RegExp(`${STYLE_MARK}\\d+m`, 'g');

/** The text in a style, for `print` and `printStatus` only, which drop it where their stream has no colours. */
export function paint({ isColoured }: Terminal, style: keyof typeof STYLE_CODES, text: string): string {
  if (!isColoured.stdout && !isColoured.stderr) return text;
  return `${STYLE_MARK}${STYLE_CODES[style]}m${text}${STYLE_MARK}0m`;
}

/** Prints one line; a line end in it is shown. */
export function printStatus(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${printable(line, terminal.isColoured.stderr)}\n`);
}

/** Prints one line; a line end in it is shown. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${printable(line, terminal.isColoured.stdout)}\n`);
}

function printable(line: string, isColoured: boolean): string {
  const visible = visibleControls(line);
  return isColoured ? visible.replaceAll(STYLE_MARK, '\u001b[') : visible.replaceAll(STYLES, '');
}

/** @param indent  0 prints one line */
export function printJson(terminal: Terminal, answer: unknown, indent = 2): void {
  terminal.stdout.write(`${visibleJson(JSON.stringify(answer, null, indent))}\n`);
}

/** Columns of a terminal; undefined for a file or a pipe, where a text must not depend on the window it was made in. */
export const columnsOf = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? stream.columns : undefined;

const BAR_CELLS = 30;

/** A progress bar on stderr that clear() erases; does nothing if stderr is not a TTY. */
export function progressBar(terminal: Terminal, label: string): { set(fraction: number): void; clear(): void } {
  if (!terminal.stderr.isTTY) return { set: () => {}, clear: () => {} };
  let isShown = false;
  return {
    set(fraction) {
      const cells = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_CELLS);
      const percent = `${Math.round(fraction * 100)}`.padStart(3);
      terminal.stderr.write(`\r${label} ${'█'.repeat(cells)}${'░'.repeat(BAR_CELLS - cells)} ${percent} %`);
      isShown = true;
    },
    clear() {
      if (isShown) terminal.stderr.write('\r\u001b[K');
    },
  };
}

/** Prints an error and returns its exit code. */
export function reportError(terminal: Terminal, error: unknown): number {
  if (!(error instanceof DomainError)) {
    const message = error instanceof Error ? error.message : String(error);
    for (const line of message.split('\n')) printStatus(terminal, paint(terminal, 'red', line));
    return 1;
  }
  const [first = '', ...rest] = error.message.split('\n');
  printStatus(terminal, `${paint(terminal, 'red', error.code)} ${first}`);
  for (const line of rest) printStatus(terminal, line);
  for (const detail of error.details.slice(error.details[0]?.message === error.message ? 1 : 0)) {
    printStatus(terminal, `  ${detail.path}: ${detail.message}`);
  }
  return ERROR_FORMS[error.code].exit;
}
