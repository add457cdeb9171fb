// The written templates, compiled, checked and run through their scenarios on the simulated clock.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { filesOf } from '../../scripts/gates/gate.ts';
import { checkDefinition } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import type { World } from '../../src/contracts/reaction.ts';
import { type Scenario, simulate } from '../../src/contracts/simulate.ts';
import { DomainError } from '../../src/core/errors.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { evaluateOperator } from '../../src/operators/evaluate.ts';
import { findOperator } from '../../src/operators/load.ts';

interface Template {
  readonly id: string;
  readonly definition: unknown;
  readonly scenarios: readonly Scenario[];
}

const TEMPLATES = filesOf(ROOT, ['src/templates/*/*.json']).map(
  (path) => JSON.parse(readFileSync(`${ROOT}/${path}`, 'utf8')) as Template,
);

let instance: KernelInstance;
let world: Omit<World, 'balance'>;
beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  world = {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: ({ operator, inputs }) => {
      if (operator === undefined) throw new DomainError('OPERATOR_UNKNOWN', 'Solvers are not run here.');
      return evaluateOperator(instance, findOperator(operator), inputs);
    },
  };
});

test('there are templates', () => expect(TEMPLATES.length).toBeGreaterThanOrEqual(6));

describe.each(TEMPLATES)('$id', ({ definition: raw, scenarios }) => {
  const definition = Definition.parse(raw);

  test('is whole: every name is known and used, every state is reached and left', () => {
    expect(checkDefinition(definition)).toEqual([]);
  });

  test.each(scenarios)('$name', (scenario) => {
    const reports = simulate(compileContract(definition, scenario.parameters), scenario, world);
    expect(reports.flatMap(({ disappointments }, i) => disappointments.map((one) => `step ${i + 1}: ${one}`))).toEqual(
      [],
    );
    expect(reports).toHaveLength(scenario.steps.length);
  });
});
