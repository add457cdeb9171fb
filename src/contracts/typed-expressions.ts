// Compiles contract expressions: typed at deployment, evaluated by the expression machine at run time.
//
// The machine has numbers only. A boolean is 1 or 0. A string is its index in a table that begins with the literals of
// the expression, so that strings can be compared, selected and stored, and nothing else.

import { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { assemble, type Program } from '../expressions/bytecode.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import { CONDITION_SYNTAX, parseExpression } from '../expressions/parse.ts';
import { type Binary, type Expression, symbolsOf } from '../expressions/tree.ts';
import type { Scalar, ScalarType } from './definition.ts';

export type Type = 'number' | 'boolean' | 'string';
export type Types = ReadonlyMap<string, Type>;

/** Evaluates a program of the expression machine, which belongs to the caller. */
export type Evaluate = (program: Program, values: Readonly<Record<string, number>>) => number;

export interface TypedExpression {
  readonly text: string;
  readonly type: Type;
  readonly program: Program;
  /** The first entries of the string table. */
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
 * @param expected  the required type; undefined if any type is allowed
 * @param unknown  a name without a value: the condition is then compiled to what holds whatever the value would be
 * @throws DomainError EXPRESSION_INVALID with the column
 */
export function compileTyped(text: string, names: Types, expected?: Type, unknown?: string): TypedExpression {
  const parsed = parseExpression(text, CONDITION_SYNTAX);
  const type = infer(parsed, names);
  const tree = unknown === undefined ? parsed : certainPart(parsed, unknown, false);
  if (expected !== undefined && type !== expected) {
    throw expressionInvalid(0, { found: `a ${type}`, expected: `a ${expected}` });
  }
  const literals: string[] = [];
  const program = assemble(internStrings(tree, literals), [...symbolsOf(tree)]);
  return { text, type, program, literals };
}

/** @throws DomainError EXPRESSION_INVALID, BUDGET_EXCEEDED, VALIDATION_FAILED as the machine */
export function evaluateTyped(
  { program, type, literals }: TypedExpression,
  read: (name: string) => Scalar,
  evaluate: Evaluate,
): Scalar {
  const strings = [...literals];
  const slots: Record<string, number> = {};
  for (const name of program.slots) slots[name] = asNumber(read(name), strings);
  const result = evaluate(program, slots);
  if (type === 'boolean') return result !== 0;
  if (type === 'number') return result;
  const found = strings[result];
  if (found === undefined) throw new Error(`String ${result} is outside the table of ${strings.length}.`);
  return found;
}

function asNumber(value: Scalar, strings: string[]): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const known = strings.indexOf(value);
  return known >= 0 ? known : strings.push(value) - 1;
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
      return requireType(node.operand, names, node.operator === 'not' ? 'boolean' : 'number');
    case 'binary':
      return inferBinary(node, names);
    case 'choice': {
      requireType(node.condition, names, 'boolean');
      const type = infer(node.yes, names);
      return requireType(node.no, names, type);
    }
    case 'call':
      if (!FUNCTIONS.has(node.name)) {
        throw expressionInvalid(node.start, {
          found: `the function ${node.name}`,
          expected: `one of ${[...FUNCTIONS].join(', ')}`,
        });
      }
      for (const operand of node.operands) requireType(operand, names, 'number');
      return 'number';
    case 'sum':
      throw expressionInvalid(node.start, { found: 'a sum', expected: 'an expression without sums' });
  }
}

function inferBinary({ operator, left, right }: Binary, names: Types): Type {
  if (ARITHMETIC.has(operator)) {
    requireType(left, names, 'number');
    return requireType(right, names, 'number');
  }
  if (operator === 'and' || operator === 'or') {
    requireType(left, names, 'boolean');
    return requireType(right, names, 'boolean');
  }
  requireType(right, names, ORDER.has(operator) ? requireType(left, names, 'number') : infer(left, names));
  return 'boolean';
}

function requireType(node: Expression, names: Types, expected: Type): Type {
  const type = infer(node, names);
  if (type === expected) return type;
  throw expressionInvalid(node.start, { found: `a ${type}`, expected: `a ${expected}` });
}

/** A condition in which what depends on an unknown name is false, or where it is negated true: Kleene's certainly true. */
function certainPart(node: Expression, unknown: string, assumed: boolean): Expression {
  if (!symbolsOf(node).has(unknown)) return node;
  const certain = (child: Expression) => certainPart(child, unknown, assumed);
  if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
    return { ...node, left: certain(node.left), right: certain(node.right) };
  }
  if (node.kind === 'unary' && node.operator === 'not') {
    return { ...node, operand: certainPart(node.operand, unknown, !assumed) };
  }
  if (node.kind === 'choice' && !symbolsOf(node.condition).has(unknown)) {
    return { ...node, yes: certain(node.yes), no: certain(node.no) };
  }
  return { kind: 'truth', value: assumed, start: node.start, end: node.end };
}

/** Replaces string literals by their indexes in `literals`, appending new ones. */
function internStrings(node: Expression, literals: string[]): Expression {
  const inner = (child: Expression) => internStrings(child, literals);
  switch (node.kind) {
    case 'text':
      return { kind: 'number', value: asNumber(node.value, literals), start: node.start, end: node.end };
    case 'unary':
      return { ...node, operand: inner(node.operand) };
    case 'binary':
      return { ...node, left: inner(node.left), right: inner(node.right) };
    case 'choice':
      return { ...node, condition: inner(node.condition), yes: inner(node.yes), no: inner(node.no) };
    case 'call':
      return { ...node, operands: node.operands.map(inner) };
    default:
      return node;
  }
}

/** An expression error as a fault at its path in the definition. */
export function errorAtPath(path: string, error: unknown): { path: string; code: string; message: string } {
  if (!(error instanceof DomainError)) throw error;
  return { path, code: error.code, message: `${path}: ${error.message}` };
}
