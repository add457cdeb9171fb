// Warns about guards that are legal but hardly meant: never true, never false, or true together with another one.
//
// A guard becomes a list of branches, one of which must hold; each is a range for every name that it compares with a
// constant. Other conditions leave the ranges open, so that a warning is a proof and silence is none.

import { canonicalJson } from '../core/canonical-json.ts';
import type { ErrorDetail } from '../core/errors.ts';
import { CONDITION_SYNTAX, parseExpression } from '../expressions/parse.ts';
import type { Binary, BinaryOperator, Expression } from '../expressions/tree.ts';
import type { CompiledContract, CompiledTransition } from './compiled.ts';
import type { Scalar, Scalars } from './definition.ts';
import { DATA_SYNTAX } from './typed-expressions.ts';

/** The values that a name may have. */
interface Range {
  readonly low: number;
  readonly isLowOpen: boolean;
  readonly high: number;
  readonly isHighOpen: boolean;
  readonly equal: Scalar | undefined;
  readonly not: readonly Scalar[];
}

interface Branch {
  readonly ranges: ReadonlyMap<string, Range>;
  /** False if it has a condition that the ranges do not state. */
  readonly isExact: boolean;
}

type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

const ANY: Range = {
  low: Number.NEGATIVE_INFINITY,
  isLowOpen: false,
  high: Number.POSITIVE_INFINITY,
  isHighOpen: false,
  equal: undefined,
  not: [],
};
const NEGATED: Readonly<Record<Comparison, Comparison>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
};
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
};
const TRUE: readonly Branch[] = [{ ranges: new Map(), isExact: true }];
const FALSE: readonly Branch[] = [];
const UNKNOWN: readonly Branch[] = [{ ranges: new Map(), isExact: false }];
const MAX_BRANCHES = 32;

/** What is known of the guard of a transition without running it; undefined if it has none. */
function guardOf({ definition, parameters }: CompiledContract, { condition, pre }: CompiledTransition) {
  if (condition === undefined) return undefined;
  const tree = parseExpression(condition.text, definition.edition === 2 ? DATA_SYNTAX : CONDITION_SYNTAX);
  // Actions before the guard may set what it reads.
  const constants = pre.length === 0 ? parameters : {};
  return { tree, constants, branches: branchesOf(tree, constants, false) };
}

/** Whether a guard is constant, as far as that can be proved; undefined if it is not. */
export function constantGuard(contract: CompiledContract, transition: CompiledTransition): boolean | undefined {
  const guard = guardOf(contract, transition);
  if (guard === undefined) return true;
  if (guard.branches.length === 0) return false;
  return branchesOf(guard.tree, guard.constants, true).length === 0 ? true : undefined;
}

/** Whether a guard is sure to hold for some values of the other names, if these names have these values. */
export function canHoldWith(
  contract: CompiledContract,
  transition: CompiledTransition,
  values: Readonly<Record<string, Scalar>>,
): boolean {
  const guard = guardOf(contract, transition);
  const given: Branch = {
    ranges: new Map(Object.entries(values).map(([name, value]) => [name, rangeOf('==', value)])),
    isExact: true,
  };
  return guard?.branches.some((branch) => branch.isExact && both(branch, given) !== undefined) ?? true;
}

/** Whether a guard can hold for all that is known, if these names have these values. False is a proof. */
export function mayHoldWith(
  contract: CompiledContract,
  transition: CompiledTransition,
  values: Readonly<Record<string, Scalar>>,
): boolean {
  const given: Branch = {
    ranges: new Map(Object.entries(values).map(([name, value]) => [name, rangeOf('==', value)])),
    isExact: true,
  };
  return guardOf(contract, transition)?.branches.some((branch) => both(branch, given) !== undefined) ?? true;
}

/** The warnings about the guards of a contract, in the order in which its transitions are tried. */
export function guardWarnings(contract: CompiledContract): ErrorDetail[] {
  const { definition, transitions } = contract;
  const guards = transitions.flatMap((transition) => {
    const { order } = transition;
    const guard = guardOf(contract, transition);
    if (guard === undefined) return [];
    const { tree, constants, branches } = guard;
    const trigger = definition.transitions[order]?.trigger;
    const isComparable = trigger !== undefined && ('event' in trigger || trigger.kind === 'windows');
    const event = isComparable ? canonicalJson(trigger) : undefined;
    return [{ transition, branches, isNeverFalse: branchesOf(tree, constants, true).length === 0, event }];
  });
  const warnings: ErrorDetail[] = [];
  for (const [i, guard] of guards.entries()) {
    const { transition, branches, isNeverFalse } = guard;
    const warn = (code: string, text: string) => {
      const path = `transitions.${transition.id}.fires_when`;
      warnings.push({ path, code, message: `${path} ${text}.` });
    };
    const text = transition.condition?.text;
    if (branches.length === 0) {
      warn('NEVER_TRUE', `is ${text}, which is never true; the transition never fires`);
      continue;
    }
    if (isNeverFalse) warn('ALWAYS_TRUE', `is ${text}, which is always true`);
    const other = guards.slice(0, i).find((earlier) => canOverlap(earlier, guard));
    if (other !== undefined) {
      const { id } = other.transition;
      const fix = 'give them different priorities, or let the guards exclude each other';
      warn(
        'OVERLAP',
        `can be true together with that of ${id}, which is tried first because it is written first; ${fix}`,
      );
    }
  }
  return warnings;
}

interface Guard {
  readonly transition: CompiledTransition;
  readonly branches: readonly Branch[];
  /** The trigger of a transition on an event, as text. */
  readonly event: string | undefined;
}

