// Collections in the pure engine: a model of JavaScript's own, limits, reads with defaults, and bad input.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { simulate } from '../../../src/contracts/simulate.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { close, environment, faultsOf, ledger, messagesOf, on, run, sends } from './data-fixture.ts';

const EVENTS = {
  put: { payload: { key: 'string', value: 'integer' } },
  drop: { payload: { key: 'string' } },
  push: { payload: { text: 'string' } },
  pop: {},
  join: { payload: { text: 'string' } },
  wipe: {},
  close: {},
};

const shelf = (map: object = {}, list: object = {}): object =>
  ledger({
    context: { taken: { type: 'string', initial: '' } },
    collections: {
      stock: { kind: 'map', of: 'integer', max: 5, ...map },
      queue: { kind: 'list', of: 'string', max: 4, ...list },
      members: { kind: 'set', of: 'string', max: 3 },
    },
    events: EVENTS,
    transitions: [
      on('put', [{ put: { into: 'stock', key: 'event.key', value: 'event.value' } }]),
      on('drop', [{ remove: { from: 'stock', entry: 'event.key' } }]),
      on('push', [{ append: { to: 'queue', value: 'event.text' } }]),
      on('pop', [{ take: { from: 'queue', into: 'taken' } }]),
      on('join', [{ add: { to: 'members', value: 'event.text' } }]),
      on('wipe', [{ clear: 'members' }]),
      close,
    ],
  });

test('a sound definition has no faults', () => expect(faultsOf(shelf())).toEqual([]));

