// The parser: one operator-precedence (Pratt) parser for equations and for the conditions of contracts.
//
// Precedence, lowest first: ?: (right), or, and, not, one comparison, + -, * /, unary minus, ^ (right). So -2^2 = -4
// and 2^3^2 = 512. There is no implicit multiplication. Pratt, Top down operator precedence, POPL 1973,
// doi:10.1145/512927.512931.

import { decimalRemainder } from '../core/decimal.ts';
import { LIMITS } from '../core/limits.ts';
import { nearestNames } from '../core/nearest.ts';
import { CONSTANTS, FUNCTIONS, SUM } from './functions.ts';
import { expressionInvalid, type Fault } from './invalid.ts';
import { Scanner, type Syntax, type Token } from './scan.ts';
import { BINARY_PRECEDENCE, type BinaryOperator, type Equation, type Expression, PRECEDENCE } from './tree.ts';

/** Additional syntax of the conditions of contracts. */
export const CONDITION_SYNTAX: Syntax = { strings: true, dottedNames: true };

/**
 * @throws DomainError EXPRESSION_INVALID; `facts` name position (column from 1), found, expected and perhaps nearest
 */
export function parseExpression(text: string, syntax: Syntax = {}): Expression {
  const parser = new Parser(text, syntax);
  const expression = parser.expression();
  parser.end();
  return expression;
}

/**
 * `symbol = expression`.
 *
 * @throws DomainError EXPRESSION_INVALID, as parseExpression
 */
export function parseEquation(text: string, syntax: Syntax = {}): Equation {
  const parser = new Parser(text, syntax);
  const symbol = parser.newName('the symbol on the left side');
  parser.expect('=', '= after the symbol on the left side');
  const expression = parser.expression();
  parser.end();
  return { symbol, expression };
}

/** Reserved words: they cannot be symbols. */
const RESERVED_WORDS = new Set(['and', 'or', 'not', 'true', 'false', ...CONSTANTS.keys()]);

