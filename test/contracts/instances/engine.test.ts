// Instances by key in the engine: the same as a contract for each key; routed, timed, restarted, patched and replayed.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition, NamedWindow } from '../../../src/contracts/definition.ts';
import type { GivenBindings } from '../../../src/contracts/parties/bindings.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { WhatIfService } from '../../../src/services/contracts/what-if.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';
import { CARD, CARDS } from './cards.ts';
import { LOAN, LOANS } from './loans.ts';
import { ORDER, ORDERS } from './orders.ts';
import { randomOf } from './random.ts';

let storage: Storage;
let fixture: EngineFixture;
let tick = 100;

beforeAll(async () => {
  storage = await openStorage(await inMemory());
  for (const zid of [...Object.values(BORROWERS), BANK, ANN, BOB]) {
    const accountId = uuidV7(Date.now(), randomBytes(10));
    await storage.accounts.insert({ id: accountId, kind: 'full', createdSvcond: 1, createdMs: 0 });
    await storage.identities.insert({ accountId, zid, salt: undefined, createdMs: 0 });
  }
  await restart();
});
afterAll(() => storage.close());

/** Another engine on the same database, with nothing in memory. */
async function restart(): Promise<void> {
  fixture = await createEngineFixture(storage);
  fixture.setTick(tick);
}

function forward(ticks: number): void {
  tick += ticks;
  fixture.setTick(tick);
}

const send = (machine: Machine, name: string, payload: object, to?: string, sender?: { readonly zid: string }) => {
  const sent = { name, payload: payload as Record<string, unknown>, to, sender };
  return fixture.engine.ingest(machine.id, sender?.zid ?? OWNER.zid ?? '', sent);
};

async function deployed(definition = ORDERS, bindings?: GivenBindings) {
  const machine = await insertMachine(storage);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition, bindings });
  return { machine, id };
}

const stored = async (machine: Machine, id: string, key: string) =>
  (await storage.contractInstances.byKeys(machine.id, id, [key]))[0];

/** Wakes until nothing is due. */
async function wake(machine: Machine): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const timers = await storage.contracts.ofMachine(machine.id);
    if (!timers.some(({ nextFire, status }) => status === 'active' && nextFire !== undefined && nextFire <= tick))
      return;
    await fixture.engine.wake(machine.id);
  }
  throw new Error('It is due for ever.');
}

/** The part of a state that does not say where in the chain it began. */
const comparable = (state: object | undefined) => {
  const { engine: _, enteredAt: __, ...rest } = (state ?? {}) as Record<string, unknown>;
  return rest;
};

/** Without the checks that fired nothing: rows do not say when they were. */
const decided = (state: object | undefined) => {
  const { blockedCount: _, ...rest } = comparable(state);
  return rest;
};

const KEYS = ['a', 'b/c', '2026 №7'];

/** A definition with a key, one for a single key, and what is sent to both. */
interface Kind {
  readonly keyed: Definition;
  readonly alone: Definition;
  readonly spawn: string;
  readonly names: readonly string[];
  readonly payload: (name: string, key: string, below: (n: number) => number) => Record<string, unknown>;
  /** Bindings of the contract, and those of the contract for one key. */
  readonly bindings?: (key?: string) => Record<string, { zid: string } | { zid: string }[]>;
  /** ZIDs of senders. */
  readonly senders?: readonly string[];
}

const zidOf = (digit: string) => digit.repeat(32);
const BORROWERS: Readonly<Record<string, string>> = { a: zidOf('1'), 'b/c': zidOf('2'), '2026 №7': zidOf('3') };
const [BANK, ANN, BOB] = [zidOf('4'), zidOf('5'), zidOf('6')];

