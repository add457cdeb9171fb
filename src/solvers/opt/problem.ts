// The problem of a request: the model, its start, bounds and penalties; rejects fields that do not fit together.

import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import type { Method } from './face.ts';
import { FUNCTIONS, type FunctionName } from './functions.ts';
import type { OptInput } from './inputs.ts';
import { isSumOfSquares, type Model, namesOf } from './model.ts';
import { type FitData, join, linesOf, ownModelOf, parseField, rowFor } from './own.ts';
import { type Programs, programsOf } from './programs.ts';
import type { TestFunction } from './test-function.ts';

export interface Problem {
  readonly title: string;
  readonly model: Model;
  readonly programs: Programs;
  readonly isSquares: boolean;
  readonly x0: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly isBounded: boolean;
  readonly method: Method;
  /** Of another family: what runs a second time. */
  readonly witness: Method;
  /** The smallest value that is known of this function without bounds and penalties. */
  readonly known: number | undefined;
  readonly fit: FitData | undefined;
  /** Rows from here on are penalties. */
  readonly penaltiesFrom: number;
}

/** Largest numbers of variables of methods, by what they store and compute. */
const MAX_N: Readonly<Record<Method, number>> = {
  gd: 1_000,
  cg: 1_000,
  bfgs: 1_000,
  lbfgs: 1_000,
  'nelder-mead': 100,
  newton: 1_000,
  lm: 200,
};
/** Of a squared violation, unless another is given. */
const PENALTY = 1e4;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: OptInput): Problem {
  const own = ownModelOf(input);
  const named = own === undefined ? namedOf(input) : undefined;
  const base = own?.model ?? named?.model;
  if (base === undefined) throw new Error('A problem without a model.');
  if (own !== undefined && input.n !== undefined && input.n !== base.names.length)
    throw validationError('n', `n is ${input.n}; the variables are ${base.names.join(', ')}.`, 'COUNTS_DIFFER');
  if (own === undefined && input.variables !== undefined)
    throw validationError('variables', 'variables names those of an expression; a test function has x1, x2, …');
  const n = base.names.length;
  const model = { ...base, rows: [...base.rows, ...penaltiesOf(input, base.names)] };
  const { lower, upper, isBounded } = boundsOf(input, n);
  const x0 = startOf(input, named?.start ?? base.names.map(() => 1), { lower, upper });
  const isSquares = isSumOfSquares(model);
  const { method } = input;
  if (n > MAX_N[method])
    throw validationError(
      'n',
      `n is ${n}; ${method} takes at most ${MAX_N[method]} variables, lbfgs ${MAX_N.lbfgs}.`,
      'TOO_LARGE',
      { max: MAX_N[method] },
    );
  if (method === 'lm' && !isSquares)
    throw validationError('method', 'lm needs a sum of squares; give residuals or data, or choose another method.');
  if (input.step !== undefined && method !== 'gd')
    throw validationError('step', `step is of gd only; method is ${method}.`);
  const isPlain = !isBounded && input.constraints === undefined;
  return {
    title: named?.name ?? (own?.fit === undefined ? 'own function' : 'fit'),
    model,
    programs: programsOf(model),
    isSquares,
    x0,
    lower,
    upper,
    isBounded,
    method,
    witness: witnessOf(method, isSquares, n),
    known: isPlain ? named?.minimum : undefined,
    fit: own?.fit,
    penaltiesFrom: base.rows.length,
  };
}

/** Second-order methods judge the others, and one another. */
function witnessOf(method: Method, isSquares: boolean, n: number): Method {
  if (method === 'newton') return isSquares && n <= MAX_N.lm ? 'lm' : 'bfgs';
  if (method !== 'lm' && isSquares && n <= MAX_N.lm) return 'lm';
  if (n <= MAX_N.newton) return 'newton';
  return method === 'lbfgs' ? 'cg' : 'lbfgs';
}

