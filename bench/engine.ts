// Transitions of the pure engine per CPU second: no storage, no network.
//
//   node bench/engine.ts

import { compileContract } from '../src/contracts/compiled.ts';
import { Definition } from '../src/contracts/definition.ts';
import { deliver, type RunningContract } from '../src/contracts/execution.ts';
import { createWindows, initialState } from '../src/contracts/transition-function.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import { SWITCH_STATES, switchTransitions } from '../test/suites/switch-transitions.ts';

const EVENTS = 40_000;
const ROUNDS = 5;

const base = { version: '1.0', operators: ['KO42'], initial: 'off', states: SWITCH_STATES };
const between = (trigger: object, guard: string | undefined) =>
  switchTransitions(trigger, guard === undefined ? {} : { fires_when: guard });

const events = { request: { payload: { ms: 'number' } } };
const aggregate = { kind: 'on_aggregate', event: 'request', fn: 'avg', field: 'ms', within: 100 };
const CASES: Readonly<Record<string, object>> = {
  'event without a guard, edition 1': {
    ...base,
    name: 'plain',
    events,
    transitions: between({ kind: 'event', event: 'request' }, undefined),
  },
  'event with a guard, edition 1': {
    ...base,
    name: 'guarded',
    events,
    transitions: between({ kind: 'event', event: 'request' }, 'event.ms > 0'),
  },
  'one window per trigger, edition 1': {
    ...base,
    name: 'aggregated',
    events,
    transitions: between(aggregate, 'agg.value > 0'),
  },
  'two named windows, edition 2': {
    ...base,
    edition: 2,
    name: 'named',
    events,
    windows: {
      fast: { event: 'request', fn: 'avg', field: 'ms', within: 10 },
      slow: { event: 'request', fn: 'avg', field: 'ms', within: 100 },
    },
    transitions: between({ kind: 'windows' }, 'fast.value > 0 and slow.value > 0'),
  },
  'two named windows with a filter on the context, edition 2': {
    ...base,
    edition: 2,
    name: 'filtered',
    events,
    context: { least: { type: 'number', initial: 0 } },
    windows: {
      fast: { event: 'request', fn: 'avg', field: 'ms', within: 10, filter: 'event.ms > least' },
      slow: { event: 'request', fn: 'avg', field: 'ms', within: 100, filter: 'event.ms > least' },
    },
    transitions: between({ kind: 'windows' }, 'fast.value > 0 and slow.value > 0'),
  },
};

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
const environment = {
  evaluate: (program: Parameters<typeof evaluateProgram>[1], values: Readonly<Record<string, number>>) =>
    evaluateProgram(instance, program, values),
  compute: () => 0,
  balance: () => 0,
};

function transitionsPerCpuSecond(definition: object): number {
  const contract = compileContract(Definition.parse(definition));
  const running: RunningContract = { contract, state: initialState(contract, 0, 0), windows: createWindows(contract) };
  const start = process.cpuUsage();
  for (let number = 1; number <= EVENTS; number++) {
    const payload = { ms: 1 + (number % 7) };
    deliver(running, { kind: 'event', tick: number, number, name: 'request', payload }, environment);
  }
  const { user, system } = process.cpuUsage(start);
  if (running.state.fires !== EVENTS) throw new Error(`${running.state.fires} of ${EVENTS} events fired.`);
  return EVENTS / ((user + system) / 1e6);
}

console.log('| contract | transitions per CPU second | target |');
console.log('|---|---|---|');
for (const [name, definition] of Object.entries(CASES)) {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) best = Math.max(best, transitionsPerCpuSecond(definition));
  console.log(`| ${name} | ${best.toFixed(0)} | ≥ 5000 |`);
}
