// Anchors end to end: what mother and child write, what neither gives away, and what is made up for after a break.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AnchorPayload,
  type ContinuityPayload,
  isAnchorSigned,
  isContinuitySigned,
} from '../../../src/chain/anchor.ts';
import { idHash } from '../../../src/chain/identity.ts';
import { type Row, SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { toHex } from '../../../src/core/bits.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import { rows as query } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { type Composed, composedDatabases } from '../composed.ts';

const nameOf = ({ head: { slug }, genesisHash }: Machine) => idHash(slug, genesisHash);
const payloadOf = (row: Row | undefined) => JSON.parse(row?.payload_text ?? 'null') as Record<string, unknown>;

for (const database of composedDatabases()) {
  describe(`on ${database.name}`, () => {
    let node: Composed;
    let owner: Principal;
    let keeper: Principal;
    beforeAll(async () => {
      node = await database.open();
      owner = await node.somebody();
      keeper = await node.somebody();
    });
    afterAll(() => database.dispose(node));

    const chain = async ({ id, head: { slug } }: Machine) => node.storage.audit.range(id, slug, 0, 10_000);
    const ofType = async (machine: Machine, type: string) => (await chain(machine)).filter((row) => row.type === type);
    const anchor = async (child: Machine, mother: Machine, by: Principal | undefined = owner) =>
      node.services.anchors.anchor(await node.now(child), await node.now(mother), by);
    const family = async () => ({ mother: await node.machine(keeper), child: await node.machine(owner) });

    describe('an anchor', () => {
      test('is a row of the mother, signed for her, and a row of the child that names it', async () => {
        const { mother, child } = await family();
        const made = await anchor(child, mother);
        const [held] = await ofType(mother, 'anchor');
        expect(held).toMatchObject({ actor: SYSTEM_ACTOR, source: 'anchor', seq: made.seq, row_hash: made.row_hash });
        const payload = payloadOf(held) as unknown as AnchorPayload;
        expect(isAnchorSigned(nameOf(mother), payload)).toBe(true);
        const checkpoint = await node.storage.trees.newestCheckpoint(child.id);
        expect(payload).toMatchObject({ size: checkpoint?.size, root: toHex(checkpoint?.root ?? new Uint8Array()) });
        const [noted] = await ofType(child, 'anchored');
        expect(noted).toMatchObject({ actor: owner.zid, seq: made.child_seq });
        expect(payloadOf(noted)).toEqual({
          ...payload,
          mother: nameOf(mother),
          mother_slug: mother.head.slug,
          seq: held?.seq,
          row_hash: held?.row_hash,
        });
        for (const one of [mother, child]) {
          const machine = await node.now(one);
          expect(await node.services.trees.validate(machine, 0, machine.head.seq)).toMatchObject({ valid: true });
        }
      });

      test('of the same checkpoint is there once, however often and by however many it is asked for', async () => {
        const { mother, child } = await family();
        const all = await Promise.all(Array.from({ length: 5 }, () => anchor(child, mother)));
        all.push(await anchor(child, mother));
        expect(new Set(all.map(({ row_hash, child_seq }) => `${row_hash} ${child_seq}`)).size).toBe(1);
        expect(all.filter(({ duplicate }) => !duplicate).length).toBe(1);
        expect((await ofType(mother, 'anchor')).length).toBe(1);
        expect((await ofType(child, 'anchored')).length).toBe(1);
        expect((await ofType(child, 'anchor_key')).length).toBe(1);
      });

      test('of a longer chain is another one, under the same name', async () => {
        const { mother, child } = await family();
        const first = await anchor(child, mother);
        await node.move(child, owner);
        node.wait(60);
        const second = await anchor(child, mother);
        expect(second.size).toBeGreaterThan(first.size);
        expect(second).toMatchObject({ pseudonym: first.pseudonym, public_key: first.public_key, duplicate: false });
        const { rows } = await node.services.anchors.summaries(await node.now(mother), { limit: 10 });
        expect(rows).toMatchObject([
          { pseudonym: first.pseudonym, continues: null, count: 2, newest: { seq: second.seq } },
        ]);
        const held = await node.services.anchors.held(await node.now(mother), { limit: 1 });
        expect(held).toMatchObject({ rows: [{ seq: second.seq }], next_cursor: String(second.seq) });
        for (const one of held.rows) expect(isAnchorSigned(held.mother, one)).toBe(true);
      });

      test('at two mothers has no name and no key in common', async () => {
        const { mother, child } = await family();
        const [here, there] = [await anchor(child, mother), await anchor(child, await node.machine(keeper))];
        expect(here.pseudonym).not.toBe(there.pseudonym);
        expect(here.public_key).not.toBe(there.public_key);
      });

      test('of a private machine leaves nothing at the mother that tells who it is', async () => {
        const mother = await node.machine(keeper);
        const child = await node.machine(owner, { is_public: false });
        await anchor(child, mother);
        node.wait(60);
        await node.services.anchors.rotate(await node.now(child), owner);
        await anchor(child, mother);
        const held = await node.services.anchors.held(await node.now(mother), { limit: 10 });
        const all = JSON.stringify([
          await chain(mother),
          held,
          await node.services.anchors.summaries(mother, { limit: 9 }),
        ]);
        const telling = [
          child.head.slug,
          child.id,
          child.genesisHash,
          nameOf(child),
          owner.zid,
          owner.accountId,
          owner.keyId,
        ];
        expect(telling.filter((one) => one !== undefined && all.includes(one))).toEqual([]);
        expect(all).toContain(held.rows[0]?.pseudonym);
        const tables = await query<{ text: string }>(
          node.storage.database.knex,
          `select a::text as text from anchor a where mother_id = ? union all select c::text from anchor_continuity c where mother_id = ?`,
          [mother.id, mother.id],
        );
        expect(tables.length).toBe(3);
        expect(tables.filter(({ text }) => text.includes(child.id))).toEqual([]);
      });

      test('at a private mother is noted without her slug', async () => {
        const mother = await node.machine(owner, { is_public: false });
        const child = await node.machine(owner);
        await anchor(child, mother);
        const [noted] = await ofType(child, 'anchored');
        expect(payloadOf(noted)).toMatchObject({ mother: nameOf(mother) });
        expect(JSON.stringify(await chain(child))).not.toContain(mother.head.slug);
      });

      test('is not taken by a mother who is not active, nor by the machine itself', async () => {
        const { mother, child } = await family();
        await node.services.machines.setStatus(mother, keeper, 'paused');
        await expect(anchor(child, mother)).rejects.toMatchObject({ code: 'CONFLICT' });
        await node.services.machines.setStatus(mother, keeper, 'archived');
        await expect(anchor(child, mother)).rejects.toMatchObject({ code: 'MACHINE_ARCHIVED' });
        await expect(anchor(child, child)).rejects.toMatchObject({
          code: 'VALIDATION_FAILED',
          details: [{ path: 'child_slug' }],
        });
        expect(await ofType(mother, 'anchor')).toEqual([]);
      });

      test('of an archived machine is refused before the mother has heard of it', async () => {
        const { mother, child } = await family();
        await node.services.machines.setStatus(child, owner, 'archived');
        await expect(anchor(child, mother)).rejects.toMatchObject({ code: 'MACHINE_ARCHIVED' });
        expect(await ofType(mother, 'anchor')).toEqual([]);
      });

      test('that was cut short between the two chains is finished by the next call', async () => {
        const { mother, child } = await family();
        const made = await anchor(child, mother);
        // As if the process had died before the child's change.
        await query(node.storage.database.knex, 'delete from anchored where machine_id = ?', [child.id]);
        await query(node.storage.database.knex, 'delete from anchor_mother where machine_id = ?', [child.id]);
        const again = await anchor(child, mother);
        expect(again).toMatchObject({ row_hash: made.row_hash, duplicate: true });
        expect(again.child_seq).toBeGreaterThan(made.child_seq);
        expect((await ofType(mother, 'anchor')).length).toBe(1);
        expect((await anchor(child, mother)).child_seq).toBe(again.child_seq);
      });
    });

    describe('a new key', () => {
      test('is a new name at every mother, tied to the one before by both keys', async () => {
        const { mother, child } = await family();
        const other = await node.machine(keeper);
        const before = [await anchor(child, mother), await anchor(child, other)];
        node.wait(60);
        const { epoch, mothers } = await node.services.anchors.rotate(await node.now(child), owner);
        expect(epoch).toBe(2);
        expect(mothers.map(({ mother: slug, ok }) => [slug, ok]).toSorted()).toEqual(
          [mother, other].map(({ head: { slug } }) => [slug, true]).toSorted(),
        );
        const after = [await anchor(child, mother), await anchor(child, other)];
        for (const [i, machine] of [mother, other].entries()) {
          const [row, ...more] = await ofType(machine, 'anchor_continuity');
          expect(more).toEqual([]);
          expect(row?.actor).toBe(SYSTEM_ACTOR);
          const payload = payloadOf(row) as unknown as ContinuityPayload;
          expect(isContinuitySigned(nameOf(machine), payload)).toBe(true);
          expect(payload).toMatchObject({
            from: { pseudonym: before[i]?.pseudonym, public_key: before[i]?.public_key },
            to: { pseudonym: after[i]?.pseudonym, public_key: after[i]?.public_key },
          });
        }
        const { rows } = await node.services.anchors.summaries(await node.now(mother), { limit: 10 });
        expect(rows.map(({ pseudonym, continues }) => [pseudonym, continues])).toEqual([
          [after[0]?.pseudonym, before[0]?.pseudonym],
          [before[0]?.pseudonym, null],
        ]);
      });

      test('is not made twice in sixty ticks', async () => {
        const { mother, child } = await family();
        await anchor(child, mother);
        node.wait(59);
        const rotate = async () => node.services.anchors.rotate(await node.now(child), owner);
        await expect(rotate()).rejects.toMatchObject({ code: 'CONFLICT' });
        node.wait(1);
        expect(await rotate()).toMatchObject({ epoch: 2 });
        await expect(rotate()).rejects.toMatchObject({ code: 'CONFLICT' });
      });

      test('is told to a mother who was paused when she takes the next anchor, from the last name that she knew', async () => {
        const { mother, child } = await family();
        const first = await anchor(child, mother);
        await node.services.machines.setStatus(mother, keeper, 'paused');
        for (const epoch of [2, 3]) {
          node.wait(60);
          expect(await node.services.anchors.rotate(await node.now(child), owner)).toMatchObject({
            epoch,
            mothers: [{ ok: false, code: 'CONFLICT' }],
          });
        }
        await node.services.machines.setStatus(mother, keeper, 'active');
        const next = await anchor(child, mother);
        expect((await ofType(mother, 'anchor_continuity')).map(payloadOf)).toMatchObject([
          { from: { pseudonym: first.pseudonym }, to: { pseudonym: next.pseudonym } },
        ]);
      });

      test('is sealed for this machine: as the key of another it cannot be opened', async () => {
        const [one, other] = [(await family()).child, (await family()).child];
        const mother = await node.machine(keeper);
        await anchor(one, mother);
        await anchor(other, mother);
        const [key] = await node.storage.anchors.keys(one.id);
        expect(key?.sealed.length).toBe(32 + 28);
        await query(
          node.storage.database.knex,
          'update anchor_key set sealed = (select sealed from anchor_key where machine_id = ?) where machine_id = ?',
          [one.id, other.id],
        );
        await expect(anchor(other, mother)).rejects.toThrow();
      });
    });

    describe('by itself', () => {
      const settings = (mothers: readonly Machine[], every_ticks = 60) => ({
        mothers: mothers.map(({ head: { slug } }) => slug),
        every_ticks,
        witnesses: [],
      });
      const { set, get, sweep } = {
        set: async (child: Machine, mothers: readonly Machine[], every = 60) =>
          node.services.anchorConfig.set(await node.now(child), owner, settings(mothers, every)),
        get: async (child: Machine) => node.services.anchorConfig.get(await node.now(child)),
        sweep: () => node.services.anchorConfig.sweep(100),
      };
      const count = async (machine: Machine) => (await ofType(machine, 'anchor')).length;

      test('a machine is anchored where it was asked to be, as often as it was asked for, and not without news', async () => {
        const { mother, child } = await family();
        expect(await set(child, [mother], 100)).toMatchObject({ version: 1, last: [] });
        await sweep();
        expect(await count(mother)).toBe(1);
        expect((await ofType(child, 'anchored'))[0]?.actor).toBe(SYSTEM_ACTOR);
        expect(await get(child)).toMatchObject({
          last: [{ mother: mother.head.slug, ok: true, code: null, failures: 0 }],
        });
        // What says that it was anchored is nothing new to anchor. What was written with the settings came before.
        const news = async (ticks: number) => {
          node.wait(ticks);
          await sweep();
          return count(mother);
        };
        const settled = await news(100);
        expect(await news(1_000)).toBe(settled);
        await node.move(child, owner);
        expect(await news(99)).toBe(settled);
        expect(await news(1)).toBe(settled + 1);
        expect(await news(1_000)).toBe(settled + 1);
      });

      test('what fails is counted and shown, and holds up no other mother', async () => {
        const child = await node.machine(owner);
        const [shut, open] = [await node.machine(keeper), await node.machine(keeper)];
        await set(child, [shut, open]);
        await node.services.machines.setStatus(shut, keeper, 'paused');
        for (const failures of [1, 2]) {
          await sweep();
          expect((await get(child)).last).toContainEqual(
            expect.objectContaining({ mother: shut.head.slug, ok: false, code: 'CONFLICT', failures }),
          );
          node.wait(60);
        }
        expect(await count(open)).toBeGreaterThanOrEqual(1);
        await node.services.machines.setStatus(shut, keeper, 'active');
        await sweep();
        expect((await get(child)).last).toContainEqual(
          expect.objectContaining({ mother: shut.head.slug, ok: true, code: null, failures: 2 }),
        );
      });

      test('a private mother is anchored in as long as whoever named her may read her', async () => {
        const child = await node.machine(owner);
        const mother = await node.machine(keeper, { is_public: false });
        const { members } = node.services;
        await expect(set(child, [mother])).rejects.toMatchObject({
          details: [{ path: 'mothers.0', code: 'NOT_FOUND' }],
        });
        await members.add(mother, keeper, String(owner.zid), 'viewer');
        await set(child, [mother]);
        await sweep();
        expect(await count(await node.now(mother))).toBe(1);
        await members.remove(await node.now(mother), keeper, String(owner.zid));
        await node.move(child, owner);
        node.wait(60);
        await sweep();
        expect(await count(await node.now(mother))).toBe(1);
        expect(await get(child)).toMatchObject({ last: [{ ok: false, code: 'NOT_FOUND', failures: 1 }] });
      });

      test('of two nodes that look at once one does the work', async () => {
        const { mother, child } = await family();
        await set(child, [mother]);
        const { anchorSettings } = node.storage;
        const due = (await get(child)).due_tick ?? 0;
        const claimed = await Promise.all([1, 2, 3].map(() => anchorSettings.claimDue(due, 100)));
        expect(claimed.flat().filter(({ machineId }) => machineId === child.id).length).toBe(1);
        expect(await get(child)).toMatchObject({ due_tick: due + 60 });
      });

      test('the chain says that the settings changed, not which machines they name', async () => {
        const { mother, child } = await family();
        const first = await set(child, [mother]);
        expect(await set(child, [mother])).toEqual(first);
        expect(await set(child, [])).toMatchObject({ version: 2, due_tick: null });
        expect((await ofType(child, 'anchor_config')).map(payloadOf)).toEqual([
          { version: 1, every_ticks: 60, mothers: 1, witnesses: 0 },
          { version: 2, every_ticks: 60, mothers: 0, witnesses: 0 },
        ]);
      });
    });
  });
}
