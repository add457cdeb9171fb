// What the terminal is told: data on stdout, talk on stderr, colour and bars only where a person looks.

import { DomainError, ERROR_FORMS } from '../core/errors.ts';

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly isColoured: boolean;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function paint(terminal: Terminal, style: keyof typeof CODES, text: string): string {
  return terminal.isColoured ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

export function say(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`);
}

export function print(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${text}\n`);
}

export function printJson(terminal: Terminal, answer: unknown): void {
  print(terminal, JSON.stringify(answer, null, 2));
}

const BAR_CELLS = 30;

/** A bar on stderr that is rubbed out at the end; nothing when stderr is not a terminal. */
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

/** Says what went wrong and gives the exit code for it. */
export function reportError(terminal: Terminal, error: unknown): number {
  if (!(error instanceof DomainError)) {
    say(terminal, paint(terminal, 'red', error instanceof Error ? error.message : String(error)));
    return 1;
  }
  say(terminal, `${paint(terminal, 'red', error.code)} ${error.message}`);
  for (const detail of error.details.slice(error.details[0]?.message === error.message ? 1 : 0)) {
    say(terminal, `  ${detail.path}: ${detail.message}`);
  }
  return ERROR_FORMS[error.code].exit;
}