const KINDS: Readonly<Record<string, Kind>> = {
  orders: {
    keyed: ORDERS,
    alone: ORDER,
    spawn: 'order',
    names: ['order', 'item', 'pay', 'pay', 'ship', 'wait', 'wait', 'restart'],
    payload: (name, order_id) => ({
      order_id,
      ...(name === 'item' ? { name: 'x' } : name === 'ship' ? {} : { amount: 2 }),
    }),
  },
  'cards with windows': {
    keyed: CARDS,
    alone: CARD,
    spawn: 'issue',
    names: ['issue', ...Array.from({ length: 12 }, () => 'paid'), 'least', 'close', 'wait', 'wait', 'wait', 'restart'],
    payload: (_, card, below) => ({ card, amount: below(6) }),
  },
  'loans with parties': {
    keyed: LOANS,
    alone: LOAN,
    spawn: 'ask',
    names: ['ask', 'grant', 'grant', 'repay', 'repay', 'check', 'check', 'check', 'note', 'wait', 'restart'],
    payload: (name, loan, below) => ({
      loan,
      ...(name === 'ask' ? { amount: 4, borrower: BORROWERS[loan] } : {}),
      ...(name === 'repay' ? { amount: 1 + below(4) } : {}),
      ...(name === 'check' ? { ok: below(4) > 0 } : {}),
      ...(name === 'note' ? { text: 'x' } : {}),
    }),
    bindings: (key) => ({
      bank: { zid: BANK },
      auditors: [{ zid: ANN }, { zid: BOB }],
      ...(key === undefined ? {} : { borrower: { zid: BORROWERS[key] ?? '' } }),
    }),
    senders: [...Object.values(BORROWERS), BANK, BANK, ANN, BOB],
  },
};

const CASES = Object.keys(KINDS).flatMap((kind) => [1, 2, 3, 4, 5, 6].map((seed) => [kind, seed] as const));

/** What became of an event; a refusal before anything was written is told as one of its kind. */
async function outcome(sent: Promise<{ readonly fired: readonly { readonly transition: string }[] }>) {
  try {
    return (await sent).fired.map(({ transition }) => transition);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'FORBIDDEN_PARTY') return error.message;
    throw error;
  }
}

describe.each(CASES)('%s, seed %i', (kind, seed) => {
  test('a definition with a key does the same as a contract for each key', { timeout: 120_000 }, async () => {
    const { keyed, alone, spawn, names, payload: payloadOf, bindings, senders } = KINDS[kind] as Kind;
    const random = randomOf(seed);
    const below = (n: number) => Math.floor(random() * n);
    const pick = <Item>(list: readonly Item[]): Item => list[below(list.length)] as Item;
    const { machine, id } = await deployed(keyed, bindings?.());
    const twins = new Map<string, { readonly machine: Machine; readonly id: string }>();
    let fires = 0;
    for (let step = 0; step < 90; step++) {
      const key = pick(KEYS);
      const name = pick(names);
      if (name === 'restart') {
        await restart();
        continue;
      }
      if (name === 'wait') {
        forward(1 + below(6));
        await wake(machine);
        for (const twin of twins.values()) await wake(twin.machine);
        continue;
      }
      const payload = payloadOf(name, key, below);
      const sender = senders === undefined ? undefined : { zid: pick(senders) };
      const known = twins.get(key);
      if (name === spawn && known === undefined) twins.set(key, await deployed(alone, bindings?.(key)));
      const twin = twins.get(key);
      if (twin === undefined) {
        const { refused } = await send(machine, name, payload, undefined, sender);
        expect(refused).toMatchObject([{ code: 'UNKNOWN_KEY', instance: key }]);
        continue;
      }
      const { status } = (await storage.contracts.get(twin.machine.id, twin.id)) ?? {};
      if (status === 'completed') {
        const { refused } = await send(machine, name, payload, undefined, sender);
        expect(refused).toMatchObject([{ code: 'KEY_FINISHED', instance: key }]);
        continue;
      }
      const one = await outcome(send(machine, name, payload, undefined, sender));
      const other = await outcome(send(twin.machine, name, payload, twin.id, sender));
      expect(one, `${name} to ${key} at step ${step}`).toEqual(other);
      fires += typeof one === 'string' ? 0 : one.length;
    }
    expect(fires).toBeGreaterThan(2);
    for (const [key, twin] of twins) {
      const instance = await stored(machine, id, key);
      const alone = await storage.contracts.get(twin.machine.id, twin.id);
      expect(comparable(instance?.state)).toEqual(comparable(alone?.state));
      expect([key, instance?.status, instance?.nextFire]).toEqual([key, alone?.status, alone?.nextFire]);
      // The rows alone lead to the same state.
      const replayed = await whatIf().replay(machine, id, 1, { instance: key });
      expect([replayed.mismatch, replayed.erased]).toEqual([undefined, 0]);
      expect(decided(replayed.alternative.running.state)).toEqual(decided(instance?.state));
    }
    const parent = await storage.contracts.get(machine.id, id);
    const active = (await storage.contractInstances.page(machine.id, id, { limit: 9, maxBytes: 1e6, status: 'active' }))
      .rows;
    expect(parent?.state.instances).toEqual({ active: active.length, finished: twins.size - active.length });
    const written = await rows<{ n: number }>(
      storage.database.knex,
      `select count(*)::int as n from audit where machine_id = ? and type = 'transition'`,
      [machine.id],
    );
    expect(parent?.state.fires).toBe(written[0]?.n);
  });
});

