// An expression and its derivative by one symbol over an interval, by automatic differentiation in interval arithmetic.
// What it says is proved, rounding included: a derivative of one sign makes the expression monotone.

import { LIMITS } from '../../core/limits.ts';
import { FUNCTIONS } from '../functions.ts';
import type { Formula } from '../precise/evaluate.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE } from '../precise/functions.ts';
import type { Binary, BinaryOperator, Call, Choice, Expression, Sum } from '../tree.ts';
import { COMPARISONS, compare, type Truth } from './comparison.ts';
import { atWholeNumbers, expm1Ratio, INTERVAL_FUNCTIONS, orderedFunction, powerOver, wholePower } from './functions.ts';
import {
  add,
  contains,
  divide,
  EMPTY,
  hull,
  type Interval,
  intersection,
  isEmpty,
  isPoint,
  isZero,
  multiply,
  negative,
  ONE,
  outward,
  point,
  square,
  subtract,
  WHOLE,
  wholeIn,
  ZERO,
} from './interval.ts';
import { constant, extreme, NOTHING, type Part, productSlope, UNKNOWN } from './part.ts';
import { signOfExpm1Ratio } from './ratio.ts';

export interface Enclosure {
  readonly value: Interval;
  /** By the symbol; the whole line where nothing is known. */
  readonly slope: Interval;
  /** Defined and differentiable, or at least Lipschitz, everywhere in the interval. */
  readonly isRegular: boolean;
}

/** Of every symbol but the unknown one; exact doubles. */
type Values = ReadonlyMap<string, number>;

/**
 * @param over  range of `unknown`
 * @param steps  counts evaluated nodes
 */
export function enclose(
  { expression, where }: Formula,
  values: Values,
  unknown: string,
  over: Interval,
  steps?: { count: number },
): Enclosure {
  const evaluation = new Evaluation(values, unknown, over);
  for (const one of where) evaluation.define(one.name, one.expression);
  const { value, slope } = evaluation.evaluate(expression);
  if (steps !== undefined) steps.count += evaluation.steps;
  return { value, slope, isRegular: evaluation.isRegular && !isEmpty(value) };
}

/**
 * Whether a condition holds for every number of an interval (true), for none (false), or neither is proved (undefined).
 */
export function decide(
  condition: Expression,
  where: Formula['where'],
  values: Values,
  unknown: string,
  over: Interval,
): boolean | undefined {
  const evaluation = new Evaluation(values, unknown, over);
  for (const one of where) evaluation.define(one.name, one.expression);
  return evaluation.truthOf(condition);
}

class Evaluation {
  readonly #values: Values;
  readonly #unknown: string;
  readonly #over: Interval;
  readonly #locals = new Map<string, Part>();
  isRegular = true;
  steps = 0;

  constructor(values: Values, unknown: string, over: Interval) {
    this.#values = values;
    this.#unknown = unknown;
    this.#over = over;
  }

  define(name: string, expression: Expression): void {
    this.#locals.set(name, this.evaluate(expression));
  }

  evaluate(node: Expression): Part {
    this.steps++;
    switch (node.kind) {
      case 'number':
        return constant(node.remainder === undefined ? point(node.value) : outward(node.value, node.value));
      case 'constant':
        return constant(node.name === 'pi' ? outward(Math.PI, Math.PI) : WHOLE);
      case 'symbol':
        return this.#symbol(node.name);
      case 'unary':
        return node.operator === '-' ? this.#negated(node.operand) : this.#condition(node);
      case 'binary':
        return this.#binary(node);
      case 'choice':
        return this.#choice(node);
      case 'call':
        return this.#call(node);
      case 'sum':
        return this.#sum(node);
      default:
        return this.#condition(node);
    }
  }

  #symbol(name: string): Part {
    const local = this.#locals.get(name);
    if (local !== undefined) return local;
    if (name === this.#unknown) return { value: this.#over, slope: ONE };
    const value = this.#values.get(name);
    return value === undefined || Number.isNaN(value) ? UNKNOWN : constant(point(value));
  }

