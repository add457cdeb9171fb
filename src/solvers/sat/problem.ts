// The problem of a request: its inputs, the formula and the assumptions.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { validationError } from '../parts/errors.ts';
import { choice, real, seed, whole } from '../parts/inputs.ts';
import { type Formula, parseAssumptions, parseDimacs } from './dimacs.ts';
import { GENERATORS, type GeneratorName } from './generators.ts';

const PROBLEMS = ['dimacs', 'random', 'pigeonhole', 'queens', 'mycielski', 'ramsey', 'waerden', 'parity'] as const;

export const inputs = z.strictObject({
  problem: z
    .enum(PROBLEMS)
    .optional()
    .describe('dimacs: the given text; else a family of formulas. By default dimacs if there is a text, else random')
    .meta({ unit: '1' }),
  dimacs: multiLine(LIMITS.body.bytes)
    .optional()
    .describe('A formula: "p cnf variables clauses", then clauses that end with 0')
    .meta({ unit: '1', rows: 7 }),
  n: whole('Size: variables, holes, queens, chromatic number, people or numbers; each family has a default', {
    min: 1,
    max: 5_000,
  }),
  k: whole('random: literals of a clause', { min: 1, max: 12, default: 3 }),
  ratio: real('random: clauses over variables', { unit: '1', min: 0.1, max: 100, default: 4.26 }),
  colours: whole('mycielski: colours; by default one too few', { min: 1, max: 12 }),
  seed: seed('Seed of random and parity'),
  method: choice('dpll: backtracking; cdcl: clause learning, for structured formulas', ['dpll', 'cdcl']),
  heuristic: choice('dpll: which literal is tried first', ['moms', 'jw', 'dlis', 'first']),
  assumptions: z
    .union([multiLine(20_000), z.int(), z.array(z.int()).max(1_000)])
    .optional()
    .describe('Literals that shall hold: 1 -3. cdcl names those that cannot, the core')
    .meta({ unit: '1' }),
  count_models: z.boolean().default(false).describe('dpll: counts all models').meta({ unit: '1' }),
  proof: z.boolean().default(false).describe('Returns the proof of a refutation').meta({ unit: '1' }),
  max_decisions: whole('Decisions after which the answer is unknown', { min: 1, max: 1e9, default: 1e6 }),
  time_limit: real('Time after which the answer is unknown, counted in steps of work, so the same on every machine', {
    unit: 's',
    min: 1e-3,
    max: 25,
    default: 10,
  }),
});

export type SatInput = z.output<typeof inputs>;

export interface Problem {
  readonly name: (typeof PROBLEMS)[number];
  readonly formula: Formula;
  readonly assumptions: Int32Array;
  /** Of a family; 0 for a text. */
  readonly n: number;
  readonly colours: number;
  readonly maxWork: number;
  /** Visits of clauses by the check of a refutation. */
  readonly maxCheckVisits: number;
}

/** Of the kernel: of the slowest formulas, large random ones, a second has as many visits of clauses as in revision 2. */
export const WORK_PER_SECOND = 3.5e9;
const CHECK_VISITS_PER_SECOND = 6e7;

/** @throws DomainError VALIDATION_FAILED: a malformed text, a size that the family does not have, two formulas */
export function problemOf(input: SatInput): Problem {
  const { dimacs, method, count_models, time_limit } = input;
  const name = input.problem ?? (dimacs === undefined ? 'random' : 'dimacs');
  if (count_models && method === 'cdcl')
    throw validationError('count_models', 'count_models is true; models are counted by method dpll, got cdcl.');
  const n = name === 'dimacs' ? 0 : sizeOf(name, input.n);
  const colours = input.colours ?? Math.max(1, n - 1);
  const formula = name === 'dimacs' ? parseDimacs(textOf(dimacs)) : familyOf(name, { ...input, n, colours });
  const assumptions = parseAssumptions(input.assumptions, formula.variables);
  const maxWork = Math.round(time_limit * WORK_PER_SECOND);
  const maxCheckVisits = Math.round(time_limit * CHECK_VISITS_PER_SECOND) + LIMITS.sat.proofWords;
  return { name, formula, assumptions, n, colours, maxWork, maxCheckVisits };
}

function textOf(dimacs: string | undefined): string {
  if (dimacs !== undefined) return dimacs;
  throw validationError('dimacs', 'dimacs is missing; the problem dimacs needs the text of a formula.', 'MISSING');
}

function sizeOf(name: GeneratorName, given: number | undefined): number {
  const { n, max, of } = GENERATORS[name];
  const min = name === 'mycielski' ? 2 : 1;
  const size = given ?? n;
  if (size >= min && size <= max) return size;
  const message = `n is ${size}; the problem ${name} allows ${min} to ${max} (${of}).`;
  throw validationError('n', message, 'OUT_OF_RANGE', { max });
}

function familyOf(name: GeneratorName, input: SatInput & { readonly n: number; readonly colours: number }): Formula {
  const { dimacs, k, n, ratio } = input;
  if (dimacs !== undefined)
    throw validationError('problem', `problem is ${name} and dimacs is given; expected one of them.`, 'TWO_FORMULAS');
  if (name === 'random' && k > n)
    throw validationError('k', `k is ${k}; a clause has at most n = ${n} different variables.`, 'OUT_OF_RANGE');
  const literals = name === 'random' ? Math.round(ratio * n) * k : 0;
  const { words } = LIMITS.sat;
  if (literals > words)
    throw validationError('ratio', `ratio is ${ratio}; the formula would have ${literals} literals, at most ${words}.`);
  return GENERATORS[name].formula(input);
}
