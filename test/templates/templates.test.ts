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

/**
 * Guards that no scenario shows false. Where one would be, a transition before it fires: of timers that are due in one
 * tick the first of the definition, which leaves the state and so ends the others; of candidates for an event the
 * first whose guard is true, and if its actions fail none after it is tried. Nobody fires or skips these by hand
 * (edition 2), and timers of one state with the same delay are due together.
 *
 * - `fail`: is `not is_sold`; `announce` fires on `is_sold`. Its actions read a map that has a bid above 0 then, and
 *   cannot fail.
 * - `uphold`, warranty `dismiss`, `count_challenger`: the other transition of the event has the opposite value of the
 *   same boolean of the payload. A payload without it is refused before the guard.
 * - `end_undecided`: is `not is_enough`. If there is enough, `is_better` is true or false, as both counts are at least
 *   10 and `pooled` is from 0 to 1; `win` or `lose` fires, and their actions only emit and set.
 * - `energise`: `released` comes from `clearing` alone, which is entered as the only lock goes: the sender's own in
 *   `unlock_last`, the absentee's in `remove_last_lock`, who cannot take it off in `removing`. Hanging one leaves both.
 * - `miss`: is `not is_waited_for`; `miss_and_call` takes from a queue that has somebody, which cannot fail.
 * - `pay_nothing`: is `owed == 0`, and `owed` is never negative; `assess` fires on `owed > 0`, and only emits and sets.
 * - windstorm `settle`, `remove_last_lock`: opposites too; but `exhaust` fails if another contract took the money, and
 *   `remove_lock` if rebinding has filled `untold`. Both are false then: guards-off-the-scenarios.test.ts.
 *
 * These guards stay: without one, `explain` would say of two timers of a state that each fires, and signatories read that.
 */
const NEVER_FALSE: Readonly<Record<string, readonly string[]>> = {
  'auction-sealed-bid': ['fail', 'uphold'],
  'champion-challenger': ['count_challenger', 'end_undecided'],
  'lockout-tagout': ['remove_last_lock', 'energise'],
  'parametric-windstorm-cover': ['pay_nothing', 'settle'],
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
