// Lines of a text file from outside, read one after the other, with errors that name the line.

import type { DomainError } from '../../../core/errors.ts';
import { validationError } from '../errors.ts';

export const quote = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** @throws DomainError VALIDATION_FAILED from `fail` and what uses it */
export class TextLines {
  readonly #lines: readonly string[];
  readonly #path: string;
  #next = 0;

  /** @param path  the input field */
  constructor(text: string, path: string) {
    this.#lines = text.split(/\r\n|\n|\r/);
    this.#path = path;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#lines.length;
  }

  /** The next line, trimmed; undefined at the end. */
  peek(): string | undefined {
    return this.#lines[this.#next]?.trim();
  }

  /** @param expected  what should come, for the error at the end of the text */
  read(expected: string): string {
    const line = this.peek();
    if (line === undefined) throw this.fail(`the text ends; expected ${expected}.`);
    this.#next++;
    return line;
  }

  /** Finite numbers separated by blanks; at least `least` of them. */
  readNumbers(least: number, expected: string): readonly number[] {
    const line = this.read(expected);
    const numbers = line.split(/\s+/).map((word) => (word === '' ? Number.NaN : Number(word)));
    if (numbers.length >= least && numbers.every((one) => Number.isFinite(one))) return numbers;
    throw this.fail(`got ${quote(line)}; expected ${expected}.`);
  }

  /** Whole numbers from 0. */
  readWholes(least: number, expected: string): readonly number[] {
    const numbers = this.readNumbers(least, expected);
    if (numbers.every((one) => Number.isSafeInteger(one) && one >= 0)) return numbers;
    throw this.fail(`got ${quote(numbers.join(' '))}; expected ${expected}.`);
  }

  /** An error about the line that was read last. */
  fail(message: string, code = 'MALFORMED_MESH'): DomainError {
    const line = Math.max(1, Math.min(this.#next, this.#lines.length));
    const text = `${this.#path}, line ${line}: ${message}`;
    return validationError(this.#path, text, code, { line });
  }
}
