// Money, named expressions and hashes in definitions: what they mean, and what is refused with its name.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { guardWarnings } from '../../../src/contracts/guard-warnings.ts';
import { canonicalJson } from '../../../src/core/canonical-json.ts';
import { sha256Hex } from '../../../src/core/sha256.ts';
import escrow from '../first-edition/escrow-dispute-window.json' with { type: 'json' };
import { close, common, faultsOf, ledger, messagesOf, on, run, sends } from './data-fixture.ts';

const MAX = Number.MAX_SAFE_INTEGER;

/** A purse of euros, which `ask` changes by an expression. */
const purse = (text: string, more: object = {}): object =>
  ledger({
    parameters: { fee: { type: 'money<EUR>', default: 250 } },
    context: {
      purse: { type: 'money<EUR>', initial: 1_000 },
      dollars: { type: 'money<USD>', initial: 500 },
      count: { type: 'number', initial: 3 },
    },
    events: { ask: { payload: { price: 'money<EUR>', factor: 'number' } }, close: {}, usd: {} },
    transitions: [
      on('ask', [{ set: { purse: text } }]),
      on('usd', [{ set: { dollars: 'dollars + times(dollars, count)' } }], { fires_when: 'fee > 0' }),
      close,
    ],
    ...more,
  });
const purseAfter = (text: string, price = 0, factor = 0) =>
  run(purse(text), [{ at: 1, send: 'ask', payload: { price, factor } }])[0];

describe('money', () => {
  test.each<[string, number, number, number]>([
    ['purse + event.price - fee', 40, 0, 790],
    ['-purse', 0, 0, -1_000],
    ['purse > event.price ? event.price : 0', 7, 0, 7],
    ['min(purse, event.price) + max(0, event.price) + abs(-fee)', 3, 0, 256],
    ['times(purse, event.factor)', 0, 0.0015, 2],
    ['times(purse, event.factor)', 0, 0.0025, 2],
    ['times(purse, event.factor, "half_up")', 0, 0.0025, 3],
    ['divide(purse, count)', 0, 0, 333],
    ['divide(purse, count, "up")', 0, 0, 334],
    ['portion(purse, event.price, purse + event.price)', 1_000, 0, 500],
    ['portion(purse, 2, 3)', 0, 0, 667],
    ['allocate(purse, 1, 1, 1, 1) - allocate(purse, 3, 1, 1, 1)', 0, 0, 1],
    ['money(event.factor, "EUR") + money(minor(dollars), "EUR")', 0, 12, 512],
    ['0', 0, 0, 0],
  ])('%s', (text, price, factor, expected) => {
    const report = purseAfter(text, price, factor);
    expect(report?.refused).toEqual([]);
    expect(report?.context.purse).toBe(expected);
  });

  test.each<[string, number, number, string]>([
    ['purse + event.price', MAX, 0, `exceeds the largest amount, ${MAX} minor units`],
    ['purse + event.price - event.price', MAX, 0, 'exceeds the largest amount'],
    ['times(purse, event.factor)', 0, 1e300, 'exceeds the largest amount'],
    ['divide(purse, event.factor)', 0, 0, 'cannot be divided by 0'],
    ['portion(purse, 1, event.factor)', 0, 0, 'cannot be divided by 0'],
    ['money(event.factor, "EUR")', 0, 0.5, '0.5 is no whole number of minor units; times, divide and portion round'],
    ['money(event.factor / 0, "EUR")', 0, 0, 'NaN is no whole number'],
    ['times(purse, event.factor / 0)', 0, 1, 'Infinity is no factor'],
    ['allocate(purse, 1, event.factor, 0)', 0, 0, 'weights sum to 0'],
    ['allocate(purse, 1, event.factor, 9)', 0, -1, 'The weight -1 is not allowed'],
    ['allocate(purse, event.factor, 1, 1)', 0, 3, '3 is no place among 2 weights'],
  ])('%s is refused', (text, price, factor, reason) => {
    const report = purseAfter(text, price, factor);
    expect(report?.refused.join()).toContain(reason);
    expect(report?.context.purse).toBe(1_000);
  });

  test('half a cent in a payload is refused', () =>
    expect(purseAfter('event.price', 0.5)?.refused).toEqual([
      'ask: ask: payload.price is 0.5; a whole number is expected.',
    ]));

  test.each([
    ['purse + dollars', 'got a money<USD> instead of a money<EUR>'],
    ['purse + 1', 'got a number instead of a money<EUR>'],
    ['dollars', 'got a money<USD>'],
    ['purse * 2', 'times, divide and portion round'],
    ['purse / count', 'times, divide and portion round'],
    ['purse < dollars ? purse : fee', 'got a money<USD>'],
    ['count > 0 ? purse : dollars', 'got a money<USD> instead of a money<EUR>'],
    ['portion(purse, fee, dollars)', 'got a money<USD> instead of a money<EUR>'],
    ['times(purse, 2, "nearest")', 'one of "half_even", "half_up"'],
    ['times(purse, dollars)', 'got a money<USD> instead of a number'],
    ['money(1, "euro")', 'a currency such as "EUR"'],
    ['minor(count)', 'instead of an amount of money'],
    ['min(purse, dollars)', 'instead of a money<EUR>'],
    ['sqrt(purse)', 'got a money<EUR> instead of a number'],
  ])('%s is a fault at deployment', (text, message) => {
    const [first = ''] = messagesOf(purse(text));
    if (text === 'dollars')
      expect(first).toBe('transitions.ask.post.0.set.purse is a money<USD>; purse is a money<EUR>.');
    else expect(first).toContain(message);
  });

  test('half a cent as an initial value or a parameter is a fault', () => {
    const half = { purse: { type: 'money<EUR>', initial: 0.5 } };
    expect(messagesOf(purse('fee', { context: half })).join()).toContain('a whole number of minor units of money<EUR>');
    expect(() => compileContract(Definition.parse(purse('fee')), { fee: 0.5 })).toThrow('a value of type money<EUR>');
  });

  test.each(['money<eur>', 'money<EURO>', 'money', 'money<>'])('%s is no type', (type) =>
    expect(Definition.safeParse(purse('fee', { context: { purse: { type, initial: 0 } } })).success).toBe(false),
  );

  const transfers = (token: object) =>
    purse('fee', {
      events: { ask: { payload: { price: 'money<EUR>' } }, usd: {}, close: {} },
      transitions: [
        on('ask', [
          { token: { op: 'mint', to: '"bank"', amount: 'fee' } },
          { token: { op: 'transfer', from: '"bank"', to: '"ann"', amount: 'event.price', ...token } },
          { set: { purse: 'event.price' } },
        ]),
        on('usd', [{ set: { dollars: 'times(dollars, count)' } }]),
        close,
      ],
    });

  test('a transfer of money moves the token of its currency', () => {
    const [moved, refused] = run(transfers({}), sends('ask', [{ price: 100 }, { price: 401 }]));
    expect(moved?.fired[0]?.tokens).toEqual([
      { token: 'EUR', holder: 'bank', amount: 250 },
      { token: 'EUR', holder: 'bank', amount: -100 },
      { token: 'EUR', holder: 'ann', amount: 100 },
    ]);
    expect(refused?.refused).toEqual(['ask: bank holds 400 EUR; 401 cannot be taken.']);
    expect(messagesOf(transfers({ token: 'USD' }))).toContain(
      'transitions.ask.post.1.token.token is USD; the amount is in EUR.',
    );
  });

  test('the first edition has no money', () => {
    const { edition: _, ...first } = purse('fee') as { edition: number };
    expect(faultsOf(first)).toEqual(
      expect.arrayContaining([
        'context.purse.type EDITION',
        'parameters.fee.type EDITION',
        'events.ask.payload.price.type EDITION'.replace('.type', ''),
      ]),
    );
  });
});