const whatIf = () =>
  new WhatIfService({
    storage,
    runtimes: fixture.engine.runtimes,
    contracts: fixture.contracts,
    environment: { evaluate: fixture.evaluate, compute: () => Number.NaN },
    clock: { source: 'test', now: () => BigInt(tick) * 777_000_777n },
  });

describe('bad keys', () => {
  test.each<[unknown, string]>([
    [undefined, 'missing'],
    ['', '""'],
    ['x'.repeat(129), 'longer than 128'],
    ['a\u0000b', 'control character'],
    ['a\nb', 'line feed'],
    ['..', 'a step between folders'],
    [1.5, 'a fraction'],
    [2 ** 60, 'too large'],
    [true, 'a truth value'],
    [{}, 'an object'],
    [null, 'null'],
  ])('%j is refused by name (%s), and nothing is written but the event', async (key) => {
    const { machine, id } = await deployed();
    const { refused, fired } = await send(machine, 'order', { order_id: key, amount: 1 });
    expect([fired, refused.length]).toEqual([[], 1]);
    expect(refused[0]).toMatchObject({ contract: id, code: 'BAD_KEY', path: 'payload.order_id' });
    const state = (await storage.contracts.get(machine.id, id))?.state;
    expect(state?.instances).toEqual({ active: 0, finished: 0 });
    expect((await storage.contractInstances.page(machine.id, id, { limit: 9, maxBytes: 1e6 })).rows).toEqual([]);
  });

  test('a longest key is one, and a spawn whose event is refused creates nothing', async () => {
    const { machine, id } = await deployed();
    const key = 'x'.repeat(128);
    expect((await send(machine, 'order', { order_id: key, amount: 0 })).refused).toMatchObject([
      { transition: 'open', code: 'CONDITION', instance: key },
    ]);
    expect(await stored(machine, id, key)).toBeUndefined();
    expect((await send(machine, 'order', { order_id: key, amount: 'two' })).refused).toMatchObject([
      { code: 'PAYLOAD', path: 'payload.amount', instance: key },
    ]);
    expect((await send(machine, 'order', { order_id: key, amount: 1 })).fired).toMatchObject([{ instance: key }]);
    expect(await stored(machine, id, key)).toMatchObject({ status: 'active' });
  });
});