function namedOf({ function: name = 'rosenbrock', n }: OptInput) {
  const known: TestFunction = FUNCTIONS[name];
  const { min, max, multiple = 1, default: standard } = known.n;
  const count = n ?? standard;
  if (count < min || count > max || count % multiple !== 0) {
    const allowed = min === max ? `${min}` : `${min} to ${max}${multiple > 1 ? `, a multiple of ${multiple}` : ''}`;
    throw validationError('n', `n is ${count}; ${name} has ${allowed} variables.`, 'OUT_OF_RANGE', { min, max });
  }
  return {
    name: name satisfies FunctionName,
    model: { names: namesOf(count), rows: known.rows(count) },
    start: known.start(count),
    minimum: known.minimum?.(count),
  };
}

function boundsOf({ bounds }: OptInput, n: number) {
  if (bounds === undefined) {
    const none = (side: number) => Array.from({ length: n }, () => side * Number.MAX_VALUE);
    return { lower: none(-1), upper: none(1), isBounded: false };
  }
  if (bounds.length !== 1 && bounds.length !== n)
    throw validationError('bounds', `bounds has ${bounds.length} pairs; expected 1 or ${n}.`, 'COUNTS_DIFFER');
  for (const [j, [low = 0, high = 0]] of bounds.entries())
    if (!(low < high))
      throw validationError(
        `bounds.${j}`,
        `bounds.${j} is ${low} to ${high}; expected the lower one first.`,
        'CROSSED',
      );
  const side = (k: number) => Array.from({ length: n }, (_, j) => bounds[bounds.length === 1 ? 0 : j]?.[k] ?? 0);
  return { lower: side(0), upper: side(1), isBounded: true };
}

function startOf(
  { x0 }: OptInput,
  standard: readonly number[],
  { lower, upper }: Pick<Problem, 'lower' | 'upper'>,
): readonly number[] {
  if (x0 !== undefined && x0.length !== standard.length)
    throw validationError('x0', `x0 has ${x0.length} numbers; expected ${standard.length}.`, 'COUNTS_DIFFER');
  return (x0 ?? standard).map((at, j) => {
    const [low = 0, high = 0] = [lower[j], upper[j]];
    if (at >= low && at <= high) return at;
    if (x0 === undefined) return Math.max(low, Math.min(high, at));
    throw validationError(`x0.${j}`, `x0.${j} is ${at}; bounds.${j} allows ${low} to ${high}.`, 'OUT_OF_RANGE');
  });
}

/** Rows √weight · violation: squares of equations, and of positive parts of the others. */
function penaltiesOf({ constraints, penalty = PENALTY }: OptInput, names: readonly string[]): Model['rows'] {
  if (constraints === undefined) return [];
  const literal: Expression = { kind: 'number', value: penalty, start: 0, end: 0 };
  const root: Expression = { kind: 'call', name: 'sqrt', operands: [literal], start: 0, end: 0 };
  return linesOf('constraints', constraints).map(([line, text]) => {
    const tree = parseField('constraints', text.replace(/(?<![<>=!])=(?!=)/, '=='), line);
    const operator = tree.kind === 'binary' ? tree.operator : undefined;
    if (tree.kind !== 'binary' || !['<', '<=', '>', '>=', '=='].includes(operator ?? ''))
      throw validationError('constraints', `constraints, line ${line}: got ${text}; expected a condition as x <= 1.`);
    const isLess = operator === '<' || operator === '<=';
    const violation = isLess || operator === '==' ? join('-', tree.left, tree.right) : join('-', tree.right, tree.left);
    const unknown = symbolsIn(violation).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw validationError(
        'constraints',
        `constraints, line ${line}: ${unknown} is no variable; got ${names.join(', ')}.`,
      );
    return rowFor(operator === '==' ? 'squared' : 'positive', join('*', root, violation), names);
  });
}

const symbolsIn = (tree: Expression): readonly string[] => [...symbolsOf(tree)];
