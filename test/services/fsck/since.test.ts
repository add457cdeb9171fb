// A run that relies on the record of the last clean one checks what has changed since.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FsckFault } from '../../../src/services/fsck/faults.ts';
import { fsck } from '../../../src/services/fsck/fsck.ts';
import { CLEAN_RUN, cleanRunText, type MachineMark, parseCleanRun } from '../../../src/services/fsck/since.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';
import { LATER_MS, MachineGrower } from './grown-machine.ts';

const NAMES = ['quiet', 'busy'];
const ROWS = 12;

class Rollback extends Error {}

describe.each(testDatabases())('on $name', (tested) => {
  let storage: Storage;
  const ids: string[] = [];
  /** Of the first run. */
  let marks: ReadonlyMap<string, MachineMark>;

  const check = async (on: Executor, since?: ReadonlyMap<string, MachineMark>) => {
    const faults: FsckFault[] = [];
    const made = new Map<string, MachineMark>();
    const summary = await fsck(on, {
      keys: undefined,
      nowMs: LATER_MS,
      since,
      onMark: (id, mark) => made.set(id, mark),
      onFault: (fault) => faults.push(fault),
    });
    return { summary, marks: made, faults: faults.map((fault) => JSON.stringify(fault)) };
  };

  /** Faults after an edit, of a run that relies on the record and of a whole one. The edit is undone. */
  const faultsAfter = async (edit: string, ...bindings: readonly string[]) => {
    let found: { readonly since: readonly string[]; readonly whole: readonly string[] } | undefined;
    const outcome = storage.database.knex.transaction(async (on) => {
      await on.raw(`alter table audit disable trigger all`);
      await rows(on, edit, bindings);
      const [since, whole] = [await check(on, marks), await check(on)];
      found = { since: since.faults, whole: whole.faults };
      throw new Rollback();
    });
    await expect(outcome).rejects.toThrow(Rollback);
    return found;
  };

  beforeAll(async () => {
    storage = await tested.open();
    const grower = new MachineGrower(storage);
    for (const slug of NAMES) ids.push(await grower.create(slug, ROWS));
    marks = (await check(storage.database.knex)).marks;
    // The second machine grows after the run.
    await grower.append(ids[1] ?? '', ROWS, 1);
    expect((await check(storage.database.knex)).faults).toEqual([]);
  });
  afterAll(() => tested.dispose(storage));

  test('only machines that changed are checked, and the marks of all are made', async () => {
    const { summary, marks: made } = await check(storage.database.knex, marks);
    expect(summary).toMatchObject({ machines: 2, unchanged: 1, rows: ROWS + 2 });
    expect([...made.keys()].sort()).toEqual([...ids].sort());
    expect(made.get(ids[0] ?? '')).toEqual(marks.get(ids[0] ?? ''));
    expect(made.get(ids[1] ?? '')).not.toEqual(marks.get(ids[1] ?? ''));
  });

  test.each([
    ['a payload of a new row', `update audit set body = '{"n":99}' where machine_id = ? and seq = ${ROWS + 1}`, 1],
    [
      'a payload of an old row of a machine that grew',
      `update audit set body = '{}' where machine_id = ? and seq = 3`,
      1,
    ],
    ['the name of a machine that did not grow', `update machine set description = 'x', erased = 7 where id = ?`, 0],
    ['a deleted row of a machine that did not grow', 'delete from audit where machine_id = ? and seq = 3', 0],
    ['the last rows of a machine', `delete from audit where machine_id = ? and seq > 9`, 0],
    ['an event key', `insert into event_key (machine_id, key, seq, svcond) values (?, 'x', 0, 0)`, 0],
  ])('%s: it finds what a whole run finds', async (_, edit, machine) => {
    const found = await faultsAfter(edit, ids[machine] ?? '');
    expect(found?.whole.length).toBeGreaterThan(0);
    for (const fault of found?.whole ?? []) expect(found?.since).toContain(fault);
  });

  test('a payload of an old row of a machine that did not change is found by a whole run only', async () => {
    const found = await faultsAfter(`update audit set body = '{}' where machine_id = ? and seq = 3`, ids[0] ?? '');
    expect(found?.whole.length).toBeGreaterThan(0);
    expect(found?.since).toEqual([]);
  });

  test('a machine that is set back, and one that is deleted, are found by the record alone', async () => {
    const id = ids[0] ?? '';
    await storage.database.knex
      .transaction(async (on) => {
        await on.raw('alter table audit disable trigger all');
        await rows(on, 'delete from audit where machine_id = ? and seq > 9', [id]);
        await rows(
          on,
          `update machine set (head_seq, head_hash, head_svcond) =
             (select seq, hash, svcond from audit where machine_id = machine.id order by seq desc limit 1) where id = ?`,
          [id],
        );
        expect((await check(on)).faults).toEqual([]);
        const [fault] = (await check(on, marks)).faults;
        expect(JSON.parse(fault ?? '{}')).toMatchObject({ machine: 'quiet', table: 'audit', key: { seq: ROWS } });
        await rows(on, 'delete from audit where machine_id = ?', [id]);
        await rows(on, 'delete from machine where id = ?', [id]);
        expect((await check(on, marks)).faults.map((one) => JSON.parse(one))).toContainEqual(
          expect.objectContaining({ table: 'machine', key: { id }, code: 'SEAL' }),
        );
        throw new Rollback();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error;
      });
  });

  test('the record is refused if anything in it was changed, or under another master key', () => {
    const mac = new SealedBox(randomBytes(32), randomBytes).rowMac(CLEAN_RUN);
    const text = cleanRunText(marks, mac);
    expect(parseCleanRun(text, mac)).toEqual(marks);
    const other = new SealedBox(randomBytes(32), randomBytes).rowMac(CLEAN_RUN);
    expect(parseCleanRun(text, other)).toMatch(/MAC of this master key/);
    expect(parseCleanRun(text.replace(`"${ROWS}"`, '"3"'), mac)).toMatch(/MAC of this master key/);
    expect(parseCleanRun(cleanRunText(marks, undefined), mac)).toMatch(/without the master key/);
    expect(parseCleanRun('{}', mac)).toMatch(/is not the record of a clean run/);
    expect(parseCleanRun('{"format":1,"machines":[["x"]]}', undefined)).toMatch(/cannot be read/);
  });
});
