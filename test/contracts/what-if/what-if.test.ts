// A replay of what really happened is what really happened; under another definition it says where it parts.

import { afterAll, describe, expect, test } from 'vitest';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { computeInContract } from '../../../src/services/contract-world.ts';
import { ContractService } from '../../../src/services/contracts.ts';
import { WhatIfService } from '../../../src/services/what-if.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';
import { engineAtHand } from '../lifecycle/engine-at-hand.ts';
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
