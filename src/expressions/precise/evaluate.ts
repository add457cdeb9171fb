// An expression evaluated from its syntax tree in double-double arithmetic: no code, no machine, some 30 digits, and for
// special functions other algorithms than the kernel's. The second witness of what the machine computes.
//
// Symbols and numbers are the doubles that they are, as they are for the machine; pi is π. What the machine's roundings
// may do to each part is carried along (part.ts). Where that decides a comparison or a step, the branch is ambiguous: this
// evaluation takes the branch of its own digits, and says so.

import { LIMITS } from '../../core/limits.ts';
import { FUNCTIONS } from '../functions.ts';
import { printExpression } from '../print.ts';
import type { Binary, BinaryOperator, Call, Choice, Expression, Sum } from '../tree.ts';
import { PI } from './constants.ts';
import { type DoubleDouble, exactly, subtract } from './double-double.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE, STEP_FUNCTIONS } from './functions.ts';
import {
  appliedTo,
  exactPart,
  extremeOf,
  magnitudeOf,
  negativePart,
  orderOf,
  type Part,
  productOf,
  quotientOf,
  ROUNDED_UP,
  roundedPart,
  settled,
  steppedBy,
  sumOf,
} from './part.ts';

export type Values = ReadonlyMap<string, number>;

/** A result and the named intermediate values that it uses, each free to use those before it. */
export interface Formula {
  readonly expression: Expression;
  readonly where: readonly { readonly name: string; readonly expression: Expression }[];
}

/** What a part came out as. */
export interface Outcome {
  readonly value: number;
  /** How far the machine's value of the same part may lie from it. */
  readonly spread: number;
}

/** Told of every part that was evaluated, after its own parts. */
export type Visit = (node: Expression, outcome: Outcome, parts: readonly Outcome[]) => void;

export interface PreciseValue {
  /** Rounded to a double; NaN where the steps ran out. */
  readonly value: number;
  /** What the rounding left. */
  readonly low: number;
  /** How far a value may lie from it that is computed in doubles by the machine; ∞ where nothing is known. */
  readonly bound: number;
  /** The largest magnitude that the value was summed up from. */
  readonly scale: number;
  /** Whether every part that it was made of is finite: a quotient by an infinity is 0, and says nothing. */
  readonly isWhole: boolean;
  /** In words, for the receipt. */
  readonly method: string;
}

/** @param values  of every symbol */
export function evaluatePrecisely(
  { expression, where }: Formula,
  values: Values,
  visit: Visit | undefined = undefined,
): PreciseValue {
  const evaluation = new Evaluation(values, visit);
  for (const { name, expression: one } of where) evaluation.define(name, one);
  return evaluation.finish(expression);
}

const ARITHMETIC: ReadonlyMap<BinaryOperator, (a: Part, b: Part) => Part> = new Map([
  ['+', sumOf],
  ['-', (a: Part, b: Part) => sumOf(a, negativePart(b))],
  ['*', productOf],
  ['/', quotientOf],
]);

const COMPARISONS: ReadonlyMap<BinaryOperator, (order: number) => boolean> = new Map([
  ['<', (order: number) => order < 0],
  ['<=', (order: number) => order <= 0],
  ['>', (order: number) => order > 0],
  ['>=', (order: number) => order >= 0],
  ['==', (order: number) => order === 0],
  ['!=', (order: number) => order !== 0],
]);

const POWER = FUNCTIONS_IN_DOUBLE_DOUBLE.get('^');
const NOTHING: Part = { value: exactly(Number.NaN), spread: Number.POSITIVE_INFINITY, scale: Number.NaN };

/** A condition: what it is, and what else the machine may see. */
interface Truth {
  readonly is: boolean;
  readonly isAmbiguous: boolean;
}

class Evaluation {
  readonly #values: Values;
  readonly #visit: Visit | undefined;
  /** Intermediate values and open indices. */
  readonly #locals = new Map<string, Part>();
  readonly #special = new Set<string>();
  #ambiguous: Expression | undefined;
  #isWhole = true;
  #steps = 0;

