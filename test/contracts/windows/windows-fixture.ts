// A contract that watches a service through two named windows.

import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { type ScenarioStep, type StepReport, simulate } from '../../../src/contracts/simulate.ts';
import { environment } from '../data/data-fixture.ts';

export const transition = { operator: 'KO42', proof: false } as const;

/** Calm until both windows exceed their thresholds, and calm again by `clear`. */
export const watch = (more: Readonly<Record<string, unknown>> = {}, clear = 'fast.value < 5 and slow.value < 5') => ({
  name: 'watch',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'calm',
  events: { reading: { payload: { value: 'number' } } },
  windows: {
    fast: { event: 'reading', fn: 'avg', field: 'value', within: 5 },
    slow: { event: 'reading', fn: 'avg', field: 'value', within: 20 },
  },
  states: { calm: { role: 'initial' }, alarm: { role: 'intermediate' } },
  transitions: [
    {
      ...transition,
      id: 'raise',
      from: 'calm',
      to: 'alarm',
      trigger: { kind: 'windows' },
      fires_when: 'fast.value > 10 and slow.value > 10',
    },
    { ...transition, id: 'clear', from: 'alarm', to: 'calm', trigger: { kind: 'windows' }, fires_when: clear },
  ],
  ...more,
});

export const run = (definition: object, steps: readonly ScenarioStep[], parameters = {}): StepReport[] =>
  simulate(compileContract(Definition.parse(definition), parameters), { name: 'run', steps }, environment);

export const reading = (at: number, value: number): ScenarioStep => ({ at, send: 'reading', payload: { value } });

export const statesOf = (reports: readonly StepReport[]): string[] => reports.map(({ state }) => state);