/** Other common names of functions, for suggestions. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['ln', 'log'],
  ['arcsin', 'asin'],
  ['arccos', 'acos'],
  ['arctan', 'atan'],
]);

class Parser {
  readonly #scanner: Scanner;
  readonly #syntax: Syntax;
  #token: Token;
  #depth = 0;
  #nodes = 0;

  constructor(text: string, syntax: Syntax) {
    const { characters } = LIMITS.expression;
    if (text.length > characters) {
      throw expressionInvalid(characters, {
        found: `${text.length} characters`,
        expected: `at most ${characters} characters`,
      });
    }
    this.#scanner = new Scanner(text, syntax);
    this.#syntax = syntax;
    this.#token = this.#scanner.next();
  }

  expression(): Expression {
    return this.#nested(PRECEDENCE.choice);
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator or the end');
  }

  expect(punctuator: string, expected: string): Token {
    if (!this.#isAt(punctuator)) throw this.#unexpected(expected);
    return this.#advance();
  }

  /** A name that the text defines: the left side of an equation, the index of a sum. */
  newName(expected: string): string {
    const { kind, text } = this.#token;
    if (kind !== 'name' || RESERVED_WORDS.has(text) || text.includes('.')) throw this.#unexpected(expected);
    this.#advance();
    return text;
  }

  /** Recursion for parentheses, arguments, branches, exponents and signs, with a bounded depth. */
  #nested(minimum: number): Expression {
    if (this.#depth === LIMITS.expression.depth) {
      throw this.#fault({
        found: 'one more level of nesting',
        expected: `at most ${LIMITS.expression.depth} levels of nesting`,
      });
    }
    this.#depth++;
    const node = this.#operators(minimum);
    this.#depth--;
    return node;
  }

  #operators(minimum: number): Expression {
    let left = this.#prefix(minimum);
    for (;;) {
      if (this.#isAt('?') && minimum <= PRECEDENCE.choice) {
        left = this.#choice(left);
        continue;
      }
      const precedence = this.#precedence();
      if (precedence === undefined || precedence < minimum) return left;
      const operator = this.#advance().text as BinaryOperator;
      // The right operand has a higher precedence than its operator, except that of ^: a sign or another ^.
      const right = precedence === PRECEDENCE.power ? this.#nested(PRECEDENCE.minus) : this.#operators(precedence + 1);
      left = this.#node({ kind: 'binary', operator, left, right, start: left.start, end: right.end });
      if (precedence === PRECEDENCE.comparison && this.#precedence() === PRECEDENCE.comparison) {
        throw this.#unexpected('an operator or the end', 'a comparison has two sides: write a < b and b < c');
      }
    }
  }

  /** Precedence of the binary operator at the current token, if there is one. */
  #precedence(): number | undefined {
    const { kind, text } = this.#token;
    return kind === 'punctuator' || kind === 'name' ? BINARY_PRECEDENCE.get(text) : undefined;
  }

  #isAt(punctuator: string): boolean {
    return this.#token.kind === 'punctuator' && this.#token.text === punctuator;
  }

  #choice(condition: Expression): Expression {
    this.#advance();
    const yes = this.#nested(PRECEDENCE.choice);
    this.expect(':', 'an operator or the : of the choice');
    const no = this.#nested(PRECEDENCE.choice);
    return this.#node({ kind: 'choice', condition, yes, no, start: condition.start, end: no.end });
  }

  #prefix(minimum: number): Expression {
    const token = this.#token;
    if (token.kind === 'number') return this.#number(token);
    if (token.kind === 'text') {
      this.#advance();
      return this.#node({ kind: 'text', value: token.text, start: token.start, end: token.end });
    }
    if (token.kind === 'name') return this.#named(token, minimum);
    if (this.#isAt('-')) {
      this.#advance();
      const operand = this.#nested(PRECEDENCE.minus);
      return this.#node({ kind: 'unary', operator: '-', operand, start: token.start, end: operand.end });
    }
    if (this.#isAt('(')) {
      this.#advance();
      const inner = this.expression();
      const close = this.expect(')', 'an operator or )');
      return { ...inner, start: token.start, end: close.end };
    }
    throw this.#unexpected('a value');
  }

  #number(token: Token): Expression {
    const value = Number(token.text);
    if (!Number.isFinite(value)) throw this.#unexpected('a number below 1.8e308');
    this.#advance();
    const remainder = decimalRemainder(token.text, value);
    const rest = remainder === 0 ? {} : { remainder };
    return this.#node({ kind: 'number', value, ...rest, start: token.start, end: token.end });
  }

  #named(token: Token, minimum: number): Expression {
    const { text, start, end } = token;
    if (text === 'not') {
      if (minimum > PRECEDENCE.not) throw this.#unexpected('a value', 'put the not in parentheses');
      this.#advance();
      const operand = this.#nested(PRECEDENCE.not);
      return this.#node({ kind: 'unary', operator: 'not', operand, start, end: operand.end });
    }
    const isTruth = this.#syntax.strings === true && (text === 'true' || text === 'false');
    if (RESERVED_WORDS.has(text) && !isTruth && !CONSTANTS.has(text)) throw this.#unexpected('a value');
    this.#advance();
    if (isTruth) return this.#node({ kind: 'truth', value: text === 'true', start, end });
    if (CONSTANTS.has(text)) return this.#node({ kind: 'constant', name: text, start, end });
    if (this.#isAt('(')) {
      return text === SUM && this.#syntax.functions?.has(SUM) !== true ? this.#sum(start) : this.#call(token);
    }
    return this.#node({ kind: 'symbol', name: text, start, end });
  }

  #call(name: Token): Expression {
    const known = FUNCTIONS.get(name.text);
    if (known === undefined && this.#syntax.functions?.has(name.text) !== true) {
      const others = this.#syntax.functions ?? [SUM];
      const nearest = SYNONYMS.get(name.text) ?? nearestNames(name.text, [...FUNCTIONS.keys(), ...others], 1)[0];
      throw expressionInvalid(name.start, { found: `${name.text}(`, expected: 'a function', nearest });
    }
    this.#advance();
    const operands = [this.expression()];
    while (this.#isAt(',')) {
      this.#advance();
      operands.push(this.expression());
    }
    const close = this.expect(')', 'an operator, a comma or )');
    const call = { kind: 'call', name: name.text, operands, start: name.start, end: close.end } as const;
    // Numbers of operands of further functions are checked with their types.
    if (known === undefined) return this.#node(call);
    const { arity, isFolded, defaultFirst } = known;
    const minArity = defaultFirst === undefined ? arity : arity - 1;
    const isCountRight = operands.length >= minArity && (isFolded || operands.length <= arity);
    if (!isCountRight) {
      const expected = defaultFirst === undefined ? `${arity}${isFolded ? ' or more' : ''}` : `${minArity} or ${arity}`;
      throw expressionInvalid(name.start, {
        found: `${name.text} of ${operands.length}`,
        expected: `${name.text} of ${expected}`,
      });
    }
    return this.#node(call);
  }

  #sum(start: number): Expression {
    this.#advance();
    const index = this.newName('the index of the sum');
    this.expect(',', 'a comma after the index');
    const from = this.expression();
    this.expect(',', 'a comma and the last index: sum(k, from, to, term)');
    const to = this.expression();
    this.expect(',', 'a comma and the term: sum(k, from, to, term)');
    const term = this.expression();
    const close = this.expect(')', 'an operator or )');
    return this.#node({ kind: 'sum', index, from, to, term, start, end: close.end });
  }

  #node(node: Expression): Expression {
    this.#nodes++;
    if (this.#nodes > LIMITS.expression.nodes) {
      const expected = `at most ${LIMITS.expression.nodes} numbers, symbols and operations`;
      throw expressionInvalid(node.start, { found: 'one more', expected });
    }
    return node;
  }

  #advance(): Token {
    const token = this.#token;
    this.#token = this.#scanner.next();
    return token;
  }

  #unexpected(expected: string, hint?: string): Error {
    const { kind, text } = this.#token;
    if (kind === 'end') return this.#fault({ found: 'the end', expected, hint });
    return this.#fault({
      found: kind === 'text' ? 'a text literal' : text,
      expected,
      hint: hint ?? this.#hintFor(expected),
    });
  }

  /** A hint for a common mistake at the current token. */
  #hintFor(expected: string): string | undefined {
    const { kind, text } = this.#token;
    if (kind === 'punctuator') {
      if (text === '=') return 'a comparison is written ==';
      if (text === '*' && expected === 'a value') return 'a power is written ^';
      return undefined;
    }
    const isJuxtaposed = expected.startsWith('an operator') && !RESERVED_WORDS.has(text);
    return isJuxtaposed ? 'a product is written a*b' : undefined;
  }

  #fault(fault: Fault): Error {
    return expressionInvalid(this.#token.start, fault);
  }
}
