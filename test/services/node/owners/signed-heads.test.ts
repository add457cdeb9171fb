// Heads of machines are signed by the nodes that own them: each once, and in time also when an owner dies.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NoteSigner } from '../../../../src/chain/note.ts';
import { SteppedClock, startOfTick, TICK_NS, tickOf } from '../../../../src/core/clock.ts';
import { LIMITS } from '../../../../src/core/limits.ts';
import { SIGNING_MS, TreeService } from '../../../../src/services/machines/trees.ts';
import type { MachineOwners } from '../../../../src/services/node/owners/machine-owners.ts';
import { SHARDS, shardOf } from '../../../../src/storage/contracts/timers.ts';
import { rows } from '../../../../src/storage/database/sql.ts';
import { Ledger } from '../../../../src/storage/machines/ledger.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { testSigner } from '../../../chain/signer.ts';
import { testDatabases } from '../../../storage/databases.ts';
import { eventRow, insertMachine } from '../../machines/stored-machine-fixture.ts';
import { ownersOf } from './owners-of.ts';

const MACHINES = 60;
const SECOND_NS = 1_000_000_000n;
const LEASE_MS = 4_000;

interface Node {
  readonly owners: MachineOwners;
  readonly sign: () => Promise<number>;
  readonly signatures: () => number;
}

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    let nodes: readonly [Node, Node];
    let ids: readonly string[];
    const clock = new SteppedClock(startOfTick(2_000_000));
    const now = () => tickOf(clock.now());

    const node = (): Node => {
      const owners = ownersOf(storage, clock, LEASE_MS);
      let count = 0;
      const key = testSigner(7);
      const signer: NoteSigner = {
        ...key,
        sign: (bytes) => {
          count++;
          return key.sign(bytes);
        },
      };
      const trees = new TreeService({ ...storage, signer, host: 'node.example', clock });
      const read = (some: readonly string[]) => storage.machines.byIds(some, false);
      return {
        owners,
        // Fewer than a node has, so that it takes several batches.
        sign: () => trees.signPending(read, { limit: 20, shards: owners.shards }),
        signatures: () => count,
      };
    };

    /** Lets time pass; those who live renew their leases each second, and sign as often as a node does. */
    const live = async (alive: readonly Node[], seconds: number): Promise<void> => {
      for (let second = 1; second <= seconds; second++) {
        clock.advance(SECOND_NS);
        for (const { owners } of alive) await owners.renewIfDue();
        if (second % (SIGNING_MS / 1_000) === 0) for (const { sign } of alive) await sign();
      }
    };

    const grow = async (): Promise<void> => {
      const ledger = new Ledger({ ...storage, randomBytes });
      const row = { ...eventRow({ n: 1 }), svcond: now() };
      await Promise.all(ids.map((id) => ledger.commit(id, () => ({ rows: [row], answer: 0 }))));
    };

    const unsigned = async (): Promise<number> => {
      const machines = await storage.machines.byIds(ids, false);
      return machines.filter(({ head, checkpointSize }) => checkpointSize !== head.seq + 1).length;
    };

    beforeAll(async () => {
      storage = await database.open();
      nodes = [node(), node()];
      for (const { owners } of nodes) await owners.renew();
      const hold = () => nodes.map(({ owners }) => owners.shards.length);
      for (let round = 0; hold().includes(0) || hold().reduce((sum, held) => sum + held) < SHARDS; round++) {
        expect(round).toBeLessThan(20);
        await live(nodes, 1);
      }
      ids = [];
      for (let i = 0; i < MACHINES; i++) ids = [...ids, (await insertMachine(storage)).id];
    });
    afterAll(() => database.dispose(storage));

    test('each head is signed once, by the owner of its machine', async () => {
      await live(nodes, 60);
      expect(await unsigned()).toBe(0);
      const before = nodes.map(({ signatures }) => signatures());
      expect(before.every((count) => count > 0)).toBe(true);
      await grow();
      // Not at once: a head waits for further rows.
      await live(nodes, SIGNING_MS / 1_000);
      expect(await unsigned()).toBe(MACHINES);
      await live(nodes, Math.ceil((LIMITS.chain.checkpointTicks * Number(TICK_NS / 1_000_000n)) / 1_000) - 5);
      expect(await unsigned()).toBe(0);
      const made = nodes.map(({ signatures }, i) => signatures() - (before[i] ?? 0));
      expect(made.reduce((sum, count) => sum + count)).toBe(MACHINES);
      expect(Math.min(...made)).toBeGreaterThan(0);
    });

    test('when an owner dies right before it would sign, another node signs within 60 ticks of the row', async () => {
      const [dead, heir] = nodes;
      await grow();
      const written = now();
      const seconds = Math.floor((LIMITS.chain.signAfterTicks * Number(TICK_NS / 1_000_000n)) / 1_000);
      await live(nodes, seconds);
      expect(await unsigned()).toBe(MACHINES);
      const before = heir.signatures();
      const deadBefore = dead.signatures();
      while ((await unsigned()) > 0) {
        await live([heir], SIGNING_MS / 1_000);
        expect(now() - written).toBeLessThanOrEqual(LIMITS.chain.checkpointTicks);
      }
      expect(heir.signatures() - before).toBe(MACHINES);
      expect(dead.signatures()).toBe(deadBefore);
    });

    test('a machine whose tree is damaged holds up no other', async () => {
      const [, heir] = nodes;
      await grow();
      const owned = ids.find((id) => heir.owners.shards.includes(shardOf(id))) ?? '';
      await rows(storage.database.knex, 'delete from tile where machine_id = ?', [owned]);
      for (let second = 0; second < 40; second++) await live([heir], 1);
      await expect(heir.sign()).rejects.toThrow('not found');
      expect(await unsigned()).toBe(1);
    });
  });
}
