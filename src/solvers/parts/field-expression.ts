// Expressions in places, evaluated here with the functions of core, for data that a kernel takes as arrays.

import { cos, exp, log, sin } from '../../core/elementary.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from './errors.ts';

/** A number at a place. */
export type FieldFunction = (x: number, y: number) => number;

const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sin,
  cos,
  exp,
  log,
  ln: log,
  sqrt: Math.sqrt,
  abs: Math.abs,
};

/**
 * Arithmetic, whole powers, comparisons with a choice, pi, and sin, cos, exp, log, sqrt, abs of x and y.
 *
 * @param path   the input field, for errors
 * @param names    of the place
 * @param numbers  of further symbols
 * @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED
 */
export function fieldFunction(
  text: string,
  path: string,
  [first, second]: readonly [string, string] = ['x', 'y'],
  numbers: Readonly<Record<string, number>> = {},
): FieldFunction {
  const tree = parseExpression(text);
  const refuse = (what: string) =>
    validationError(
      path,
      `${path}: ${what} in ${JSON.stringify(text)}; allowed are ${[...new Set([first, second])].join(', ')}, pi, sin, cos, exp, log, sqrt, abs.`,
    );
  for (const name of symbolsOf(tree))
    if (name !== first && name !== second && !Object.hasOwn(numbers, name)) throw refuse(`the symbol ${name}`);
  const compile = (node: Expression): FieldFunction => {
    const whole = compileNode(node);
    if (node.kind === 'number' || symbolsOf(node).size > 0) return whole;
    // What holds no symbol is computed once.
    const value = whole(0, 0);
    return () => value;
  };
  const compileNode = (node: Expression): FieldFunction => {
    switch (node.kind) {
      case 'number':
        return () => node.value;
      case 'constant':
        if (node.name !== 'pi') throw refuse(`the constant ${node.name}`);
        return () => Math.PI;
      case 'symbol':
        if (node.name === first) return (x) => x;
        if (node.name === second) return (_, y) => y;
        return () => numbers[node.name] ?? Number.NaN;
      case 'unary': {
        const operand = compile(node.operand);
        if (node.operator !== '-') throw refuse(node.operator);
        return (x, y) => -operand(x, y);
      }
      case 'binary':
        if (node.operator === '^' && node.right.kind === 'number' && node.right.value === 2)
          return square(compile(node.left));
        return binary(node.operator, compile(node.left), compile(node.right), refuse);
      case 'choice': {
        const [condition, yes, no] = [compile(node.condition), compile(node.yes), compile(node.no)];
        return (x, y) => (condition(x, y) !== 0 ? yes(x, y) : no(x, y));
      }
      case 'call': {
        const apply = Object.hasOwn(FUNCTIONS, node.name) ? FUNCTIONS[node.name] : undefined;
        const [operand, ...more] = node.operands.map(compile);
        if (!apply || !operand || more.length > 0) throw refuse(`the function ${node.name}`);
        return (x, y) => apply(operand(x, y));
      }
      default:
        throw refuse(node.kind);
    }
  };
  return compile(tree);
}

/** The bits of `power` with 2. */
const square =
  (operand: FieldFunction): FieldFunction =>
  (x, y) => {
    const value = operand(x, y);
    return value * value;
  };

function binary(
  operator: string,
  left: FieldFunction,
  right: FieldFunction,
  refuse: (what: string) => Error,
): FieldFunction {
  switch (operator) {
    case '+':
      return (x, y) => left(x, y) + right(x, y);
    case '-':
      return (x, y) => left(x, y) - right(x, y);
    case '*':
      return (x, y) => left(x, y) * right(x, y);
    case '/':
      return (x, y) => left(x, y) / right(x, y);
    case '^':
      return (x, y) => power(left(x, y), right(x, y));
    case '<':
      return (x, y) => Number(left(x, y) < right(x, y));
    case '<=':
      return (x, y) => Number(left(x, y) <= right(x, y));
    case '>':
      return (x, y) => Number(left(x, y) > right(x, y));
    case '>=':
      return (x, y) => Number(left(x, y) >= right(x, y));
    default:
      throw refuse(operator);
  }
}

/** Whole powers by multiplication, others of positive numbers by exp and log. */
function power(x: number, n: number): number {
  if (!Number.isInteger(n) || Math.abs(n) > 64) return exp(n * log(x));
  let result = 1;
  for (let square = x, left = Math.abs(n); left > 0; left = Math.floor(left / 2), square *= square)
    if (left % 2 === 1) result *= square;
  return n < 0 ? 1 / result : result;
}

/** As `fieldFunction`, of x and y, but refuses places without a finite value. */
export function finiteField(text: string, path: string): FieldFunction {
  const own = fieldFunction(text, path);
  return (x, y) => {
    const value = own(x, y);
    if (Number.isFinite(value)) return value;
    throw validationError(
      path,
      `${path} is ${value} about x = ${x}, y = ${y}; a finite number is expected everywhere.`,
      'OUT_OF_RANGE',
    );
  };
}
