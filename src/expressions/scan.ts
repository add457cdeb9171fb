// Scans an expression into tokens, one at a time.

import { expressionInvalid } from './invalid.ts';

export interface Syntax {
  /** Allow "text" literals and the words true and false. */
  readonly strings?: boolean;
  /** Allow names like event.amount. */
  readonly dottedNames?: boolean;
  /** Further functions, whose operands the caller checks. One of them may be called sum. */
  readonly functions?: ReadonlySet<string>;
  /** Allow names like x' and x'', for derivatives. */
  readonly primedNames?: boolean;
}

export type TokenKind = 'number' | 'text' | 'name' | 'punctuator' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for a text literal its value. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const DOTTED_NAME = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;
const PRIMED_NAME = /[A-Za-z_][A-Za-z0-9_]*'*/y;
const PUNCTUATOR = /[<>=!]=|[-+*/^<>=?:(),]/y;
const SPACE = /[ \t\r\n]*/y;
/** A literal holds anything but control characters; \" and \\ are the only escapes. */
const TEXT = /"(?:[^"\\\p{Cc}]|\\["\\])*"/uy;

const QUOTE = 0x22;

/** Hints for characters of other notations. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['\u2212', 'the minus sign is - (U+002D)'],
  ['\u2013', 'the minus sign is - (U+002D)'],
  ['\u00d7', 'a product is written a*b'],
  ['\u00b7', 'a product is written a*b'],
  ['\u00f7', 'a quotient is written a/b'],
  ['\u03c0', 'the constant is written pi'],
  ['&', 'write: and'],
  ['|', 'write: or'],
  ['!', 'write: not'],
  ['%', 'there is no remainder operator'],
  ["'", 'a text literal is written in double quotes'],
]);

export class Scanner {
  readonly #text: string;
  readonly #syntax: Syntax;
  #at = 0;

  constructor(text: string, syntax: Syntax) {
    this.#text = text;
    this.#syntax = syntax;
  }

  /** @throws DomainError EXPRESSION_INVALID at a character that begins no token */
  next(): Token {
    this.#match(SPACE);
    const start = this.#at;
    const code = this.#text.charCodeAt(start);
    if (Number.isNaN(code)) return { kind: 'end', text: '', start, end: start };
    const token =
      this.#token('number', NUMBER) ??
      this.#token('name', this.#namePattern()) ??
      this.#token('punctuator', PUNCTUATOR);
    if (token) return token;
    if (this.#syntax.strings && code === QUOTE) return this.#textLiteral();
    const found = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
    throw expressionInvalid(start, { found, expected: 'a number, a symbol or an operator', hint: HINTS.get(found) });
  }

  #namePattern(): RegExp {
    if (this.#syntax.primedNames) return PRIMED_NAME;
    return this.#syntax.dottedNames ? DOTTED_NAME : NAME;
  }

  #token(kind: TokenKind, pattern: RegExp): Token | undefined {
    const start = this.#at;
    const text = this.#match(pattern);
    return text === undefined ? undefined : { kind, text, start, end: this.#at };
  }

  #textLiteral(): Token {
    const start = this.#at;
    const literal = this.#match(TEXT);
    if (literal === undefined) {
      const hint = 'control characters and escapes other than \\" and \\\\ are not allowed';
      throw expressionInvalid(start, { found: 'an open text literal', expected: 'a closing "', hint });
    }
    return { kind: 'text', text: literal.slice(1, -1).replace(/\\(.)/g, '$1'), start, end: this.#at };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match[0];
  }
}
