// A replay of what really happened is what really happened; under another definition it says where it parts.

import { afterAll, describe, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import { WhatIfService } from '../../../src/services/contracts/what-if.ts';
import { computeInContract } from '../../../src/services/contracts/world.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';
import { plantMachine } from '../../services/machines/machines-fixture.ts';
import { engineAtHand, OWNER } from '../lifecycle/engine-at-hand.ts';
import { live } from './random-lives.ts';

const storage = await openStorage({ inMemory: true });
afterAll(() => storage.close());
const at = await engineAtHand(storage);
const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
const whatIf = new WhatIfService({
  storage,
  runtimes: at.engine.runtimes,
  contracts: new ContractService({
    engine: at.engine,
    contracts: storage.contracts,
    operators: new Set(OPERATORS.keys()),
  }),
  world: {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: (call) => computeInContract(instance, call),
  },
  clock: { source: 'test', now: () => BigInt(at.engine.tick) * 777_000_777n },
});

/** Short enough that a life of a few hundred ticks goes everywhere. */
const SHORT: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  'rate-limiter': { threshold: 3, within: 9 },
  'two-person-approval': { expires_after: 40, execute_within: 15 },
  'regulatory-report-filing': { opens: '* * * * *', remind_every: 20, due_after: 60, max_late: 30 },
  'cold-chain-excursion': { high_limit: 275, window: 20, recheck: 15, silence: 25, min_samples: 2 },
  'circuit-breaker': { max_failures: 2, within: 12, cool_down: 10, probes: 2, trips_before_lockout: 3 },
  'escrow-dispute-window': { price: 30, deposit_deadline: 50, dispute_window: 30, arbiter_deadline: 40 },
};
const SEEDS = Number(process.env.SEEDS ?? 5);

describe.each([...TEMPLATES.values()])('$id', ({ id: template, definition }) => {
  const parameters = SHORT[template] ?? {};

  test('a life comes out again, transition by transition, and ends in the same state', async () => {
    let fires = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { machine, id } = await live(at, { definition, parameters, seed, steps: 120, isPlain: true });
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.beginning, answer.mismatch, answer.divergence]).toEqual([
        seed,
        'deployed',
        undefined,
        undefined,
      ]);
      // A look that fires nothing leaves no row, so what only looks count is not compared.
      const { owed, enteredAt, guarded, missed, ...state } = answer.would.running.state;
      expect([seed, answer.stored.state]).toMatchObject([seed, state]);
      fires += answer.real.length;
    }
    expect(fires).toBeGreaterThan(SEEDS);
  }, 120_000);

  test('so does one with pauses, skips, fires by hand and new versions', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { machine, id } = await live(at, { definition, parameters, seed: 1_000 + seed, steps: 120 });
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.mismatch]).toEqual([seed, undefined]);
    }
  }, 120_000);

  test('from any tick on it goes on as it went on', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { machine, id, deployed, tick } = await live(at, {
        definition,
        parameters,
        seed: 2_000 + seed,
        steps: 120,
        isPlain: true,
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

const plain = { version: '1.0', operators: ['KO42'], initial: 'on' };
const moved = { from: 'on', operator: 'KO42', proof: false };

/** In every tick it does something, and makes up for three at most. */
const CLOCKWORK = Definition.parse({
  ...plain,
  name: 'clockwork',
  events: { end: {} },
  states: { on: { role: 'initial' }, off: { role: 'terminal' } },
  transitions: [
    {
      ...moved,
      id: 'tick',
      to: 'on',
      trigger: { kind: 'recurring', every: 1, catch_up: 'all', max_catch_up: 3 },
    },
    { ...moved, id: 'end', to: 'off', trigger: { kind: 'event', event: 'end' } },
  ],
});

test('what was made up for after a pause comes out again, with as many missed', async () => {
  const machine = await plantMachine(storage);
  at.setTick(1_000);
  const { id } = await at.contracts.deploy(machine, OWNER, { definition: CLOCKWORK });
  await at.contracts.pause(machine, OWNER, id);
  at.setTick(1_020);
  await at.contracts.resume(machine, OWNER, id, 'deadline');
  expect(await at.engine.wake(machine.id)).toBe(3);
  expect(await at.engine.wake(machine.id)).toBe(0);
  at.setTick(1_021);
  expect(await at.engine.wake(machine.id)).toBe(1);
  const answer = await whatIf.replay(machine, id, 0, {});
  expect(answer.mismatch).toBeUndefined();
  expect(answer.real.map(({ due }) => due)).toEqual([1_018, 1_019, 1_020, 1_021]);
  expect(answer.stored.state).toMatchObject({ fires: 4, missed: 17 });
  expect(answer.would.running.state).toEqual(answer.stored.state);
});

/** Once, if somebody is there in time. */
const LAST_CALL = Definition.parse({
  ...plain,
  name: 'last_call',
  states: { on: { role: 'initial' }, off: { role: 'terminal' } },
  transitions: [{ ...moved, id: 'call', to: 'off', trigger: { kind: 'one_shot', after: 5, catch_up: 'skip' } }],
});

test('a contract that is completed without a fire is so in its replay', async () => {
  const machine = await plantMachine(storage);
  at.setTick(1_000);
  const { id } = await at.contracts.deploy(machine, OWNER, { definition: LAST_CALL });
  await at.contracts.pause(machine, OWNER, id);
  at.setTick(1_020);
  await at.contracts.resume(machine, OWNER, id, 'deadline');
  await at.engine.wake(machine.id);
  const { contract } = await at.contracts.get(machine, id);
  expect(contract).toMatchObject({ status: 'completed', currentState: 'on', missed: 1, next_fire: null });
  const { mismatch, would } = await whatIf.replay(machine, id, 0, {});
  expect([mismatch, would.status]).toEqual([undefined, 'completed']);
});
