// Contracts that are not in memory: their load delays no other machine, and what is in memory stays within its limit.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import type { RuntimeLimits } from '../../../src/services/engine/runtime-cache.ts';
import { into } from '../../../src/storage/database/writer.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { testDatabases } from '../../storage/databases.ts';
import { eventRow, insertMachine } from '../machines/stored-machine-fixture.ts';

const TICK = 1_000;

const common = {
  version: '1.0',
  operators: ['KO42'],
  initial: 'counting',
  states: { counting: { role: 'initial' }, over: { role: 'terminal' } },
};
const counting = { from: 'counting', to: 'counting', operator: 'KO42', proof: false };
const end = { ...counting, id: 'end', to: 'over', trigger: { kind: 'event', event: 'end' } };

const COUNTER = {
  ...common,
  name: 'counter',
  context: { n: { type: 'integer', initial: 0 } },
  events: { step: {}, end: {} },
  transitions: [
    { ...counting, id: 'count', trigger: { kind: 'event', event: 'step' }, post: [{ set: { n: 'n + 1' } }] },
    end,
  ],
};

/** Stores the sum of its window at each sample. */
const SUM = {
  ...common,
  name: 'sum',
  context: { total: { type: 'number', initial: 0 } },
  events: { sample: { payload: { ms: 'number' } }, end: {} },
  transitions: [
    {
      ...counting,
      id: 'add',
      trigger: { kind: 'on_aggregate', event: 'sample', fn: 'sum', field: 'ms', within: 1_000 },
      fires_when: 'agg.value > 0',
      post: [{ set: { total: 'agg.value' } }],
    },
    end,
  ],
};