describe('operations', () => {
  const key = fc.constantFrom('a', 'b', '10', '9', '__proto__', 'constructor', 'e', 'f');
  const command = fc.oneof(
    fc.record({ send: fc.constant('put'), payload: fc.record({ key, value: fc.maxSafeInteger() }) }),
    fc.record({ send: fc.constant('drop'), payload: fc.record({ key }) }),
    fc.record({ send: fc.constantFrom('push', 'join'), payload: fc.record({ text: key }) }),
    fc.record({ send: fc.constantFrom('pop', 'wipe'), payload: fc.constant({}) }),
  );

  /** Map and Set of JavaScript keep the order of insertion, too. */
  function model(commands: readonly { send: string; payload: object }[]) {
    const stock = new Map<string, number>();
    const queue: string[] = [];
    const members = new Set<string>();
    let taken = '';
    let refused = 0;
    for (const { send, payload } of commands) {
      const { key: at = '', value = 0, text = '' } = payload as { key?: string; value?: number; text?: string };
      if (send === 'drop' && !stock.delete(at)) refused++;
      const isFull = { put: stock.size >= 5 && !stock.has(at), push: queue.length >= 4, join: members.size >= 3 }[send];
      if (send === 'put' && !isFull) stock.set(at, value);
      if (send === 'push' && !isFull) queue.push(text);
      if (send === 'join' && !isFull) members.add(text);
      if (isFull && !(send === 'join' && members.has(text))) refused++;
      if (send === 'pop' && queue.length === 0) refused++;
      if (send === 'pop') taken = queue.shift() ?? taken;
      if (send === 'wipe') members.clear();
    }
    return { taken, refused, collections: { stock: [...stock], queue, members: [...members] } };
  }

  test('do what maps, arrays and sets do, up to the limit', () =>
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 40 }), (commands) => {
        const reports = run(
          shelf(),
          commands.map((one, i) => ({ at: i + 1, ...one })),
        );
        const expected = model(commands);
        const last = reports.at(-1);
        expect(last?.collections).toEqual(expected.collections);
        expect(last?.context).toEqual({ taken: expected.taken });
        expect(reports.flatMap(({ refused }) => refused)).toHaveLength(expected.refused);
      }),
      { numRuns: 150 },
    ));

  test('one more entry than allowed is refused by name, and nothing of its transition is kept', () => {
    const [first, second] = run(
      ledger({
        context: { puts: { type: 'integer', initial: 0 } },
        collections: { stock: { kind: 'map', of: 'number', max: 1 } },
        events: { put: { payload: { key: 'string' } }, close: {} },
        transitions: [
          on('put', [{ set: { puts: 'puts + 1' } }, { put: { into: 'stock', key: 'event.key', value: '1' } }]),
          close,
        ],
      }),
      sends('put', [{ key: 'a' }, { key: 'b' }]),
    );
    expect(first?.context).toEqual({ puts: 1 });
    expect(second).toMatchObject({ context: { puts: 1 }, collections: { stock: [['a', 1]] }, fired: [] });
    expect(second?.refused).toEqual(['put: stock is full: it has 1 entries, and 1 are allowed.']);
  });

  test('senders cannot make a contract fail by filling or emptying a collection', () => {
    const definition = ledger({
      context: { taken: { type: 'string', initial: '' } },
      collections: { queue: { kind: 'list', of: 'string', max: 1 } },
      events: { push: {}, pop: {}, close: {} },
      transitions: [
        on('push', [{ append: { to: 'queue', value: '"x"' } }]),
        on('pop', [{ take: { from: 'queue', into: 'taken' } }]),
        close,
      ],
    });
    const full = run(definition, [...sends('push', new Array(7).fill({})), { at: 20, send: 'pop' }]);
    expect(full.at(-1)?.context).toEqual({ taken: 'x' });
    const empty = run(definition, [...sends('pop', new Array(7).fill({})), { at: 20, send: 'push' }]);
    expect(empty.at(-1)?.collections).toEqual({ queue: ['x'] });
  });

  test('the oldest entries are dropped where that is declared', () => {
    const ring = { at_limit: 'drop_oldest', max: 2 };
    const reports = run(shelf(ring, ring), [
      ...sends('put', [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
        { key: 'a', value: 3 },
        { key: 'c', value: 4 },
      ]),
      ...sends('push', [{ text: 'x' }, { text: 'y' }, { text: 'z' }], 10),
    ]);
    expect(reports.at(-1)?.collections).toMatchObject({
      stock: [
        ['b', 2],
        ['c', 4],
      ],
      queue: ['y', 'z'],
    });
  });

  test.each([
    ['an empty key', 'put', { key: '', value: 1 }, 'The key ""'],
    ['a key that is too long', 'put', { key: 'k'.repeat(129), value: 1 }, '1 to 128 characters'],
    ['a control character', 'put', { key: 'a\n', value: 1 }, 'The key "a\\n"'],
    ['a half character', 'push', { text: '\ud800' }, 'at most 500 printable characters'],
    ['a long text', 'push', { text: 'x'.repeat(501) }, 'at most 500 printable characters'],
    ['half a unit', 'put', { key: 'a', value: 0.5 }, 'a whole number is expected'],
    ['an absent key', 'drop', { key: 'a' }, 'stock has no entry "a"'],
    ['nothing to take', 'pop', {}, 'queue is empty'],
  ])('%s is refused', (_, send, payload, reason) => {
    const [report] = run(shelf(), [{ at: 1, send, payload }]);
    expect(report?.refused.join()).toContain(reason);
    expect(report?.collections).toEqual({ stock: [], queue: [], members: [] });
  });

  test('10^6 keys are refused in the definition, and their bytes in the state', () => {
    const many = shelf({ max: 1_000_000 });
    expect(() => faultsOf(many)).toThrow(/max/);
    const texts = ledger({
      collections: { notes: { kind: 'list', of: 'string', max: 1_000 } },
      events: { note: { payload: { text: 'string' } }, close: {} },
      transitions: [on('note', [{ append: { to: 'notes', value: 'event.text' } }]), close],
    });
    const reports = run(texts, sends('note', new Array(140).fill({ text: 'x'.repeat(500) })));
    const refused = reports.filter((report) => report.refused.length > 0);
    expect(refused[0]?.refused.join()).toContain('at most 65536 are allowed');
    const bytes = JSON.stringify(reports.at(-1)?.collections).length;
    expect(bytes).toBeLessThanOrEqual(LIMITS.contracts.collections.bytes);
    expect(bytes).toBeGreaterThan(LIMITS.contracts.collections.bytes - 600);
  });
});

