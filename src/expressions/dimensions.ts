// The dimension of an expression, derived from those of its symbols without evaluation.
//
// Numbers are pure; a literal 0 has any dimension, and so has a product with one. The sides of a sum, a difference or a
// comparison, the branches of a choice and the arguments of min or hypot have one dimension. The rules refuse exactly
// the expressions that depend on the choice of units; dimensions-rescaled.ts tests that independently.

import { DomainError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import {
  DIMENSIONLESS,
  type Dimension,
  divide,
  isDimensionless,
  multiply,
  power,
  printDimension,
  sameDimension,
} from '../core/units/dimension.ts';
import { add, fromDecimal, negate, product, quotient, type Rational, rational } from '../core/units/rational.ts';
import type { Definition } from './bytecode.ts';
import { expressionInvalid } from './invalid.ts';
import type { Binary, Call, Choice, Expression, Sum } from './tree.ts';

export type Dimensions = ReadonlyMap<string, Dimension>;

/**
 * @throws DomainError UNIT_MISMATCH; `facts` name the position (column from 1), the dimension found and the one
 *   expected. EXPRESSION_INVALID for an unknown symbol or a text literal
 */
export function dimensionOf(expression: Expression, symbols: Dimensions): Dimension {
  return quantityOf(expression, symbols) ?? DIMENSIONLESS;
}

/** `symbols` with the intermediate values of `where`; each may use earlier ones. @throws as dimensionOf */
export function withDefinitions(where: readonly Definition[], symbols: Dimensions): Dimensions {
  const known = new Map(symbols);
  for (const { name, expression } of where) known.set(name, dimensionOf(expression, known));
  return known;
}

/** Dimensions of the arguments and of the value of a function. */
type Rule =
  /** Dimensionless arguments and value. */
  | 'pure'
  /** Arguments and value of one dimension. */
  | 'alike'
  /** Arguments of one dimension, dimensionless value. */
  | 'ratio'
  | { readonly root: bigint };

/** A function that is missing here gets the rule `pure`; a test finds it. */
export const DIMENSION_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['sqrt', { root: 2n }],
  ['cbrt', { root: 3n }],
  ...named('alike', 'abs min max hypot'),
  ...named('ratio', 'sign atan2'),
  ...named('pure', 'floor ceil round exp expm1 log log1p log10 log2 sin cos tan asin acos atan sinh cosh tanh'),
  ...named('pure', 'asinh acosh atanh sinc langevin erf erfc normcdf normpdf norminv gamma lgamma factorial choose'),
  ...named('pure', 'besselj besseli besselk lambertw ellipk ellipe expint1 zeta'),
]);

function named(rule: Rule, names: string): [string, Rule][] {
  return names.split(' ').map((name) => [name, rule]);
}

/** Undefined for a literal 0 and products with it, which have any dimension. */
type Quantity = Dimension | undefined;

function quantityOf(node: Expression, symbols: Dimensions): Quantity {
  switch (node.kind) {
    case 'number':
      return node.value === 0 ? undefined : DIMENSIONLESS;
    case 'constant':
    case 'truth':
      return DIMENSIONLESS;
    case 'text':
      throw expressionInvalid(node.start, { found: 'a text literal', expected: 'a number' });
    case 'symbol':
      return symbols.get(node.name) ?? unknownSymbol(node.name, node.start, symbols);
    case 'unary': {
      const operand = quantityOf(node.operand, symbols);
      return node.operator === '-' ? operand : DIMENSIONLESS;
    }
    case 'binary':
      return binary(node, symbols);
    case 'choice':
      return choice(node, symbols);
    case 'call':
      return call(node, symbols);
    case 'sum':
      return sum(node, symbols);
  }
}

function binary(node: Binary, symbols: Dimensions): Quantity {
  const { operator, left, right } = node;
  if (operator === '^') return powerOf(node, symbols);
  const [first, second] = [quantityOf(left, symbols), quantityOf(right, symbols)];
  switch (operator) {
    case '*':
    case '/':
      if (first === undefined || second === undefined) return undefined;
      return withinLimits(right, () => (operator === '*' ? multiply(first, second) : divide(first, second)));
    case '+':
    case '-':
      return alike([first, second], [left, right], `the sides of ${operator}`);
    case 'and':
    case 'or':
      return DIMENSIONLESS; // whether a number is 0 does not depend on units
    default:
      alike([first, second], [left, right], `the sides of ${operator}`);
      return DIMENSIONLESS;
  }
}

