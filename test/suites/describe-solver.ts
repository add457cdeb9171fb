// Tests of every solver, generated from its definition: witnesses within bounds, invariants, the declared order of
// convergence, results independent of chunks, warm instances and history, golden bits, ranges of inputs and parameters.
//
//   describeSolver(heat, {
//     cases: { sine: {}, step: { mode: 'step' } },
//     conservation: true,
//     golden: ['sine', 'step'],
//     convergence: [{ name: 'in space', order: 'space', levels: 4, at: (level) => ({ nx: 8 << level, … }) }],
//     known: { 'a sine on 64 cells': { input: { dim: 1 }, value: [0.3727787184169578, 1e-12] } },
//     refused: [{ input: { nx: 16, kx: 9 }, field: 'kx' }],
//   });
//
// To update golden bits, give the reason: SVC_UPDATE_GOLDEN='why they changed' vitest run test/solvers/<slug>.test.ts

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { isRecord } from '../../src/core/record.ts';
import { combined } from '../../src/core/uncertainty.ts';
import type { KernelFace, ParameterName } from '../../src/kernels/face.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import type { Solution, SolverDefinition } from '../../src/solvers/definition.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';
import { type KnownValue, testKnownValue } from './known-values.ts';
import {
  type Refusal,
  testIllegalParameter,
  testOutOfRange,
  testParameters,
  testRanges,
  testRefusal,
} from './refusals.ts';
import { coldInstance, runInGroups, runSolver } from './run-solver.ts';
import { hashOutputs, hashSolution } from './solution-bits.ts';
import { faultsOf, numberFaults } from './solution-parts.ts';
import { testSweep } from './sweep-case.ts';

export interface Convergence<Input> {
  readonly name: string;
  /** The order that the method declares in time or space, or a number where a variant differs. */
  readonly order: 'time' | 'space' | number;
  /** Number of refinement levels, at least three; each halves the grid spacing or the step. */
  readonly levels: number;
  /** The case at a level, 0 the coarsest. */
  at(level: number): Input;
  /** The error that should vanish at that order; by default the distance of the value from its witness. */
  readonly error?: (solution: Solution) => number;
  /** Maximum deviation of the slope of the finest pair from the order. */
  readonly tolerance?: number;
}

/** Random inputs within the ranges: all numbers are finite and every invariant holds. */
export interface RandomInputs<Input> {
  readonly of: fc.Arbitrary<Input>;
  readonly count: number;
}

export interface SolverSuite<Input, Face extends KernelFace = KernelFace> {
  /** Named inputs; every general test runs on each. Keep them fast. */
  readonly cases: Readonly<Record<string, Input>>;
  /** Checks that every case has at least one invariant and that all hold. */
  readonly conservation?: boolean;
  /** Names of cases whose bits are pinned in test/golden/<slug>.json. */
  readonly golden?: readonly string[];
  readonly convergence?: readonly Convergence<Input>[];
  /** Numbers that are known from elsewhere, by what they are. */
  readonly known?: Readonly<Record<string, KnownValue<Input>>>;
  readonly random?: RandomInputs<Input>;
  /** Inputs with one field that is out of its range; the ranges of the schema are tested anyway. */
  readonly outOfRange?: readonly Readonly<Record<string, unknown>>[];
  readonly refused?: readonly Refusal<Input>[];
  /** Parameters of which the kernel takes every double, as a seed. */
  readonly uncheckedParameters?: readonly ParameterName<Face>[];
  /** Changes of the parameters of the first case's first run; the kernel names the first of each. */
  readonly illegalParameters?: readonly Readonly<Partial<Record<ParameterName<Face>, number>>>[];
}

/** Errors below this are round-off and show no order. */
const ROUND_OFF = 1e-12;

export function describeSolver<Shape extends z.ZodObject, Face extends KernelFace>(
  solver: SolverDefinition<Shape, Face>,
  suite: SolverSuite<NoInfer<z.input<Shape>>, NoInfer<Face>>,
): void {
  describe(`solver ${solver.id}`, () => {
    describeRecord(solver);
    for (const [name, input] of Object.entries(suite.cases)) {
      describe(`case ${name}`, () => describeCase(solver, suite, input));
    }
    const [firstCase] = Object.values<z.input<Shape>>(suite.cases);
    if (firstCase !== undefined) testSweep(solver, firstCase);
    for (const item of suite.convergence ?? []) describeConvergence(solver, item);
    for (const [name, known] of Object.entries(suite.known ?? {})) testKnownValue(solver, name, known);
    if (suite.random) testRandomInputs(solver, suite.random);
    for (const refusal of suite.refused ?? []) testRefusal(solver, refusal);
    for (const input of suite.outOfRange ?? []) testOutOfRange(solver, input);
    const [first] = Object.values<z.input<Shape>>(suite.cases);
    if (first === undefined) throw new Error(`Solver ${solver.id} has no case.`);
    testParameters(solver, first, suite.uncheckedParameters);
    for (const changes of suite.illegalParameters ?? []) testIllegalParameter(solver, first, changes);
    if (suite.golden) describeGolden(solver, suite.cases, suite.golden);
  });
}