test('a finished key is refused, and with respawn it begins anew', async () => {
  const { machine, id } = await deployed({ ...ORDERS, respawn: true });
  await send(machine, 'order', { order_id: '1', amount: 1 });
  await send(machine, 'pay', { order_id: '1', amount: 1 });
  await send(machine, 'ship', { order_id: '1' });
  expect((await stored(machine, id, '1'))?.status).toBe('completed');
  expect((await send(machine, 'pay', { order_id: '1', amount: 1 })).refused).toMatchObject([{ code: 'KEY_FINISHED' }]);
  await restart();
  forward(1);
  expect((await send(machine, 'order', { order_id: '1', amount: 5 })).fired).toHaveLength(1);
  const again = await stored(machine, id, '1');
  expect(again).toMatchObject({ status: 'active', state: { context: { due: 5, paid: 0 }, fires: 4 } });
  forward(25);
  await wake(machine);
  expect((await stored(machine, id, '1'))?.state.state).toBe('lapsed');
  const { mismatch, alternative } = await whatIf().replay(machine, id, 1, { instance: '1' });
  expect(mismatch).toBeUndefined();
  expect(comparable(alternative.running.state)).toEqual(comparable((await stored(machine, id, '1'))?.state));
});

test('a machine with a million active instances of all its contracts begins no other', async () => {
  const { machine, id } = await deployed();
  const other = (await fixture.contracts.deploy(machine, OWNER, { definition: CARDS })).id;
  for (const order_id of ['1', '2']) await send(machine, 'order', { order_id, amount: 1 });
  await send(machine, 'issue', { card: 'c', amount: 1 });
  const { perMachine } = LIMITS.contracts.instances;
  const countTo = async (active: number) => {
    await rows(
      storage.database.knex,
      `update contract set state = regexp_replace(state, '"active":[0-9]+', '"active":${active}') where id = ?`,
      [id],
    );
    await restart();
  };
  await countTo(perMachine - 2);
  expect((await send(machine, 'order', { order_id: '3', amount: 1 })).fired).toHaveLength(1);
  const before = (await storage.contracts.get(machine.id, other))?.state.instances;
  // One card and all orders but one are a million: the card that is asked for now would be one more.
  for (const [name, payload] of [
    ['order', { order_id: '4', amount: 1 }],
    ['issue', { card: 'd', amount: 1 }],
  ] as const) {
    const { refused, fired, rows: written } = await send(machine, name, payload);
    expect([fired, refused]).toMatchObject([[], [{ code: 'INSTANCES_FULL' }]]);
    // The event alone.
    expect(written).toHaveLength(1);
  }
  expect([await stored(machine, id, '4'), await stored(machine, other, 'd')]).toEqual([undefined, undefined]);
  expect((await storage.contracts.get(machine.id, other))?.state.instances).toEqual(before);
  expect((await send(machine, 'pay', { order_id: '1', amount: 1 })).fired).toHaveLength(1);
  await send(machine, 'ship', { order_id: '1' });
  expect((await send(machine, 'issue', { card: 'd', amount: 1 })).fired).toHaveLength(1);
});

test('many changes in one flush agree, and events that a batch sends to several keys', async () => {
  const { machine, id } = await deployed();
  const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
  await Promise.all(keys.map((order_id) => send(machine, 'order', { order_id, amount: 1 })));
  const batch = keys.flatMap((order_id) => [
    { name: 'pay', payload: { order_id, amount: 1 } },
    { name: 'ship', payload: { order_id } },
  ]);
  await restart();
  const { fired } = await fixture.engine.ingestAll(machine.id, OWNER.zid ?? '', batch);
  expect(fired).toHaveLength(80);
  expect((await storage.contracts.get(machine.id, id))?.state.instances).toEqual({ active: 0, finished: 40 });
});

