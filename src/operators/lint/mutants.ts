// Mutants: copies of an expression with one small change each, of the kind that people make by mistake.
//
// DeMillo, Lipton & Sayward, Hints on test data selection, Computer 11 (1978) 34, doi:10.1109/C-M.1978.218136.

import { printExpression } from '../../expressions/print.ts';
import {
  type Binary,
  type BinaryOperator,
  type Call,
  childrenOf,
  type Expression,
  type NumberLiteral,
} from '../../expressions/tree.ts';
import { withChildren } from './parsed-operator.ts';

export interface Mutant {
  readonly expression: Expression;
  /** `n^2 becomes n^3`, only the part that changed. */
  readonly change: string;
}

/** Every copy of the expression with one mutation. */
export function mutantsOf(tree: Expression): Mutant[] {
  return mutate(tree, false);
}

function mutate(node: Expression, isExponent: boolean): Mutant[] {
  const here = mutations(node, isExponent).map((expression) => ({
    expression,
    change: `${shorten(printExpression(node))} becomes ${shorten(printExpression(expression))}`,
  }));
  const children = childrenOf(node);
  const below = children.flatMap((child, i) =>
    mutate(child, node.kind === 'binary' && node.operator === '^' && i === 1).map(({ expression, change }) => ({
      expression: withChildren(
        node,
        children.map((other, j) => (i === j ? expression : other)),
      ),
      change,
    })),
  );
  return [...here, ...below];
}

function mutations(node: Expression, isExponent: boolean): Expression[] {
  switch (node.kind) {
    case 'number':
      return numberMutations(node, isExponent);
    case 'unary':
      return [node.operand];
    case 'binary':
      return operatorMutations(node);
    case 'choice':
      return [node.yes, node.no];
    case 'call':
      return callMutations(node);
    default:
      return [];
  }
}

/** Whole numbers below this are increased by one, other numbers by a tenth. */
const SMALL = 100;

function numberMutations(node: NumberLiteral, isExponent: boolean): Expression[] {
  const { value } = node;
  const isSmall = Number.isInteger(value) && value < SMALL;
  const wrong = isSmall ? [value + 1] : [value * 1.1];
  if (isExponent && isSmall && value > 1) wrong.push(value - 1);
  return wrong.map((other) => ({ ...node, value: other }));
}

const SWAPPED: ReadonlyMap<BinaryOperator, BinaryOperator> = new Map<BinaryOperator, BinaryOperator>([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['^', '*'],
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
  ['==', '!='],
  ['!=', '=='],
  ['and', 'or'],
  ['or', 'and'],
]);

const ARITHMETIC = new Set<BinaryOperator>(['+', '-', '*', '/', 'and', 'or']);

function operatorMutations(node: Binary): Expression[] {
  const operator = SWAPPED.get(node.operator);
  const swapped = operator === undefined ? [] : [{ ...node, operator }];
  if (ARITHMETIC.has(node.operator)) return [...swapped, node.left, node.right];
  return node.operator === '^' ? [...swapped, node.left] : swapped;
}

/** The function that replaces each function. For any other function the mutant drops the call. */
export const FUNCTION_MUTATIONS: Readonly<Record<string, string>> = {
  sin: 'cos',
  cos: 'sin',
  tan: 'sin',
  asin: 'acos',
  acos: 'asin',
  atan: 'tanh',
  sinh: 'cosh',
  cosh: 'sinh',
  tanh: 'sinh',
  asinh: 'sinh',
  acosh: 'cosh',
  atanh: 'tanh',
  exp: 'expm1',
  expm1: 'exp',
  log: 'log10',
  log10: 'log',
  log2: 'log',
  log1p: 'log',
  sqrt: 'cbrt',
  cbrt: 'sqrt',
  floor: 'ceil',
  ceil: 'floor',
  round: 'ceil',
  min: 'max',
  max: 'min',
  erf: 'erfc',
  erfc: 'erf',
  normcdf: 'normpdf',
  normpdf: 'normcdf',
  norminv: 'normcdf',
  gamma: 'factorial',
  factorial: 'gamma',
  besselj: 'besseli',
  besseli: 'besselj',
  besselk: 'besseli',
  ellipk: 'ellipe',
  ellipe: 'ellipk',
  sinc: 'cos',
  langevin: 'tanh',
};

const SYMMETRIC = new Set(['min', 'max', 'hypot']);

function callMutations(node: Call): Expression[] {
  const { name, operands } = node;
  const wrong: Expression[] = [];
  const other = FUNCTION_MUTATIONS[name];
  if (other !== undefined) wrong.push({ ...node, name: other });
  const [first, second] = operands;
  if (operands.length === 1 && first !== undefined) wrong.push(first);
  if (operands.length === 2 && first !== undefined && second !== undefined) {
    if (!SYMMETRIC.has(name)) wrong.push({ ...node, operands: [second, first] });
    else wrong.push(first, second);
  }
  if (operands.length > 2) {
    wrong.push(...operands.map((_, i) => ({ ...node, operands: operands.filter((_operand, j) => j !== i) })));
  }
  return wrong;
}

const SHOWN = 40;
const shorten = (text: string) => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 3)}...`);