function testRandomInputs<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  { of, count }: RandomInputs<z.input<Shape>>,
): void {
  test('for random inputs within the ranges, all numbers are finite and every invariant holds', async () => {
    const holds = async (input: z.input<Shape>) => {
      expect(faultsOf(await runSolver(solver, input))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(of, holds), { numRuns: count });
  });
}

function describeRecord<Shape extends z.ZodObject>(solver: SolverDefinition<Shape>): void {
  test('every input field has a description and a unit', () => {
    const fields = Object.entries(solver.inputs.shape as Record<string, z.ZodType>);
    expect(fields.length).toBeGreaterThan(0);
    const undocumented = fields.filter(([, field]) => !field.description || typeof field.meta()?.unit !== 'string');
    expect(undocumented.map(([name]) => name)).toEqual([]);
  });

  testRanges(solver);

  test('an unknown field is rejected', () => {
    const issues = solver.inputs.safeParse({ no_such_field: 1 }).error?.issues ?? [];
    expect(issues.map((issue) => issue.code)).toContain('unrecognized_keys');
  });

  test('the operator chain starts with KO42 and every reference has a location', () => {
    expect(solver.operatorChain[0]).toBe('KO42');
    expect(solver.references.length).toBeGreaterThan(0);
    for (const { cite, at } of solver.references) expect(cite.length * at.length).toBeGreaterThan(0);
  });
}

function describeCase<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  suite: SolverSuite<z.input<Shape>>,
  input: z.input<Shape>,
): void {
  test('the value agrees with its witness within its declared bound', async () => {
    const { value, uncertainty, budget, bound, converged, witness } = await runSolver(solver, input);
    const scale = Math.max(Math.abs(witness.reference), witness.scale);
    expect(converged).toBe(true);
    expect(uncertainty).toBe(combined(budget));
    expect(Math.abs(value - witness.reference)).toBeLessThanOrEqual(bound * scale * (1 + 1e-12));
  });

  test('all numbers are finite and all shapes match their data', async () => {
    const solution = await runSolver(solver, input);
    for (const { name, shape, data } of [...solution.series, ...solution.fields]) {
      expect(`${name} ${shape.reduce((product, n) => product * n, 1)}`).toBe(`${name} ${data.length}`);
    }
    expect(numberFaults(solution)).toEqual([]);
  });

  test('plots can be drawn from the series and fields, and operators are of the chain', async () => {
    const solution = await runSolver(solver, input);
    const names = new Set([...solution.series, ...solution.fields].map((item) => item.name));
    const arrays = [...solution.series, ...solution.fields];
    const faults = solution.plots.flatMap((plot) => plotFault(plot, arrays) ?? []);
    expect(faults).toEqual([]);
    expect(names.size).toBe(solution.series.length + solution.fields.length);
    const operators = Object.keys(solution.operatorInputs);
    expect(operators.filter((id) => !solver.operatorChain.includes(id))).toEqual([]);
  });

  if (suite.conservation) {
    test('every invariant holds', async () => {
      const { invariants } = await runSolver(solver, input);
      expect(invariants.length).toBeGreaterThan(0);
      expect(invariants.filter(({ drift, bound }) => !(Math.abs(drift) <= bound))).toEqual([]);
    });
  }

  test('grouping steps by 1, by 7 or all at once gives the same bytes', async () => {
    const { runs } = solver.plan(solver.inputs.parse(input));
    const hashes = new Set<string>();
    for (const size of [1, 7, Number.POSITIVE_INFINITY]) {
      const instance = await coldInstance(solver.id);
      hashes.add(hashOutputs(runs.map((run) => runInGroups(instance, run, size))));
    }
    expect(hashes.size).toBe(1);
  });

  test('a warm instance that ran other cases gives the same bits', async () => {
    const cold = hashSolution(await runSolver(solver, input, new LocalRunner()));
    const warm = new LocalRunner();
    for (const other of Object.values(suite.cases)) await runSolver(solver, other, warm);
    expect(hashSolution(await runSolver(solver, input, warm))).toBe(cold);
  });

  if (hasRecord(Object.values(input)))
    test('the order of the keys of nested objects changes no bit', async () => {
      const [given, reversed] = [await runSolver(solver, input), await runSolver(solver, withReversedKeys(input))];
      expect(hashSolution(reversed)).toBe(hashSolution(given));
    });

  test('the plan estimates the memory within a factor of two', async () => {
    const { runs, estimateBytes } = solver.plan(solver.inputs.parse(input));
    const instance = await coldInstance(solver.id);
    for (const run of runs) runInGroups(instance, run, Number.POSITIVE_INFINITY);
    const warm = instance.exports.memory.buffer.byteLength;
    expect(estimateBytes).toBeLessThanOrEqual(2 * warm);
    expect(estimateBytes).toBeGreaterThanOrEqual(warm / 2);
  });
}

