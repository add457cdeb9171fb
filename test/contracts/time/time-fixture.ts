// Fixture: a definition with one deadline or schedule, and the instants at which a scenario fires it.

import { tickOfInstant } from '../../../src/contracts/calendar.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition, type Scalars } from '../../../src/contracts/definition.ts';
import { deliver, type RunningContract } from '../../../src/contracts/execution.ts';
import { nextFires } from '../../../src/contracts/next-fires.ts';
import { type Scenario, type StepReport, simulate } from '../../../src/contracts/simulate.ts';
import { createWindows, initialState } from '../../../src/contracts/transition-function.ts';
import { isoFromNs, startOfTick } from '../../../src/core/clock.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));

export const environment = {
  evaluate: (program: Parameters<typeof evaluateProgram>[1], values: Readonly<Record<string, number>>) =>
    evaluateProgram(instance, program, values),
  compute: () => 0,
};

const common = { operator: 'KO42', proof: false };

export const TARGET = {
  tz: 'Europe/Berlin',
  holidays: {
    '2026': ['01-01', '04-03', '04-06', '05-01', '12-25', '12-26'],
    '2027': ['01-01', '03-26', '03-29', '05-01', '12-25', '12-26'],
  },
  source: 'European Central Bank, TARGET closing days',
};

/**
 * `wait` is entered on the event `begin`, which may set `term`, `date` and `days`; `timing` leaves it, or for a schedule
 * returns to it.
 */
export function timed(trigger: object, more: object = {}): object {
  const isSchedule = 'kind' in trigger && trigger.kind === 'schedule';
  const reads = (name: string) => new RegExp(`\\b${name}\\b`).test(JSON.stringify(trigger));
  const fields = { term: 'number', date: 'string', days: 'integer' };
  const used = Object.entries(fields).filter(([name]) => reads(name));
  const set = Object.fromEntries(used.map(([name]) => [name, `event.${name}`]));
  return {
    name: 'timed',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'idle',
    context: Object.fromEntries(used.map(([name, type]) => [name, { type, initial: type === 'string' ? '' : 0 }])),
    events: { begin: { payload: Object.fromEntries(used) }, end: {} },
    states: { idle: { role: 'initial' }, wait: { role: 'intermediate' }, over: { role: 'terminal' } },
    ...(JSON.stringify([trigger, more]).includes('Europe/') ? { zones: '2026f' } : {}),
    transitions: [
      {
        ...common,
        id: 'begin',
        from: 'idle',
        to: 'wait',
        trigger: { kind: 'event', event: 'begin' },
        ...(used.length === 0 ? {} : { post: [{ set }] }),
      },
      { ...common, id: 'timing', from: 'wait', to: isSchedule ? 'wait' : 'over', trigger },
      { ...common, id: 'end', from: 'wait', to: 'over', trigger: { kind: 'event', event: 'end' } },
    ],
    ...more,
  };
}

export const compiled = (definition: object, parameters: Scalars = {}) =>
  compileContract(Definition.parse(definition), parameters);

export const run = (definition: object, scenario: Omit<Scenario, 'name'>): StepReport[] =>
  simulate(compiled(definition, scenario.parameters), { name: 'time', ...scenario }, environment);

/** To the nearest minute: a tick begins up to 0.78 s before or after the instant that it stands for. */
const instantOfTick = (tick: number) => isoFromNs(startOfTick(tick) + 30_000_000_000n).slice(0, 16);

/** The contract once `wait` was entered at an instant, with what refused that. */
export function begun(definition: object, from: string, payload: object = {}, parameters: Scalars = {}) {
  const contract = compiled(definition, parameters);
  const tick = tickOfInstant(from);
  const state = initialState(contract, tick - 1, 0, undefined, undefined, environment);
  const running: RunningContract = { contract, state, windows: createWindows(contract) };
  const event = { kind: 'event', tick, number: 1, name: 'begin', payload: { ...payload } } as const;
  const steps = deliver(running, event, { ...environment, balance: () => 0 });
  return { running, tick, refused: steps.flatMap(({ result }) => result.refused) };
}

/** The instants of the next fires of `timing`, or why it was refused. */
export function firesAfter(definition: object, from: string, payload: object = {}, count = 1): string[] {
  const { running, tick, refused } = begun(definition, from, payload);
  if (refused.length > 0) return refused.map(({ reason }) => reason);
  return nextFires(running, tick, count).map(({ svcond }) => instantOfTick(svcond));
}
