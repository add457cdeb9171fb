// Parses the text of a unit into its scale and dimension.
//
//   unit     = factor { ("*" | "/") factor }        from left to right: J/mol/K = J/(mol*K)
//   factor   = ( symbol | "1" | "(" unit ")" ) [ "^" exponent ]
//   exponent = number [ "/" digits ] | "(" number [ "/" digits ] ")"
//
// A digit after the slash of an exponent belongs to it (`m^1/2` is the square root of a metre): 1 is the only
// number allowed as a factor, and dividing by 1 has no effect.

import { LIMITS } from '../limits.ts';
import { DIMENSIONLESS, type Dimension, divide, multiply, power as powerOfDimension } from './dimension.ts';
import { type UnitProblem, unitError } from './invalid.ts';
import { fromDecimal, ONE, power as powerOfScale, product, quotient, type Rational, toNumber } from './rational.ts';

/** Meaning of the text of a unit, or of a part of it. */
export interface ParsedUnit {
  readonly scale: Rational;
  readonly dimension: Dimension;
  /** The text with every symbol replaced by the coherent unit of its dimension. */
  readonly coherent: string;
}

export interface SymbolLookup {
  /** @param isAlone  whether the symbol is the whole text; some symbols are valid only then */
  find(symbol: string, isAlone: boolean): ParsedUnit | undefined;
  /** The error of an unknown symbol, with suggestions. */
  explain(symbol: string, isAlone: boolean): UnitProblem;
  /** A hint for an unexpected character. */
  hintFor(character: string): string | undefined;
}

/** @throws DomainError UNIT_INVALID */
export function parseParts(text: string, symbols: SymbolLookup): ParsedUnit {
  const { characters } = LIMITS.unit;
  if (text.length > characters) {
    throw unitError(text, characters, { reason: `at most ${characters} characters are allowed` });
  }
  return new Parser(text, symbols).parse();
}

const SPACE = / */y;
const SYMBOL = /[A-Za-z][A-Za-z0-9_]*|%/y;
const ONE_FACTOR = /1(?![0-9.])/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const DENOMINATOR = /\/ *\d+/y;
const ATOM = /^(?:\w+|%)$/;

const DIMENSIONLESS_ONE: ParsedUnit = { scale: ONE, dimension: DIMENSIONLESS, coherent: '1' };

class Parser {
  readonly #text: string;
  readonly #symbols: SymbolLookup;
  #offset = 0;

  constructor(text: string, symbols: SymbolLookup) {
    this.#text = text;
    this.#symbols = symbols;
  }

  parse(): ParsedUnit {
    this.#takeMatch(SPACE);
    const part = this.#unit();
    if (this.#offset < this.#text.length) throw this.#unexpected('* or /');
    const factor = toNumber(part.scale);
    if (factor >= 1 / MAX_FACTOR && factor <= MAX_FACTOR) return part;
    throw this.#error(0, `its size is outside ${1 / MAX_FACTOR} … ${MAX_FACTOR}`);
  }

  #unit(): ParsedUnit {
    let left = this.#factor();
    for (;;) {
      const operator = this.#takeCharacter('*') ?? this.#takeCharacter('/');
      if (operator === undefined) return left;
      const offset = this.#offset;
      left = this.#combine(offset, left, operator, this.#factor());
    }
  }

  #combine(offset: number, left: ParsedUnit, operator: string, right: ParsedUnit): ParsedUnit {
    const isQuotient = operator === '/';
    const divisor = isQuotient && /[*/]/.test(right.coherent) ? `(${right.coherent})` : right.coherent;
    return this.#guardRange(offset, () => ({
      scale: (isQuotient ? quotient : product)(left.scale, right.scale),
      dimension: (isQuotient ? divide : multiply)(left.dimension, right.dimension),
      coherent: left.coherent + operator + divisor,
    }));
  }

  #factor(): ParsedUnit {
    const base = this.#atom();
    if (this.#takeCharacter('^') === undefined) return base;
    const offset = this.#offset;
    const exponent = this.#exponent();
    const { numerator, denominator } = exponent;
    const printed = denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
    const inner = ATOM.test(base.coherent) ? base.coherent : `(${base.coherent})`;
    return this.#guardRange(offset, () => ({
      scale: powerOfScale(base.scale, exponent),
      dimension: powerOfDimension(base.dimension, exponent),
      coherent: inner === '1' ? inner : `${inner}^${printed}`,
    }));
  }

  #atom(): ParsedUnit {
    if (this.#takeCharacter('(') !== undefined) {
      const inner = this.#unit();
      if (this.#takeCharacter(')') === undefined) throw this.#unexpected('* or / or )');
      return inner;
    }
    if (this.#takeMatch(ONE_FACTOR) !== undefined) return DIMENSIONLESS_ONE;
    const offset = this.#offset;
    const symbol = this.#takeMatch(SYMBOL);
    if (symbol === undefined) throw this.#unexpected('a unit, 1 or (');
    const isAlone = symbol === this.#text.trim();
    const part = this.#symbols.find(symbol, isAlone);
    if (part === undefined) throw unitError(this.#text, offset, this.#symbols.explain(symbol, isAlone));
    return part;
  }

  #exponent(): Rational {
    const isEnclosed = this.#takeCharacter('(') !== undefined;
    const offset = this.#offset;
    const number = this.#takeMatch(NUMBER);
    if (number === undefined) throw this.#unexpected('an integer or a fraction as the exponent');
    const denominator = fromDecimal(this.#takeMatch(DENOMINATOR)?.slice(1).trim() ?? '1');
    if (isEnclosed && this.#takeCharacter(')') === undefined) throw this.#unexpected(') after the exponent');
    if (denominator.numerator === 0n) throw this.#error(offset, 'the exponent has the denominator 0');
    const exponent = quotient(fromDecimal(number), denominator);
    const { numerator, denominator: reducedDenominator } = exponent;
    const max = BigInt(LIMITS.unit.exponent);
    if (numerator <= max && -numerator <= max && reducedDenominator <= max) return exponent;
    throw this.#error(offset, `an exponent is a fraction of integers up to ${max}`);
  }

  #takeCharacter(character: string): string | undefined {
    if (this.#text[this.#offset] !== character) return undefined;
    this.#offset++;
    this.#takeMatch(SPACE);
    return character;
  }

  #takeMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#offset = pattern.lastIndex;
    if (pattern !== SPACE) this.#takeMatch(SPACE);
    return match[0];
  }

  #unexpected(expected: string): Error {
    const code = this.#text.codePointAt(this.#offset);
    const character = code === undefined ? 'the end' : String.fromCodePoint(code);
    const reason = `got ${character} instead of ${expected}`;
    return unitError(this.#text, this.#offset, { reason, hint: this.#symbols.hintFor(character) });
  }

  /** Turns a RangeError of the arithmetic into an error of the unit. */
  #guardRange(offset: number, compute: () => ParsedUnit): ParsedUnit {
    try {
      return compute();
    } catch (error) {
      if (error instanceof RangeError) throw this.#error(offset, 'an exponent or a size is too large');
      throw error;
    }
  }

  #error(offset: number, reason: string): Error {
    return unitError(this.#text, offset, { reason });
  }
}

/** Maximum scale of a unit; beyond it doubles cannot represent both a value and its coherent value. */
const MAX_FACTOR = 1e300;
