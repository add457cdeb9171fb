// Token cursor of the parser, with backtracking; it records the tokens that no rule of the grammar matched.

import type { Token } from './tokens.ts';

const NO_TOKEN: Token = { kind: 'end', value: '', start: 0, end: 0 };

export class TokenCursor {
  readonly #tokens: readonly Token[];
  #position = 0;
  /** Indexes of the tokens that no rule matched. */
  readonly unparsed = new Set<number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get position(): number {
    return this.#position;
  }

  get isDone(): boolean {
    return this.peek().kind === 'end';
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#position + ahead] ?? this.#tokens.at(-1) ?? NO_TOKEN;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  /** Skips a token and records it as unparsed. */
  skipUnparsed(): void {
    this.unparsed.add(this.#position);
    this.next();
  }

  /** Consumes the words if they come next; each is a literal or a set of alternatives. @returns whether they did */
  take(...words: readonly (string | ReadonlySet<string>)[]): boolean {
    const isMatch = words.every((word, i) => {
      const { value, kind } = this.peek(i);
      if (kind !== 'word' && kind !== 'sign') return false;
      return typeof word === 'string' ? value === word : word.has(value);
    });
    if (isMatch) this.#position += words.length;
    return isMatch;
  }

  /** Consumes the next word if it is in the set. @returns the word */
  takeAny(words: ReadonlySet<string>): string | undefined {
    const { kind, value } = this.peek();
    return (kind === 'word' || kind === 'sign') && words.has(value) ? this.next().value : undefined;
  }

  /** Runs a parser; restores the position if it returns undefined. */
  attempt<Parsed>(parse: (cursor: TokenCursor) => Parsed | undefined): Parsed | undefined {
    const before = this.#position;
    const found = parse(this);
    if (found === undefined) this.#position = before;
    return found;
  }
}

/** A set of the words in a text separated by spaces. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