describe('a distribution', () => {
  const pot = (amount: string, max = 5): object =>
    ledger({
      collections: { shares: { kind: 'map', of: 'number', max } },
      events: {
        share: { payload: { who: 'string', weight: 'number' } },
        pay: { payload: { amount: 'money<EUR>' } },
        close: {},
      },
      transitions: [
        on('share', [
          { put: { into: 'shares', key: 'event.who', value: 'event.weight' } },
          { token: { op: 'mint', token: 'EUR', to: '"pot"', amount: '50' } },
        ]),
        on('pay', [{ distribute: { amount, by: 'shares', from: '"pot"' } }]),
        close,
      ],
    });
  const shares = sends('share', [
    { who: 'ann', weight: 1 },
    { who: 'bob', weight: 1 },
    { who: 'cleo', weight: 1 },
    { who: 'dan', weight: 0 },
  ]);
  const pay = (amount: number) => run(pot('event.amount'), [...shares, ...sends('pay', [{ amount }], 10)]).at(-1);

  test('gives every unit to somebody, the remainder by its rule', () => {
    expect(pay(100)?.fired[0]?.tokens).toEqual([
      { token: 'EUR', holder: 'pot', amount: -100 },
      { token: 'EUR', holder: 'ann', amount: 34 },
      { token: 'EUR', holder: 'bob', amount: 33 },
      { token: 'EUR', holder: 'cleo', amount: 33 },
    ]);
  });

  test.each([
    [201, 'pot holds 200 EUR; 201 cannot be taken'],
    [-1, '-1 EUR cannot be distributed'],
  ])('of %i is refused', (amount, reason) => expect(pay(amount)?.refused.join()).toContain(reason));

  test('to nobody is refused', () =>
    expect(run(pot('event.amount'), sends('pay', [{ amount: 1 }]))[0]?.refused.join()).toContain('0 weights sum to 0'));

  test('of nothing changes nothing', () =>
    expect(run(pot('event.amount'), sends('pay', [{ amount: 0 }]))[0]?.fired[0]?.tokens).toEqual([]));

  test('its faults', () => {
    expect(messagesOf(pot('1')).join()).toContain('is a number; money is distributed');
    expect(faultsOf(pot('event.amount', 101))).toContain('transitions.pay OUT_OF_RANGE');
  });
});