  #negated(operand: Expression): Part {
    const { value, slope } = this.evaluate(operand);
    return { value: isEmpty(value) ? EMPTY : negative(value), slope: negative(slope) };
  }

  #binary(node: Binary): Part {
    if (!ARITHMETIC.has(node.operator)) return this.#condition(node);
    const [a, b] = [this.evaluate(node.left), this.evaluate(node.right)];
    if (isEmpty(a.value) || isEmpty(b.value)) return NOTHING;
    switch (node.operator) {
      case '+':
        return { value: add(a.value, b.value), slope: add(a.slope, b.slope) };
      case '-':
        return { value: subtract(a.value, b.value), slope: subtract(a.slope, b.slope) };
      case '*':
        return { value: multiply(a.value, b.value), slope: productSlope(a, b) };
      case '/':
        return this.#ratio(node, b.value) ?? this.#quotient(a, b);
      default:
        return this.#power(a, b);
    }
  }

  /** Around x = 0, where the quotient of two intervals would say nothing. */
  #ratio(node: Binary, divisor: Interval): Part | undefined {
    const sign = contains(divisor, 0) ? signOfExpm1Ratio(node) : undefined;
    if (sign === undefined) return undefined;
    this.isRegular = false;
    return { value: expm1Ratio(sign < 0 ? negative(divisor) : divisor), slope: WHOLE };
  }

  #quotient(a: Part, b: Part): Part {
    if (contains(b.value, 0)) this.isRegular = false;
    const value = divide(a.value, b.value);
    // (a' − (a/b)·b')/b
    return { value, slope: divide(subtract(a.slope, multiply(value, b.slope)), b.value) };
  }

  #power(a: Part, b: Part): Part {
    const n = b.value.lo;
    if (isPoint(b.value) && Number.isInteger(n) && isZero(b.slope)) {
      if (n < 0 && contains(a.value, 0)) this.isRegular = false;
      const slope = n === 0 ? ZERO : multiply(multiply(point(n), wholePower(a.value, n - 1)), a.slope);
      return { value: wholePower(a.value, n), slope: isZero(a.slope) ? ZERO : slope };
    }
    // Other powers have a value for positive bases alone; at base 0 the slope may be infinite.
    const base = intersection(a.value, { lo: 0, hi: Number.POSITIVE_INFINITY });
    if (a.value.lo < 0 || (a.value.lo === 0 && b.value.lo < 0)) this.isRegular = false;
    if (isEmpty(base)) return NOTHING;
    const value = powerOver(base, b.value);
    if (isZero(a.slope) && isZero(b.slope)) return { value, slope: ZERO };
    const byBase = isZero(a.slope)
      ? ZERO
      : multiply(multiply(b.value, powerOver(base, subtract(b.value, ONE))), a.slope);
    const logarithm = INTERVAL_FUNCTIONS.get('log')?.apply(base) ?? WHOLE;
    const byExponent = isZero(b.slope) ? ZERO : multiply(multiply(value, logarithm), b.slope);
    return { value, slope: add(byBase, byExponent) };
  }

  #choice(node: Choice): Part {
    const truth = this.truthOf(node.condition);
    if (truth !== undefined) return this.evaluate(truth ? node.yes : node.no);
    const [yes, no] = [this.evaluate(node.yes), this.evaluate(node.no)];
    // It may jump where the condition changes.
    this.isRegular = false;
    return { value: hull(yes.value, no.value), slope: WHOLE };
  }

  /** 1 and 0 where the condition is decided. */
  #condition(node: Expression): Part {
    const truth = this.truthOf(node);
    if (truth !== undefined) return constant(point(truth ? 1 : 0));
    this.isRegular = false;
    return { value: { lo: 0, hi: 1 }, slope: WHOLE };
  }

  truthOf(node: Expression): Truth {
    if (node.kind === 'truth') return node.value;
    if (node.kind === 'unary' && node.operator === 'not') {
      const truth = this.truthOf(node.operand);
      return truth === undefined ? undefined : !truth;
    }
    if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
      const [left, right] = [this.truthOf(node.left), this.truthOf(node.right)];
      const decisive = node.operator === 'or';
      if (left === decisive || right === decisive) return decisive;
      return left === undefined || right === undefined ? undefined : !decisive;
    }
    if (node.kind === 'binary' && COMPARISONS.has(node.operator)) {
      const [a, b] = [this.#compared(node.left), this.#compared(node.right)];
      return isEmpty(a) || isEmpty(b) ? undefined : compare(node.operator, a, b);
    }
    return undefined;
  }

  /** A literal that is compared is the double, as in the machine. */
  #compared(node: Expression): Interval {
    return node.kind === 'number' ? point(node.value) : this.evaluate(node).value;
  }

  #call(node: Call): Part {
    const { name, operands } = node;
    const parts = operands.map((operand) => this.evaluate(operand));
    if (parts.some(({ value }) => isEmpty(value))) return NOTHING;
    const defaultFirst = FUNCTIONS.get(name)?.defaultFirst;
    const given = defaultFirst === undefined || parts.length > 1 ? parts : [constant(point(defaultFirst)), ...parts];
    const [first = UNKNOWN, ...rest] = given;
    if (rest.length === 0) return this.#unary(name, first);
    return rest.reduce((a, b) => this.#binaryFunction(name, a, b), first);
  }

  #unary(name: string, x: Part): Part {
    const known = INTERVAL_FUNCTIONS.get(name);
    this.steps += costOf(name);
    if (known !== undefined) return this.#applied(known, x);
    const value = isZero(x.slope) ? atWholeNumbers(name, x.value) : undefined;
    return value === undefined ? this.#opaque() : constant(value);
  }

  #applied({ domain, apply, derivative }: NonNullable<ReturnType<typeof orderedFunction>>, x: Part): Part {
    const inside = intersection(x.value, domain);
    if (isEmpty(inside)) return NOTHING;
    if (inside.lo !== x.value.lo || inside.hi !== x.value.hi) this.isRegular = false;
    const value = apply(inside);
    if (isZero(x.slope)) return { value, slope: ZERO };
    const slope = derivative(inside, value);
    if (isEmpty(slope)) return { value, slope: WHOLE };
    return { value, slope: multiply(slope, x.slope) };
  }

  #binaryFunction(name: string, a: Part, b: Part): Part {
    if (name === 'min' || name === 'max') return extreme(name === 'min' ? -1 : 1, a, b);
    if (name === 'hypot') {
      const value = INTERVAL_FUNCTIONS.get('sqrt')?.apply(add(square(a.value), square(b.value))) ?? WHOLE;
      const top = add(multiply(a.value, a.slope), multiply(b.value, b.slope));
      return { value, slope: isZero(top) ? ZERO : divide(top, value) };
    }
    const known = orderedFunction(name, a.value);
    this.steps += costOf(name);
    if (known !== undefined && isZero(a.slope)) return this.#applied(known, b);
    const isFixed = isZero(a.slope) && isZero(b.slope);
    const value = isFixed ? atWholeNumbers(name, a.value, b.value) : undefined;
    return value === undefined ? this.#opaque() : constant(value);
  }

  /** A function without an enclosure: nothing can be said. */
  #opaque(): Part {
    this.isRegular = false;
    return UNKNOWN;
  }

  #sum({ index, from, to, term }: Sum): Part {
    const [first, last] = [this.evaluate(from).value, this.evaluate(to).value].map(wholeIn);
    if (first === undefined || last === undefined || last - first >= LIMITS.expression.sumTerms) return this.#opaque();
    const shadowed = this.#locals.get(index);
    let total = constant(ZERO);
    for (let k = first; k <= last && this.steps < LIMITS.expression.precise; k++) {
      this.#locals.set(index, constant(point(k)));
      const part = this.evaluate(term);
      total = { value: add(total.value, part.value), slope: add(total.slope, part.slope) };
    }
    if (shadowed) this.#locals.set(index, shadowed);
    else this.#locals.delete(index);
    return this.steps < LIMITS.expression.precise ? total : this.#opaque();
  }
}

/** Of the values at both ends. */
const costOf = (name: string) => 2 * (FUNCTIONS_IN_DOUBLE_DOUBLE.get(name)?.steps ?? 1);

const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['+', '-', '*', '/', '^']);
