// Every template of src/templates: compiled, checked and run through its scenarios on the simulated clock.

import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coverageOf } from '../../src/contracts/authoring/coverage.ts';
import { checkDefinition } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import type { Environment } from '../../src/contracts/contract-state.ts';
import { Definition, sourcesOf } from '../../src/contracts/definition.ts';
import { simulate } from '../../src/contracts/simulate.ts';
import { DomainError } from '../../src/core/errors.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { evaluateOperator } from '../../src/operators/evaluate.ts';
import { findOperator } from '../../src/operators/load.ts';
import { TEMPLATES } from '../../src/templates/load.ts';

let instance: KernelInstance;
let environment: Omit<Environment, 'balance'>;
beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  environment = {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: ({ operator, inputs }) => {
      if (operator === undefined) throw new DomainError('OPERATOR_UNKNOWN', 'Solvers are not available in scenarios.');
      return evaluateOperator(instance, findOperator(operator), inputs);
    },
  };
});

/** Guards that are written for the reader: the transitions before them fire wherever they would be false. */
const NEVER_FALSE: Readonly<Record<string, readonly string[]>> = {
  'auction-sealed-bid': ['fail', 'uphold'],
  'champion-challenger': ['count_challenger', 'end_undecided'],
  'lockout-tagout': ['remove_last_lock', 'energise'],
  'parametric-windstorm-cover': ['pay_nothing'],
  'table-waitlist': ['miss'],
  'warranty-claim-return': ['dismiss'],
};

test('at least six templates are loaded', () => expect(TEMPLATES.size).toBeGreaterThanOrEqual(6));

test('one category is written in one way', () => {
  const categories = new Set([...TEMPLATES.values()].map(({ category }) => category));
  const folders = [...categories].map((category) => category.toLowerCase().replaceAll(/\W+/g, '-'));
  expect(folders).toEqual([...new Set(folders)]);
});

describe.each([...TEMPLATES.values()])('$id', ({ id, definition: raw, scenarios }) => {
  const parsed = Definition.safeParse(raw);
  test('follows the schema of definitions', () => {
    expect(parsed.error === undefined ? '' : z.prettifyError(parsed.error)).toBe('');
  });
  if (!parsed.success) return;
  const definition = parsed.data;

  test('has the name of its id, with underscores', () => expect(definition.name).toBe(id.replaceAll('-', '_')));

  test('has no faults', () => {
    expect(checkDefinition(definition).map(({ message }) => message)).toEqual([]);
  });

  test('names operators of the registry only', () => {
    for (const operator of definition.operators) expect(findOperator(operator).id).toBe(operator);
  });

  test('has scenarios that fire every transition from each of its source states', () => {
    const fired = scenarios.flatMap((scenario) =>
      simulate(compileContract(definition, scenario.parameters), scenario, environment).flatMap(
        (report) => report.fired,
      ),
    );
    const walked = new Set(fired.map(({ transition, from }) => `${transition} from ${from}`));
    const all = definition.transitions.flatMap((one) => sourcesOf(one).map((from) => `${one.id} from ${from}`));
    expect(all.filter((one) => !walked.has(one))).toEqual([]);
  });

  test('has scenarios in which every guard is true and false, unless another one fires where it would be false', () => {
    const reports = scenarios.flatMap((scenario) =>
      simulate(compileContract(definition, scenario.parameters), scenario, environment),
    );
    const { rows } = coverageOf(compileContract(definition), reports);
    const unseen = rows.flatMap(({ transition, guard }) =>
      guard === null || (guard.seen_true && guard.seen_false) ? [] : [transition],
    );
    expect(unseen).toEqual(NEVER_FALSE[id] ?? []);
  });

  test.each(scenarios)('$name', (scenario) => {
    const reports = simulate(compileContract(definition, scenario.parameters), scenario, environment);
    expect(reports.flatMap(({ mismatches }, i) => mismatches.map((mismatch) => `step ${i + 1}: ${mismatch}`))).toEqual(
      [],
    );
    expect(reports).toHaveLength(scenario.steps.length);
  });
});
