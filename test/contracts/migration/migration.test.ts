// Migration between versions: what becomes of state, values, timers and stopwatches, and what is refused by name.

import { afterAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { compileMigration, unmappedStates } from '../../../src/contracts/migration/compile.ts';
import { Migration } from '../../../src/contracts/migration/schema.ts';
import { termsHashOf } from '../../../src/contracts/parties/acceptance.ts';
import type { Terms } from '../../../src/contracts/parties/party-state.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';
import { FIRST, MIGRATE, SECOND } from './orders.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const fixture = await createEngineFixture(storage);
const { contracts, engine } = fixture;

async function begin(definition: Definition = FIRST) {
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await contracts.deploy(machine, OWNER, { definition });
  const send = (name: string, payload: Record<string, unknown> = {}) =>
    engine.ingest(machine.id, '', { name, payload });
  const advance = async (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      fixture.setTick(engine.tick + 1);
      await engine.wake(machine.id);
    }
  };
  const state = async () => (await contracts.get(machine, id)).stored.state;
  const migrate = (given: object, to: Definition = SECOND) =>
    contracts.patch(machine, OWNER, id, { definition: to, migrate: Migration.parse(given) });
  const rows = async () => storage.audit.range(machine.id, machine.head.slug, 0, Number.MAX_SAFE_INTEGER);
  return { machine, id, send, advance, state, migrate, rows };
}

async function packing() {
  const order = await begin();
  await order.send('add', { item: 'lamp', price: 70 });
  await order.send('add', { item: 'rug', price: 50 });
  await order.send('pack');
  return order;
}

