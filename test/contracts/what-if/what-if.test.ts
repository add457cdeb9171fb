// What-if replays: under the same definition a replay reproduces every recorded transition and the final state.

import { afterAll, describe, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import { WhatIfService } from '../../../src/services/contracts/what-if.ts';
import { computeInContract } from '../../../src/services/engine/environment.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { findTemplate } from '../../../src/templates/load.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';
import { runRandomHistory } from './random-history.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const fixture = await createEngineFixture(storage);
const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
const whatIf = new WhatIfService({
  storage,
  runtimes: fixture.engine.runtimes,
  contracts: new ContractService({
    ...storage,
    engine: fixture.engine,
    operators: OPERATORS,
    roleOf: async () => 'owner',
  }),
  environment: {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: (call) => computeInContract(instance, call),
  },
  clock: { source: 'test', now: () => BigInt(fixture.engine.tick) * 777_000_777n },
});

/** Parameters short enough that a history of a few hundred ticks reaches every state. */
const SHORT_PARAMETERS: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  'rate-limiter': { threshold: 3, within: 9 },
  'two-person-approval': { expires_after: 40, execute_within: 15 },
  'regulatory-report-filing': { opens: '* * * * *', remind_every: 20, due_after: 60, max_late: 30 },
  'cold-chain-excursion': { high_limit: 275, window: 20, recheck: 15, silence: 25, min_samples: 2 },
  'circuit-breaker': { max_failures: 2, within: 12, cool_down: 10, probes: 2, trips_before_lockout: 3 },
  'multi-signature-treasury': { sign_within: 30, limit: 100 },
  'escrow-dispute-window': { price: 30, deposit_deadline: 50, dispute_window: 30, arbiter_deadline: 40 },
};
/** The histories of a seed are always the same. */
const SEEDS = Number(process.env.SEEDS ?? (process.env.SVC_SLOW === '1' ? 10 : 3));

describe.each(Object.entries(SHORT_PARAMETERS))('%s', (template, parameters) => {
  const { definition } = findTemplate(template);

  test('a replay reproduces every transition and ends in the same state', async () => {
    let fires = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { machine, id } = await runRandomHistory(fixture, {
        definition,
        parameters,
        seed,
        steps: 120,
        isEventsOnly: true,
      });
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.beginning, answer.mismatch, answer.divergence]).toEqual([
        seed,
        'deployed',
        undefined,
        undefined,
      ]);
      // A wake that fires nothing writes no row, so fields that only such wakes change are not compared.
      const { pendingSince, enteredAt, blockedCount, missed, ...state } = answer.alternative.running.state;
      expect([seed, answer.stored.state]).toMatchObject([seed, state]);
      fires += answer.real.length;
    }
    expect(fires).toBeGreaterThan(SEEDS);
  }, 120_000);

  test('a replay reproduces pauses, skips, manual fires and new versions', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { machine, id } = await runRandomHistory(fixture, {
        definition,
        parameters,
        seed: 1_000 + seed,
        steps: 120,
      });
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.mismatch]).toEqual([seed, undefined]);
    }
  }, 120_000);

  test('a replay from any tick on reproduces the rest', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { machine, id, deployed, tick } = await runRandomHistory(fixture, {
        definition,
        parameters,
        seed: 2_000 + seed,
        steps: 120,
        isEventsOnly: true,
      });
      const from = deployed + 1 + ((seed * 7919) % Math.max(1, tick - deployed));
      const answer = await whatIf.replay(machine, id, from, {});
      expect([seed, answer.beginning, answer.mismatch, answer.divergence]).toEqual([
        seed,
        'as it was',
        undefined,
        undefined,
      ]);
    }
  }, 120_000);
});

const header = { version: '1.0', operators: ['KO42'], initial: 'on' };
const transition = { from: 'on', operator: 'KO42', proof: false };

/** Fires in every tick; catches up at most three missed occurrences. */
const EVERY_TICK = Definition.parse({
  ...header,
  name: 'every_tick',
  events: { end: {} },
  states: { on: { role: 'initial' }, off: { role: 'terminal' } },
  transitions: [
    {
      ...transition,
      id: 'tick',
      to: 'on',
      trigger: { kind: 'recurring', every: 1, catch_up: 'all', max_catch_up: 3 },
    },
    { ...transition, id: 'end', to: 'off', trigger: { kind: 'event', event: 'end' } },
  ],
});

test('a replay reproduces fires that were caught up after a pause, and the missed count', async () => {
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: EVERY_TICK });
  await fixture.contracts.pause(machine, OWNER, id);
  fixture.setTick(1_020);
  await fixture.contracts.resume(machine, OWNER, id, 'deadline');
  expect(await fixture.engine.wake(machine.id)).toBe(3);
  expect(await fixture.engine.wake(machine.id)).toBe(0);
  fixture.setTick(1_021);
  expect(await fixture.engine.wake(machine.id)).toBe(1);
  const answer = await whatIf.replay(machine, id, 0, {});
  expect(answer.mismatch).toBeUndefined();
  expect(answer.real.map(({ due }) => due)).toEqual([1_018, 1_019, 1_020, 1_021]);
  expect(answer.stored.state).toMatchObject({ fires: 4, missed: 17 });
  expect(answer.alternative.running.state).toEqual(answer.stored.state);
});

/** Fires once, unless it is late. */
const ONE_SHOT = Definition.parse({
  ...header,
  name: 'one_shot',
  states: { on: { role: 'initial' }, off: { role: 'terminal' } },
  transitions: [{ ...transition, id: 'call', to: 'off', trigger: { kind: 'one_shot', after: 5, catch_up: 'skip' } }],
});

test('a replay reproduces a contract that completed without a fire', async () => {
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: ONE_SHOT });
  await fixture.contracts.pause(machine, OWNER, id);
  fixture.setTick(1_020);
  await fixture.contracts.resume(machine, OWNER, id, 'deadline');
  await fixture.engine.wake(machine.id);
  const { contract } = await fixture.contracts.get(machine, id);
  expect(contract).toMatchObject({ status: 'completed', currentState: 'on', missed: 1, next_fire: null });
  const { mismatch, alternative } = await whatIf.replay(machine, id, 0, {});
  expect([mismatch, alternative.status]).toEqual([undefined, 'completed']);
});
