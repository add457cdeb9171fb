// A poll of another machine that starts before the previous one is recorded, on the same or another node: each event is
// recorded once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { TICK_NS } from '../../../src/core/clock.ts';
import { OraclePoller } from '../../../src/services/oracles/poller.ts';
import { SHARDS } from '../../../src/storage/contracts/timers.ts';
import { AuditRepository } from '../../../src/storage/machines/audit.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { testDatabases } from '../../storage/databases.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';

const START = 1_000;
const PERIOD = 20;
const SHARDS_ALL = Array.from({ length: SHARDS }, (_, shard) => shard);

const following = (slug: string) => ({
  name: 'follower',
  version: '1.0',
  operators: ['KO42'],
  initial: 'following',
  events: { end: {} },
  states: { following: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    {
      id: 'end',
      from: 'following',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'end' },
      fires_when: 'oracle.value < 0',
    },
  ],
  oracle: { kind: 'machine', machine: slug, event: 'sample', field: 'level', fn: 'last', every: PERIOD },
});

/** Reads immediately, but returns the rows only when released. */
class SlowAudit extends AuditRepository {
  readonly #pending: (() => void)[] = [];
  isSlow = false;

  get pending(): number {
    return this.#pending.length;
  }

  override async select(...query: Parameters<AuditRepository['select']>) {
    const found = await super.select(...query);
    if (this.isSlow) await new Promise<void>((resolve) => this.#pending.push(resolve));
    return found;
  }

  release(): void {
    this.isSlow = false;
    for (const resolve of this.#pending.splice(0)) resolve();
  }
}

describe.each(testDatabases())('following another machine on $name', (database) => {
  let storage: Storage;
  let nodes: readonly EngineFixture[];
  let now = START;
  const setTick = (tick: number) => {
    now = tick;
    for (const node of nodes) node.setTick(tick);
  };
  beforeAll(async () => {
    storage = await database.open();
    nodes = [await createEngineFixture(storage), await createEngineFixture(storage)];
  });
  afterAll(() => database.dispose(storage));

  const pollerOf = ({ engine }: EngineFixture, audit: SlowAudit, failed: unknown[]) => {
    const { machines, members, contracts, oracles } = storage;
    const clock = { source: 'stepped', now: () => BigInt(now) * TICK_NS } as const;
    const outbound = undefined as never;
    const onError = (error: unknown) => void failed.push(error);
    return new OraclePoller({
      engine,
      audit,
      machines,
      members,
      contracts,
      oracles,
      clock,
      outbound,
      shards: () => SHARDS_ALL,
      onError,
    });
  };

  test.each([
    ['the same node', 0],
    ['another node', 1],
  ])('records each event once when %s polls again too early', async (_, second) => {
    setTick(START);
    const [source, machine] = [await insertMachine(storage), await insertMachine(storage)];
    const [here, other] = [nodes[0], nodes[second]];
    if (here === undefined || other === undefined) throw new Error('Node not found.');
    const sendSample = (level: number) =>
      here.engine.ingest(source.id, SYSTEM_ACTOR, { name: 'sample', payload: { level } });
    await sendSample(1);
    const definition = following(source.head.slug) as never;
    const { id } = await here.contracts.deploy(machine, OWNER, { definition });
    const audit = new SlowAudit(storage.database.knex);
    const failed: unknown[] = [];
    const first = pollerOf(here, audit, failed);
    const again = second === 0 ? first : pollerOf(other, audit, failed);
    await first.poll();
    await first.settled();
    // The other node has cached the machine before the next events.
    await other.engine.change(machine.id, SYSTEM_ACTOR, () => undefined);
    await sendSample(2);
    await sendSample(3);
    audit.isSlow = true;
    for (const [poller, tick] of [
      [first, START + PERIOD],
      [again, START + 2 * PERIOD],
    ] as const) {
      setTick(tick);
      const before = audit.pending;
      await poller.poll();
      await expect.poll(() => audit.pending).toBe(before + 1);
    }
    audit.release();
    await first.settled();
    await again.settled();
    expect(failed).toEqual([]);
    const rows = await storage.audit.select(machine.id, machine.head.slug, {
      type: 'reading',
      order: 'oldest first',
      limit: 10,
    });
    const values = rows.map(({ payload_text: text }) => (JSON.parse(text ?? '') as { value: number }).value);
    expect(values).toEqual([1, 2, 3]);
    const [oracle] = await storage.oracles.ofMachine(machine.id);
    expect(oracle).toMatchObject({ contractId: id, readings: 3, polls: 3, failed: 0 });
  });
});
