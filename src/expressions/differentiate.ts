// The derivative of an expression by a symbol, as an expression: for programs that need it as byte code of the machine.
//
// What does not depend on the symbol is a constant; sums of zeros and products with ones are left out. The derivative of abs is
// the sign, of min and max that of the smaller or larger argument. Griewank & Walther, Evaluating Derivatives (2nd
// ed.), §3.1. compiled/derivative.ts has the same rules on the graph of a compiled module.

import type { BinaryOperator, Call, Expression } from './tree.ts';
import { symbolsOf } from './tree.ts';

/** Thrown for what has no rule, or no derivative everywhere: comparisons, choices, steps, sums, special functions. */
export class NoDerivativeRule extends Error {
  /** The name of the function, or the operator. */
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

/** @returns undefined for 0 @throws NoDerivativeRule */
export function differentiate(node: Expression, symbol: string): Expression | undefined {
  assertSmooth(node);
  if (!symbolsOf(node).has(symbol)) return undefined;
  switch (node.kind) {
    case 'symbol':
      return number(1);
    case 'unary':
      return negative(differentiate(node.operand, symbol));
    case 'binary': {
      const { operator, left, right } = node;
      return binary(operator, left, right, differentiate(left, symbol), differentiate(right, symbol));
    }
    case 'call':
      return call(node, symbol);
    default:
      throw new NoDerivativeRule(node.kind);
  }
}

const STEPS = new Set(['floor', 'ceil', 'round', 'sign']);
const SMOOTH = new Set<BinaryOperator>(['+', '-', '*', '/', '^']);

/** Jumps have no derivative, wherever they stand. @throws NoDerivativeRule */
function assertSmooth(node: Expression): void {
  if (node.kind === 'binary' && !SMOOTH.has(node.operator)) throw new NoDerivativeRule(node.operator);
  if (node.kind === 'unary' && node.operator !== '-') throw new NoDerivativeRule(node.operator);
  if (node.kind === 'choice') throw new NoDerivativeRule('? :');
  if (node.kind === 'sum' || node.kind === 'truth' || node.kind === 'text') throw new NoDerivativeRule(node.kind);
  if (node.kind === 'call' && STEPS.has(node.name)) throw new NoDerivativeRule(node.name);
}

const number = (value: number): Expression => ({ kind: 'number', value, start: 0, end: 0 });
const apply = (name: string, ...operands: readonly Expression[]): Expression => ({
  kind: 'call',
  name,
  operands,
  start: 0,
  end: 0,
});
const join = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
  start: 0,
  end: 0,
});
const isNumber = (node: Expression, value: number) => node.kind === 'number' && node.value === value;
const times = (left: Expression, right: Expression): Expression =>
  isNumber(left, 1) ? right : isNumber(right, 1) ? left : join('*', left, right);
const over = (left: Expression, right: Expression): Expression => join('/', left, right);
const square = (node: Expression): Expression => join('^', node, number(2));

function negative(node: Expression | undefined): Expression | undefined {
  return node && { kind: 'unary', operator: '-', operand: node, start: 0, end: 0 };
}

function plus(left: Expression | undefined, right: Expression | undefined): Expression | undefined {
  return left && right ? join('+', left, right) : (left ?? right);
}

function binary(
  operator: BinaryOperator,
  u: Expression,
  v: Expression,
  du: Expression | undefined,
  dv: Expression | undefined,
): Expression | undefined {
  switch (operator) {
    case '+':
      return plus(du, dv);
    case '-':
      return du && dv ? join('-', du, dv) : (du ?? negative(dv));
    case '*':
      return plus(du && times(du, v), dv && times(u, dv));
    case '/':
      return plus(du && over(du, v), dv && negative(over(times(u, dv), square(v))));
    case '^':
      return plus(du && times(powerSlope(u, v), du), dv && times(times(join('^', u, v), apply('log', u)), dv));
    default:
      throw new NoDerivativeRule(operator);
  }
}

/** v u^(v − 1) */
function powerSlope(u: Expression, v: Expression): Expression {
  if (v.kind !== 'number') return times(v, join('^', u, join('-', v, number(1))));
  if (v.value === 1) return number(1);
  return times(number(v.value), v.value === 2 ? u : join('^', u, number(v.value - 1)));
}

function call(node: Call, symbol: string): Expression | undefined {
  const [u, v, ...more] = node.operands;
  if (u === undefined) throw new NoDerivativeRule(node.name);
  const du = differentiate(u, symbol);
  if (v === undefined) return du && times(slopeOf(node.name, u, node), du);
  if (more.length > 0) throw new NoDerivativeRule(`${node.name} of ${node.operands.length}`);
  const dv = differentiate(v, symbol);
  switch (node.name) {
    case 'hypot':
      return plus(du && times(over(u, node), du), dv && times(over(v, node), dv));
    case 'atan2': {
      // The angle of the point (v, u).
      const length = join('+', square(u), square(v));
      return plus(du && times(over(v, length), du), dv && negative(times(over(u, length), dv)));
    }
    case 'min':
    case 'max': {
      const isFirst = join(node.name === 'min' ? '<=' : '>=', u, v);
      return { kind: 'choice', condition: isFirst, yes: du ?? number(0), no: dv ?? number(0), start: 0, end: 0 };
    }
    default:
      throw new NoDerivativeRule(node.name);
  }
}

/** f'(u) of a function of one argument; `value` is f(u). */
function slopeOf(name: string, u: Expression, value: Expression): Expression {
  const one = number(1);
  switch (name) {
    case 'sqrt':
      return over(number(0.5), value);
    case 'cbrt':
      return over(one, times(number(3), square(value)));
    case 'abs':
      return apply('sign', u);
    case 'exp':
      return value;
    case 'expm1':
      return apply('exp', u);
    case 'log':
      return over(one, u);
    case 'log1p':
      return over(one, join('+', one, u));
    case 'log10':
      return over(number(Math.LOG10E), u);
    case 'log2':
      return over(number(Math.LOG2E), u);
    case 'sin':
      return apply('cos', u);
    case 'cos':
      return { kind: 'unary', operator: '-', operand: apply('sin', u), start: 0, end: 0 };
    case 'tan':
      return join('+', one, square(value));
    case 'asin':
      return over(one, apply('sqrt', join('-', one, square(u))));
    case 'acos':
      return over(number(-1), apply('sqrt', join('-', one, square(u))));
    case 'atan':
      return over(one, join('+', one, square(u)));
    case 'sinh':
      return apply('cosh', u);
    case 'cosh':
      return apply('sinh', u);
    case 'tanh':
      return join('-', one, square(value));
    case 'asinh':
      return over(one, apply('sqrt', join('+', square(u), one)));
    case 'acosh':
      return over(one, apply('sqrt', join('-', square(u), one)));
    case 'atanh':
      return over(one, join('-', one, square(u)));
    case 'erf':
      return times(number(2 / Math.sqrt(Math.PI)), apply('exp', gaussianExponent(u)));
    case 'erfc':
      return times(number(-2 / Math.sqrt(Math.PI)), apply('exp', gaussianExponent(u)));
    default:
      throw new NoDerivativeRule(name);
  }
}

const gaussianExponent = (u: Expression): Expression => ({
  kind: 'unary',
  operator: '-',
  operand: square(u),
  start: 0,
  end: 0,
});
