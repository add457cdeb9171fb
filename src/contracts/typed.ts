// Expressions of contracts: typed at deployment, evaluated by the expression machine at run time.
//
// The machine knows numbers only. A truth value is 1 or 0; a text is the number of its entry in a table that begins with
// the literals of the expression, so that texts can be compared, chosen and stored, and nothing else.

import { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { assemble, type Program } from '../expressions/bytecode.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import { CONDITION_SYNTAX, parseExpression } from '../expressions/parse.ts';
import { type Binary, type Expression, symbolsOf } from '../expressions/tree.ts';
import type { Scalar, ScalarType } from './definition.ts';

export type Type = 'number' | 'boolean' | 'string';
export type Types = ReadonlyMap<string, Type>;

/** Evaluates a program of the expression machine; the caller owns the machine. */
export type Evaluate = (program: Program, values: Readonly<Record<string, number>>) => number;

export interface TypedExpression {
  readonly text: string;
  readonly type: Type;
  readonly program: Program;
  /** Entry i of the table of texts. */
  readonly literals: readonly string[];
}

const FUNCTIONS = new Set(['min', 'max', 'abs', 'floor', 'ceil', 'round', 'sqrt', 'exp', 'log']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '^']);
const ORDER = new Set(['<', '<=', '>', '>=']);

export function typeOf(type: ScalarType): Type {
  return type === 'boolean' || type === 'string' ? type : 'number';
}

export function typeOfValue(value: Scalar): Type {
  return typeof value as Type;
}

/**
 * @param expected  what the place needs; undefined where any type will do
 * @throws DomainError EXPRESSION_INVALID with the column
 */
export function compileTyped(text: string, names: Types, expected?: Type): TypedExpression {
  const tree = parseExpression(text, CONDITION_SYNTAX);
  const type = infer(tree, names);
  if (expected !== undefined && type !== expected) {
    throw expressionInvalid(0, { found: `a ${type}`, expected: `a ${expected}` });
  }
  const literals: string[] = [];
  const program = assemble(withoutTexts(tree, literals), [...symbolsOf(tree)]);
  return { text, type, program, literals };
}

/** @throws DomainError EXPRESSION_INVALID, BUDGET_EXCEEDED, VALIDATION_FAILED as the machine */
export function evaluateTyped(
  { program, type, literals }: TypedExpression,
  read: (name: string) => Scalar,
  evaluate: Evaluate,
): Scalar {
  const texts = [...literals];
  const slots: Record<string, number> = {};
  for (const name of program.slots) slots[name] = asNumber(read(name), texts);
  const result = evaluate(program, slots);
  if (type === 'boolean') return result !== 0;
  if (type === 'number') return result;
  const found = texts[result];
  if (found === undefined) throw new Error(`Text ${result} of ${texts.length} was asked for.`);
  return found;
}

function asNumber(value: Scalar, texts: string[]): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const known = texts.indexOf(value);
  return known >= 0 ? known : texts.push(value) - 1;
}

function infer(node: Expression, names: Types): Type {
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
    case 'unary':
      return need(node.operand, names, node.operator === 'not' ? 'boolean' : 'number');
    case 'binary':
      return inferBinary(node, names);
    case 'choice': {
      need(node.condition, names, 'boolean');
      const type = infer(node.yes, names);
      return need(node.no, names, type);
    }
    case 'call':
      if (!FUNCTIONS.has(node.name)) {
        throw expressionInvalid(node.start, {
          found: `the function ${node.name}`,
          expected: `one of ${[...FUNCTIONS].join(', ')}`,
        });
      }
      for (const operand of node.operands) need(operand, names, 'number');
      return 'number';
    case 'sum':
      throw expressionInvalid(node.start, { found: 'a sum', expected: 'an expression without sums' });
  }
}

function inferBinary({ operator, left, right }: Binary, names: Types): Type {
  if (ARITHMETIC.has(operator)) {
    need(left, names, 'number');
    return need(right, names, 'number');
  }
  if (operator === 'and' || operator === 'or') {
    need(left, names, 'boolean');
    return need(right, names, 'boolean');
  }
  need(right, names, ORDER.has(operator) ? need(left, names, 'number') : infer(left, names));
  return 'boolean';
}

function need(node: Expression, names: Types, expected: Type): Type {
  const type = infer(node, names);
  if (type === expected) return type;
  throw expressionInvalid(node.start, { found: `a ${type}`, expected: `a ${expected}` });
}

function withoutTexts(node: Expression, literals: string[]): Expression {
  const inside = (one: Expression) => withoutTexts(one, literals);
  switch (node.kind) {
    case 'text':
      return { kind: 'number', value: asNumber(node.value, literals), start: node.start, end: node.end };
    case 'unary':
      return { ...node, operand: inside(node.operand) };
    case 'binary':
      return { ...node, left: inside(node.left), right: inside(node.right) };
    case 'choice':
      return { ...node, condition: inside(node.condition), yes: inside(node.yes), no: inside(node.no) };
    case 'call':
      return { ...node, operands: node.operands.map(inside) };
    default:
      return node;
  }
}

/** The complaint about an expression with its place in the definition. */
export function placed(path: string, error: unknown): { path: string; code: string; message: string } {
  if (!(error instanceof DomainError)) throw error;
  return { path, code: error.code, message: `${path}: ${error.message}` };
}
