import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import { type Formula, formulaOf, parseDimacs } from '../../src/solvers/sat/dimacs.ts';
import type { inputs } from '../../src/solvers/sat/problem.ts';
import { checkRefutation, clausesOf, countModels, falsifiedClauses } from '../../src/solvers/sat/reference.ts';
import { sat } from '../../src/solvers/sat/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

const METHODS = ['dpll', 'cdcl'] as const;
const HEURISTICS = ['moms', 'jw', 'dlis', 'first'] as const;

const triangle = 'c odd ring\np cnf 3 6\n1 2 0\n2 3 0\n1 3 0\n-1 -2 0\n-2 -3 0\n-1 -3 0\n';

describeSolver(sat, {
  cases: {
    defaults: {},
    'a text': { dimacs: triangle },
    'a pigeonhole': { problem: 'pigeonhole', n: 5 },
    'clause learning': { problem: 'random', n: 120, seed: 7, method: 'cdcl' },
    'clause learning, satisfiable': { problem: 'queens', n: 12, method: 'cdcl' },
    colours: { problem: 'mycielski', n: 4, colours: 4 },
    assumptions: { problem: 'ramsey', n: 5, method: 'cdcl', assumptions: [1, 2, 3, 4] },
    'a count': { problem: 'queens', n: 6, count_models: true },
  },
  conservation: true,
  golden: ['defaults', 'a text', 'a pigeonhole', 'clause learning', 'colours', 'assumptions', 'a count'],
  random: {
    of: fc.record({
      problem: fc.constant('random' as const),
      n: fc.integer({ min: 3, max: 60 }),
      ratio: fc.double({ min: 0.5, max: 8, noNaN: true }),
      seed: fc.integer({ min: 0, max: 1e9 }),
      method: fc.constantFrom(...METHODS),
      heuristic: fc.constantFrom(...HEURISTICS),
    }),
    count: 60,
  },
  refused: [
    { input: { problem: 'dimacs' }, field: 'dimacs', reason: 'MISSING' },
    { input: { problem: 'queens', dimacs: triangle }, field: 'problem', reason: 'TWO_FORMULAS' },
    { input: { problem: 'queens', n: 41 }, field: 'n', saysLimit: true },
    { input: { problem: 'random', n: 2, k: 3 }, field: 'k' },
    { input: { problem: 'random', n: 5_000, k: 12, ratio: 100 }, field: 'ratio' },
    { input: { count_models: true, method: 'cdcl' }, field: 'count_models' },
    { input: { dimacs: triangle, assumptions: [4] }, field: 'assumptions' },
    { input: { dimacs: triangle, assumptions: [0] }, field: 'assumptions' },
    { input: { dimacs: triangle, assumptions: '1 x' }, field: 'assumptions', message: '"x"' },
  ],
});

const quantityOf = ({ quantities }: Solution, name: string) => quantities.find((one) => one.name === name)?.value;
const fieldOf = ({ fields }: Solution, name: string) => fields.find((one) => one.name === name)?.data;

