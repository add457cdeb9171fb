// Day counts against figures that others print, and interest that a contract computes with them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { parseDay } from '../../../src/contracts/time/civil.ts';
import { DAY_COUNTS, type DayCount, yearFraction } from '../../../src/contracts/time/day-count.ts';
import { run } from './time-fixture.ts';

const day = (text: string) => parseDay(text) ?? Number.NaN;

describe('day counts', () => {
  // ISDA, "EMU and market conventions: recent developments", 1998, the examples of its annex;
  // days of the bond and Eurobond bases by the formulas of the 2006 ISDA Definitions, 4.16 (f) and (g).
  test.each<[DayCount, string, string, number]>([
    ['act_act', '2003-11-01', '2004-05-01', 61 / 365 + 121 / 366],
    ['act_act', '1999-02-01', '1999-07-01', 150 / 365],
    ['act_act', '1999-07-01', '2000-07-01', 184 / 365 + 182 / 366],
    ['act_act', '1999-07-30', '2000-01-30', 155 / 365 + 29 / 366],
    ['act_act', '2000-01-30', '2000-06-30', 152 / 366],
    ['act_act', '1999-11-30', '2000-04-30', 32 / 365 + 120 / 366],
    ['act_365', '2027-12-15', '2028-03-15', 91 / 365],
    ['act_360', '2027-12-15', '2028-03-15', 91 / 360],
    ['30_360', '2007-01-15', '2007-01-30', 15 / 360],
    ['30_360', '2007-02-28', '2007-08-31', 183 / 360],
    ['30e_360', '2007-02-28', '2007-08-31', 182 / 360],
    ['30_360', '2006-08-31', '2007-02-28', 178 / 360],
    ['30e_360', '2006-08-31', '2007-02-28', 178 / 360],
    ['30_360', '2008-01-31', '2008-03-31', 60 / 360],
    ['30_360', '2008-02-29', '2008-08-31', 182 / 360],
    ['30_360', '2006-01-30', '2006-10-31', 270 / 360],
  ])('%s from %s to %s', (basis, from, to, years) => {
    expect(yearFraction(basis, day(from), day(to))).toBeCloseTo(years, 14);
  });

  test('whole years are whole, and actual counts add up', () => {
    const days = fc.integer({ min: 0, max: 30_000 });
    fc.assert(
      fc.property(fc.constantFrom(...DAY_COUNTS), days, days, days, (basis, ...given) => {
        const [a, b, c] = given.sort((x, y) => x - y) as [number, number, number];
        expect(yearFraction(basis, a, a)).toBe(0);
        expect(yearFraction(basis, a, c)).toBeGreaterThanOrEqual(0);
        if (!basis.startsWith('act')) return;
        const sum = yearFraction(basis, a, b) + yearFraction(basis, b, c);
        expect(yearFraction(basis, a, c)).toBeCloseTo(sum, 10);
      }),
    );
    for (let year = 1971; year < 2071; year++) {
      const [from, to] = [day(`${year}-01-01`), day(`${year + 1}-01-01`)];
      for (const basis of ['act_act', '30_360', '30e_360'] as const) expect(yearFraction(basis, from, to)).toBe(1);
    }
  });
});

const common = { operator: 'KO42', proof: false };
/** A loan on which interest is charged each month, in cents. */
const loan = (more: object = {}) => ({
  name: 'loan',
  version: '1.0',
  edition: 2,
  zones: '2026f',
  operators: ['KO42'],
  initial: 'open',
  parameters: { principal: { type: 'integer', default: 1_000_000 }, rate: { type: 'number', default: 0.05 } },
  context: {
    since: { type: 'string', initial: '2026-01-31' },
    charged: { type: 'integer', initial: 0 },
    last: { type: 'ticks', initial: 0 },
  },
  accruals: {
    term: { basis: 'act_365', from: 'since', tz: 'Europe/Berlin' },
    year: { basis: '30_360', from: '2026-01-31', to: '2027-01-31', tz: 'Europe/Berlin' },
    month: { basis: 'act_360', from: 'last', tz: 'Europe/Berlin' },
  },
  events: { repay: { payload: { on: 'string' } } },
  states: { open: { role: 'initial' }, repaid: { role: 'terminal' } },
  transitions: [
    {
      ...common,
      id: 'charge',
      from: 'open',
      to: 'open',
      trigger: { kind: 'schedule', every: 'P1M', at: '2026-02-28', tz: 'Europe/Berlin', time: '12:00' },
      fires_when: 'accrual.year == 1',
      post: [{ set: { charged: 'round(principal * rate * accrual.term)', last: 'now' } }],
    },
    {
      ...common,
      id: 'repay',
      from: 'open',
      to: 'repaid',
      trigger: { kind: 'event', event: 'repay' },
      pre: [{ set: { since: 'event.on' } }],
      fires_when: 'accrual.term >= 0 and accrual.month >= 0',
    },
  ],
  ...more,
});
const faultsOf = (definition: object) =>
  definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);

test('interest of 28 days at 5 % on 10,000.00 is 38.36', () => {
  const [report] = run(loan(), { start: '2026-02-01T00:00:00Z', steps: [{ to: '2026-02-28T12:00:00Z' }] });
  expect(report?.context.charged).toBe(Math.round((1_000_000 * 0.05 * 28) / 365));
  expect(report?.context.charged).toBe(3_836);
});

test('a text that is no date, and dates in the wrong order, are refused by name', () => {
  const steps = ['soon', '2026-02-30', '2030-01-01'].map((date) => ({
    to: '2026-03-01T12:00:00Z',
    send: 'repay',
    payload: { on: date },
  }));
  const refused = run(loan(), { start: '2026-02-01T00:00:00Z', steps }).map((report) => report.refused.join());
  expect(refused[0]).toContain('accrual.term.from is "soon"; a date such as');
  expect(refused[1]).toContain('accrual.term.from is "2026-02-30"; a date such as');
  expect(refused[2]).toContain('accrual.term ends on 2026-03-01, before it begins on 2030-01-01');
});

describe('faults', () => {
  test('a sound one has none', () => expect(faultsOf(loan())).toEqual([]));
  test.each([
    ['an unknown name', { term: { basis: 'act_365', from: 'sinse', tz: 'UTC' } }, 'accruals.term.from UNKNOWN_NAME'],
    [
      'a date that does not exist',
      { term: { basis: 'act_365', from: '2026-02-29', tz: 'UTC' } },
      'accruals.term.from INSTANT',
    ],
    ['an unknown zone', { term: { basis: 'act_365', from: 'since', tz: 'Berlin' } }, 'accruals.term.tz UNKNOWN_ZONE'],
    ['one that nothing reads', { other: { basis: 'act_365', from: 'since', tz: 'UTC' } }, 'accruals.other UNUSED'],
  ])('%s', (_, given, fault) => {
    expect(faultsOf(loan({ accruals: { ...loan().accruals, ...given } }))).toContain(fault);
  });
});