describe('reads', () => {
  const reading = (text: string, type = 'number', initial: unknown = -1): object =>
    ledger({
      context: { answer: { type, initial } },
      collections: {
        bids: { kind: 'map', of: 'money<EUR>', max: 10 },
        line: { kind: 'list', of: 'string', max: 10 },
        heights: { kind: 'list', of: 'number', max: 10 },
      },
      events: {
        bid: { payload: { who: 'string', amount: 'money<EUR>' } },
        line_up: { payload: { who: 'string' } },
        measure: { payload: { height: 'number' } },
        ask: {},
        close: {},
      },
      transitions: [
        on('bid', [{ put: { into: 'bids', key: 'event.who', value: 'event.amount' } }]),
        on('line_up', [{ append: { to: 'line', value: 'event.who' } }]),
        on('measure', [{ append: { to: 'heights', value: 'event.height' } }]),
        on('ask', [{ set: { answer: text } }]),
        close,
      ],
    });
  const full = [
    ...sends('bid', [
      { who: 'ann', amount: 300 },
      { who: 'bob', amount: 500 },
      { who: 'cleo', amount: 500 },
      { who: 'dan', amount: 100 },
    ]),
    ...sends('line_up', [{ who: 'x' }, { who: 'y' }, { who: 'x' }], 10),
    ...sends('measure', [{ height: 0.1 }, { height: 1e16 }, { height: 0.2 }, { height: -1e16 }], 20),
  ];
  const answer = (text: string, type: string, initial: unknown, steps = full) =>
    run(reading(text, type, initial), [...steps, { at: 30, send: 'ask' }]).at(-1);

  test.each<[string, string, unknown, unknown, unknown]>([
    ['count(bids)', 'number', -1, 4, 0],
    ['sum(bids)', 'money<EUR>', -1, 1_400, 0],
    // 0.1 + 1e16 + 0.2 - 1e16 without rounding on the way: the doubles of 0.1 and 0.2 add up to 0.3 and a bit.
    ['sum(heights)', 'number', -1, 0.30000000000000004, 0],
    ['min(bids, money(7, "EUR"))', 'money<EUR>', -1, 100, 7],
    ['max(bids, 0)', 'money<EUR>', -1, 500, 0],
    ['largest(bids, 2, 0)', 'money<EUR>', -1, 500, 0],
    ['largest(bids, 5, money(9, "EUR"))', 'money<EUR>', -1, 9, 9],
    ['largest_key(bids, 1, "")', 'string', '-', 'bob', ''],
    ['largest_key(bids, 2, "")', 'string', '-', 'cleo', ''],
    ['smallest_key(bids, 1, "none")', 'string', '-', 'dan', 'none'],
    ['get(bids, "ann", 0)', 'money<EUR>', -1, 300, 0],
    ['get(bids, "eve", 8)', 'money<EUR>', -1, undefined, undefined],
    ['key_at(bids, 3, "?")', 'string', '-', 'cleo', '?'],
    ['position(bids, "cleo")', 'number', -1, 3, 0],
    ['position(line, "y")', 'number', -1, 2, 0],
    ['first(line, "?")', 'string', '-', 'x', '?'],
    ['last(line, "?")', 'string', '-', 'x', '?'],
    ['at(line, 2, "?")', 'string', '-', 'y', '?'],
    ['has(bids, "ann") and not has(line, "z")', 'boolean', false, true, false],
    ['count(bids) > 0 ? sum(heights) / count(heights) : -2', 'number', -1, 0.30000000000000004 / 4, -2],
    ['count(bids) * 2 + 1', 'number', -1, 9, 1],
    ['1 - count(bids)', 'number', -1, -3, 1],
    ['sqrt(count(bids))', 'number', -1, 2, 0],
    ['get(bids, first(line, "ann"), 0) + max(bids, 0)', 'money<EUR>', -1, 500, 0],
  ])('%s', (text, type, initial, filled, empty) => {
    if (filled === undefined) {
      expect(messagesOf(reading(text, type, initial))[0]).toContain('got a number instead of a money<EUR>');
      return;
    }
    expect(answer(text, type, initial)?.context).toEqual({ answer: filled });
    expect(answer(text, type, initial, [])?.context).toEqual({ answer: empty });
  });

  test.each([
    ['at(line, 0, "")', 'string', '', '0 is no place'],
    ['at(line, 1.5, "")', 'string', '', '1.5 is no place'],
    ['at(line, 0/0, "")', 'string', '', 'NaN is no place'],
  ])('%s is refused', (text, type, initial, reason) =>
    expect(answer(text, type, initial)?.refused.join()).toContain(reason),
  );

  test('and and or evaluate only what they need', () => {
    expect(answer('count(bids) == 4 or at(line, 0, "") == ""', 'boolean', false)?.context).toEqual({ answer: true });
    expect(answer('count(bids) != 4 and at(line, 0, "") == ""', 'boolean', true)?.context).toEqual({ answer: false });
  });

  test.each([
    ['bids', 'number', 'a collection is read by count'],
    ['bids == bids', 'boolean', 'a collection is read by count'],
    ['bids + 1', 'number', 'got a map<money<EUR>> instead of a number'],
    ['count(answer)', 'number', 'instead of a collection'],
    ['count(bids, 1)', 'number', 'got count of 2 instead of count of 1'],
    ['get(line, "x", "")', 'string', 'instead of a map'],
    ['sum(line)', 'number', 'instead of a collection of numbers or money'],
    ['has(bids, 1)', 'boolean', 'got a number instead of a string'],
    ['max(bids, "x")', 'number', 'got a string instead of a money<EUR>'],
    ['total(bids)', 'number', 'instead of a function'],
    ['sum(k, 1, 3, k)', 'number', 'unknown name k'],
  ])('%s is a fault at deployment', (text, type, message) =>
    expect(messagesOf(reading(text, type, type === 'string' ? '' : type === 'boolean' ? false : 0))[0]).toContain(
      message,
    ),
  );
});

