// The second evaluation of an expression, as a witness of the machine's value: from the syntax tree, in double-double
// arithmetic with about 30 digits, and with other algorithms for special functions than the kernel's.
//
// Symbols are exact doubles, as for the machine, unless the caller has errors of them. Numbers are the decimals that the
// text states, and pi is π: their rounding is an error of the machine. A number that is compared is the double, as the
// machine compares. Each part has a bound of the machine's rounding error (bounded-value.ts). Where that bound is too large
// to decide a comparison or a step, the branch is ambiguous: this evaluation decides by its own digits and reports it.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { printExpression } from '../print.ts';
import type { Binary, Call, Choice, Expression, Sum } from '../tree.ts';
import {
  type BoundedValue,
  exactValue,
  negatedValue,
  orderOf,
  SUM_MARGIN,
  snapped,
  sumOf,
  uncertainValue,
} from './bounded-value.ts';
import type { DoubleDouble } from './double-double.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE } from './functions.ts';
import {
  ambiguousChoice,
  BINARY_OPERATIONS,
  COMPARISONS,
  FUNCTION_OPERATIONS,
  foldedCall,
  isAmbiguousStep,
  logicOf,
  stepsOfBinary,
  stepsOfFunction,
  type Truth,
  truthOf,
  truthValue,
  UNKNOWN,
  valueOfLiteral,
} from './operations.ts';

export type Values = ReadonlyMap<string, number>;

/** A result and the named intermediate values that it uses; each may use earlier ones. */
export interface Formula {
  readonly expression: Expression;
  readonly where: readonly { readonly name: string; readonly expression: Expression }[];
}

/** The value of a part. */
export interface Outcome {
  readonly value: number;
  /** Bound of the distance to the machine's value of the same part. */
  readonly errorBound: number;
}

/** Called for every evaluated node, after its children. */
export type Visit = (node: Expression, outcome: Outcome, parts: readonly Outcome[]) => void;

export interface PreciseValue {
  /** Rounded to a double; NaN if the step budget was exceeded. */
  readonly value: number;
  /** The remainder of that rounding. */
  readonly low: number;
  /** Bound of the distance to the machine's value; ∞ if unknown. */
  readonly bound: number;
  /** The largest magnitude among the summands of the value. */
  readonly scale: number;
  /** Whether every intermediate value is finite: a quotient by an infinity is 0 and meaningless. */
  readonly hasFiniteParts: boolean;
  /** Description of the method, for the receipt. */
  readonly method: string;
}

/** Steps that the evaluations of one request may still take together. */
export class StepBudget {
  readonly #limit: number;
  #left: number;

  constructor(steps: number = LIMITS.expression.preciseTotal) {
    this.#limit = steps;
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws DomainError BUDGET_EXCEEDED if all evaluations so far took more than the budget */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    const message = `Limit of ${this.#limit} steps in double-double arithmetic exceeded by all equations together; give fewer or shorter sums.`;
    throw new DomainError('BUDGET_EXCEEDED', message);
  }
}

/**
 * @param values  of every symbol
 * @param errors  of the symbols that are not exact; the bound is then the distance to the value of exact decimals too
 * @throws DomainError BUDGET_EXCEEDED beyond the shared budget, if one is given
 */
export function evaluatePrecisely(
  { expression, where }: Formula,
  values: Values,
  visit: Visit | undefined = undefined,
  budget: StepBudget | undefined = undefined,
  errors: Values | undefined = undefined,
): PreciseValue {
  const evaluation = new Evaluation(values, visit, errors);
  for (const { name, expression: one } of where) evaluation.define(name, one);
  const value = evaluation.finish(expression);
  budget?.spend(evaluation.steps);
  return value;
}

const PLAIN_METHOD = 'syntax tree in double-double arithmetic';

class Evaluation {
  readonly #values: Values;
  readonly #visit: Visit | undefined;
  readonly #errors: Values | undefined;
  /** Intermediate values, and indices of enclosing sums. */
  readonly #locals = new Map<string, BoundedValue>();
  readonly #specialFunctions = new Set<string>();
  #ambiguous: Expression | undefined;
  #hasFiniteParts = true;
  #steps = 0;