describe('named expressions', () => {
  const sale = (lets: object, more: object = {}): object =>
    ledger({
      parameters: { rate: { type: 'number', default: 0.2 } },
      context: { total: { type: 'number', initial: 0 }, sales: { type: 'integer', initial: 0 } },
      let: lets,
      events: { sell: { payload: { price: 'number' } }, close: {} },
      transitions: [
        on(
          'sell',
          [{ set: { total: 'total + gross', sales: 'sales + 1' } }, { set: { total: 'total + gross - gross' } }],
          {
            fires_when: 'gross > 1',
            ...more,
          },
        ),
        close,
      ],
    });
  const LETS = { gross: 'net + tax', tax: 'net * rate', net: 'event.price - total * 0' };

  test('are evaluated by their dependence, once, with what there was before the transition', () => {
    expect(faultsOf(sale(LETS))).toEqual([]);
    const reports = run(sale(LETS), sends('sell', [{ price: 10 }, { price: 0.5 }, { price: 20 }]));
    expect(reports.map(({ context }) => context)).toEqual([
      { total: 12, sales: 1 },
      { total: 12, sales: 1 },
      { total: 36, sales: 2 },
    ]);
    const before = sale({ gross: 'total + event.price' });
    // 0 + 5, then 5 + (5 + 5): the name keeps the value of before the action.
    expect(run(before, sends('sell', [{ price: 5 }, { price: 5 }])).map(({ context }) => context.total)).toEqual([
      5, 15,
    ]);
  });

  test('those of a transition are its own, and may read those of the definition', () => {
    const own = sale({ net: 'event.price' }, { let: { gross: 'net * (1 + rate)' } });
    expect(faultsOf(own)).toEqual([]);
    expect(run(own, sends('sell', [{ price: 10 }]))[0]?.context.total).toBe(12);
  });

  test('one that has no value is refused by name', () => {
    const [report] = run(sale({ gross: 'event.price / total' }), sends('sell', [{ price: 1 }]));
    expect(report?.refused).toEqual(['sell: gross would become Infinity; a finite number is expected.']);
  });

  test('a payload is to blame for what its names could not compute', () => {
    const failing = sale({ gross: 'event.price' }, { fires_when: 'true', post: [{ set: { sales: 'gross' } }] });
    const reports = run(failing, sends('sell', new Array(6).fill({ price: 0.5 })));
    expect(reports.at(-1)?.refused).toEqual(['sell: sales would become 0.5; a whole number is expected.']);
  });

  test.each<[string, object, string]>([
    [
      'a circle',
      { gross: 'net', net: 'tax', tax: 'gross' },
      'let.gross depends on itself: gross reads net reads tax reads gross.',
    ],
    ['itself', { gross: 'gross + 1' }, 'let.gross depends on itself: gross reads gross.'],
    ['an unknown name', { gross: 'nett * 2' }, 'let.gross: Column 1: got the unknown name nett'],
    ['an unused name', { gross: 'event.price', spare: '1' }, 'let.spare is unused.'],
    [
      'the name of a variable',
      { gross: 'event.price', total: '1' },
      'let.total is already the name of a context variable.',
    ],
    ['another event', { gross: 'event.weight' }, 'It is read by sell.'],
  ])('%s is a fault', (_, lets, message) => expect(messagesOf(sale(lets)).join('\n')).toContain(message));

  test('the first edition has none', () => {
    const { edition: _, ...first } = sale(LETS) as { edition: number };
    expect(faultsOf(first)).toContain('let EDITION');
  });

  test('guards with names and functions are still compared', () => {
    const never = sale({ gross: 'event.price' }, { fires_when: 'gross > 2 and gross < 1' });
    expect(guardWarnings(compileContract(Definition.parse(never))).map(({ code }) => code)).toEqual(['NEVER_TRUE']);
  });

  test('a name that reads an empty window is unknown, as its value is', () => {
    const quiet = ledger({
      let: { isLoud: 'agg.value > 5' },
      events: { sound: { payload: { level: 'number' } } },
      states: { open: { role: 'initial' }, closed: { role: 'terminal' } },
      transitions: [
        {
          ...common,
          id: 'hush',
          to: 'closed',
          trigger: {
            kind: 'on_aggregate',
            event: 'sound',
            fn: 'avg',
            field: 'level',
            within: 10,
            evaluate: 'arrival_and_expiry',
          },
          fires_when: 'agg.count == 0 or not loud',
        },
      ],
    });
    const renamed = JSON.parse(JSON.stringify(quiet).replaceAll('isLoud', 'loud')) as object;
    const reports = run(renamed, [{ at: 1, send: 'sound', payload: { level: 9 } }, { at: 9 }, { at: 11 }]);
    expect(reports.map(({ state }) => state)).toEqual(['open', 'open', 'closed']);
  });
});

