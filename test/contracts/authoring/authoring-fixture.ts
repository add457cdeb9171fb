// Definitions and the environment for the tests of authoring.

import type { TrialEnvironment } from '../../../src/contracts/authoring/trial.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { evaluateOperator } from '../../../src/operators/evaluate.ts';
import { findOperator } from '../../../src/operators/load.ts';

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));

export const environment: TrialEnvironment = {
  evaluate: (program, values) => evaluateProgram(instance, program, values),
  compute: ({ operator = '', inputs }) => evaluateOperator(instance, findOperator(operator), inputs),
};

export const go = { kind: 'event', event: 'go' };

export const transition = (id: string, more: object = {}): object => ({
  id,
  from: 'start',
  to: 'end',
  operator: 'KO42',
  proof: false,
  trigger: go,
  ...more,
});

export const draft = (transitions: readonly object[], more: object = {}): Record<string, unknown> => ({
  name: 'draft',
  version: '1.0',
  operators: ['KO42'],
  initial: 'start',
  events: { go: { payload: { n: 'number', who: 'string' } } },
  states: { start: { role: 'initial' }, end: { role: 'terminal' } },
  transitions,
  ...more,
});
