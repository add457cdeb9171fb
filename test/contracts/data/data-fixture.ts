// Compiles and runs definitions of the second edition that use data.

import { definitionFaults } from '../../../src/contracts/check.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { type ScenarioStep, type StepReport, simulate } from '../../../src/contracts/simulate.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));

export const environment = {
  evaluate: (program: Parameters<typeof evaluateProgram>[1], values: Readonly<Record<string, number>>) =>
    evaluateProgram(instance, program, values),
  compute: () => 0,
};

export const common = { from: 'open', to: 'open', operator: 'KO42', proof: false };

/** A contract in one state, with an event for everything that it does; `more` adds to it. */
export const ledger = (more: object): object => ({
  name: 'ledger',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'open',
  states: { open: { role: 'initial' }, closed: { role: 'terminal' } },
  ...more,
});

/** A transition back to the state on an event of its name. */
export const on = (event: string, post: readonly object[], more: object = {}): object => ({
  ...common,
  id: event,
  trigger: { kind: 'event', event },
  ...(post.length === 0 ? {} : { post }),
  ...more,
});

export const close = on('close', [], { to: 'closed' });

export const faultsOf = (definition: object): string[] =>
  definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);

export const messagesOf = (definition: object): string[] =>
  definitionFaults(Definition.parse(definition)).map(({ message }) => message);

export const run = (definition: object, steps: readonly ScenarioStep[], parameters = {}): StepReport[] =>
  simulate(compileContract(Definition.parse(definition), parameters), { name: 'run', steps }, environment);

/** One step per payload, a tick apart. */
export const sends = (event: string, payloads: readonly object[], from = 1): ScenarioStep[] =>
  payloads.map((payload, i) => ({ at: from + i, send: event, payload: payload as Record<string, unknown> }));
