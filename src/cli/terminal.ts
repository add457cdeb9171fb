// Terminal output: data on stdout, status on stderr, colour and progress bars only on a TTY.

import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { plainText } from '../core/plain-text.ts';

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly isColoured: boolean;
}

const STYLE_CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function paint(terminal: Terminal, style: keyof typeof STYLE_CODES, text: string): string {
  return terminal.isColoured ? `\u001b[${STYLE_CODES[style]}m${text}\u001b[0m` : text;
}

export function printStatus(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`);
}

export function print(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${text}\n`);
}

export function printJson(terminal: Terminal, answer: unknown): void {
  print(terminal, JSON.stringify(answer, null, 2));
}

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

/** Messages quote files and answers of strangers, so control characters are shown, never sent to the terminal. */
const safe = (message: string) => message.split('\n').map(plainText).join('\n');

/** Prints an error and returns its exit code. */
export function reportError(terminal: Terminal, error: unknown): number {
  if (!(error instanceof DomainError)) {
    printStatus(terminal, paint(terminal, 'red', safe(error instanceof Error ? error.message : String(error))));
    return 1;
  }
  printStatus(terminal, `${paint(terminal, 'red', error.code)} ${safe(error.message)}`);
  for (const detail of error.details.slice(error.details[0]?.message === error.message ? 1 : 0)) {
    printStatus(terminal, `  ${safe(detail.path)}: ${safe(detail.message)}`);
  }
  return ERROR_FORMS[error.code].exit;
}