test('a paused contract holds all instances, and what was due fires when it is resumed', async () => {
  const { machine, id } = await deployed();
  await send(machine, 'order', { order_id: '1', amount: 1 });
  await fixture.contracts.pause(machine, OWNER, id);
  forward(30);
  await restart();
  await wake(machine);
  expect((await send(machine, 'pay', { order_id: '1', amount: 1 })).ignored).toMatchObject([{ code: 'NOT_ACTIVE' }]);
  expect((await stored(machine, id, '1'))?.state.state).toBe('placed');
  for (const mode of ['remaining', 'restart'] as const)
    await expect(fixture.contracts.resume(machine, OWNER, id, mode)).rejects.toThrow(`mode is ${mode}`);
  await fixture.contracts.resume(machine, OWNER, id, 'deadline');
  await wake(machine);
  expect((await stored(machine, id, '1'))?.state.state).toBe('lapsed');
  expect((await whatIf().replay(machine, id, 1, { instance: '1' })).mismatch).toBeUndefined();
});

test('an instance moves to a new version when it is touched next', async () => {
  const { machine, id } = await deployed();
  for (const order_id of ['1', '2']) await send(machine, 'order', { order_id, amount: 4 });
  const cheaper = ORDERS.transitions.map((one) =>
    one.id === 'settle' ? { ...one, fires_when: 'paid + event.amount >= due / 2' } : one,
  );
  await fixture.contracts.patch(machine, OWNER, id, { definition: { ...ORDERS, transitions: cheaper } });
  forward(1);
  expect((await send(machine, 'pay', { order_id: '1', amount: 2 })).fired).toMatchObject([{ transition: 'settle' }]);
  expect(await stored(machine, id, '1')).toMatchObject({ versionNo: 2, state: { state: 'paid' } });
  expect(await stored(machine, id, '2')).toMatchObject({ versionNo: 1 });
  await restart();
  forward(30);
  await wake(machine);
  expect(await stored(machine, id, '2')).toMatchObject({ versionNo: 2, status: 'completed' });
  for (const key of ['1', '2']) {
    const { mismatch, alternative } = await whatIf().replay(machine, id, 1, { instance: key, version: 2 });
    expect(mismatch).toBeUndefined();
    expect(alternative.fires.length).toBeGreaterThan(0);
  }
  const { done: _, ...fewer } = ORDERS.states;
  const bad: [object, string][] = [
    [ORDER, 'key'],
    [
      {
        ...ORDERS,
        states: { ...fewer, over: { role: 'terminal' } },
        transitions: ORDERS.transitions.map((one) => (one.to === 'done' ? { ...one, to: 'over' } : one)),
      },
      'states',
    ],
  ];
  for (const [definition, path] of bad)
    await expect(
      fixture.contracts.patch(machine, OWNER, id, { definition: definition as typeof ORDERS }),
    ).rejects.toMatchObject({ details: [{ path }] });
});

test('what needs a state of the contract itself is refused by name', async () => {
  const { machine, id } = await deployed();
  await expect(fixture.contracts.fire(machine, OWNER, id)).rejects.toThrow('instances by event.order_id');
  await expect(fixture.contracts.skipNext(machine, OWNER, id)).rejects.toThrow('instances by event.order_id');
  await expect(whatIf().dryRun(machine, id, {}, { actor: '' })).rejects.toThrow('instances by event.order_id');
  await expect(whatIf().replay(machine, id, 1, {})).rejects.toThrow('instance is missing');
});

test('an event that another contract emits finds an instance that is not in memory', async () => {
  const { machine, id } = await deployed();
  await send(machine, 'order', { order_id: '7', amount: 1 });
  const cashier = {
    ...ORDER,
    name: 'cashier',
    collections: undefined,
    parameters: undefined,
    context: undefined,
    initial: 'open',
    events: { cash: { payload: { order_id: 'string' } } },
    emits: ['pay'],
    states: { open: { role: 'initial' } as const, shut: { role: 'terminal' } as const },
    transitions: [
      {
        id: 'take',
        from: 'open',
        to: 'shut',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'event', event: 'cash' },
        post: [{ emit: { event: 'pay', payload: { order_id: 'event.order_id', amount: '1' } } }],
      },
    ],
  };
  await fixture.contracts.deploy(machine, OWNER, { definition: JSON.parse(JSON.stringify(cashier)) });
  await restart();
  const { fired } = await send(machine, 'cash', { order_id: '7' });
  expect(fired.map(({ transition, instance }) => [transition, instance])).toEqual([
    ['take', undefined],
    ['settle', '7'],
  ]);
  expect((await stored(machine, id, '7'))?.state.state).toBe('paid');
});