describe('hashes', () => {
  const SALT = 'c2FsdCBvZiAxMjggYml0cw';
  const sealed = (guard: string): object =>
    ledger({
      context: { seal: { type: 'string', initial: '' }, opened: { type: 'integer', initial: 0 } },
      events: {
        commit: { payload: { seal: 'string' } },
        reveal: { payload: { salt: 'string', bid: 'money<EUR>' } },
        close: {},
      },
      transitions: [
        on('commit', [{ set: { seal: 'event.seal' } }], { fires_when: 'length(event.seal) == 64' }),
        on('reveal', [{ set: { opened: 'opened + 1' } }], { fires_when: guard }),
        close,
      ],
    });
  const GUARD = 'commitment(event.salt, event.bid, event.sender) == seal';

  test('the documented recipe gives the seal that the guard computes', () => {
    // printf '["<salt>",1250,"operator"]' | sha256sum
    const seal = createHash('sha256').update(`["${SALT}",1250,"operator"]`).digest('hex');
    const reports = run(sealed(GUARD), [
      { at: 1, send: 'commit', payload: { seal } },
      { at: 2, send: 'reveal', payload: { salt: SALT, bid: 1_251 } },
      { at: 3, send: 'reveal', payload: { salt: SALT, bid: 1_250 }, by: 'eve' },
      { at: 4, send: 'reveal', payload: { salt: SALT, bid: 1_250 } },
    ]);
    expect(reports.map(({ context }) => context.opened)).toEqual([0, 0, 0, 1]);
  });

  test.each([
    ['short', 'The salt has 5 characters; 22 to 128 are expected.'],
    ['x'.repeat(129), 'The salt has 129 characters; 22 to 128 are expected.'],
  ])('the salt %s is refused', (salt, reason) => {
    const [report] = run(sealed(GUARD), [{ at: 1, send: 'reveal', payload: { salt, bid: 1 } }]);
    expect(report?.refused).toEqual([`reveal: ${reason}`]);
  });

  test('values of every type have one canonical form', () => {
    const text = 'sha256("ä\\"", 0.1, 1e21, -0.0, true, event.bid) == seal';
    const seal = sha256Hex('["ä\\"",0.1,1e+21,0,true,5]');
    const reports = run(sealed(text), [
      { at: 1, send: 'commit', payload: { seal } },
      { at: 2, send: 'reveal', payload: { salt: '', bid: 5 } },
    ]);
    expect(reports.at(-1)?.context.opened).toBe(1);
  });

  test('half a character and infinity have no hash, and say so', () => {
    const half = run(sealed(GUARD), [{ at: 1, send: 'reveal', payload: { salt: `\ud800${SALT}`, bid: 1 } }]);
    expect(half[0]?.refused.join()).toContain('cannot be hashed');
    const infinite = run(sealed('sha256(1 / opened) == seal'), [
      { at: 1, send: 'reveal', payload: { salt: '', bid: 1 } },
    ]);
    expect(infinite[0]?.refused.join()).toContain('Infinity cannot be hashed');
  });

  test.each([
    ['commitment(event.bid, 1) == seal', 'instead of a string'],
    ['commitment(event.salt) == seal', 'got commitment of 1'],
    ['sha256(seal) == 1', 'instead of a string'],
  ])('%s is a fault', (guard, message) => expect(messagesOf(sealed(guard))[0]).toContain(message));
});

test('a definition of the first edition keeps its hash and has no data in its state', () => {
  const parsed = Definition.parse(escrow);
  expect(sha256Hex(canonicalJson(parsed))).toBe(sha256Hex(canonicalJson(escrow)));
  expect(compileContract(parsed).initialCollections).toBeUndefined();
});