function describeConvergence<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  { name, order, levels, at, error, tolerance = 0.1 }: Convergence<z.input<Shape>>,
): void {
  const declared = typeof order === 'number' ? order : solver.method.order?.[order];
  test(`${name}: order ${declared}`, async () => {
    expect(levels).toBeGreaterThanOrEqual(3);
    const errors: number[] = [];
    for (let level = 0; level < levels; level++) {
      const solution = await runSolver(solver, at(level));
      errors.push(error ? error(solution) : Math.abs(solution.value - solution.witness.reference));
    }
    const slopes = errors.slice(1).map((finer, level) => Math.log2((errors[level] ?? Number.NaN) / finer));
    const report = `errors ${errors.map((item) => item.toExponential(2)).join(', ')}; slopes ${slopes.map((item) => item.toFixed(2)).join(', ')}`;
    expect(Math.min(...errors), report).toBeGreaterThan(ROUND_OFF);
    expect(Math.abs((slopes.at(-1) ?? Number.NaN) - (declared ?? Number.NaN)), report).toBeLessThanOrEqual(tolerance);
  });
}

interface PinnedCase {
  /** The input, so that other tests can solve it too, as test/browser/golden.test.ts does. */
  readonly input: unknown;
  readonly sha256: string;
  /** Three readable numbers for diagnosis when the hash differs. */
  readonly probes: Readonly<Record<string, number>>;
}

interface Golden {
  /** Reason for the last change of the bits. */
  reason: string;
  cases: Record<string, PinnedCase>;
}

function describeGolden<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  cases: Readonly<Record<string, z.input<Shape>>>,
  names: readonly string[],
): void {
  const path = fileURLToPath(new URL(`../golden/${solver.id}.json`, import.meta.url));
  const reason = process.env.SVC_UPDATE_GOLDEN;
  const readGolden = (): Golden =>
    existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Golden) : { reason: '', cases: {} };

  for (const name of names) {
    test(`golden bits of ${name}`, async () => {
      const input = cases[name];
      if (input === undefined) throw new Error(`Case ${name} not found.`);
      const actual = pinCase(input, await runSolver(solver, input));
      if (reason) {
        const before = readGolden();
        const golden: Golden = { reason, cases: { ...before.cases, [name]: actual } };
        writeFileSync(path, `${JSON.stringify(golden, null, 2)}\n`);
      }
      expect(actual).toEqual(readGolden().cases[name]);
    });
  }

  test('the golden file pins these cases and no others, with a reason', () => {
    const golden = readGolden();
    expect(Object.keys(golden.cases).sort()).toEqual([...names].sort());
    expect(golden.reason).not.toBe('');
  });
}

const hasRecord = (value: unknown): boolean => isRecord(value) || (Array.isArray(value) && value.some(hasRecord));

/** The same input with the keys of its objects in the opposite order. */
function withReversedKeys<Value>(value: Value): Value {
  const reversed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(reversed);
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).reverse();
    return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
  };
  return reversed(value) as Value;
}

function pinCase(input: unknown, solution: Solution): PinnedCase {
  const plotted = solution.series[1] ?? solution.fields[0];
  const middle = plotted ? Math.floor(plotted.data.length / 2) : 0;
  return {
    input,
    sha256: hashSolution(solution),
    probes: {
      value: solution.value,
      reference: solution.witness.reference,
      [`${plotted?.name ?? 'nothing'}[${middle}]`]: plotted?.data[middle] ?? Number.NaN,
    },
  };
}