test('windows of an instance count while the contract is paused, are stored, and the rows alone lead to them', async () => {
  const { machine, id } = await deployed(CARDS);
  await send(machine, 'issue', { card: 'k', amount: 0 });
  await send(machine, 'paid', { card: 'k', amount: 2 });
  await fixture.contracts.pause(machine, OWNER, id);
  forward(1);
  await restart();
  expect((await send(machine, 'paid', { card: 'k', amount: 2 })).ignored).toMatchObject([{ code: 'NOT_ACTIVE' }]);
  expect(await stored(machine, id, 'k')).toMatchObject({
    windows: {
      'windows.fast': { held: [[tick - 1], [tick]] },
      'windows.dear': {
        held: [
          [tick - 1, 2, { amount: 2 }],
          [tick, 2, { amount: 2 }],
        ],
      },
    },
  });
  await fixture.contracts.resume(machine, OWNER, id, 'deadline');
  await restart();
  expect((await send(machine, 'paid', { card: 'k', amount: 2 })).fired).toMatchObject([{ transition: 'block' }]);
  const { mismatch, alternative } = await whatIf().replay(machine, id, 1, { instance: 'k' });
  expect(mismatch).toBeUndefined();
  expect(alternative.fires.map(({ transition }) => transition)).toEqual(['issue', 'block']);
  // Empty windows take nothing, once they have been checked in the state that they led to.
  for (let i = 0; i < 2; i++) {
    forward(40);
    await wake(machine);
  }
  const idle = await stored(machine, id, 'k');
  expect([idle?.state.state, idle?.windows, idle?.nextFire]).toEqual(['open', undefined, undefined]);
});

test('a window keeps its samples in a version that counts the same, and those of an instance are bounded', async () => {
  const { machine, id } = await deployed(CARDS);
  await send(machine, 'issue', { card: 'k', amount: 0 });
  for (const amount of [1, 1]) await send(machine, 'paid', { card: 'k', amount });
  const { fast, dear } = CARDS.windows as Record<'fast' | 'dear', NamedWindow>;
  const other = { ...CARDS, windows: { fast, dear: { ...dear, within: 14 } } };
  await fixture.contracts.patch(machine, OWNER, id, { definition: other });
  await restart();
  expect((await send(machine, 'paid', { card: 'k', amount: 1 })).fired).toMatchObject([{ transition: 'block' }]);
  const moved = await stored(machine, id, 'k');
  expect(moved?.versionNo).toBe(2);
  expect(moved?.windows?.['windows.fast']?.held).toHaveLength(3);
  expect(moved?.windows?.['windows.dear']?.held).toHaveLength(1);
  const { mismatch, alternative } = await whatIf().replay(machine, id, 1, { instance: 'k', version: 2 });
  expect([mismatch, alternative.fires.length]).toEqual([undefined, 2]);
  const { samples } = LIMITS.contracts.instances;
  const many = Array.from({ length: samples + 10 }, () => ({ name: 'paid', payload: { card: 'k', amount: 1 } }));
  await fixture.engine.ingestAll(machine.id, OWNER.zid ?? '', many);
  await restart();
  await send(machine, 'paid', { card: 'k', amount: 1 });
  expect((await stored(machine, id, 'k'))?.windows?.['windows.fast']).toMatchObject({ overfull: true });
  expect((await stored(machine, id, 'k'))?.windows?.['windows.fast']?.held).toHaveLength(samples);
});
