// Types of contract expressions.
//
// A node is asked for its type by each rule that mentions it, and a chain of sums asks twice at every level; so each
// node is inferred once. Without that, 40 summands take years.

import type { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import type { Binary, Call, Expression } from '../expressions/tree.ts';
import { dataFunctionOf } from './data/plan.ts';
import { type CollectionType, isCollection, isMoney, type MoneyType } from './data/types.ts';

export type Type = 'number' | 'boolean' | 'string' | MoneyType | CollectionType;
export type Types = ReadonlyMap<string, Type>;

const FUNCTIONS = new Set(['min', 'max', 'abs', 'floor', 'ceil', 'round', 'sqrt', 'exp', 'log']);
/** Functions that give an amount of money for amounts of one currency. */
const MONEY_FUNCTIONS = new Set(['min', 'max', 'abs']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '^']);
const ORDER = new Set(['<', '<=', '>', '>=']);

export class TypeInference {
  readonly #names: Types;
  readonly #known = new Map<Expression, Type>();

  /** @param names  types of the names that expressions may read */
  constructor(names: Types) {
    this.#names = names;
  }

  /** @throws DomainError EXPRESSION_INVALID with the column */
  typeOf(node: Expression): Type {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const type = this.#infer(node);
    this.#known.set(node, type);
    return type;
  }

  #infer(node: Expression): Type {
    const names = this.#names;
    switch (node.kind) {
      case 'number':
      case 'constant':
        return 'number';
      case 'text':
        return 'string';
      case 'truth':
        return 'boolean';
      case 'symbol': {
        const type = names.get(node.name);
        if (type !== undefined) return type;
        throw expressionInvalid(node.start, {
          found: `the unknown name ${node.name}`,
          expected: `one of ${[...names.keys()].join(', ')}`,
          hint: didYouMean(node.name, names.keys()).trim() || undefined,
        });
      }
      case 'unary': {
        if (node.operator === 'not') return this.#require(node.operand, 'boolean');
        const type = this.typeOf(node.operand);
        return isMoney(type) ? type : this.#require(node.operand, 'number');
      }
      case 'binary':
        return this.#binary(node);
      case 'choice': {
        this.#require(node.condition, 'boolean');
        return this.#common(node.yes, node.no);
      }
      case 'call':
        return this.#call(node);
      case 'sum':
        throw expressionInvalid(node.start, { found: 'a sum', expected: 'an expression without sums' });
    }
  }

  #call(node: Call): Type {
    const [first] = node.operands;
    const known = dataFunctionOf(node, first?.kind === 'symbol' ? (this.#names.get(first.name) ?? '') : '');
    if (known !== undefined) {
      const types = node.operands.map((operand) => this.typeOf(operand));
      const at = (operand: number) => node.operands[operand] ?? node;
      const fail = (operand: number, expected: string): never => {
        const [{ start }, type] = [at(operand), types[operand]];
        throw expressionInvalid(start, { found: `a ${type} in ${node.name}`, expected });
      };
      const need = (operand: number, type: string) => {
        this.#require(at(operand), type as Type);
      };
      const [min, max] = known.arity;
      if (node.operands.length < min || node.operands.length > max)
        throw expressionInvalid(node.start, {
          found: `${node.name} of ${node.operands.length}`,
          expected: `${node.name} of ${min === max ? min : `${min} to ${max}`}`,
        });
      return known.typeOf(node, { types, fail, need }) as Type;
    }
    if (!FUNCTIONS.has(node.name)) {
      throw expressionInvalid(node.start, {
        found: `the function ${node.name}`,
        expected: `one of ${[...FUNCTIONS].join(', ')}`,
      });
    }
    if (MONEY_FUNCTIONS.has(node.name) && first !== undefined) {
      const type = node.operands.map((operand) => this.typeOf(operand)).find(isMoney);
      if (type !== undefined) for (const operand of node.operands) this.#require(operand, type);
      if (type !== undefined) return type;
    }
    for (const operand of node.operands) this.#require(operand, 'number');
    return 'number';
  }

  #binary({ operator, left, right }: Binary): Type {
    if (ARITHMETIC.has(operator)) {
      if (operator !== '+' && operator !== '-') {
        this.#require(left, 'number');
        return this.#require(right, 'number');
      }
      return this.#numeric(left, right);
    }
    if (operator === 'and' || operator === 'or') {
      this.#require(left, 'boolean');
      return this.#require(right, 'boolean');
    }
    if (ORDER.has(operator)) this.#numeric(left, right);
    else this.#common(left, right);
    return 'boolean';
  }

  /** Two numbers, or two amounts of one currency. */
  #numeric(left: Expression, right: Expression): Type {
    const money = [left, right].map((node) => this.typeOf(node)).find(isMoney);
    const type = money ?? 'number';
    this.#require(left, type);
    return this.#require(right, type);
  }

  /** The one type of two expressions. */
  #common(left: Expression, right: Expression): Type {
    const type = this.typeOf(left);
    if (isCollection(type)) throw notAValue(left, type);
    if (!isZero(left)) return this.#require(right, type);
    const other = this.typeOf(right);
    return isMoney(other) ? other : this.#require(right, type);
  }

  #require(node: Expression, expected: Type): Type {
    if (isMoney(expected) && isZero(node)) return expected;
    const type = this.typeOf(node);
    if (type === expected) return type;
    const hint =
      isMoney(type) && expected === 'number' ? 'times, divide and portion round, minor counts units' : undefined;
    throw expressionInvalid(node.start, { found: `a ${type}`, expected: `a ${expected}`, hint });
  }
}

/** Zero is an amount of any currency. */
export const isZero = (node: Expression): boolean => node.kind === 'number' && node.value === 0;

export const notAValue = (node: Expression, type: Type): DomainError =>
  expressionInvalid(node.start, {
    found: `a ${type}`,
    expected: 'a value',
    hint: 'a collection is read by count, has, get, at, sum and others',
  });
