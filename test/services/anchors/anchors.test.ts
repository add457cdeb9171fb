// Anchors end to end: rows of mother and child, privacy, and recovery after an interruption.

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
import { type Composed, composedDatabases } from '../composition-fixture.ts';

const nameOf = ({ head: { slug }, genesisHash }: Machine) => idHash(slug, genesisHash);
const payloadOf = (row: Row | undefined) => JSON.parse(row?.payload_text ?? 'null') as Record<string, unknown>;

for (const database of composedDatabases()) {
  describe(`on ${database.name}`, () => {
    let node: Composed;
    let owner: Principal;
    let motherOwner: Principal;
    beforeAll(async () => {
      node = await database.open();
      owner = await node.createOwner();
      motherOwner = await node.createOwner();
    });
    afterAll(() => database.dispose(node));

    const chain = async ({ id, head: { slug } }: Machine) => node.storage.audit.range(id, slug, 0, 10_000);
    const ofType = async (machine: Machine, type: string) => (await chain(machine)).filter((row) => row.type === type);
    const anchor = async (child: Machine, mother: Machine, by: Principal = owner) =>
      node.services.anchors.anchor(await node.reload(child), await node.reload(mother), by, String(by.zid));
    const createMother = async (settings: Machine['settings'] = { accept_anchors: 'anyone' }) =>
      node.services.machines.patch(await node.machine(motherOwner), motherOwner, { settings });
    const createFamily = async () => ({ mother: await createMother(), child: await node.machine(owner) });

    describe('an anchor', () => {
      test('is a signed row of the mother, and a row of the child that refers to it', async () => {
        const { mother, child } = await createFamily();
        const made = await anchor(child, mother);
        const [held] = await ofType(mother, 'anchor');
        expect(held).toMatchObject({ actor: SYSTEM_ACTOR, source: 'anchor', seq: made.seq, row_hash: made.row_hash });
        const payload = payloadOf(held) as unknown as AnchorPayload;
        expect(isAnchorSigned(nameOf(mother), payload)).toBe(true);
        const checkpoint = await node.storage.trees.newestCheckpoint(child.id);
        expect(payload).toMatchObject({ size: checkpoint?.size, root: toHex(checkpoint?.root ?? new Uint8Array()) });
        const [recorded] = await ofType(child, 'anchored');
        expect(recorded).toMatchObject({ actor: owner.zid, seq: made.child_seq });
        expect(payloadOf(recorded)).toEqual({
          ...payload,
          mother: nameOf(mother),
          mother_slug: mother.head.slug,
          seq: held?.seq,
          row_hash: held?.row_hash,
        });
        for (const one of [mother, child]) {
          const machine = await node.reload(one);
          expect(await node.services.trees.validate(machine, 0, machine.head.seq)).toMatchObject({ valid: true });
        }
      });

      test('of the same checkpoint is written once, also for repeated and concurrent requests', async () => {
        const { mother, child } = await createFamily();
        const all = await Promise.all(Array.from({ length: 5 }, () => anchor(child, mother)));
        all.push(await anchor(child, mother));
        expect(new Set(all.map(({ row_hash, child_seq }) => `${row_hash} ${child_seq}`)).size).toBe(1);
        expect(all.filter(({ duplicate }) => !duplicate).length).toBe(1);
        expect((await ofType(mother, 'anchor')).length).toBe(1);
        expect((await ofType(child, 'anchored')).length).toBe(1);
        expect((await ofType(child, 'anchor_key')).length).toBe(1);
      });

      test('of a longer chain is a new one, under the same pseudonym', async () => {
        const { mother, child } = await createFamily();
        const first = await anchor(child, mother);
        await node.appendEvent(child, owner);
        node.wait(60);
        const second = await anchor(child, mother);
        expect(second.size).toBeGreaterThan(first.size);
        expect(second).toMatchObject({ pseudonym: first.pseudonym, public_key: first.public_key, duplicate: false });
        const { rows } = await node.services.anchors.summaries(await node.reload(mother), { limit: 10 });
        expect(rows).toMatchObject([
          { pseudonym: first.pseudonym, continues: null, count: 2, newest: { seq: second.seq } },
        ]);
        const held = await node.services.anchors.list(await node.reload(mother), { limit: 1 });
        expect(held).toMatchObject({ rows: [{ seq: second.seq }], next_cursor: String(second.seq) });
        for (const one of held.rows) expect(isAnchorSigned(held.mother, one)).toBe(true);
      });

      test('at two mothers has different pseudonyms and keys', async () => {
        const { mother, child } = await createFamily();
        const [here, there] = [await anchor(child, mother), await anchor(child, await createMother())];
        expect(here.pseudonym).not.toBe(there.pseudonym);
        expect(here.public_key).not.toBe(there.public_key);
      });

      test('of a private machine does not reveal it to the mother', async () => {
        const mother = await createMother();
        const child = await node.machine(owner, { is_public: false });
        await anchor(child, mother);
        node.wait(60);
        await node.services.anchors.rotate(await node.reload(child), owner);
        await anchor(child, mother);
        const held = await node.services.anchors.list(await node.reload(mother), { limit: 10 });
        const all = JSON.stringify([
          await chain(mother),
          held,
          await node.services.anchors.summaries(mother, { limit: 9 }),
        ]);
        const secrets = [
          child.head.slug,
          child.id,
          child.genesisHash,
          nameOf(child),
          owner.zid,
          owner.accountId,
          owner.keyId,
        ];
        expect(secrets.filter((one) => one !== undefined && all.includes(one))).toEqual([]);
        expect(all).toContain(held.rows[0]?.pseudonym);
        const tables = await query<{ text: string }>(
          node.storage.database.knex,
          `select a::text as text from anchor a where mother_id = ? union all select c::text from anchor_continuity c where mother_id = ?`,
          [mother.id, mother.id],
        );
        expect(tables.length).toBe(3);
        expect(tables.filter(({ text }) => text.includes(child.id))).toEqual([]);
      });

      test('at a private mother is recorded without the slug of the mother', async () => {
        const mother = await node.machine(owner, { is_public: false });
        const child = await node.machine(owner);
        await anchor(child, mother);
        const [recorded] = await ofType(child, 'anchored');
        expect(payloadOf(recorded)).toMatchObject({ mother: nameOf(mother) });
        expect(JSON.stringify(await chain(child))).not.toContain(mother.head.slug);
      });

      test('is rejected by an inactive mother, and by the machine itself', async () => {
        const { mother, child } = await createFamily();
        await node.services.machines.setStatus(mother, motherOwner, 'paused');
        await expect(anchor(child, mother)).rejects.toMatchObject({ code: 'CONFLICT' });
        await node.services.machines.setStatus(mother, motherOwner, 'archived');
        await expect(anchor(child, mother)).rejects.toMatchObject({ code: 'MACHINE_ARCHIVED' });
        await expect(anchor(child, child)).rejects.toMatchObject({
          code: 'VALIDATION_FAILED',
          details: [{ path: 'child_slug' }],
        });
        expect(await ofType(mother, 'anchor')).toEqual([]);
      });

      test('of an archived machine is rejected before the mother is changed', async () => {
        const { mother, child } = await createFamily();
        await node.services.machines.setStatus(child, owner, 'archived');
        await expect(anchor(child, mother)).rejects.toMatchObject({ code: 'MACHINE_ARCHIVED' });
        expect(await ofType(mother, 'anchor')).toEqual([]);
      });

      test('interrupted between the two chains is completed by the next call', async () => {
        const { mother, child } = await createFamily();
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
      test('gives a new pseudonym at every mother, with continuity signed by both keys', async () => {
        const { mother, child } = await createFamily();
        const other = await createMother();
        const before = [await anchor(child, mother), await anchor(child, other)];
        node.wait(60);
        const { epoch, mothers } = await node.services.anchors.rotate(await node.reload(child), owner);
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
        const { rows } = await node.services.anchors.summaries(await node.reload(mother), { limit: 10 });
        expect(rows.map(({ pseudonym, continues }) => [pseudonym, continues])).toEqual([
          [after[0]?.pseudonym, before[0]?.pseudonym],
          [before[0]?.pseudonym, null],
        ]);
      });

      test('cannot be created twice in sixty ticks', async () => {
        const { mother, child } = await createFamily();
        await anchor(child, mother);
        node.wait(59);
        const rotate = async () => node.services.anchors.rotate(await node.reload(child), owner);
        await expect(rotate()).rejects.toMatchObject({ code: 'CONFLICT' });
        node.wait(1);
        expect(await rotate()).toMatchObject({ epoch: 2 });
        await expect(rotate()).rejects.toMatchObject({ code: 'CONFLICT' });
      });

      test('is announced to a paused mother with the next anchor, from the last pseudonym that it knows', async () => {
        const { mother, child } = await createFamily();
        const first = await anchor(child, mother);
        await node.services.machines.setStatus(mother, motherOwner, 'paused');
        for (const epoch of [2, 3]) {
          node.wait(60);
          expect(await node.services.anchors.rotate(await node.reload(child), owner)).toMatchObject({
            epoch,
            mothers: [{ ok: false, code: 'CONFLICT' }],
          });
        }
        await node.services.machines.setStatus(mother, motherOwner, 'active');
        const next = await anchor(child, mother);
        expect((await ofType(mother, 'anchor_continuity')).map(payloadOf)).toMatchObject([
          { from: { pseudonym: first.pseudonym }, to: { pseudonym: next.pseudonym } },
        ]);
      });

      test('is sealed for one machine, and cannot be opened as the key of another', async () => {
        const [one, other] = [(await createFamily()).child, (await createFamily()).child];
        const mother = await createMother();
        await anchor(one, mother);
        await anchor(other, mother);
        const [key] = await node.storage.anchorKeys.list(one.id);
        expect(key?.sealed.length).toBe(32 + 28);
        await query(
          node.storage.database.knex,
          'update anchor_key set sealed = (select sealed from anchor_key where machine_id = ?) where machine_id = ?',
          [one.id, other.id],
        );
        await expect(anchor(other, mother)).rejects.toThrow();
      });
    });

    describe('on schedule', () => {
      const settings = (mothers: readonly Machine[], every_ticks = 60) => ({
        mothers: mothers.map(({ head: { slug } }) => slug),
        every_ticks,
        witnesses: [],
      });
      const { set, get, sweep } = {
        set: async (child: Machine, mothers: readonly Machine[], every = 60) =>
          node.services.anchorConfig.set(await node.reload(child), owner, settings(mothers, every)),
        get: async (child: Machine) => node.services.anchorConfig.get(await node.reload(child)),
        sweep: () => node.services.anchorConfig.sweep(100),
      };
      const count = async (machine: Machine) => (await ofType(machine, 'anchor')).length;

      test('a machine is anchored in its mothers at its period, if it has new rows', async () => {
        const { mother, child } = await createFamily();
        expect(await set(child, [mother], 100)).toMatchObject({ version: 1, last: [] });
        await sweep();
        expect(await count(mother)).toBe(1);
        expect((await ofType(child, 'anchored'))[0]?.actor).toBe(SYSTEM_ACTOR);
        expect(await get(child)).toMatchObject({
          last: [{ mother: mother.head.slug, ok: true, code: null, failures: 0 }],
        });
        // The row about an anchor does not count as new. The rows of the settings precede it.
        const countAfter = async (ticks: number) => {
          node.wait(ticks);
          await sweep();
          return count(mother);
        };
        const settled = await countAfter(100);
        expect(await countAfter(1_000)).toBe(settled);
        await node.appendEvent(child, owner);
        expect(await countAfter(99)).toBe(settled);
        expect(await countAfter(1)).toBe(settled + 1);
        expect(await countAfter(1_000)).toBe(settled + 1);
      });

      test('a failure is counted and shown, and does not delay other mothers', async () => {
        const child = await node.machine(owner);
        const [paused, active] = [await createMother(), await createMother()];
        await set(child, [paused, active]);
        await node.services.machines.setStatus(paused, motherOwner, 'paused');
        for (const failures of [1, 2]) {
          await sweep();
          expect((await get(child)).last).toContainEqual(
            expect.objectContaining({ mother: paused.head.slug, ok: false, code: 'CONFLICT', failures }),
          );
          node.wait(60);
        }
        expect(await count(active)).toBeGreaterThanOrEqual(1);
        await node.services.machines.setStatus(paused, motherOwner, 'active');
        await sweep();
        expect((await get(child)).last).toContainEqual(
          expect.objectContaining({ mother: paused.head.slug, ok: true, code: null, failures: 2 }),
        );
      });

      test('a private mother is used only while the member who set it may read it', async () => {
        const child = await node.machine(owner);
        const mother = await node.machine(motherOwner, { is_public: false });
        const { members } = node.services;
        await expect(set(child, [mother])).rejects.toMatchObject({
          details: [{ path: 'mothers.0', code: 'NOT_FOUND' }],
        });
        await members.add(mother, motherOwner, String(owner.zid), 'viewer');
        await set(child, [mother]);
        await sweep();
        expect(await count(await node.reload(mother))).toBe(1);
        await members.remove(await node.reload(mother), motherOwner, String(owner.zid));
        await node.appendEvent(child, owner);
        node.wait(60);
        await sweep();
        expect(await count(await node.reload(mother))).toBe(1);
        expect(await get(child)).toMatchObject({ last: [{ ok: false, code: 'NOT_FOUND', failures: 1 }] });
      });

      test('a due machine is claimed by one node only', async () => {
        const { mother, child } = await createFamily();
        await set(child, [mother]);
        const { anchorSettings } = node.storage;
        const due = (await get(child)).due_tick ?? 0;
        const claimed = await Promise.all([1, 2, 3].map(() => anchorSettings.claimDue(due, 100)));
        expect(claimed.flat().filter(({ machineId }) => machineId === child.id).length).toBe(1);
        expect(await get(child)).toMatchObject({ due_tick: due + 60 });
      });

      test('the chain records that the settings changed, without the names of machines', async () => {
        const { mother, child } = await createFamily();
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