  constructor(values: Values, visit: Visit | undefined, errors: Values | undefined) {
    this.#values = values;
    this.#visit = visit;
    this.#errors = errors;
  }

  define(name: string, expression: Expression): void {
    this.#locals.set(name, this.#evaluate(expression));
  }

  get steps(): number {
    return this.#steps;
  }

  finish(expression: Expression): PreciseValue {
    const { value, errorBound, scale } = this.#evaluate(expression);
    if (this.#isOverBudget) {
      const method = `none: in double-double arithmetic it needs more than ${LIMITS.expression.precise} steps`;
      return {
        value: Number.NaN,
        low: 0,
        bound: Number.POSITIVE_INFINITY,
        scale: Number.NaN,
        hasFiniteParts: true,
        method,
      };
    }
    const { high, low } = value;
    return {
      value: high,
      low,
      bound: errorBound * SUM_MARGIN,
      scale,
      hasFiniteParts: this.#hasFiniteParts,
      method: this.#method(),
    };
  }

  #method(): string {
    if (this.#specialFunctions.size === 0 && this.#ambiguous === undefined) return PLAIN_METHOD;
    const special = [...this.#specialFunctions].sort().join(', ');
    const parts = [PLAIN_METHOD];
    if (special !== '') parts.push(`${special} by another algorithm`);
    if (this.#ambiguous) parts.push(`ambiguous branch: ${printExpression(this.#ambiguous)} is decided by rounding`);
    return parts.join('; ');
  }

  get #isOverBudget(): boolean {
    return this.#steps > LIMITS.expression.precise;
  }

  #evaluate(node: Expression): BoundedValue {
    this.#steps++;
    if (this.#isOverBudget) return UNKNOWN;
    switch (node.kind) {
      case 'number':
      case 'truth':
      case 'constant':
      case 'text':
        return valueOfLiteral(node);
      case 'symbol':
        return this.#locals.get(node.name) ?? this.#symbol(node.name);
      case 'unary': {
        const operand = this.#evaluate(node.operand);
        const { isTrue, isAmbiguous } = node.operator === 'not' ? this.#truthOf(operand, node) : FALSE_TRUTH;
        const value = node.operator === '-' ? negatedValue(operand) : truthValue(!isTrue, isAmbiguous);
        return this.#visited(node, value, [operand]);
      }
      case 'binary':
        return node.operator === 'and' || node.operator === 'or' ? this.#logic(node) : this.#binary(node);
      case 'choice':
        return this.#choice(node);
      case 'call':
        return this.#call(node);
      case 'sum':
        return this.#visited(node, this.#sum(node), []);
    }
  }

  #symbol(name: string): BoundedValue {
    return uncertainValue(this.#values.get(name) ?? Number.NaN, this.#errors?.get(name) ?? 0);
  }

  #visited(node: Expression, part: BoundedValue, parts: readonly BoundedValue[]): BoundedValue {
    if (!Number.isFinite(part.value.high)) this.#hasFiniteParts = false;
    this.#visit?.(node, outcomeOf(part), parts.map(outcomeOf));
    return part;
  }

  #binary(node: Binary): BoundedValue {
    const { operator, left, right } = node;
    if (COMPARISONS.has(operator)) return this.#comparison(node);
    const [a, b] = [this.#evaluate(left), this.#evaluate(right)];
    this.#steps += stepsOfBinary(operator);
    return this.#visited(node, BINARY_OPERATIONS.get(operator)?.(a, b) ?? UNKNOWN, [a, b]);
  }

  #comparison(node: Binary): BoundedValue {
    const { operator, left, right } = node;
    const [a, b] = [this.#evaluateCompared(left), this.#evaluateCompared(right)];
    const { order, isAmbiguous } = orderOf(a, b);
    this.#recordAmbiguity(node, isAmbiguous);
    return this.#visited(node, truthValue(COMPARISONS.get(operator)?.(order) === true, isAmbiguous), [a, b]);
  }