function powerOf({ left, right }: Binary, symbols: Dimensions): Quantity {
  const base = quantityOf(left, symbols);
  pure(quantityOf(right, symbols), right, 'the exponent');
  if (base === undefined || isDimensionless(base)) return base;
  const exponent = literalValue(right);
  if (exponent !== undefined) return withinLimits(right, () => power(base, exponent));
  const found = printDimension(base);
  const expected = 'a number or a quotient of numbers';
  throw mismatch(right, `the base of the power is ${found}, so its exponent must be ${expected}`, found, '1');
}

/** Of numbers with signs and + - * / between them, exactly as their decimals are written. */
function literalValue(node: Expression): Rational | undefined {
  if (node.kind === 'number') return fromDecimal(String(node.value));
  if (node.kind === 'unary' && node.operator === '-') {
    const value = literalValue(node.operand);
    return value && negate(value);
  }
  if (node.kind !== 'binary') return undefined;
  const [left, right] = [literalValue(node.left), literalValue(node.right)];
  if (left === undefined || right === undefined) return undefined;
  switch (node.operator) {
    case '+':
      return add(left, right);
    case '-':
      return add(left, negate(right));
    case '*':
      return product(left, right);
    case '/':
      return right.numerator === 0n ? undefined : quotient(left, right);
    default:
      return undefined;
  }
}

function choice({ condition, yes, no }: Choice, symbols: Dimensions): Quantity {
  quantityOf(condition, symbols);
  return alike([quantityOf(yes, symbols), quantityOf(no, symbols)], [yes, no], 'the branches of ?:');
}

function call({ name, operands }: Call, symbols: Dimensions): Quantity {
  const rule = DIMENSION_RULES.get(name) ?? 'pure';
  const quantities = operands.map((operand) => quantityOf(operand, symbols));
  const [first] = quantities;
  const [operand] = operands;
  if (typeof rule === 'object') {
    if (first === undefined || operand === undefined) return first;
    return withinLimits(operand, () => power(first, rational(1n, rule.root)));
  }
  if (rule === 'pure') {
    for (const [i, one] of operands.entries()) pure(quantities[i], one, `an argument of ${name}`);
    return DIMENSIONLESS;
  }
  const common = alike(quantities, operands, `the arguments of ${name}`);
  return rule === 'alike' ? common : DIMENSIONLESS;
}

function sum({ index, from, to, term }: Sum, symbols: Dimensions): Quantity {
  pure(quantityOf(from, symbols), from, 'the first index of the sum');
  pure(quantityOf(to, symbols), to, 'the last index of the sum');
  return quantityOf(term, new Map(symbols).set(index, DIMENSIONLESS));
}

/** The common dimension. @throws at the first node with another dimension */
function alike(quantities: readonly Quantity[], nodes: readonly Expression[], title: string): Quantity {
  let common: Quantity;
  for (const [i, quantity] of quantities.entries()) {
    const node = nodes[i];
    common ??= quantity;
    if (node === undefined || common === undefined || quantity === undefined) continue;
    if (sameDimension(common, quantity)) continue;
    const [found, expected] = [printDimension(quantity), printDimension(common)];
    throw mismatch(node, `${title} are ${expected} and ${found}; one dimension is expected`, found, expected);
  }
  return common;
}

function pure(quantity: Quantity, node: Expression, title: string): void {
  if (quantity === undefined || isDimensionless(quantity)) return;
  const found = printDimension(quantity);
  throw mismatch(node, `${title} is ${found}; a pure number is expected`, found, '1');
}

/** Turns the overflow of an exponent into a mismatch at the node. */
function withinLimits(node: Expression, compute: () => Dimension): Dimension {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) throw mismatch(node, 'the exponent of a unit becomes too large', 'too large', '1');
    throw error;
  }
}

function unknownSymbol(name: string, offset: number, symbols: Dimensions): never {
  const [nearest] = nearestNames(name, symbols.keys(), 1);
  throw expressionInvalid(offset, { found: `the unknown symbol ${name}`, expected: 'a symbol with a unit', nearest });
}

function mismatch({ start }: Expression, reason: string, found: string, expected: string): DomainError {
  const position = start + 1;
  const message = `Column ${position}: ${reason}.`;
  return new DomainError('UNIT_MISMATCH', message, {
    details: [{ path: `column ${position}`, code: 'UNIT_MISMATCH', message }],
    facts: { position, found, expected },
  });
}