describe('malformed DIMACS names its line', () => {
  test.each([
    ['', 1, 'without a header'],
    ['1 2 0', 1, 'expected the header'],
    ['p cnf 2', 1, 'expected "p cnf variables clauses"'],
    ['p cnf -2 1\n1 0', 1, 'expected "p cnf variables clauses"'],
    ['p dnf 2 1\n1 0', 1, 'expected "p cnf variables clauses"'],
    ['p cnf 2 1\np cnf 2 1\n1 0', 2, 'a second header; the first is in line 1'],
    ['c\np cnf 2 1\n1 3 0', 3, 'got "3"'],
    ['p cnf 2 1\n1 -3 0', 2, 'got "-3"'],
    ['p cnf 2 1\n1 two 0', 2, 'got "two"'],
    ['p cnf 2 1\n1 2.0 0', 2, 'got "2.0"'],
    ['p cnf 2 1\n1 2', 2, 'does not end with 0'],
    ['p cnf 2 2\n1 2 0', 2, 'got 1 clauses; the header in line 1 announces 2'],
    ['p cnf 2 1\n1 0\n2 0', 3, 'got 2 clauses; the header in line 1 announces 1'],
    ['p cnf 999999 1\n1 0', 1, 'at most 200000'],
  ])('%j', (dimacs, line, message) => {
    const error = planError(sat, { dimacs });
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ path }) => path)).toEqual(['dimacs']);
    expect(error.message).toContain(`line ${line}: `);
    expect(error.message).toContain(message);
  });

  test('no text makes anything else than a formula or such a refusal', () => {
    const piece = fc.constantFrom('p cnf 3 2', 'p', '\n', '1', '-2', '0', ' ', 'c', '%', 'x', '-', '4', '\t', '\r\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join(' ');
        try {
          const { words, clauseCount } = parseDimacs(text);
          expect([...clausesOf(words)].length).toBe(clauseCount);
        } catch (error) {
          expect(String(error)).toContain('dimacs, line ');
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('clauses over lines, comments between them and the footer of SATLIB are read', () => {
  const { words, variables } = parseDimacs('c a\r\np  cnf 4 2\r\n1\r\nc b\r\n-2 0 3\r\n 4 0\r\n%\r\n0\r\n');
  expect([...words]).toEqual([1, -2, 0, 3, 4, 0]);
  expect(variables).toBe(4);
});

test('assumptions are a list, a text or one number', async () => {
  const cores = await Promise.all(
    [[-3, 1, 2], '-3 1 2', '-3,1\n2', -3].map(async (assumptions) => {
      const dimacs = 'p cnf 3 3\n1 2 0\n-1 3 0\n-2 3 0\n';
      return [...(fieldOf(await runSolver(sat, { dimacs, assumptions, method: 'cdcl' }), 'core') ?? [])];
    }),
  );
  expect(cores.map((core) => core.toSorted((a, b) => a - b)[0])).toEqual([-3, -3, -3, -3]);
});

test('repeated literals and tautologies are left out, with a note', async () => {
  const solution = await runSolver(sat, { dimacs: 'p cnf 2 3\n1 1 2 0\n1 -1 0\n-2 -2 0\n' });
  expect(quantityOf(solution, 'clauses')).toBe(2);
  expect(quantityOf(solution, 'literals')).toBe(3);
  expect(solution.notes.join('\n')).toContain('2 times, first in line 2');
  expect(solution.notes.join('\n')).toContain('always true: line 3');
  expect(solution.notes.slice(0, 2)).toEqual(['s SATISFIABLE', 'v 1 -2 0']);
});

describe.each(METHODS)('%s', (method) => {
  test.each([
    ['no clauses', 'p cnf 0 0\n', 1],
    ['free variables only', 'p cnf 3 0\n', 1],
    ['an empty clause', 'p cnf 1 1\n0\n', 0],
    ['an empty clause among others', 'p cnf 2 2\n1 2 0\n0\n', 0],
    ['units', 'p cnf 2 2\n1 0\n-2 0\n', 1],
    ['contradicting units', 'p cnf 1 2\n1 0\n-1 0\n', 0],
    ['a chain that fails', 'p cnf 3 4\n1 0\n-1 2 0\n-2 3 0\n-3 -1 0\n', 0],
  ])('%s', async (_, dimacs, satisfiable) => {
    const solution = await runSolver(sat, { dimacs, method });
    expect(quantityOf(solution, 'satisfiable')).toBe(satisfiable);
    expect(solution.converged).toBe(true);
  });

  test('what is spent is unknown, never unsatisfiable', async () => {
    for (const budget of [{ max_decisions: 5 }, { time_limit: 1e-3 }]) {
      const solution = await runSolver(sat, { problem: 'pigeonhole', n: 9, method, ...budget });
      expect(quantityOf(solution, 'status')).toBe(0);
      expect(quantityOf(solution, 'satisfiable')).toBeUndefined();
      expect(solution.converged).toBe(false);
      expect(solution.notes[0]).toBe('s UNKNOWN');
      expect(solution.notes.join(' ')).toContain('is spent'.replace('is', 'max_decisions' in budget ? 'are' : 'is'));
    }
  });

  test('agrees with enumeration on random formulas, with and without assumptions', async () => {
    const formulas = fc.record({
      variables: fc.integer({ min: 1, max: 9 }),
      clauses: fc.array(fc.array(fc.tuple(fc.nat(8), fc.boolean()), { minLength: 1, maxLength: 4 }), { maxLength: 40 }),
      assumed: fc.array(fc.tuple(fc.nat(8), fc.boolean()), { maxLength: 3 }),
      heuristic: fc.constantFrom(...HEURISTICS),
    });
    await fc.assert(
      fc.asyncProperty(formulas, async ({ variables, clauses, assumed, heuristic }) => {
        const literal = ([v, sign]: readonly [number, boolean]) => (1 + (v % variables)) * (sign ? 1 : -1);
        const lines = clauses.map((clause) => `${clause.map(literal).join(' ')} 0`);
        const dimacs = [`p cnf ${variables} ${clauses.length}`, ...lines].join('\n');
        const assumptions = assumed.map(literal);
        const models = countModels(parseDimacs(dimacs), Int32Array.from(assumptions), 1e6) ?? Number.NaN;
        const solution = await runSolver(sat, { dimacs, assumptions, method, heuristic });
        expect(quantityOf(solution, 'satisfiable')).toBe(Number(models > 0));
        expect(solution.converged).toBe(true);
        if (method === 'dpll') {
          const counted = await runSolver(sat, { dimacs, assumptions, heuristic, count_models: true });
          expect(quantityOf(counted, 'models')).toBe(models);
          return;
        }
        const core = fieldOf(solution, 'core');
        if (core === undefined) return;
        expect([...core].every((one) => assumptions.includes(one))).toBe(true);
        expect(countModels(parseDimacs(dimacs), Int32Array.from(core), 1e6)).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});

test.each([2, 3, 4, 5, 6, 7])('pigeonhole %i takes n! − 1 decisions by backtracking', async (n) => {
  const { value, converged } = await runSolver(sat, { problem: 'pigeonhole', n });
  expect(value).toBe(Array.from({ length: n }, (_, i) => i + 1).reduce((product, i) => product * i, 1) - 1);
  expect(converged).toBe(true);
});

test('learning deletes and restarts, and its proof of many lemmas is checked', async () => {
  const solution = await runSolver(sat, { problem: 'random', n: 200, ratio: 4.7, seed: 3, method: 'cdcl' });
  expect(quantityOf(solution, 'satisfiable')).toBe(0);
  expect(quantityOf(solution, 'deleted')).toBeGreaterThan(0);
  expect(quantityOf(solution, 'restarts')).toBeGreaterThan(5);
  expect(solution.converged).toBe(true);
});

test('the budget counts work: visits that the other literal answers cost little', async () => {
  const [crowded, random] = await Promise.all(
    [{ problem: 'parity', n: 16 } as const, { problem: 'random', n: 150, ratio: 5, seed: 1 } as const].map((input) =>
      runSolver(sat, { ...input, method: 'cdcl', time_limit: 0.44 }),
    ),
  );
  expect([crowded, random].map((solution) => solution && quantityOf(solution, 'status'))).toEqual([20, 20]);
  const proved = await runSolver(sat, { problem: 'parity', n: 16, method: 'cdcl' });
  expect([proved.value, proved.converged]).toEqual([crowded?.value, true]);
  const visitsASecond = ({ quantities }: Pick<Solution, 'quantities'> = { quantities: [] }) => {
    const [visits, work] = ['visits', 'work'].map((name) => quantities.find((one) => one.name === name)?.value);
    return (visits ?? Number.NaN) / (work ?? Number.NaN);
  };
  expect(visitsASecond(crowded)).toBeGreaterThan(3 * visitsASecond(random));
  // At 30 million visits a second they would end the run.
  expect(crowded && quantityOf(crowded, 'visits')).toBeGreaterThan(0.44 * 3e7);
});

test.each(METHODS)('%s: a budget of the work that a run takes is just enough', async (method) => {
  const input: Input = { problem: 'pigeonhole', n: 7, method };
  const whole = await runSolver(sat, input);
  const work = quantityOf(whole, 'work') ?? Number.NaN;
  const enough = await runSolver(sat, { ...input, time_limit: Math.max(1e-3, work) });
  expect(enough.value).toBe(whole.value);
  expect(work).toBeGreaterThan(2e-3);
  const half = await runSolver(sat, { ...input, time_limit: work / 2 });
  expect(quantityOf(half, 'status')).toBe(0);
  const spent = quantityOf(half, 'work') ?? Number.NaN;
  expect(spent).toBeGreaterThanOrEqual(work / 2);
  expect(spent).toBeLessThan(work);
});

describe('the checks can fail', () => {
  const formula: Formula = parseDimacs(triangle);
  const none = new Int32Array();

  test('a model with a false clause', () => {
    expect(falsifiedClauses(formula, none, [1, 1, -1])).toBe(1);
    expect(falsifiedClauses(formulaOf(2, [[1, 2]]), Int32Array.of(-1), [1, 1])).toBe(1);
  });

  test('a lemma that does not follow, a proof without its end, and a proof that is cut short', async () => {
    const verdict = (proof: readonly number[], visits = 1e6) =>
      checkRefutation(formula, none, Float64Array.from(proof), visits).verdict;
    expect(verdict([-1, 0, 0])).toBe('refuted');
    expect(verdict([0])).toBe('failed');
    expect(verdict([-1, 0])).toBe('failed');
    expect(verdict([1, 0, 0], -1)).toBe('open');
    expect(checkRefutation(formulaOf(2, [[1, 2]]), none, Float64Array.of(-1, 0), 1e6).verdict).toBe('failed');
  });

  test('a proof without one of its lemmas, or for a formula without one of its clauses', async () => {
    const input: Input = { problem: 'pigeonhole', n: 4, proof: true };
    const solution = await runSolver(sat, input);
    const proof = fieldOf(solution, 'proof') ?? new Float64Array();
    const { inputs: views } = sat.plan(sat.inputs.parse(input)).runs[0] ?? {};
    const words = (views?.literals ?? new Int32Array()) as Int32Array;
    const whole = { variables: 20, clauseCount: 45, words, notes: [] };
    expect(checkRefutation(whole, none, proof, 1e6).verdict).toBe('refuted');
    expect(checkRefutation({ ...whole, words: words.subarray(5) }, none, proof, 1e6).verdict).toBe('failed');
    expect(checkRefutation(whole, none, proof.subarray(proof.length - 3), 1e6).verdict).toBe('failed');
  });
});

test('learnt clauses that crowd the lists of a pigeonhole are reduced early, and its refutation is proved', async () => {
  const solution = await runSolver(sat, { problem: 'pigeonhole', n: 8, method: 'cdcl' });
  expect(solution.converged).toBe(true);
  // Without that, 131 clauses are visited for a literal.
  const visits = quantityOf(solution, 'visits') ?? Number.NaN;
  expect(visits / (quantityOf(solution, 'propagations') ?? 1)).toBeLessThan(80);
});
