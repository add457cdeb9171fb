// Compiles contract expressions: typed at deployment, evaluated by the expression machine at run time.
//
// The machine has numbers only. A boolean is 1 or 0. A string is its index in a table that begins with the literals of
// the expression, so that strings can be compared, selected and stored, and nothing else.

import { DomainError } from '../core/errors.ts';
import { assemble, type Program } from '../expressions/bytecode.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import { CONDITION_SYNTAX, parseExpression } from '../expressions/parse.ts';
import type { Syntax } from '../expressions/scan.ts';
import { type Expression, symbolsOf } from '../expressions/tree.ts';
import type { Entries } from './data/collections.ts';
import { DATA_FUNCTIONS } from './data/functions.ts';
import { type Plan, planOf, runPlan } from './data/plan.ts';
import { isCollection, isMoney } from './data/types.ts';
import type { Scalar, ScalarType } from './definition.ts';
import { isZero, notAValue, type Type, TypeInference, type Types } from './type-inference.ts';
import { decideChoices } from './windows/decide-choices.ts';

export type { Type, Types };

/** Evaluates a program of the expression machine, which belongs to the caller. */
export interface Evaluate {
  (program: Program, values: Readonly<Record<string, number>>): number;
  /** Counts work that is done outside the machine. */
  readonly count?: (words: number) => void;
}

/** An expression of the machine alone. */
interface Leaf {
  readonly type: Type;
  readonly program: Program;
  /** The first entries of the string table. */
  readonly literals: readonly string[];
}

export interface TypedExpression extends Leaf {
  readonly text: string;
  /** Of an expression with money, collections or hashes; its program is then empty. */
  readonly plan?: Plan<Leaf> | undefined;
}

/** Additional syntax of the second edition. */
export const DATA_SYNTAX: Syntax = {
  ...CONDITION_SYNTAX,
  functions: new Set(DATA_FUNCTIONS.keys()),
};

export function typeOf(type: ScalarType): Type {
  return type === 'boolean' || type === 'string' || isMoney(type) ? type : 'number';
}

export function typeOfValue(value: Scalar): Type {
  return typeof value as Type;
}

/** The type of the JSON values of a declared type: money is a number. */
export function jsonTypeOf(type: ScalarType): Type {
  return isMoney(type) ? 'number' : typeOf(type);
}

/** A declared type in a message: *an integer*. */
export const typeWithArticle = (type: string): string =>
  type === 'ticks' ? 'a number of ticks' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

/** Whether the values of a declared type are whole numbers. */
export const isWholeType = (type: ScalarType): boolean => type === 'integer' || type === 'ticks' || isMoney(type);

/**
 * @param expected  the required type; undefined if any type is allowed
 * @param unknown  names without a value: the condition is then compiled to what holds whatever their values would be
 * @param truths  names of type boolean whose values are known already
 * @throws DomainError EXPRESSION_INVALID with the column
 */
export function compileTyped(
  text: string,
  names: Types,
  expected?: Type,
  unknown: ReadonlySet<string> = NONE,
  syntax: Syntax = CONDITION_SYNTAX,
  truths: ReadonlyMap<string, boolean> = NO_TRUTHS,
): TypedExpression {
  const parsed = parseExpression(text, syntax);
  const inference = new TypeInference(names);
  const type = expected !== undefined && isMoney(expected) && isZero(parsed) ? expected : inference.typeOf(parsed);
  const decided = truths.size === 0 ? parsed : decideChoices(parsed, truths);
  const tree = unknown.size === 0 ? decided : certainPart(decided, unknown, false);
  if (isCollection(type)) throw notAValue(parsed, type);
  if (expected !== undefined && type !== expected) {
    throw expressionInvalid(0, { found: `a ${type}`, expected: `a ${expected}` });
  }
  const plan = planOf<Leaf>(tree, {
    typeOf: (node) => inference.typeOf(node),
    leafOf: (node, kind) => leafOf(node, kind as Type),
  });
  return plan === undefined ? { text, ...leafOf(tree, type) } : { text, ...leafOf(ZERO, type), plan };
}

const NONE: ReadonlySet<string> = new Set();
const NO_TRUTHS: ReadonlyMap<string, boolean> = new Map();
const ZERO: Expression = { kind: 'number', value: 0, start: 0, end: 0 };

function leafOf(tree: Expression, type: Type): Leaf {
  const literals: string[] = [];
  const program = assemble(internStrings(tree, literals), [...symbolsOf(tree)]);
  return { type, program, literals };
}

/** @throws DomainError EXPRESSION_INVALID, BUDGET_EXCEEDED, VALIDATION_FAILED as the machine */
export function evaluateTyped(
  expression: TypedExpression,
  read: (name: string) => Scalar,
  evaluate: Evaluate,
  collection: (name: string) => Entries = noCollection,
): Scalar {
  const { plan } = expression;
  if (plan === undefined) return evaluateLeaf(expression, read, evaluate);
  return runPlan(plan, {
    leaf: (leaf, parts) =>
      evaluateLeaf(leaf, parts.size === 0 ? read : (name) => parts.get(name) ?? read(name), evaluate),
    collection,
    count: (words) => evaluate.count?.(words),
  });
}

const noCollection = (name: string): never => {
  throw new Error(`${name} is a collection, which cannot be read here.`);
};

function evaluateLeaf({ program, type, literals }: Leaf, read: (name: string) => Scalar, evaluate: Evaluate): Scalar {
  const strings = [...literals];
  const slots: Record<string, number> = {};
  for (const name of program.slots) slots[name] = asNumber(read(name), strings);
  const result = evaluate(program, slots);
  if (type === 'boolean') return result !== 0;
  if (type !== 'string') return result;
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

/** A condition in which what depends on unknown names is false, or where it is negated true: Kleene's certainly true. */
function certainPart(node: Expression, unknown: ReadonlySet<string>, assumed: boolean): Expression {
  const isKnown = (part: Expression) => [...symbolsOf(part)].every((name) => !unknown.has(name));
  if (isKnown(node)) return node;
  const certain = (child: Expression) => certainPart(child, unknown, assumed);
  if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
    return { ...node, left: certain(node.left), right: certain(node.right) };
  }
  if (node.kind === 'unary' && node.operator === 'not') {
    return { ...node, operand: certainPart(node.operand, unknown, !assumed) };
  }
  if (node.kind === 'choice' && isKnown(node.condition)) {
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