describe.each(testDatabases())('contracts that are not in memory, on $name', (database) => {
  let storage: Storage;
  let other: EngineFixture;
  beforeAll(async () => {
    storage = await database.open();
    other = await startNode();
  });
  afterAll(() => database.dispose(storage));

  async function startNode(limits?: Partial<RuntimeLimits>): Promise<EngineFixture> {
    const fixture = await createEngineFixture(storage, undefined, limits);
    fixture.setTick(TICK);
    return fixture;
  }

  /** Machines with a contract each, which only `other` has in memory. */
  async function machinesWith(definition: object, count: number): Promise<Machine[]> {
    const machines: Machine[] = [];
    for (let i = 0; i < count; i++) {
      const machine = await insertMachine(storage);
      await other.contracts.deploy(machine, OWNER, { definition: definition as never });
      machines.push(machine);
    }
    return machines;
  }

  const step = ({ engine }: EngineFixture, { id }: Machine) => engine.ingest(id, SYSTEM_ACTOR, { name: 'step' });

  const contextOf = async ({ id }: Machine) => (await storage.contracts.ofMachine(id))[0]?.state.context;

  /** Counts the statements that read contracts while `work` runs. */
  async function readsDuring(work: () => Promise<unknown>): Promise<number> {
    let reads = 0;
    const count = ({ sql }: { readonly sql: string }) => {
      if (/from contract\b/.test(sql)) reads++;
    };
    storage.database.knex.on('query', count);
    await work().finally(() => storage.database.knex.off('query', count));
    return reads;
  }

  test('a long window is loaded while other machines go on, and has the same sum', async () => {
    const [long, ...short] = await machinesWith(SUM, 2);
    const node = await startNode();
    const rows = Array.from({ length: 10_000 }, (_, i) =>
      eventRow({ name: i % 3 === 0 ? 'another' : 'sample', payload: { ms: i } }, TICK),
    );
    for (let from = 0; from < rows.length; from += 1_000) {
      await node.ledger.commit(long?.id ?? '', () => ({ rows: rows.slice(from, from + 1_000), answer: undefined }));
    }
    const sample = (machine: Machine | undefined) =>
      node.engine.ingest(machine?.id ?? '', SYSTEM_ACTOR, { name: 'sample', payload: { ms: 0.5 } });
    await sample(short[0]);
    let isLoaded = false;
    const loading = sample(long).then(() => {
      isLoaded = true;
    });
    let meanwhile = 0;
    for (; !isLoaded && meanwhile < 3; meanwhile++) await sample(short[0]);
    expect(meanwhile).toBe(3);
    expect(isLoaded).toBe(false);
    await loading;
    const sum = rows.reduce((total, _, i) => total + (i % 3 === 0 ? 0 : i), 0.5);
    expect(await contextOf(long as Machine)).toEqual({ total: sum });
    expect(await contextOf(short[0] as Machine)).toEqual({ total: 2 });
  });

  test('many machines are loaded in few statements, and read again only if they have changed', async () => {
    const machines = await machinesWith(COUNTER, 20);
    const node = await startNode();
    const all = () => Promise.all(machines.map((machine) => step(node, machine)));
    expect(await readsDuring(all)).toBeLessThan(5);
    expect(await readsDuring(all)).toBe(0);
    // The ledger reads the machine again; its contracts are as they were.
    node.ledger.forget(machines[0]?.id ?? '');
    expect(await readsDuring(all)).toBe(0);
    await step(other, machines[0] as Machine);
    expect(await readsDuring(all)).toBeGreaterThan(0);
    expect(await contextOf(machines[0] as Machine)).toEqual({ n: 5 });
  });

  test('two nodes that change the same machines lose and double nothing', async () => {
    const machines = await machinesWith(COUNTER, 3);
    const node = await startNode();
    const steps = Array.from({ length: 60 }, (_, i) => [i % 2 === 0 ? node : other, machines[i % 3]] as const);
    await Promise.all(steps.map(([each, machine]) => step(each, machine as Machine)));
    for (const machine of machines) expect(await contextOf(machine)).toEqual({ n: 20 });
  });

  test('a change that cannot be written fails alone, with machines that are not in memory beside it', async () => {
    const machines = await machinesWith(COUNTER, 4);
    const node = await startNode();
    const broken = { write: () => Promise.reject(new Error('broken')) };
    const failing = node.engine.change(machines[0]?.id ?? '', SYSTEM_ACTOR, (session) => {
      session.addRow('event', 'api', { name: 'broken' });
      session.writes.push(into(broken, {}));
    });
    const failure = failing.then(
      () => 'committed',
      (error: Error) => error.message,
    );
    await Promise.all(machines.flatMap((machine) => [step(node, machine), step(node, machine)]));
    expect(await failure).toBe('broken');
    for (const machine of machines) expect(await contextOf(machine)).toEqual({ n: 2 });
  });

  test('beyond the limit in bytes the least recently used go, and the others stay', async () => {
    const machines = await machinesWith(COUNTER, 6);
    const probe = await startNode();
    for (const machine of machines.slice(0, 4)) await step(probe, machine);
    const limit = probe.engine.runtimes.size.bytes + 100;
    const node = await startNode({ bytes: limit });
    const [a, b, c, d, e] = machines as [Machine, Machine, Machine, Machine, Machine];
    for (const machine of [a, b, c, d, a, e]) await step(node, machine);
    expect(node.engine.runtimes.size.count).toBe(4);
    expect(node.engine.runtimes.size.bytes).toBeLessThanOrEqual(limit);
    for (const kept of [a, c, d, e]) expect(await readsDuring(() => step(node, kept))).toBe(0);
    expect(await readsDuring(() => step(node, b))).toBeGreaterThan(0);
    expect(await contextOf(a)).toEqual({ n: 4 });
    expect(node.engine.runtimes.size.count).toBe(4);
  });

  test('contracts in use stay in memory, whatever the limit', async () => {
    const [machine, another] = (await machinesWith(COUNTER, 2)) as [Machine, Machine];
    const node = await startNode({ bytes: 1 });
    const burst = () => Promise.all(Array.from({ length: 40 }, (_, i) => step(node, i === 20 ? another : machine)));
    // Two loads, and at most two of the definition: both may begin before either has it.
    expect(await readsDuring(burst)).toBeLessThanOrEqual(4);
    expect(await contextOf(machine)).toEqual({ n: 39 });
    expect(node.engine.runtimes.size).toEqual({ count: 0, bytes: 0 });
  });

  test('too many changes that wait for loads are refused until there is room', async () => {
    const machines = await machinesWith(COUNTER, 3);
    const node = await startNode({ waiting: 2 });
    const outcomes = await Promise.allSettled(machines.map((machine) => step(node, machine)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'QUEUE_FULL', retryAfterSeconds: 1 } });
    await step(node, machines[2] as Machine);
    expect(await contextOf(machines[2] as Machine)).toEqual({ n: 1 });
  });

  test('machines with more contracts or balances than a statement reads are loaded whole', async () => {
    const machines = await machinesWith(COUNTER, 4);
    for (const machine of machines.slice(0, 3)) {
      const deploy = () => other.contracts.deploy(machine, OWNER, { definition: COUNTER as never });
      await Promise.all(Array.from({ length: 99 }, deploy));
    }
    const rich = machines[3] as Machine;
    await storage.database.knex.raw(
      `insert into token_balance (machine_id, token, holder, amount)
       select ?, 'coin', 'holder ' || i, i from generate_series(1, 2500) as i`,
      [rich.id],
    );
    const node = await startNode();
    const loaded = await Promise.all(
      machines.map(({ id }) =>
        node.engine.change(id, SYSTEM_ACTOR, (_, { contracts, balances }) => {
          const amounts = [...balances.values()];
          return { contracts: contracts.size, balances: amounts.length, sum: amounts.reduce((a, b) => a + b, 0) };
        }),
      ),
    );
    const none = { contracts: 100, balances: 0, sum: 0 };
    const all = { contracts: 1, balances: 2_500, sum: (2_500 * 2_501) / 2 };
    expect(loaded.map(({ answer }) => answer)).toEqual([none, none, none, all]);
  });

  test('a machine that does not exist is not found', async () => {
    const missing = { id: '01a22316-6898-7642-90e1-339bba4f4b10' } as Machine;
    await expect(step(await startNode(), missing)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