test('the work of reads and writes is counted by the size of what they touch', () => {
  let words = 0;
  const definition = ledger({
    collections: { line: { kind: 'list', of: 'number', max: 1_000 } },
    events: { push: {}, close: {} },
    transitions: [on('push', [{ append: { to: 'line', value: '1' } }], { fires_when: 'sum(line) >= 0' }), close],
  });
  const counting = Object.assign((...call: Parameters<typeof environment.evaluate>) => environment.evaluate(...call), {
    count: (more: number) => {
      words += more;
    },
  });
  const wordsOf = (pushes: number) => {
    words = 0;
    const steps = sends('push', new Array(pushes).fill({}));
    simulate(
      compileContract(Definition.parse(definition)),
      { name: 'work', steps },
      { ...environment, evaluate: counting },
    );
    return words;
  };
  const last = wordsOf(400) - wordsOf(399);
  expect(last).toBeGreaterThan(399 * 20);
  expect(last).toBeLessThan(399 * 40);
});

describe('faults of a definition', () => {
  const changed = (more: object) => ({ ...(shelf() as Record<string, unknown>), ...more });
  test('the first edition has no collections', () => {
    const { edition: _, ...first } = shelf() as { edition: number };
    expect(faultsOf(first)).toEqual(expect.arrayContaining(['collections EDITION', 'transitions.put.post EDITION']));
  });
  test.each([
    [
      'an unknown collection',
      { transitions: [on('push', [{ append: { to: 'quueue', value: '"x"' } }]), close] },
      'transitions.push.post.0.append UNKNOWN_NAME',
    ],
    [
      'an action of another kind',
      { transitions: [on('push', [{ append: { to: 'stock', value: '1' } }]), close] },
      'transitions.push.post.0.append TYPE',
    ],
    [
      'a value of another type',
      { transitions: [on('put', [{ put: { into: 'stock', key: 'event.key', value: 'event.key' } }]), close] },
      'transitions.put.post.0.put.value EXPRESSION_INVALID',
    ],
    [
      'a collection before the guard',
      { transitions: [on('pop', [], { pre: [{ clear: 'queue' }] }), close] },
      'transitions.pop.pre.0 NOT_ALLOWED',
    ],
    ['a taken name', { context: { stock: { type: 'number', initial: 0 } } }, 'collections.stock TAKEN'],
    [
      'an unused collection',
      { collections: { spare: { kind: 'set', of: 'string', max: 1 } } },
      'collections.spare UNUSED',
    ],
    [
      'a number taken as a text',
      { collections: { queue: { kind: 'list', of: 'number', max: 1 } } },
      'transitions.pop.post.0.take.into TYPE',
    ],
    [
      'a collection written as a variable',
      { transitions: [on('push', [{ set: { queue: '1' } }]), close] },
      'transitions.push TAKEN',
    ],
  ])('%s', (_, more, fault) => expect(faultsOf(changed(more))).toContain(fault));
});
