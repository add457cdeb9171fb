import { expect, test } from 'vitest';
import { GuardBudgetExceeded, GuardBudgets, GuardMeter, WORDS } from '../../../src/services/engine/guard-budget.ts';

const LIMITS = { perChange: 1_000, machinePerTick: 600, nodePerTick: 1_200, leastPerTick: 100 };

test('a meter counts every evaluation with its words, and ends a change beyond its limit', () => {
  const meter = new GuardMeter(2 * WORDS.evaluation + 20);
  const evaluate = meter.metered(() => 1);
  const program = { code: new Int32Array(8), pool: new Float64Array(), slots: [] };
  expect([evaluate(program, {}), evaluate(program, {})]).toEqual([1, 1]);
  expect(meter.used).toBe(2 * (WORDS.evaluation + 8));
  expect(() => evaluate(program, {})).toThrow(GuardBudgetExceeded);
});

test('a machine that spent its allowance waits until it has some left', () => {
  const budgets = new GuardBudgets(LIMITS);
  expect(budgets.waitOf('a', 7)).toBe(0);
  budgets.spend('a', 'mill', 7, 500);
  expect(budgets.waitOf('a', 7)).toBe(0);
  budgets.spend('a', 'mill', 7, 1_300);
  expect([budgets.waitOf('a', 7), budgets.waitOf('b', 7)]).toEqual([3, 0]);
  expect(() => budgets.assertLeft('a', 7)).toThrow(/Limit of 600 steps .* machine mill reached; try again in 3 s/);
  expect([8, 9, 10].map((tick) => budgets.waitOf('a', tick))).toEqual([2, 1, 0]);
});

test('the more machines spend, the smaller their share of the node, down to a least share', () => {
  const budgets = new GuardBudgets(LIMITS);
  const spend = (count: number, tick: number) => {
    for (let i = 0; i < count; i++) budgets.spend(`m${i}`, `m${i}`, tick, 1);
    return budgets.allowance;
  };
  expect([spend(1, 1), spend(2, 2), spend(4, 3), spend(50, 4)]).toEqual([600, 600, 300, 100]);
  expect(spend(1, 6)).toBe(600);
});

test('a clock that steps back gives no new allowance', () => {
  const budgets = new GuardBudgets(LIMITS);
  budgets.spend('a', 'mill', 7, 700);
  expect([budgets.waitOf('a', 3), budgets.waitOf('a', 7)]).toEqual([1, 1]);
});
