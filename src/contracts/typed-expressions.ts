// Compiles contract expressions: typed at deployment, evaluated by the expression machine at run time.
//
// The machine has numbers only. A boolean is 1 or 0. A string is its index in a table that begins with the literals of
// the expression, so that strings can be compared, selected and stored, and nothing else.

import { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { assemble, type Program } from '../expressions/bytecode.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import { CONDITION_SYNTAX, parseExpression } from '../expressions/parse.ts';
import type { Syntax } from '../expressions/scan.ts';
import { type Binary, type Call, type Expression, symbolsOf } from '../expressions/tree.ts';
import type { Entries } from './data/collections.ts';
import { DATA_FUNCTIONS } from './data/functions.ts';
import { dataFunctionOf, type Plan, planOf, runPlan } from './data/plan.ts';
import { type CollectionType, isCollection, isMoney, type MoneyType } from './data/types.ts';
import type { Scalar, ScalarType } from './definition.ts';
import { decideChoices } from './windows/decide-choices.ts';

export type Type = 'number' | 'boolean' | 'string' | MoneyType | CollectionType;
export type Types = ReadonlyMap<string, Type>;

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

const FUNCTIONS = new Set(['min', 'max', 'abs', 'floor', 'ceil', 'round', 'sqrt', 'exp', 'log']);
/** Functions that give an amount of money for amounts of one currency. */
const MONEY_FUNCTIONS = new Set(['min', 'max', 'abs']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '^']);
const ORDER = new Set(['<', '<=', '>', '>=']);

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
  const type = expected !== undefined && isMoney(expected) && isZero(parsed) ? expected : infer(parsed, names);
  const decided = truths.size === 0 ? parsed : decideChoices(parsed, truths);
  const tree = unknown.size === 0 ? decided : certainPart(decided, unknown, false);
  if (isCollection(type)) throw notAValue(parsed, type);
  if (expected !== undefined && type !== expected) {
    throw expressionInvalid(0, { found: `a ${type}`, expected: `a ${expected}` });
  }
  const plan = planOf<Leaf>(tree, {
    typeOf: (node) => infer(node, names),
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
    case 'unary': {
      if (node.operator === 'not') return requireType(node.operand, names, 'boolean');
      const type = infer(node.operand, names);
      return isMoney(type) ? type : requireType(node.operand, names, 'number');
    }
    case 'binary':
      return inferBinary(node, names);
    case 'choice': {
      requireType(node.condition, names, 'boolean');
      return common(node.yes, node.no, names);
    }
    case 'call':
      return inferCall(node, names);
    case 'sum':
      throw expressionInvalid(node.start, { found: 'a sum', expected: 'an expression without sums' });
  }
}

function inferCall(node: Call, names: Types): Type {
  const [first] = node.operands;
  const known = dataFunctionOf(node, first?.kind === 'symbol' ? (names.get(first.name) ?? '') : '');
  if (known !== undefined) {
    const types = node.operands.map((operand) => infer(operand, names));
    const at = (operand: number) => node.operands[operand] ?? node;
    const fail = (operand: number, expected: string): never => {
      const [{ start }, type] = [at(operand), types[operand]];
      throw expressionInvalid(start, { found: `a ${type} in ${node.name}`, expected });
    };
    const need = (operand: number, type: string) => {
      requireType(at(operand), names, type as Type);
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
    const type = node.operands.map((operand) => infer(operand, names)).find(isMoney);
    if (type !== undefined) for (const operand of node.operands) requireType(operand, names, type);
    if (type !== undefined) return type;
  }
  for (const operand of node.operands) requireType(operand, names, 'number');
  return 'number';
}

function inferBinary({ operator, left, right }: Binary, names: Types): Type {
  if (ARITHMETIC.has(operator)) {
    if (operator !== '+' && operator !== '-') {
      requireType(left, names, 'number');
      return requireType(right, names, 'number');
    }
    return requireNumeric(left, right, names);
  }
  if (operator === 'and' || operator === 'or') {
    requireType(left, names, 'boolean');
    return requireType(right, names, 'boolean');
  }
  if (ORDER.has(operator)) requireNumeric(left, right, names);
  else common(left, right, names);
  return 'boolean';
}

/** Two numbers, or two amounts of one currency. */
function requireNumeric(left: Expression, right: Expression, names: Types): Type {
  const money = [left, right].map((node) => infer(node, names)).find(isMoney);
  const type = money ?? 'number';
  requireType(left, names, type);
  return requireType(right, names, type);
}

/** The one type of two expressions. */
function common(left: Expression, right: Expression, names: Types): Type {
  const type = infer(left, names);
  if (isCollection(type)) throw notAValue(left, type);
  if (!isZero(left)) return requireType(right, names, type);
  const other = infer(right, names);
  return isMoney(other) ? other : requireType(right, names, type);
}

/** Zero is an amount of any currency. */
const isZero = (node: Expression) => node.kind === 'number' && node.value === 0;

function requireType(node: Expression, names: Types, expected: Type): Type {
  if (isMoney(expected) && isZero(node)) return expected;
  const type = infer(node, names);
  if (type === expected) return type;
  const hint =
    isMoney(type) && expected === 'number' ? 'times, divide and portion round, minor counts units' : undefined;
  throw expressionInvalid(node.start, { found: `a ${type}`, expected: `a ${expected}`, hint });
}

const notAValue = (node: Expression, type: Type) =>
  expressionInvalid(node.start, {
    found: `a ${type}`,
    expected: 'a value',
    hint: 'a collection is read by count, has, get, at, sum and others',
  });

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
