// Checkpoints and proofs over stored chains, against the reference tree.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isConsistent, isIncluded, leafHash } from '../../../src/chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint } from '../../../src/chain/note.ts';
import { appendRow, type Row } from '../../../src/chain/row.ts';
import { concat, toHex } from '../../../src/core/bits.ts';
import { SteppedClock, startOfTick, TICK_NS } from '../../../src/core/clock.ts';
import { TreeService } from '../../../src/services/machines/trees.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { Ledger } from '../../../src/storage/machines/ledger.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { leavesOf } from '../../chain/chain-fixture.ts';
import { treeHash } from '../../chain/reference-tree.ts';
import { testSigner } from '../../chain/signer.ts';
import { testDatabases } from '../../storage/databases.ts';
import { eventRow, insertMachine } from './stored-machine-fixture.ts';

const signer = testSigner(7);

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    const clock = new SteppedClock(startOfTick(1_000));
    const wait = (ticks: number) => clock.advance(BigInt(ticks) * TICK_NS);
    let trees: TreeService;
    let machine: Machine;
    const roots = new Map<number, string>();

    const grow = async (count: number): Promise<void> => {
      const ledger = new Ledger({ ...storage, randomBytes });
      const added = Array.from({ length: count }, (_, i) => eventRow({ i }));
      machine = (await ledger.commit(machine.id, () => ({ rows: added, answer: 0 }))).machine;
    };
    const all = () => storage.audit.range(machine.id, machine.head.slug, 0, 100_000);

    beforeAll(async () => {
      storage = await database.open();
      trees = new TreeService({ ...storage, signer, host: 'node.example', clock });
      machine = await insertMachine(storage);
      // Sizes around tile boundaries.
      for (const size of [1, 5, 255, 256, 257, 900, 1_024, 1_500]) {
        await grow(size - machine.head.seq - 1);
        wait(60);
        const { note, root } = await trees.checkpoint(machine);
        roots.set(size, toHex(root));
        const parsed = parseCheckpoint(note);
        expect(parsed?.checkpoint).toMatchObject({ origin: `node.example/m/${machine.head.slug}`, size });
        expect(parsed && isCheckpointSignedBy(parsed, trees.originOf(machine), signer.publicKey)).toBe(true);
      }
    });
    afterAll(() => database.dispose(storage));

    test('the root of every checkpoint matches the reference tree', async () => {
      const leaves = leavesOf(await all());
      for (const [size, root] of roots) expect(root).toBe(toHex(treeHash(leaves.slice(0, size))));
      expect(roots.size).toBe(8);
    });

    test('a checkpoint is valid for sixty ticks, and longer without new rows', async () => {
      const first = await trees.checkpoint(machine);
      await grow(1);
      wait(59);
      expect((await trees.checkpoint(machine)).size).toBe(first.size);
      wait(1);
      expect((await trees.checkpoint(machine)).size).toBe(first.size + 1);
      wait(600);
      expect((await trees.checkpoint(machine)).size).toBe(first.size + 1);
    });

    test('every row has a path to every root that covers it', async () => {
      const leaves = leavesOf(await all());
      for (const size of [256, 900, 1_500]) {
        const root = treeHash(leaves.slice(0, size));
        for (const seq of [0, 1, 254, 255, 256, 511, 899, 1_023, 1_499].filter((one) => one < size)) {
          const { leaf, path, root: proven } = await trees.inclusion(machine, seq, size);
          expect(toHex(proven)).toBe(toHex(root));
          expect(isIncluded(leaf, seq, size, path, root)).toBe(true);
        }
      }
    });

    test('every tree is a proven prefix of every larger one', async () => {
      for (const from of [1, 5, 255, 256, 900]) {
        for (const to of [900, 1_024, 1_500]) {
          const {
            roots: [old, whole],
            path,
          } = await trees.consistency(machine, from, to);
          expect(isConsistent(from, to, old, whole, path)).toBe(true);
        }
      }
    });

    test.each([
      ['inclusion of a row that is not in the tree', () => trees.inclusion(machine, 900, 900)],
      ['inclusion in a future tree', () => trees.inclusion(machine, 0, 1_000_000)],
      ['consistency backwards', () => trees.consistency(machine, 900, 256)],
    ])('%s is rejected', async (_, ask) => {
      await expect(ask()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    });

    test('windows of the chain are valid, against the checkpoint', async () => {
      const last = machine.head.seq;
      for (const [from, to] of [
        [0, last],
        [0, 0],
        [250, 260],
        [1_400, last],
        [last, last],
      ] as const) {
        expect(await trees.validate(machine, from, to)).toMatchObject({
          valid: true,
          from,
          to,
          checked: to - from + 1,
        });
      }
    });

    test('the checkpoint detects a chain rewritten with valid hashes', async () => {
      await rewriteFrom(storage, machine, 700);
      const last = machine.head.seq;
      const found = await trees.validate(machine, 690, last);
      expect(found).toMatchObject({ valid: false, first_bad: { seq: 700, reason: 'TREE' } });
      expect(await trees.validate(machine, 0, 699)).toMatchObject({ valid: true });
    });

    test('a truncated chain is invalid', async () => {
      const { id, head } = await insertMachine(storage);
      const claimed = { ...machine, id, head: { ...head, seq: 3 } };
      expect((await trees.validate(claimed, 0, 3)).first_bad).toEqual({ seq: 1, reason: 'GAP' });
    });

    test('signPending signs for machines with uncovered rows', async () => {
      const other = await insertMachine(storage);
      const read = (ids: readonly string[]) => storage.machines.byIds(ids, false);
      expect(await trees.signPending(read, { limit: 100 })).toBeGreaterThan(0);
      expect((await storage.trees.newestCheckpoint(other.id))?.size).toBe(1);
    });

    test('heads that are signed together are those of the reference tree, and a damaged tree holds up none', async () => {
      const ledger = new Ledger({ ...storage, randomBytes });
      const read = (ids: readonly string[]) => storage.machines.byIds(ids, false);
      // Rows before and after: within a tile, up to its end, over it, and trees with several tiles and levels.
      const growths = [
        [1, 2],
        [1, 255],
        [200, 256],
        [256, 257],
        [300, 311],
        [511, 513],
        [600, 1_100],
      ] as const;
      const ids: string[] = [];
      const growTo = async (id: string, size: number) => {
        const [{ head }] = (await read([id])) as [Machine];
        const added = Array.from({ length: size - head.seq - 1 }, (_, i) => eventRow({ i }));
        if (added.length > 0) await ledger.commit(id, () => ({ rows: added, answer: 0 }));
      };
      for (const [before] of growths) {
        const { id } = await insertMachine(storage);
        await growTo(id, before);
        ids.push(id);
      }
      wait(60);
      await trees.signPending(read, { limit: 100 });
      const damaged = ids[4] as string;
      await rows(storage.database.knex, 'delete from tile where machine_id = ? and level = 0 and idx = 1', [damaged]);
      for (const [i, [, after]] of growths.entries()) await growTo(ids[i] as string, after);
      // A node died after it had written a tile, and before its checkpoint.
      const died = ids[0] as string;
      const hashes = concat(...(await storage.audit.hashes(died, 0, 2)).map(leafHash));
      await storage.transaction((on) => storage.trees.addTiles([{ machineId: died, level: 0, index: 0, hashes }], on));
      wait(60);
      let transactions = 0;
      const transaction: Storage['transaction'] = (work) => {
        transactions++;
        return storage.transaction(work);
      };
      const counted = new TreeService({ ...storage, transaction, signer, host: 'node.example', clock });
      await expect(counted.signPending(read, { limit: 100 })).rejects.toThrow(`of ${damaged} not found`);
      // Tiles, then heads: of the three that stay within a tile, and of each of the three that fill one.
      expect(transactions).toBe(8);
      for (const [i, [before, after]] of growths.entries()) {
        const id = ids[i] as string;
        const newest = await storage.trees.newestCheckpoint(id);
        expect(newest?.size).toBe(id === damaged ? before : after);
        const [{ head }] = (await read([id])) as [Machine];
        const leaves = leavesOf(await storage.audit.range(id, head.slug, 0, 100_000));
        expect(toHex(newest?.root as Uint8Array)).toBe(toHex(treeHash(leaves.slice(0, newest?.size))));
        const [stored] = await storage.trees.tiles(id, [{ level: 0, index: 0 }]);
        const first = leaves.slice(0, Math.min(256, newest?.size ?? 0));
        expect(toHex(stored?.hashes as Uint8Array)).toBe(first.map((leaf) => toHex(leafHash(leaf))).join(''));
      }
      const waiting = await storage.trees.listPending({ before: 1_000_000, limit: 100 });
      expect(waiting.filter((id) => ids.includes(id))).toEqual([damaged]);
    });

    test('heads are signed sooner when so many wait that the last would be late', async () => {
      // Each signature takes a tenth of a second: a hundred take 13 ticks.
      const slow = new TreeService({
        ...storage,
        signer: {
          ...signer,
          sign: (message) => {
            clock.advance(100_000_000n);
            return signer.sign(message);
          },
        },
        host: 'node.example',
        clock,
      });
      const ledger = new Ledger({ ...storage, randomBytes });
      const ids: string[] = [];
      while (ids.length < 200) ids.push((await insertMachine(storage)).id);
      const read = async (some: readonly string[]) =>
        storage.machines.byIds(
          some.filter((id) => ids.includes(id)),
          false,
        );
      const addRows = async () => {
        const svcond = Number(clock.now() / TICK_NS);
        for (const id of ids) await ledger.commit(id, () => ({ rows: [eventRow({}, svcond)], answer: 0 }));
      };
      wait(60);
      expect(await slow.signPending(read, { limit: 1_000 })).toBe(200);
      await addRows();
      // 200 heads take 26 ticks: of 60, less 13 between two looks, 21 are left to wait.
      wait(20);
      expect(await slow.signPending(read, { limit: 1_000 })).toBe(0);
      wait(1);
      expect(await slow.signPending(read, { limit: 1_000 })).toBe(200);
    });
  });
}

/** Forges all payloads from `at` on, and recomputes every hash, as an attacker with database access could. */
async function rewriteFrom(storage: Storage, { id, head: { slug, seq: last } }: Machine, at: number): Promise<void> {
  const kept = await storage.audit.range(id, slug, 0, last);
  const salt = new Uint8Array(16);
  let head: Row | undefined = kept[at - 1];
  const { knex } = storage.database;
  await rows(knex, 'alter table audit disable trigger user');
  for (const row of kept.slice(at)) {
    if (head === undefined) throw new Error('The preceding row is missing.');
    const forged = appendRow(head, { ...row, payload: 'forged' }, salt);
    await rows(
      knex,
      `update audit set commitment = decode(?, 'hex'), prev_hash = decode(?, 'hex'), hash = decode(?, 'hex'), salt = ?, body = ?
       where machine_id = ? and seq = ?`,
      [forged.commit, forged.prev, forged.row_hash, salt, forged.payload_text, id, row.seq],
    );
    head = forged;
  }
  await rows(knex, 'alter table audit enable trigger user');
}
