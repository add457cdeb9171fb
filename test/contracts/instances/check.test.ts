// Definitions with a key: what is refused, with place and code; and values that are keys.

import { expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { keyOfValue } from '../../../src/contracts/instances/keys.ts';
import { canonicalJson } from '../../../src/core/canonical-json.ts';
import { sha256Hex } from '../../../src/core/sha256.ts';
import { CARD, CARDS } from './cards.ts';
import { LOAN, LOANS, OWN_LOANS } from './loans.ts';
import { ORDER, ORDERS } from './orders.ts';

test('the fixtures are sound, and a definition without a key keeps its hash', () => {
  for (const sound of [ORDER, ORDERS, LOAN, LOANS, OWN_LOANS, CARD, CARDS]) expect(definitionFaults(sound)).toEqual([]);
  const { key: _, spawn: __, ...rest } = Definition.parse(JSON.parse(JSON.stringify(ORDERS)));
  expect(sha256Hex(canonicalJson(rest))).toBe(sha256Hex(canonicalJson(ORDER)));
});

const { events = {} } = ORDERS;
const { pay, ...others } = events;

test.each<[string, object, string, string]>([
  ['spawn without key', { ...ORDER, spawn: 'order' }, 'spawn', 'MISSING'],
  ['respawn without key', { ...ORDER, respawn: true }, 'respawn', 'MISSING'],
  ['key without spawn', { ...ORDERS, spawn: undefined }, 'spawn', 'MISSING'],
  ['unknown spawn', { ...ORDERS, spawn: 'ordr' }, 'spawn', 'UNKNOWN_NAME'],
  ['spawn twice', { ...ORDERS, spawn: ['order', 'order'] }, 'spawn', 'REPEATED'],
  [
    'an event without the key',
    { ...ORDERS, events: { ...others, pay: { payload: { amount: 'integer' } } } },
    'events.pay.payload.order_id',
    'MISSING',
  ],
  [
    'a key that is a number',
    { ...ORDERS, events: { ...others, pay: { payload: { amount: 'integer', order_id: 'number' } } } },
    'events.pay.payload.order_id',
    'TYPE',
  ],
  [
    'keys of two types',
    { ...ORDERS, events: { ...others, pay: { payload: { amount: 'integer', order_id: 'integer' } } } },
    'events.pay.payload.order_id',
    'TYPE',
  ],
  ['edition 1', { ...ORDERS, edition: undefined }, 'key', 'EDITION'],
  ['bind without key', { ...LOAN, parties: LOANS.parties }, 'parties.borrower.bind', 'MISSING'],
  [
    'bind by a field that is no text',
    { ...LOANS, parties: { ...LOANS.parties, borrower: { bind: 'event.amount' } } },
    'parties.borrower.bind',
    'TYPE',
  ],
  [
    'bind by a field that the spawn event lacks',
    { ...LOANS, parties: { ...LOANS.parties, borrower: { bind: 'event.lender' } } },
    'parties.borrower.bind',
    'TYPE',
  ],
  [
    'several in one party of an instance',
    { ...LOANS, parties: { ...LOANS.parties, borrower: { bind: 'event.borrower', count: { min: 1, max: 2 } } } },
    'parties.borrower.count',
    'NOT_ALLOWED',
  ],
  [
    'versions that a party of an instance accepts for all',
    { ...LOANS, amend: { by: 'quorum', of: 'borrower', at_least: 1 } },
    'amend.of',
    'NOT_ALLOWED',
  ],
  ['a pause by a party of an instance', { ...LOANS, pause: 'borrower' }, 'pause', 'NOT_ALLOWED'],
  [
    'more seats than an instance keeps',
    { ...LOANS, parties: { ...LOANS.parties, auditors: { count: { min: 1, max: 15 } } } },
    'parties',
    'COUNT',
  ],
  [
    'a window of events without the key',
    {
      ...ORDERS,
      events: { ...events, seen: {} },
      windows: { w: { event: 'seen', fn: 'count', within: 5 } },
    },
    'events.seen.payload.order_id',
    'MISSING',
  ],
  ['stopwatches', { ...ORDERS, clocks: { work: { runs_in: ['paid'] } } }, 'clocks', 'NOT_ALLOWED'],
  [
    'an oracle',
    { ...ORDERS, oracle: { kind: 'push', event: 'pay', field: 'amount', fn: 'last' } },
    'oracle',
    'NOT_ALLOWED',
  ],
])('%s is refused with its place', (_, definition, path, code) => {
  const faults = definitionFaults(JSON.parse(JSON.stringify(definition)));
  expect(faults.map((one) => [one.path, one.code])).toContainEqual([path, code]);
  const { message } = faults.find((one) => one.path === path && one.code === code) ?? {};
  expect(message).toMatch(/expected|not supported|needs|names/);
});

test('texts of 1 to 128 characters and whole numbers are keys', () => {
  expect([keyOfValue('ü'.repeat(128)), keyOfValue(-0), keyOfValue(7), keyOfValue('0')]).toEqual([
    'ü'.repeat(128),
    '0',
    '7',
    '0',
  ]);
  for (const value of ['', '.', '..', 'x'.repeat(129), '\ud800', '\u0085', 1.5, Number.NaN, 2 ** 53, null, [], true])
    expect([value, keyOfValue(value)]).toEqual([value, undefined]);
});