  constructor(values: Values, visit: Visit | undefined) {
    this.#values = values;
    this.#visit = visit;
  }

  define(name: string, expression: Expression): void {
    this.#locals.set(name, this.#at(expression));
  }

  finish(expression: Expression): PreciseValue {
    const { value, spread, scale } = this.#at(expression);
    if (this.#isSpent) {
      const method = `none: in double-double arithmetic it needs more than ${LIMITS.expression.precise} steps`;
      return { value: Number.NaN, low: 0, bound: Number.POSITIVE_INFINITY, scale: Number.NaN, isWhole: true, method };
    }
    const { high, low } = value;
    return { value: high, low, bound: spread * ROUNDED_UP, scale, isWhole: this.#isWhole, method: this.#method() };
  }

  #method(): string {
    const special = [...this.#special].sort().join(', ');
    const parts = ['syntax tree in double-double arithmetic'];
    if (special !== '') parts.push(`${special} by another algorithm`);
    if (this.#ambiguous) parts.push(`ambiguous branch: ${printExpression(this.#ambiguous)} is decided by rounding`);
    return parts.join('; ');
  }

  get #isSpent(): boolean {
    return this.#steps > LIMITS.expression.precise;
  }

  #at(node: Expression): Part {
    this.#steps++;
    if (this.#isSpent) return NOTHING;
    switch (node.kind) {
      case 'number':
        return exactPart(node.value);
      case 'truth':
        return exactPart(node.value ? 1 : 0);
      case 'constant':
        return node.name === 'pi' ? roundedPart(PI) : NOTHING;
      case 'symbol':
        return this.#locals.get(node.name) ?? exactPart(this.#values.get(node.name) ?? Number.NaN);
      case 'text':
        return NOTHING;
      case 'unary': {
        const operand = this.#at(node.operand);
        const { is, isAmbiguous } = node.operator === 'not' ? this.#truthOf(operand, node) : NEVER;
        return this.#told(node, node.operator === '-' ? negativePart(operand) : truth(!is, isAmbiguous), [operand]);
      }
      case 'binary':
        return node.operator === 'and' || node.operator === 'or' ? this.#logic(node) : this.#binary(node);
      case 'choice':
        return this.#choice(node);
      case 'call':
        return this.#call(node);
      case 'sum':
        return this.#told(node, this.#sum(node), []);
    }
  }

  #told(node: Expression, part: Part, parts: readonly Part[]): Part {
    if (!Number.isFinite(part.value.high)) this.#isWhole = false;
    this.#visit?.(node, outcomeOf(part), parts.map(outcomeOf));
    return part;
  }

  #binary(node: Binary): Part {
    const { operator, left, right } = node;
    const [a, b] = [this.#at(left), this.#at(right)];
    const arithmetic = ARITHMETIC.get(operator);
    if (arithmetic) return this.#told(node, arithmetic(a, b), [a, b]);
    if (operator === '^') return this.#told(node, this.#power(a, b), [a, b]);
    const { order, isAmbiguous } = orderOf(a, b);
    this.#note(node, isAmbiguous);
    return this.#told(node, truth(COMPARISONS.get(operator)?.(order) === true, isAmbiguous), [a, b]);
  }