describe('a contract in a mapped state', () => {
  test('has the values that the migration computes, keeps, moves and drops', async () => {
    const order = await packing();
    await order.migrate(MIGRATE);
    expect(await order.state()).toMatchObject({
      state: 'in_work',
      context: { total: 120, note: 'rug', busy: true },
      collections: { goods: ['lamp', 'rug'] },
    });
    expect(Object.keys((await order.state()).collections ?? {})).toEqual(['goods']);
  });

  test('reads all of the former state before it writes any', async () => {
    const swapped = Definition.parse({
      ...FIRST,
      version: '1.1',
      context: { ...FIRST.context, cents: { type: 'integer', initial: 9 }, ratio: { type: 'number', initial: 9 } },
    });
    const order = await packing();
    await order.migrate({ context: { cents: 'floor(ratio)', ratio: 'cents / 2' } }, swapped);
    expect((await order.state()).context).toEqual({ cents: 0, note: 'rug', ratio: 60 });
  });

  test('has values that are computed of former collections', async () => {
    const order = await packing();
    const busy = 'count(items) == 2 and not has(seen, "x") and ratio + cents > 0';
    await order.migrate({ ...MIGRATE, context: { ...MIGRATE.context, busy } });
    expect((await order.state()).context).toMatchObject({ busy: true });
  });

  test('goes on with timers of the same trigger under their new names, and sets new ones from its entry', async () => {
    const order = await packing();
    await order.advance(25);
    const before = await order.state();
    await order.migrate(MIGRATE);
    const after = await order.state();
    const dueOf = (id: string) => after.timers.find(({ transition }) => transition === id)?.due;
    expect([dueOf('give_up'), dueOf('nudge'), dueOf('audit')]).toEqual([1_100, 1_030, 1_028]);
    expect(after.firesSinceEntry).toEqual({ nudge: before.firesSinceEntry.remind });
    expect([after.entries, after.entered, after.enteredAt]).toEqual([before.entries, before.entered, before.enteredAt]);
    await order.advance(40);
    // Two reminders before, and one after: three are allowed in one entry.
    expect((await order.state()).firesSinceEntry.nudge).toBe(3);
  });

  test('keeps a skip, and the count of a stopwatch, which runs on only in the states of the new version', async () => {
    const order = await packing();
    await order.advance(6);
    await contracts.skipNext(order.machine, OWNER, order.id);
    await order.migrate(MIGRATE);
    const { timers, clocks } = await order.state();
    expect(timers.find(({ transition }) => transition === 'nudge')?.due).toBe(1_020);
    expect(clocks).toEqual({ effort: { total: 0, since: 1_000 } });
    const stands = Definition.parse({ ...SECOND, version: '2.1', clocks: { effort: { runs_in: ['taken'] } } });
    await order.advance(4);
    await contracts.patch(order.machine, OWNER, order.id, { definition: stands });
    expect((await order.state()).clocks).toEqual({ effort: { total: 10, since: null } });
  });

  test('of a pause is migrated as of its beginning, and goes on when it is resumed', async () => {
    const order = await begin(Definition.parse({ ...FIRST, pause: 'operator' }));
    await order.send('pack');
    await order.advance(5);
    await contracts.pause(order.machine, OWNER, order.id);
    fixture.setTick(1_050);
    await order.migrate({ ...MIGRATE, context: { ...MIGRATE.context, total: 'money(floor(clock.work), "EUR")' } });
    expect(await order.state()).toMatchObject({
      context: { total: 5 },
      clocks: { effort: { total: 0, since: 1_000 } },
    });
    await contracts.resume(order.machine, OWNER, order.id, 'remaining');
    expect((await order.state()).timers.find(({ transition }) => transition === 'give_up')?.due).toBe(1_145);
  });

  test('is told by its row: the migration, where it led, and hashes of what it made', async () => {
    const order = await packing();
    await order.migrate(MIGRATE);
    const row = JSON.parse((await order.rows()).at(-1)?.payload_text ?? '') as object;
    expect(row).toMatchObject({ act: 'patched', version: 2, migrate: MIGRATE, from: 'packing', to: 'in_work' });
    expect(row).toMatchObject({
      context_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      collections: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('goes back by a rollback with a migration of its own', async () => {
    const order = await packing();
    await order.migrate(MIGRATE);
    const back = {
      states: { taken: 'open', in_work: 'packing' },
      context: { cents: 'minor(total)' },
      collections: { items: 'goods' },
      clocks: { work: 'effort' },
      drop: ['busy'],
    };
    await contracts.rollback(order.machine, OWNER, order.id, 1, false, Migration.parse(back));
    expect(await order.state()).toMatchObject({
      state: 'packing',
      context: { cents: 120, note: 'rug', ratio: 0.5 },
      collections: { items: ['lamp', 'rug'], seen: [] },
    });
  });
});

test('the states that need a place are those from which the contract goes on', () => {
  const old = compileContract(FIRST);
  expect(unmappedStates(old, SECOND, {}, 'open')).toEqual(['open', 'packing']);
  expect(unmappedStates(old, SECOND, { states: { open: 'taken' } }, 'packing')).toEqual(['packing']);
  expect(unmappedStates(old, SECOND, { states: { open: 'taken', packing: 'taken' } }, 'open')).toEqual([]);
});

describe('states that stay in the language', () => {
  const timed = (from: string, id: string, after: number) => ({
    id,
    from,
    to: 'end',
    operator: 'KO42',
    proof: false,
    manual: 'admin',
    trigger: { kind: 'one_shot', after },
  });
  const pair = (version: string, ...transitions: object[]) =>
    Definition.parse({
      ...{ name: 'pair', version, operators: ['KO42'], initial: 'a', events: { swap: {} } },
      states: { a: { role: 'initial' }, b: { role: 'intermediate' }, end: { role: 'terminal' } },
      transitions: [
        { ...timed('a', 'swap', 1), to: 'b', manual: 'operator', trigger: { kind: 'event', event: 'swap' } },
        ...transitions,
      ],
    });
  const first = pair('1.0', timed('a', 'end_a', 50), timed('b', 'end_b', 50));
  const dueAfter = async (to: Definition, states: Record<string, string>) => {
    const order = await begin(first);
    await order.advance(10);
    await contracts.skipNext(order.machine, OWNER, order.id);
    await order.migrate({ states }, to);
    const { state, timers, lifecycle } = await order.state();
    return { state, lifecycle, timers: timers.map(({ transition, due }) => [transition, due]) };
  };

  test('exchanged with each other take the timers of the same trigger with them', async () => {
    const exchanged = pair('1.1', timed('a', 'end_a', 50), timed('b', 'end_b', 50), {
      ...timed('b', 'wait', 1),
      to: 'b',
      trigger: { kind: 'event', event: 'swap' },
    });
    // The skipped timer does not come back under the name of the other state.
    expect(await dueAfter(exchanged, { a: 'b', b: 'a' })).toEqual({ state: 'b', lifecycle: 'active', timers: [] });
  });

  test('set a timer with another trigger anew, counted from the entry', async () => {
    const longer = pair('1.1', timed('a', 'end_a', 50), timed('b', 'end_b', 60));
    expect(await dueAfter(longer, { a: 'b' })).toEqual({ state: 'b', lifecycle: 'active', timers: [['end_b', 1_060]] });
  });
});

describe('what has the same name in both versions', () => {
  test('begins anew where it is dropped: variable, collection and stopwatch', async () => {
    const order = await packing();
    await order.advance(5);
    await order.migrate({ drop: ['note', 'items', 'clock.work'] }, Definition.parse({ ...FIRST, version: '1.1' }));
    expect(await order.state()).toMatchObject({
      context: { cents: 120, note: '', ratio: 0.5 },
      collections: { items: [], seen: ['lamp', 'rug'] },
      clocks: { work: { total: 0, since: 1_005 } },
    });
  });

  test.each<[string, Definition, object, object, string, string]>([
    [
      'another type',
      FIRST,
      { ...SECOND, context: { ...SECOND.context, note: { type: 'integer', initial: 0 } } },
      MIGRATE,
      'migrate.context.note',
      'LOST',
    ],
    [
      'another currency',
      SECOND,
      { ...SECOND, context: { ...SECOND.context, total: { type: 'money<USD>', initial: 0 } } },
      {},
      'migrate.context.total',
      'LOST',
    ],
    [
      'entries of another type',
      SECOND,
      { ...SECOND, collections: { goods: { kind: 'list', of: 'integer', max: 5 } } },
      {},
      'migrate.collections.goods',
      'LOST',
    ],
    [
      'entries of another type, moved',
      FIRST,
      { ...SECOND, collections: { goods: { kind: 'list', of: 'integer', max: 5 } } },
      MIGRATE,
      'migrate.collections.goods',
      'TYPE',
    ],
  ])('is not kept with %s, and has to be named', (_, before, after, given, path, code) => {
    let error: unknown;
    try {
      compileMigration(compileContract(before), compileContract(Definition.parse(after)), Migration.parse(given));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DomainError);
    expect((error as DomainError).details).toContainEqual(expect.objectContaining({ path, code }));
  });
});

test('a stopwatch that an expression reads is not lost, and an end that the new version lacks needs no place', () => {
  const { clocks: _, ...withoutClocks } = MIGRATE;
  const compiled = compileMigration(compileContract(FIRST), compileContract(SECOND), Migration.parse(withoutClocks));
  expect([...compiled.clocks]).toEqual([]);
  const { late: __, ...states } = SECOND.states;
  const endless = { ...SECOND, states, transitions: SECOND.transitions.filter(({ to }) => to !== 'late') };
  expect(unmappedStates(compileContract(FIRST), endless, MIGRATE, 'packing')).toEqual([]);
});

test('two collections are exchanged, and one that is moved does not stay under its own name, too', () => {
  const goods = SECOND.collections?.goods;
  const ship = (one: Definition['transitions'][number]) =>
    one.id === 'ship' ? { ...one, fires_when: `${one.fires_when} and count(more) >= 0` } : one;
  const pair = { ...SECOND, collections: { goods, more: goods }, transitions: SECOND.transitions.map(ship) };
  const compiled = compileContract(Definition.parse(pair));
  const moved = (given: object) => [...compileMigration(compiled, compiled, Migration.parse(given)).collections];
  expect(moved({ collections: { goods: 'more', more: 'goods' } })).toEqual([
    ['goods', 'more'],
    ['more', 'goods'],
  ]);
  expect(moved({ collections: { goods: 'more' }, drop: ['goods'] })).toEqual([['goods', 'more']]);
  expect(() => moved({ collections: { goods: 'more' } })).toThrow('the former value of goods is written over');
});

describe('refused by name, and nothing is written', () => {
  const without = (...parts: string[]) => ({
    ...MIGRATE,
    ...Object.fromEntries(parts.map((part) => [part, undefined])),
  });
  const context = (more: object) => ({ ...MIGRATE, context: { ...MIGRATE.context, ...more } });
  test.each<[string, object, string, string]>([
    ['the present state has no place', { ...MIGRATE, states: { open: 'taken' } }, 'migrate.states.packing', 'UNMAPPED'],
    [
      'a state that is not there',
      { ...MIGRATE, states: { ...MIGRATE.states, opn: 'taken' } },
      'migrate.states.opn',
      'UNKNOWN_NAME',
    ],
    [
      'a target that is not there',
      { ...MIGRATE, states: { open: 'taken', packing: 'in_wrk' } },
      'migrate.states.packing',
      'UNKNOWN_NAME',
    ],
    [
      'a name of every object',
      { ...MIGRATE, states: { ...MIGRATE.states, constructor: 'taken' } },
      'migrate.states.constructor',
      'UNKNOWN_NAME',
    ],
    [
      'a terminal state that would live',
      { ...MIGRATE, states: { ...MIGRATE.states, late: 'taken' } },
      'migrate.states.late',
      'TERMINAL',
    ],
    [
      'an end without a transition',
      { ...MIGRATE, states: { ...MIGRATE.states, open: 'late' } },
      'migrate.states.open',
      'TERMINAL',
    ],
    ['a variable that the new version lacks', context({ cost: '1' }), 'migrate.context.cost', 'UNKNOWN_NAME'],
    ['an expression of another type', context({ total: 'cents' }), 'migrate.context.total', 'EXPRESSION_INVALID'],
    ['an expression that does not parse', context({ total: 'money(' }), 'migrate.context.total', 'EXPRESSION_INVALID'],
    ['a name of the new version', context({ busy: 'total > 0' }), 'migrate.context.busy', 'EXPRESSION_INVALID'],
    ['the time of now', context({ busy: 'now > 3' }), 'migrate.context.busy', 'EXPRESSION_INVALID'],
    ['a collection as a value', context({ note: 'items' }), 'migrate.context.note', 'EXPRESSION_INVALID'],
    ['a value written over', context({ note: '"x"' }), 'migrate.context.note', 'COLLISION'],
    ['a variable that would be lost', context({ busy: 'true' }), 'migrate.context.ratio', 'LOST'],
    ['a collection that would be lost', without('drop'), 'migrate.collections.seen', 'LOST'],
    [
      'a stopwatch that would be lost',
      { ...without('clocks'), context: { ...MIGRATE.context, busy: 'ratio > 1' } },
      'migrate.clocks.work',
      'LOST',
    ],
    [
      'a collection of another kind',
      { ...MIGRATE, collections: { goods: 'seen' } },
      'migrate.collections.goods',
      'TYPE',
    ],
    [
      'a collection that is not there',
      { ...MIGRATE, collections: { goods: 'item' } },
      'migrate.collections.goods',
      'UNKNOWN_NAME',
    ],
    ['a collection for none', { ...MIGRATE, collections: { god: 'items' } }, 'migrate.collections.god', 'UNKNOWN_NAME'],
    [
      'a stopwatch that is not there',
      { ...MIGRATE, clocks: { effort: 'wrk' } },
      'migrate.clocks.effort',
      'UNKNOWN_NAME',
    ],
    ['what it moves and drops', { ...MIGRATE, drop: ['seen', 'items'] }, 'migrate.drop.1', 'COLLISION'],
    ['what nobody has', { ...MIGRATE, drop: ['seen', 'sen'] }, 'migrate.drop.1', 'UNKNOWN_NAME'],
    ['a division by zero', context({ total: 'money(cents / 0, "EUR")' }), 'migrate.context.total', ''],
    ['part of a cent', context({ total: 'money(cents / 7, "EUR")' }), 'migrate.context.total', ''],
    ['an entry that is not there', context({ note: 'at(items, 7)' }), 'migrate.context.note', ''],
  ])('%s', async (_, given, path, code) => {
    const order = await packing();
    const [rows, state] = [await order.rows(), await order.state()];
    const error = await order.migrate(given).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DomainError);
    const { details = [], message } = error as DomainError & { details?: { path: string; code: string }[] };
    expect(
      details.find((one) => one.path === path),
      message,
    ).toBeDefined();
    if (code !== '') expect(details.find((one) => one.path === path)?.code).toBe(code);
    if (code === 'LOST') expect(message).toContain('is lost: the new version has none of its name and type');
    if (path === 'migrate.context.note' && code === 'COLLISION') expect(message).toContain('is written over');
    expect([await order.rows(), await order.state()]).toEqual([rows, state]);
    expect((await contracts.get(order.machine, order.id)).contract.current_version_no).toBe(1);
  });

  test('two collections that take one', () => {
    const pair = Definition.parse({
      ...SECOND,
      collections: { goods: SECOND.collections?.goods, more: SECOND.collections?.goods },
      transitions: SECOND.transitions.map((one) =>
        one.id === 'ship' ? { ...one, fires_when: `${one.fires_when} and count(more) >= 0` } : one,
      ),
    });
    const given = Migration.parse({ ...MIGRATE, collections: { goods: 'items', more: 'items' } });
    expect(() => compileMigration(compileContract(FIRST), compileContract(pair), given)).toThrow(
      'migrate.collections.more takes items, which goods takes already; it goes to one place.',
    );
  });

  test('a kept number that the new type cannot hold', async () => {
    const whole = Definition.parse({
      ...FIRST,
      version: '1.1',
      context: { ...FIRST.context, ratio: { type: 'integer', initial: 0 } },
    });
    const order = await packing();
    await expect(order.migrate({}, whole)).rejects.toThrow(
      'migrate.context.ratio: ratio would become 0.5; a whole number is expected.',
    );
  });

  test('states that it can come to, not only the one in which it is', async () => {
    const order = await begin();
    await expect(order.migrate({ ...MIGRATE, states: { open: 'taken' } })).rejects.toThrow(
      'migrate.states.packing is missing. The contract can come to packing',
    );
    await order.migrate(MIGRATE);
    expect((await order.state()).state).toBe('taken');
  });

  test('a migration to the same definition, and one with a reset', async () => {
    const order = await packing();
    await expect(order.migrate({ states: { packing: 'open' } }, FIRST)).rejects.toThrow('migrate needs a definition');
    const both = contracts.patch(
      order.machine,
      OWNER,
      order.id,
      { definition: SECOND, migrate: MIGRATE },
      { reset: true },
    );
    await expect(both).rejects.toThrow('migrate cannot be combined with reset');
  });

  test('without a migration a missing state is refused as before, and names both ways out', async () => {
    const order = await packing();
    await expect(contracts.patch(order.machine, OWNER, order.id, { definition: SECOND })).rejects.toThrow(
      'The new version has no state packing; map it with migrate.states, or set reset to start from its initial state.',
    );
  });
});

test('terms without a migration keep the hash that they had before there were any', () => {
  const terms: Terms = {
    kind: 'version',
    base: 3,
    definitionHash: 'ab'.repeat(32),
    parameters: { price: 5 },
    name: 'sale',
    reset: false,
    act: 'patched',
  };
  expect(termsHashOf('c1', terms)).toBe('45578a7b0efd8faad82fa05293e62fc62ee1f3a1c68fc3b0b0cc854ee9e37629');
  expect(termsHashOf('c1', { ...terms, migrate: {} })).not.toBe(termsHashOf('c1', terms));
});
