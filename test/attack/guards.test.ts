// Attack: a machine with very many guards, and events for all of them.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { GuardMeter, WORDS } from '../../src/services/engine/guard-budget.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../contracts/lifecycle/engine-fixture.ts';
import { insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../storage/databases.ts';

/** A contract whose `guards` transitions are all tried on `ping`, and never fire; `stop` ends it. */
const watchful = (guards: number, emits = false) => ({
  name: 'watchful',
  version: '1.0',
  operators: ['KO42'],
  initial: 'idle',
  ...(emits ? {} : { context: { x: { type: 'number', initial: 1 } } }),
  events: { ping: { open: true }, stop: {} },
  ...(emits ? { emits: ['ping'] } : {}),
  states: { idle: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    ...Array.from({ length: guards }, (_, i) => ({
      id: `t${i}`,
      from: 'idle',
      to: 'idle',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'ping' },
      ...(emits ? { post: [{ emit: 'ping' }] } : { fires_when: `x > ${i + 2} and x < ${i + 1}` }),
    })),
    {
      id: 'stop',
      from: 'idle',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'stop' },
    },
  ],
});

const LIMIT = { perChange: 60_000, machinePerTick: 120_000, nodePerTick: 240_000, leastPerTick: 10_000 };

describe.each(testDatabases())('guards on $name', (database) => {
  let storage: Storage;
  let fixture: EngineFixture;
  let tick = 100;

  beforeAll(async () => {
    storage = await database.open();
    fixture = await createEngineFixture(storage, LIMIT);
    fixture.setTick(tick);
  });
  afterAll(() => database.dispose(storage));

  const forward = (ticks: number) => {
    tick += ticks;
    fixture.setTick(tick);
  };
  const machineWith = async (contracts: number, definition: object): Promise<Machine> => {
    const machine = await insertMachine(storage);
    for (let i = 0; i < contracts; i++)
      await fixture.contracts.deploy(machine, OWNER, { definition: definition as never });
    return machine;
  };
  const send = (machine: Machine, name = 'ping') => fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name });
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'written',
      ({ code }) => code as string,
    );

  test('an event with too many guards is refused before the first is evaluated, and nothing changes', async () => {
    const machine = await machineWith(4, watchful(95));
    const before = await storage.machines.byIds([machine.id], false);
    const { evaluations } = fixture;
    expect(await outcome(send(machine))).toBe('BUDGET_EXCEEDED');
    expect(fixture.evaluations).toBe(evaluations);
    expect(await storage.machines.byIds([machine.id], false)).toEqual(before);
    // The owner can still stop it.
    expect(await outcome(send(machine, 'stop'))).toBe('written');
  });

  test('events that are refused again and again spend the allowance, and then cost no transaction', async () => {
    forward(50);
    const machine = await machineWith(8, watchful(95));
    forward(50);
    const transaction = vi.spyOn(storage.database, 'transaction');
    const codes: string[] = [];
    // Looking at 8 contracts with 96 transitions is 9,280 words, of 120,000 in a tick.
    for (let i = 0; i < 16; i++) codes.push(await outcome(send(machine)));
    expect(codes).toEqual([...Array(13).fill('BUDGET_EXCEEDED'), ...Array(3).fill('RATE_LIMITED')]);
    expect(transaction).toHaveBeenCalledTimes(13);
    transaction.mockRestore();
  });

  test('events that cause each other end at the same limit', async () => {
    const machine = await machineWith(8, watchful(1, true));
    const before = await storage.machines.byIds([machine.id], false);
    // Each of eight contracts answers each event: 8^8 deliveries within the limit of hops.
    expect(await outcome(send(machine))).toBe('BUDGET_EXCEEDED');
    expect(await storage.machines.byIds([machine.id], false)).toEqual(before);
  });

  test.each(['emit', 'webhook', 'log'] as const)('texts that actions %s again and again count', async (kind) => {
    forward(50);
    const action = {
      emit: { emit: { event: 'told', payload: { text: 'event.text' } } },
      webhook: { webhook: { url: 'https://hooks.example/', payload: { text: 'event.text' } } },
      log: { log: 'so {event.text}' },
    }[kind];
    const machine = await machineWith(1, {
      ...watchful(0, true),
      events: { tell: { payload: { text: 'string' } }, stop: {} },
      emits: kind === 'emit' ? ['told'] : [],
      transitions: [
        ...watchful(0, true).transitions,
        {
          ...{ id: 'tell', from: 'idle', to: 'idle', operator: 'KO42', proof: false },
          trigger: { kind: 'event', event: 'tell' },
          post: Array.from({ length: 8 }, () => action),
        },
      ],
    });
    const tell = (length: number) =>
      outcome(fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'tell', payload: { text: 'x'.repeat(length) } }));
    expect(await tell(1_000)).toBe('written');
    forward(50);
    const before = await storage.machines.byIds([machine.id], false);
    expect(await tell(5_000)).toBe('BUDGET_EXCEEDED');
    expect(await storage.machines.byIds([machine.id], false)).toEqual(before);
  });

  test('a machine spends its allowance of a tick, and the changes of another go between', async () => {
    forward(50);
    const [noisy, quiet] = [await machineWith(1, watchful(50)), await machineWith(1, watchful(1))];
    forward(50);
    const { evaluations } = fixture;
    const order: string[] = [];
    const record = (name: string, call: Promise<unknown>) =>
      outcome(call).then((found) => void order.push(`${name} ${found}`));
    const storm = Array.from({ length: 40 }, () => record('noisy', send(noisy)));
    await record('quiet', send(quiet));
    const position = order.indexOf('quiet written');
    await Promise.all(storm);
    const written = order.filter((one) => one === 'noisy written').length;
    // 50 guards are 26,000 words or more, so the fifth event is the last of this tick.
    expect([written, order.filter((one) => one === 'noisy RATE_LIMITED').length]).toEqual([5, 35]);
    expect(fixture.evaluations - evaluations).toBe(5 * 50 + 1);
    // Lanes: the quiet change stands second in the first batch, although forty were queued before it.
    expect(position).toBeLessThanOrEqual(1);

    expect(await outcome(send(noisy))).toBe('RATE_LIMITED');
    forward(1);
    expect(await outcome(send(noisy))).toBe('written');
  });

  test('management never waits for the allowance', async () => {
    forward(50);
    const machine = await machineWith(1, watchful(60));
    forward(50);
    for (let i = 0; i < 5; i++) await outcome(send(machine));
    expect(await outcome(send(machine))).toBe('RATE_LIMITED');
    const { rows } = await fixture.contracts.list(machine, { limit: 1 });
    const [contract] = rows;
    expect(await outcome(fixture.contracts.pause(machine, OWNER, contract?.id ?? ''))).toBe('written');
  });

  test('due timers beyond the allowance are deferred, and handled in a later tick', async () => {
    forward(50);
    const timed = { ...watchful(60), transitions: [...watchful(60).transitions] };
    timed.transitions.push({
      id: 'late',
      from: 'idle',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 10 } as never,
    });
    const machine = await machineWith(1, timed);
    forward(9);
    for (let i = 0; i < 6; i++) await outcome(send(machine));
    // The same tick: all that is due waits.
    expect(await fixture.engine.wake(machine.id)).toBe(0);
    expect(fixture.engine.waiting).toEqual([machine.id]);
    forward(5);
    expect(fixture.engine.waiting).toEqual([]);
    expect(await fixture.engine.wake(machine.id)).toBe(1);
  });
});

test('the limits of a node leave room for what contracts are for', () => {
  const { perChange, machinePerTick } = LIMITS.contracts.guards;
  const meter = new GuardMeter(perChange);
  // Ten guards of twenty words in each of the contracts of a full machine, twice in one tick.
  expect(() => meter.assertFits(LIMITS.contracts.perMachine * 10 * (WORDS.evaluation + 20))).not.toThrow();
  expect(2 * perChange).toBeLessThanOrEqual(machinePerTick);
});
