// Attack: series and tables of epi and quant that are cut short, lie, or are very long. Each is refused with its line or
// field, and a long one is read in a worker.

import { afterEach, expect, test, vi } from 'vitest';
import { epi } from '../../src/solvers/epi/solver.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
afterEach(() => void vi.restoreAllMocks());

const solve = (solver: string, json: Json) => service.call(`POST /api/svc/${solver}`, { as: 'demo', json });
const rows = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const fitted = (cases: string): Json => ({ cases, fit: ['beta'] });

test.each<[string, string, Json, RegExp]>([
  ['100,000 rows', 'epi', fitted(rows(100_000, (i) => `${i} 1`)), /^cases, line 10001/],
  ['counts that are no numbers', 'epi', fitted(rows(100, (i) => `${i} NaN`)), /^cases/],
  ['a count of 1e308', 'epi', fitted(rows(100, (i) => `${i} 1e308`)), /^cases, line 1/],
  ['negative counts', 'epi', fitted(rows(100, (i) => `${i} -5`)), /^cases, line 1/],
  ['one line of 400,000 columns', 'epi', fitted('1 '.repeat(400_000)), /^cases, line 1/],
  ['480,000 empty lines', 'epi', fitted('\n'.repeat(480_000)), /^cases/],
  ['days that stand still', 'epi', fitted(rows(1_000, () => '5 5')), /^cases, line 2/],
  ['a day of 1e300', 'epi', fitted('0 1\n1 2\n2 3\n1e300 5'), /^cases, line 4/],
  ['10,000 groups', 'epi', { groups: Array.from({ length: 10_000 }, () => 1) }, /^groups/],
  ['contacts of 300 groups', 'epi', { contacts: Array.from({ length: 300 }, () => Array(300).fill(1)) }, /^contacts/],
  ['an ensemble of 10⁹', 'epi', { ensemble: 1e9 }, /^ensemble/],
  ['10⁹ paths', 'quant', { paths: 1e9 }, /^paths/],
  ['10,000 rates', 'quant', { rates: Array.from({ length: 10_000 }, (_, i) => [i, 0.05]) }, /^rates/],
  [
    'times that stand still',
    'quant',
    {
      rates: [
        [1, 0.05],
        [1, 0.06],
      ],
    },
    /^rates/,
  ],
  ['a rate that is no pair', 'quant', { rates: [[1]] }, /^rates/],
  ['10⁶ dates', 'quant', { style: 'asian', dates: 1e6 }, /^dates/],
])('%s of %s are refused with a reason', async (_, solver, json, reason) => {
  const answer = await solve(solver, json);
  expect([answer.status, answer.json().code], answer.text.slice(0, 300)).toEqual([422, 'VALIDATION_FAILED']);
  expect(answer.json().error).toMatch(reason);
  expect(answer.text.length).toBeLessThan(2_000);
});

test('ten thousand rows are read in a worker', async () => {
  const plan = vi.spyOn(epi, 'plan');
  const inWorker = vi.spyOn(service.running.verdicts, 'planInWorker');
  const answer = await solve('epi', fitted(rows(9_999, (i) => `${i} ${10 + (i % 7)}`)));
  expect(answer.status).toBeLessThan(500);
  expect([plan.mock.calls.length, inWorker.mock.calls.length]).toEqual([0, 1]);
});