/** Whether both can be true for one event in one state, and only the order in the definition decides. */
function canOverlap(a: Guard, b: Guard): boolean {
  const [first, second] = [a.transition, b.transition];
  const isOrdered = first.priority !== second.priority || first.pre.length + second.pre.length > 0;
  if (isOrdered || a.event === undefined || a.event !== b.event) return false;
  if (first.by !== undefined && second.by !== undefined && [...first.by].every((party) => !second.by?.has(party)))
    return false;
  if (![...first.from].some((state) => second.from.has(state))) return false;
  return a.branches.some((left) =>
    b.branches.some((right) => left.isExact && right.isExact && both(left, right) !== undefined),
  );
}

/** The branches of a condition, or of its negation; empty if it can never be true. */
function branchesOf(node: Expression, constants: Scalars, isNegated: boolean): readonly Branch[] {
  const value = constantOf(node, constants);
  if (typeof value === 'boolean') return value === isNegated ? FALSE : TRUE;
  if (node.kind === 'symbol') return one(node.name, { ...ANY, equal: !isNegated });
  if (node.kind === 'unary' && node.operator === 'not') return branchesOf(node.operand, constants, !isNegated);
  if (node.kind !== 'binary') return UNKNOWN;
  if (node.operator !== 'and' && node.operator !== 'or') return comparisonBranches(node, constants, isNegated);
  const [left, right] = [node.left, node.right].map((operand) => branchesOf(operand, constants, isNegated));
  if (left === undefined || right === undefined) return UNKNOWN;
  if ((node.operator === 'or') !== isNegated) return limited([...left, ...right]);
  return limited(left.flatMap((a) => right.flatMap((b) => both(a, b) ?? [])));
}

const limited = (branches: readonly Branch[]) => (branches.length > MAX_BRANCHES ? UNKNOWN : branches);

function comparisonBranches(node: Binary, constants: Scalars, isNegated: boolean): readonly Branch[] {
  const { operator, left, right } = node;
  if (!isComparison(operator)) return UNKNOWN;
  const [a, b] = [constantOf(left, constants), constantOf(right, constants)];
  const direct = isNegated ? NEGATED[operator] : operator;
  if (a !== undefined && b !== undefined)
    return isEmpty(intersection(rangeOf('==', a), rangeOf(direct, b))) ? FALSE : TRUE;
  if (left.kind === 'symbol' && b !== undefined) return one(left.name, rangeOf(direct, b));
  if (right.kind === 'symbol' && a !== undefined) return one(right.name, rangeOf(MIRRORED[direct], a));
  return UNKNOWN;
}

const isComparison = (operator: BinaryOperator): operator is Comparison => Object.hasOwn(NEGATED, operator);

const one = (name: string, range: Range): readonly Branch[] => [{ ranges: new Map([[name, range]]), isExact: true }];

function rangeOf(operator: Comparison, value: Scalar): Range {
  if (operator === '==') return { ...ANY, equal: value };
  if (operator === '!=') return typeof value === 'boolean' ? { ...ANY, equal: !value } : { ...ANY, not: [value] };
  const bound = Number(value);
  return operator === '<' || operator === '<='
    ? { ...ANY, high: bound, isHighOpen: operator === '<' }
    : { ...ANY, low: bound, isLowOpen: operator === '>' };
}

/** A branch that holds if both do; undefined if none can. */
function both(a: Branch, b: Branch): Branch | undefined {
  const ranges = new Map(a.ranges);
  for (const [name, range] of b.ranges) {
    const shared = intersection(ranges.get(name) ?? ANY, range);
    if (shared === undefined || isEmpty(shared)) return undefined;
    ranges.set(name, shared);
  }
  return { ranges, isExact: a.isExact && b.isExact };
}

/** Undefined if they ask for two different values. */
function intersection(a: Range, b: Range): Range | undefined {
  if (a.equal !== undefined && b.equal !== undefined && a.equal !== b.equal) return undefined;
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  return {
    low,
    isLowOpen: (a.low === low && a.isLowOpen) || (b.low === low && b.isLowOpen),
    high,
    isHighOpen: (a.high === high && a.isHighOpen) || (b.high === high && b.isHighOpen),
    equal: a.equal ?? b.equal,
    not: [...a.not, ...b.not],
  };
}

function isEmpty(range: Range | undefined): boolean {
  if (range === undefined) return true;
  const { low, isLowOpen, high, isHighOpen, equal, not } = range;
  if (low > high || (low === high && (isLowOpen || isHighOpen || not.includes(low)))) return true;
  if (equal === undefined) return false;
  const isOutside =
    typeof equal === 'number' &&
    (equal < low || equal > high || (equal === low && isLowOpen) || (equal === high && isHighOpen));
  return isOutside || not.includes(equal);
}

/** The value of an expression of numbers, texts, truths and parameters; undefined for any other. */
function constantOf(node: Expression, constants: Scalars): Scalar | undefined {
  switch (node.kind) {
    case 'number':
    case 'text':
    case 'truth':
      return node.value;
    case 'symbol':
      return Object.hasOwn(constants, node.name) ? constants[node.name] : undefined;
    case 'unary': {
      const value = constantOf(node.operand, constants);
      return node.operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    case 'binary':
      return arithmetic(node.operator, constantOf(node.left, constants), constantOf(node.right, constants));
    default:
      return undefined;
  }
}

function arithmetic(operator: BinaryOperator, a: Scalar | undefined, b: Scalar | undefined): number | undefined {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' ? a / b : undefined;
}