  #power(a: Part, b: Part): Part {
    if (POWER === undefined) return NOTHING;
    this.#steps += POWER.steps;
    // A negative base has a power only where the exponent is whole, which roundings may have hidden.
    return appliedTo(POWER, a, a.value.high < 0 ? settledPart(b) : b);
  }

  /** `a and b` looks at b where a is true, `a or b` where it is false; where that is ambiguous, anything is possible. */
  #logic(node: Binary): Part {
    const isAnd = node.operator === 'and';
    const left = this.#at(node.left);
    const first = this.#truthOf(left, node);
    if (first.is !== isAnd && !first.isAmbiguous) return truth(!isAnd, false);
    const right = first.is === isAnd ? this.#at(node.right) : this.#aside(node.right);
    const second = this.#truthOf(right, node);
    const is = first.is === isAnd ? second.is : !isAnd;
    const isAmbiguous = second.isAmbiguous || (first.isAmbiguous && second.is === isAnd);
    return this.#told(node, truth(is, isAmbiguous), [left, right]);
  }

  /** Where the branch is ambiguous the machine may have the value of either. */
  #choice(node: Choice): Part {
    const { is, isAmbiguous } = this.#truthOf(this.#at(node.condition), node.condition);
    const [taken, left] = is ? [node.yes, node.no] : [node.no, node.yes];
    const part = this.#at(taken);
    if (!isAmbiguous) return part;
    const other = this.#aside(left);
    const jump = Math.abs(subtract(part.value, other.value).high) + other.spread;
    return { ...part, spread: Number.isNaN(jump) ? Number.POSITIVE_INFINITY : Math.max(jump, part.spread) };
  }

  /** A part that the value is not made of. */
  #aside(node: Expression): Part {
    const before = this.#isWhole;
    const part = this.#at(node);
    this.#isWhole = before;
    return part;
  }

  /** 0 and NaN are false. */
  #truthOf(part: Part, node: Expression): Truth {
    const { order, isAmbiguous } = orderOf(part, FALSE);
    this.#note(node, isAmbiguous);
    return { is: order === 1 || order === -1, isAmbiguous };
  }

  #note(node: Expression, isAmbiguous: boolean): void {
    if (isAmbiguous) this.#ambiguous ??= node;
  }

  #call(node: Call): Part {
    const { name, operands } = node;
    const parts = operands.map((operand) => this.#at(operand));
    const implied = FUNCTIONS.get(name)?.implied;
    const given = implied === undefined || parts.length > 1 ? parts : [exactPart(implied), ...parts];
    const [first = NOTHING, ...rest] = given;
    if (rest.length === 0) return this.#told(node, this.#function(node, first, FALSE), parts);
    return this.#told(
      node,
      rest.reduce((a, b) => this.#function(node, a, b), first),
      parts,
    );
  }

  #function(node: Call, a: Part, b: Part): Part {
    const { name } = node;
    if (name === 'abs') return magnitudeOf(a);
    if (name === 'min' || name === 'max') return extremeOf(a, b, name === 'min' ? -1 : 1);
    const step = STEP_FUNCTIONS.get(name);
    if (step) {
      const { part, isAmbiguous } = steppedBy(step, a);
      this.#note(node, isAmbiguous);
      return part;
    }
    const known = FUNCTIONS_IN_DOUBLE_DOUBLE.get(name);
    if (known === undefined) return NOTHING;
    if (known.isSpecial) this.#special.add(name);
    this.#steps += known.steps;
    if (this.#isSpent) return NOTHING;
    const { wholeArguments = 0 } = known;
    return appliedTo(known, wholeArguments > 0 ? settledPart(a) : a, wholeArguments > 1 ? settledPart(b) : b);
  }

  #sum({ index, from, to, term }: Sum): Part {
    const [first, last] = [settled(this.#at(from)), settled(this.#at(to))];
    // The machine has refused bounds that are not whole, and longer sums.
    const isSound = isWhole(first) && isWhole(last) && last.high - first.high < LIMITS.expression.sumTerms;
    if (!isSound) return NOTHING;
    const hidden = this.#locals.get(index);
    let total = exactPart(0);
    for (let k = first.high; k <= last.high && !this.#isSpent; k++) {
      this.#locals.set(index, exactPart(k));
      total = sumOf(total, this.#at(term));
    }
    if (hidden) this.#locals.set(index, hidden);
    else this.#locals.delete(index);
    return total;
  }
}

const FALSE = exactPart(0);
const NEVER: Truth = { is: false, isAmbiguous: false };
const truth = (is: boolean, isAmbiguous: boolean): Part => ({ ...exactPart(is ? 1 : 0), spread: isAmbiguous ? 1 : 0 });
const outcomeOf = ({ value, spread }: Part): Outcome => ({ value: value.high, spread });
const settledPart = (part: Part): Part => ({ ...part, value: settled(part) });
const isWhole = ({ high, low }: DoubleDouble) => low === 0 && Math.floor(high) === high && Number.isFinite(high);