  /** `x <= 0.1` holds for the x that is the double nearest to 0.1. */
  #evaluateCompared(node: Expression): BoundedValue {
    if (node.kind === 'number') return exactValue(node.value);
    const isNegated = node.kind === 'unary' && node.operator === '-' && node.operand.kind === 'number';
    return isNegated ? negatedValue(this.#evaluateCompared(node.operand)) : this.#evaluate(node);
  }

  /**
   * Short-circuit: `a and b` evaluates b if a is true, `a or b` if it is false. An ambiguous a makes the result
   * ambiguous.
   */
  #logic(node: Binary): BoundedValue {
    const isAnd = node.operator === 'and';
    const left = this.#evaluate(node.left);
    const first = this.#truthOf(left, node);
    if (first.isTrue !== isAnd && !first.isAmbiguous) return truthValue(!isAnd, false);
    const right = first.isTrue === isAnd ? this.#evaluate(node.right) : this.#evaluateUntaken(node.right);
    const second = this.#truthOf(right, node);
    const { isTrue, isAmbiguous } = logicOf(isAnd, first, second);
    return this.#visited(node, truthValue(isTrue, isAmbiguous), [left, right]);
  }

  /** If the branch is ambiguous, the machine may have the value of either. */
  #choice(node: Choice): BoundedValue {
    const { isTrue, isAmbiguous } = this.#truthOf(this.#evaluate(node.condition), node.condition);
    const [taken, untaken] = isTrue ? [node.yes, node.no] : [node.no, node.yes];
    const part = this.#evaluate(taken);
    return isAmbiguous ? ambiguousChoice(part, this.#evaluateUntaken(untaken)) : part;
  }

  /** Evaluates a branch that is not taken, which does not count for `hasFiniteParts`. */
  #evaluateUntaken(node: Expression): BoundedValue {
    const before = this.#hasFiniteParts;
    const part = this.#evaluate(node);
    this.#hasFiniteParts = before;
    return part;
  }

  #truthOf(part: BoundedValue, node: Expression): Truth {
    const truth = truthOf(part);
    this.#recordAmbiguity(node, truth.isAmbiguous);
    return truth;
  }

  #recordAmbiguity(node: Expression, isAmbiguous: boolean): void {
    if (isAmbiguous) this.#ambiguous ??= node;
  }

  #call(node: Call): BoundedValue {
    const { name, operands } = node;
    const parts = operands.map((operand) => this.#evaluate(operand));
    const apply = (a: BoundedValue, b: BoundedValue) => this.#function(node, a, b);
    return this.#visited(node, foldedCall(name, parts, { constant: exactValue, apply }), parts);
  }

  #function(node: Call, a: BoundedValue, b: BoundedValue): BoundedValue {
    const { name } = node;
    if (isAmbiguousStep(name, a)) this.#recordAmbiguity(node, true);
    if (FUNCTIONS_IN_DOUBLE_DOUBLE.get(name)?.isSpecial) this.#specialFunctions.add(name);
    this.#steps += stepsOfFunction(name);
    return this.#isOverBudget ? UNKNOWN : (FUNCTION_OPERATIONS.get(name)?.(a, b) ?? UNKNOWN);
  }

  #sum({ index, from, to, term }: Sum): BoundedValue {
    const [first, last] = [snapped(this.#evaluate(from)), snapped(this.#evaluate(to))];
    // The machine refuses other bounds and longer sums.
    const isAllowed = isWhole(first) && isWhole(last) && last.high - first.high < LIMITS.expression.sumTerms;
    if (!isAllowed) return UNKNOWN;
    const shadowed = this.#locals.get(index);
    let total = exactValue(0);
    for (let k = first.high; k <= last.high && !this.#isOverBudget; k++) {
      this.#locals.set(index, exactValue(k));
      total = sumOf(total, this.#evaluate(term));
    }
    if (shadowed) this.#locals.set(index, shadowed);
    else this.#locals.delete(index);
    return total;
  }
}

const FALSE_TRUTH: Truth = { isTrue: false, isAmbiguous: false };
const outcomeOf = ({ value, errorBound }: BoundedValue): Outcome => ({ value: value.high, errorBound });
const isWhole = ({ high, low }: DoubleDouble) => low === 0 && Math.floor(high) === high && Number.isFinite(high);
