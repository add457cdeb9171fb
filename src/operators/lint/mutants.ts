// Mutants: copies of an expression with one small mistake each, of the kind that people make when they write a law down.
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
import { withChildren } from './subject.ts';

export interface Mutant {
  readonly expression: Expression;
  /** `n^2 becomes n^3`, only the part that changed. */
  readonly change: string;
}

/** Every expression with one mistake in it. */
export function mutantsOf(tree: Expression): Mutant[] {
  return mutate(tree, false);
}

function mutate(node: Expression, isExponent: boolean): Mutant[] {
  const here = mistakes(node, isExponent).map((expression) => ({
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

function mistakes(node: Expression, isExponent: boolean): Expression[] {
  switch (node.kind) {
    case 'number':
      return wrongNumbers(node, isExponent);
    case 'unary':
      return [node.operand];
    case 'binary':
      return wrongOperations(node);
    case 'choice':
      return [node.yes, node.no];
    case 'call':
      return wrongCalls(node);
    default:
      return [];
  }
}

/** Below this a whole number is mistaken for its neighbour, above it for something a tenth larger. */
const SMALL = 100;

function wrongNumbers(node: NumberLiteral, isExponent: boolean): Expression[] {
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

function wrongOperations(node: Binary): Expression[] {
  const operator = SWAPPED.get(node.operator);
  const swapped = operator === undefined ? [] : [{ ...node, operator }];
  if (ARITHMETIC.has(node.operator)) return [...swapped, node.left, node.right];
  return node.operator === '^' ? [...swapped, node.left] : swapped;
}

/** What a function is taken for. A function that is not here is only left out. */
export const MISTAKEN: Readonly<Record<string, string>> = {
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

function wrongCalls(node: Call): Expression[] {
  const { name, operands } = node;
  const wrong: Expression[] = [];
  const other = MISTAKEN[name];
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
