// A question about another machine that is asked again before its first answer is written, by the same node or by another one:
// what was said is read once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { TICK_NS } from '../../../src/core/clock.ts';
import { OraclePoller } from '../../../src/services/oracles/poller.ts';
import { SHARDS } from '../../../src/storage/contracts/contracts.ts';
import { AuditRepository } from '../../../src/storage/machines/audit.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type EngineAtHand, engineAtHand, OWNER } from '../../contracts/lifecycle/engine-at-hand.ts';
import { testDatabases } from '../../storage/databases.ts';
import { plantMachine } from '../machines/machines-fixture.ts';

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

/** Reads at once, and hands over what it read when it is told to. */
class SlowAudit extends AuditRepository {
  readonly #held: (() => void)[] = [];
  isSlow = false;

  get held(): number {
    return this.#held.length;
  }

  override async select(...asked: Parameters<AuditRepository['select']>) {
    const found = await super.select(...asked);
    if (this.isSlow) await new Promise<void>((resolve) => this.#held.push(resolve));
    return found;
  }

  release(): void {
    this.isSlow = false;
    for (const go of this.#held.splice(0)) go();
  }
}

describe.each(testDatabases())('what another machine said on $name', (database) => {
  let storage: Storage;
  let nodes: readonly EngineAtHand[];
  let now = START;
  const setTick = (tick: number) => {
    now = tick;
    for (const node of nodes) node.setTick(tick);
  };
  beforeAll(async () => {
    storage = await database.open();
    nodes = [await engineAtHand(storage), await engineAtHand(storage)];
  });
  afterAll(() => database.dispose(storage));

  const pollerOf = ({ engine }: EngineAtHand, audit: SlowAudit, failed: unknown[]) => {
    const { machines, members, contracts, oracles } = storage;
    const clock = { source: 'stepped', now: () => BigInt(now) * TICK_NS } as const;
    const outbound = undefined as never;
    const onFailed = (error: unknown) => void failed.push(error);
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
      onFailed,
    });
  };

  test.each([
    ['the same node', 0],
    ['another node', 1],
  ])('is read once when %s asks again too early', async (_, second) => {
    setTick(START);
    const [source, machine] = [await plantMachine(storage), await plantMachine(storage)];
    const [here, other] = [nodes[0], nodes[second]];
    if (here === undefined || other === undefined) throw new Error('There are two nodes.');
    const say = (level: number) => here.engine.ingest(source.id, SYSTEM_ACTOR, { name: 'sample', payload: { level } });
    await say(1);
    const definition = following(source.head.slug) as never;
    const { id } = await here.contracts.deploy(machine, OWNER, { definition });
    const audit = new SlowAudit(storage.database.knex);
    const failed: unknown[] = [];
    const first = pollerOf(here, audit, failed);
    const again = second === 0 ? first : pollerOf(other, audit, failed);
    await first.look();
    await first.settled();
    // The other one knows the machine as well, as it is before what comes.
    await other.engine.change(machine.id, SYSTEM_ACTOR, () => undefined);
    await say(2);
    await say(3);
    audit.isSlow = true;
    for (const [poller, tick] of [
      [first, START + PERIOD],
      [again, START + 2 * PERIOD],
    ] as const) {
      setTick(tick);
      const before = audit.held;
      await poller.look();
      await expect.poll(() => audit.held).toBe(before + 1);
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
