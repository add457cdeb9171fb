// Hamiltonians of one's own, T(p) + V(q), as byte code with their slopes.

import { DomainError } from '../../core/errors.ts';
import { assemble } from '../../expressions/bytecode.ts';
import { differentiate, NoDerivativeRule } from '../../expressions/differentiate.ts';
import { operationCount } from '../../expressions/operation-count.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { type Expression, renamed, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import type { ActionInput } from './inputs.ts';

export interface Programs {
  /** i32[2 + 2 degrees, 2]: where T, V and their slopes begin in code and pool. */
  readonly programs: Int32Array;
  readonly code: Int32Array;
  readonly pool: Float64Array;
  /** Of one evaluation of all slopes. */
  readonly operations: number;
}

export interface Hamiltonian extends Programs {
  readonly degrees: number;
}

const CONSTANTS = ['mu', 'omega', 'lambda'] as const;
const MAX_DEGREES = 3;
const MAX_OPERATIONS = 5_000;
const ZERO: Expression = { kind: 'number', value: 0, start: 0, end: 0 };

type Field = 'potential' | 'kinetic';

/** @param degrees  at least as many as the start has @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function hamiltonianOf(input: ActionInput, given: number): Hamiltonian {
  const potential = parsed('potential', input.potential ?? '0');
  const own = input.kinetic === undefined ? undefined : parsed('kinetic', input.kinetic);
  const degrees = Math.max(given, degreesOf(potential, 'q'), own === undefined ? 1 : degreesOf(own, 'p'));
  const names = (letter: 'q' | 'p') => Array.from({ length: degrees }, (_, i) => `${letter}${i + 1}`);
  const [places, momenta] = [names('q'), names('p')];
  const kinetic = own ?? parseExpression(momenta.map((name) => `${name}^2/2`).join(' + '));
  assertSymbols('potential', potential, 'q', places);
  assertSymbols('kinetic', kinetic, 'p', momenta);
  const slopes = [
    ...momenta.map((name) => slopeOf('kinetic', kinetic, name)),
    ...places.map((name) => slopeOf('potential', potential, name)),
  ];
  const operations = slopes.reduce((sum, slope) => sum + operationCount(slope), 0);
  if (operations > MAX_OPERATIONS) {
    const message = `The slopes take ${operations} operations; at most ${MAX_OPERATIONS} are allowed. Shorten potential or kinetic.`;
    throw validationError('potential', message, 'TOO_LONG', { max: MAX_OPERATIONS });
  }
  return { degrees, ...assembled([kinetic, potential, ...slopes], [...places, ...momenta], input), operations };
}

function parsed(field: Field, text: string): Expression {
  try {
    return renamed(parseExpression(text), FIRST);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const message = `${field}: ${error.message}`;
    throw new DomainError(error.code, message, { details: [{ path: field, code: error.code, message }] });
  }
}

/** q and p alone are q1 and p1. */
const FIRST: ReadonlyMap<string, string> = new Map([
  ['q', 'q1'],
  ['p', 'p1'],
]);

function degreesOf(tree: Expression, letter: 'q' | 'p'): number {
  let most = 1;
  for (const name of symbolsOf(tree)) {
    const match = /^([qp])([1-3])$/.exec(name);
    if (match?.[1] === letter) most = Math.max(most, Number(match[2]));
  }
  return Math.min(most, MAX_DEGREES);
}

function assertSymbols(field: Field, tree: Expression, letter: 'q' | 'p', own: readonly string[]): void {
  for (const name of symbolsOf(tree)) {
    if (own.includes(name) || CONSTANTS.includes(name as (typeof CONSTANTS)[number])) continue;
    const other = letter === 'q' ? 'p' : 'q';
    const why = name.startsWith(other) ? ' A symplectic map of this kind needs T(p) + V(q).' : '';
    const message = `${field} reads ${name}; expected ${letter}, or ${letter}1 to ${letter}3, and mu, omega, lambda.${why}`;
    throw validationError(field, message, 'SYMBOL_UNKNOWN');
  }
}

function slopeOf(field: Field, tree: Expression, name: string): Expression {
  try {
    return differentiate(tree, name) ?? ZERO;
  } catch (error) {
    if (!(error instanceof NoDerivativeRule)) throw error;
    throw validationError(field, `${field} has ${error.what}, which has no slope everywhere.`, 'NO_DERIVATIVE');
  }
}

function assembled(
  trees: readonly Expression[],
  slots: readonly string[],
  input: ActionInput,
): Omit<Programs, 'operations'> {
  const code: number[] = [];
  const pool: number[] = [];
  const programs: number[] = [];
  for (const tree of trees) {
    const used = symbolsOf(tree);
    const where = CONSTANTS.filter((name) => used.has(name)).map((name) => ({
      name,
      expression: { kind: 'number', value: input[name], start: 0, end: 0 } as const,
    }));
    const program = assemble(tree, slots, where);
    programs.push(code.length, pool.length);
    code.push(...program.code);
    pool.push(...program.pool);
  }
  return { programs: Int32Array.from(programs), code: Int32Array.from(code), pool: Float64Array.from(pool) };
}
