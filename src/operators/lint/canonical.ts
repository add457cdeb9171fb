// Canonical form: one tree for all spellings of one expression.
//
// Quotients are powers, sums and products are flat with like terms collected and constants folded, sqrt and cbrt are
// powers, a > b is b < a. Other identities (1/(1/a + 1/b), expanded products, laws of logarithms) are left to the
// numeric comparison (numeric-identity.ts). Like terms are found by the names of their symbols, so the form is built
// before colouring.ts removes the names.

import { CONSTANTS } from '../../expressions/functions.ts';
import type { Binary, Expression } from '../../expressions/tree.ts';
import { add, apply, type Canonical, multiply, number, power, scale, symbol, symbolicPower } from './normal-form.ts';

/**
 * @param expression  without intermediate names
 * @param numbers     symbols that stand for a pure number
 */
export function canonical(expression: Expression, numbers: ReadonlyMap<string, number> = new Map()): Canonical {
  return build(expression, { numbers, indices: [] });
}

interface Scope {
  readonly numbers: ReadonlyMap<string, number>;
  /** Of the enclosing sums, outermost first. */
  readonly indices: readonly string[];
}

function build(node: Expression, scope: Scope): Canonical {
  const of = (child: Expression) => build(child, scope);
  switch (node.kind) {
    case 'number':
      return number(node.value);
    case 'truth':
      return number(node.value ? 1 : 0);
    case 'constant':
      return number(CONSTANTS.get(node.name) ?? Number.NaN);
    case 'text':
      return symbol(`"${node.value}"`);
    case 'symbol': {
      const depth = scope.indices.lastIndexOf(node.name);
      const value = scope.numbers.get(node.name);
      if (depth >= 0) return apply('index', [number(depth)]);
      return value === undefined ? symbol(node.name) : number(value);
    }
    case 'unary':
      return node.operator === '-' ? scale(of(node.operand), -1) : apply('not', [of(node.operand)]);
    case 'binary':
      return binary(node, of(node.left), of(node.right));
    case 'choice':
      return choice(of(node.condition), of(node.yes), of(node.no));
    case 'call':
      return call(node.name, node.operands.map(of));
    case 'sum': {
      const inside = build(node.term, { ...scope, indices: [...scope.indices, node.index] });
      return apply('sum', [of(node.from), of(node.to), inside]);
    }
  }
}

function binary({ operator }: Binary, left: Canonical, right: Canonical): Canonical {
  switch (operator) {
    case '+':
      return add([left, right]);
    case '-':
      return add([left, scale(right, -1)]);
    case '*':
      return multiply([left, right]);
    case '/':
      return multiply([left, power(right, -1)]);
    case '^':
      return right.kind === 'number' ? power(left, right.value) : symbolicPower('^', [left], right);
    case '>':
      return apply('<', [right, left]);
    case '>=':
      return apply('<=', [right, left]);
    case '<':
    case '<=':
      return apply(operator, [left, right]);
    default:
      return apply(operator, flatten(operator, [left, right]), true);
  }
}

const NEGATED: ReadonlyMap<string, string> = new Map([
  ['<=', '<'],
  ['!=', '=='],
]);

/** `a <= b ? x : y` is `b < a ? y : x`. */
function choice(condition: Canonical, yes: Canonical, no: Canonical): Canonical {
  if (condition.kind === 'apply') {
    const opposite = NEGATED.get(condition.name);
    const [first, second] = condition.operands;
    if (condition.name === 'not' && first !== undefined) return choice(first, no, yes);
    if (opposite !== undefined && first !== undefined && second !== undefined) {
      const operands = opposite === '<' ? [second, first] : [first, second];
      return apply('choice', [apply(opposite, operands, opposite === '=='), no, yes]);
    }
  }
  return apply('choice', [condition, yes, no]);
}

function call(name: string, operands: readonly Canonical[]): Canonical {
  const [first] = operands;
  if (first === undefined) return apply(name, operands);
  if (name === 'sqrt') return power(first, 0.5);
  if (name === 'cbrt') return power(first, 1 / 3);
  if (name === 'exp') return symbolicPower('exp', [], first);
  if (name === 'min' || name === 'max' || name === 'hypot') return apply(name, flatten(name, operands), true);
  return apply(name, operands);
}

const flatten = (name: string, operands: readonly Canonical[]) =>
  operands.flatMap((operand) => (operand.kind === 'apply' && operand.name === name ? operand.operands : [operand]));
