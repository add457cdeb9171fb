// Windows that run empty: a guard that does not need the value is decided, so that silence can restore.

import { expect, test } from 'vitest';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { simulate } from '../../src/contracts/simulate.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));

function stateAfterSilence(fn: string, guard: string): string | undefined {
  const transition = { operator: 'KO42', proof: false } as const;
  const window = { kind: 'on_aggregate', event: 'reading', fn, field: 'value', within: 5 } as const;
  const definition = Definition.parse({
    name: 'alarm',
    version: '1.0',
    operators: ['KO42'],
    initial: 'calm',
    events: { reading: { payload: { value: 'number' } } },
    states: { calm: { role: 'initial' }, alarm: { role: 'intermediate' } },
    transitions: [
      { ...transition, id: 'raise', from: 'calm', to: 'alarm', trigger: window, fires_when: 'agg.value > 10' },
      {
        ...transition,
        id: 'clear',
        from: 'alarm',
        to: 'calm',
        trigger: { ...window, evaluate: 'arrival_and_expiry' },
        fires_when: guard,
      },
    ],
  });
  const steps = simulate(
    compileContract(definition),
    {
      name: 'silence',
      steps: [
        { at: 1, send: 'reading', payload: { value: fn === 'range' ? 0 : 20 } },
        { at: 1, send: 'reading', payload: { value: 20 } },
        { at: 20 },
      ],
    },
    {
      evaluate: (program, values) => evaluateProgram(instance, program, values),
      compute: () => {
        throw new Error('no operator is called');
      },
    },
  );
  expect(steps[1]?.state).toBe('alarm');
  return steps.at(-1)?.state;
}

test.each(['avg', 'min', 'max', 'last', 'range'])('a window of %s that runs empty clears by its count', (fn) => {
  expect(stateAfterSilence(fn, 'agg.count == 0')).toBe('calm');
  expect(stateAfterSilence(fn, 'agg.count == 0 or agg.value < 5')).toBe('calm');
});

test.each([
  'agg.value < 5',
  'not (agg.value > 10)',
  'agg.value != 20',
  'agg.count == 0 and agg.value < 5',
  'agg.count == 0 and not (agg.value > 5)',
  'agg.value < 5 ? true : agg.value < 6',
])('the guard %s needs a value, which an empty window does not have', (guard) => {
  expect(stateAfterSilence('avg', guard)).toBe('alarm');
});
