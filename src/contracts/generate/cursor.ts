// A place in a list of tokens, with what has been understood so far.

import type { Token } from './tokens.ts';

const NO_TOKEN: Token = { kind: 'end', value: '', start: 0, end: 0 };

export class Cursor {
  readonly #tokens: readonly Token[];
  #at = 0;
  /** Places of tokens that nobody understood. */
  readonly lost = new Set<number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get at(): number {
    return this.#at;
  }

  get isDone(): boolean {
    return this.peek().kind === 'end';
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1) ?? NO_TOKEN;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  /** Skips a token, which stays without a meaning. */
  lose(): void {
    this.lost.add(this.#at);
    this.next();
  }

  /** Takes these words if they stand here, each a word or one of several. */
  take(...words: readonly (string | ReadonlySet<string>)[]): boolean {
    const isHere = words.every((word, i) => {
      const { value, kind } = this.peek(i);
      if (kind !== 'word' && kind !== 'sign') return false;
      return typeof word === 'string' ? value === word : word.has(value);
    });
    if (isHere) this.#at += words.length;
    return isHere;
  }

  /** Takes the word that stands here if it is one of these. */
  takeOne(words: ReadonlySet<string>): string | undefined {
    const { kind, value } = this.peek();
    return (kind === 'word' || kind === 'sign') && words.has(value) ? this.next().value : undefined;
  }

  /** What a parser makes of this place; where it makes nothing, the place stays. */
  attempt<Found>(parse: (cursor: Cursor) => Found | undefined): Found | undefined {
    const before = this.#at;
    const found = parse(this);
    if (found === undefined) this.#at = before;
    return found;
  }
}

export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
