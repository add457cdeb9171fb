// From the text of a unit to its size and dimension.
//
//   unit     = factor { ("*" | "/") factor }        from left to right: J/mol/K = J/(mol*K)
//   factor   = ( symbol | "1" | "(" unit ")" ) [ "^" exponent ]
//   exponent = number [ "/" digits ] | "(" number [ "/" digits ] ")"
//
// A digit after the slash of an exponent belongs to it (`m^1/2` is the root of a metre): no other number than 1 is a
// factor, and dividing by 1 is nothing.

import { LIMITS } from '../limits.ts';
import { DIMENSIONLESS, type Dimension, divide, multiply, power as powerOfDimension } from './dimension.ts';
import { type Fault, unitInvalid } from './invalid.ts';
import { fromDecimal, ONE, power as powerOfScale, product, quotient, type Rational, toNumber } from './rational.ts';

/** What a text, or a part of one, means. */
export interface Part {
  readonly scale: Rational;
  readonly dimension: Dimension;
  /** The text with every symbol replaced by the coherent unit of its dimension. */
  readonly coherent: string;
}

export interface Symbols {
  /** @param isAlone  the symbol is the whole text; some mean something only then */
  find(symbol: string, isAlone: boolean): Part | undefined;
  /** Why a symbol means nothing, and what was meant. */
  explain(symbol: string, isAlone: boolean): Fault;
  /** What to do about a character that has no place. */
  hintFor(character: string): string | undefined;
}

/** @throws DomainError UNIT_INVALID */
export function parseParts(text: string, symbols: Symbols): Part {
  const { characters } = LIMITS.unit;
  if (text.length > characters) {
    throw unitInvalid(text, characters, { reason: `at most ${characters} characters are allowed` });
  }
  return new Parser(text, symbols).parse();
}

const SPACE = / */y;
const SYMBOL = /[A-Za-z][A-Za-z0-9_]*|%/y;
const ONE_FACTOR = /1(?![0-9.])/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const DENOMINATOR = /\/ *\d+/y;
const ATOM = /^(?:\w+|%)$/;

const PURE: Part = { scale: ONE, dimension: DIMENSIONLESS, coherent: '1' };

class Parser {
  readonly #text: string;
  readonly #symbols: Symbols;
  #at = 0;

  constructor(text: string, symbols: Symbols) {
    this.#text = text;
    this.#symbols = symbols;
  }

  parse(): Part {
    this.#match(SPACE);
    const part = this.#unit();
    if (this.#at < this.#text.length) throw this.#unexpected('* or /');
    const factor = toNumber(part.scale);
    if (factor >= 1 / LARGEST && factor <= LARGEST) return part;
    throw this.#fault(0, `its size is outside ${1 / LARGEST} … ${LARGEST}`);
  }

  #unit(): Part {
    let left = this.#factor();
    for (;;) {
      const mark = this.#mark('*') ?? this.#mark('/');
      if (mark === undefined) return left;
      const at = this.#at;
      left = this.#combined(at, left, mark, this.#factor());
    }
  }

  #combined(offset: number, left: Part, mark: string, right: Part): Part {
    const isQuotient = mark === '/';
    const divisor = isQuotient && /[*/]/.test(right.coherent) ? `(${right.coherent})` : right.coherent;
    return this.#within(offset, () => ({
      scale: (isQuotient ? quotient : product)(left.scale, right.scale),
      dimension: (isQuotient ? divide : multiply)(left.dimension, right.dimension),
      coherent: left.coherent + mark + divisor,
    }));
  }

  #factor(): Part {
    const base = this.#atom();
    if (this.#mark('^') === undefined) return base;
    const at = this.#at;
    const exponent = this.#exponent();
    const { numerator, denominator } = exponent;
    const shown = denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
    const inner = ATOM.test(base.coherent) ? base.coherent : `(${base.coherent})`;
    return this.#within(at, () => ({
      scale: powerOfScale(base.scale, exponent),
      dimension: powerOfDimension(base.dimension, exponent),
      coherent: inner === '1' ? inner : `${inner}^${shown}`,
    }));
  }

  #atom(): Part {
    if (this.#mark('(') !== undefined) {
      const inner = this.#unit();
      if (this.#mark(')') === undefined) throw this.#unexpected('* or / or )');
      return inner;
    }
    if (this.#match(ONE_FACTOR) !== undefined) return PURE;
    const at = this.#at;
    const symbol = this.#match(SYMBOL);
    if (symbol === undefined) throw this.#unexpected('a unit, 1 or (');
    const isAlone = symbol === this.#text.trim();
    const part = this.#symbols.find(symbol, isAlone);
    if (part === undefined) throw unitInvalid(this.#text, at, this.#symbols.explain(symbol, isAlone));
    return part;
  }

  #exponent(): Rational {
    const isEnclosed = this.#mark('(') !== undefined;
    const at = this.#at;
    const number = this.#match(NUMBER);
    if (number === undefined) throw this.#unexpected('a whole number or a fraction as the exponent');
    const denominator = fromDecimal(this.#match(DENOMINATOR)?.slice(1).trim() ?? '1');
    if (isEnclosed && this.#mark(')') === undefined) throw this.#unexpected(') after the exponent');
    if (denominator.numerator === 0n) throw this.#fault(at, 'the exponent has the denominator 0');
    const exponent = quotient(fromDecimal(number), denominator);
    const { numerator, denominator: below } = exponent;
    const most = BigInt(LIMITS.unit.exponent);
    if (numerator <= most && -numerator <= most && below <= most) return exponent;
    throw this.#fault(at, `an exponent is a fraction of whole numbers up to ${most}`);
  }

  #mark(mark: string): string | undefined {
    if (this.#text[this.#at] !== mark) return undefined;
    this.#at++;
    this.#match(SPACE);
    return mark;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    if (pattern !== SPACE) this.#match(SPACE);
    return match[0];
  }

  #unexpected(expected: string): Error {
    const code = this.#text.codePointAt(this.#at);
    const found = code === undefined ? 'the end' : String.fromCodePoint(code);
    const reason = `got ${found} instead of ${expected}`;
    return unitInvalid(this.#text, this.#at, { reason, hint: this.#symbols.hintFor(found) });
  }

  /** Exponents and sizes that grow without bound end in a complaint. */
  #within(offset: number, compute: () => Part): Part {
    try {
      return compute();
    } catch (error) {
      if (error instanceof RangeError) throw this.#fault(offset, 'an exponent or a size is too large');
      throw error;
    }
  }

  #fault(offset: number, reason: string): Error {
    return unitInvalid(this.#text, offset, { reason });
  }
}

/** Beyond it a double cannot hold a value of the unit beside one of the coherent unit. */
const LARGEST = 1e300;
