// Rows in the archive are read by every route as if they were in the database.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, TICK_NS } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { FsckFault } from '../../src/services/fsck/faults.ts';
import { fsck } from '../../src/services/fsck/fsck.ts';
import { ArchiveService } from '../../src/services/machines/archive.ts';
import { type Executor, rows } from '../../src/storage/database/sql.ts';
import { RowArchive } from '../../src/storage/machines/archive/archive.ts';
import { moveRange } from '../../src/storage/machines/archive/move.ts';
import { AuditRepository } from '../../src/storage/machines/audit.ts';
import { createOwnedMachine } from '../services/machines/sealing/sealed-machine-fixture.ts';
import { advanceClock, ECHO, ownMachines } from './machine-fixture.ts';
import { SERVICE_DATABASES, startServiceOn } from './service-databases.ts';
import type { Json } from './service-fixture.ts';

describe.each(SERVICE_DATABASES)('on $name', async ({ url }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** Answers name the tick, so time stands still unless a test moves it. */
  const standing = {
    source: 'standing',
    at: systemClock().now(),
    now: () => standing.at,
    advance: (ns: bigint) => moveTime(ns),
  };
  function moveTime(ns: bigint): void {
    standing.at += ns;
  }
  const service = await startServiceOn(url, { maintenanceMs: 'never', clock: standing }, { SVC_ARCHIVE: folder });
  const own = ownMachines(service, 'archived');
  const { storage, services, clock } = service.running;

  const RANGE_ROWS = 256;
  let slug = '';
  let contract = '';
  /** Of the first rows. */
  let tick = 0;

  const archive = new ArchiveService({
    storage,
    clock,
    owns: () => true,
    onFailed: (error) => {
      throw error;
    },
    rangeRows: RANGE_ROWS,
  });

  /** Answers of every route that reads rows, without what differs from call to call. */
  async function read(): Promise<ReadonlyMap<string, unknown>> {
    const answers = new Map<string, unknown>();
    for (const [path, json] of calls()) {
      const method = json === undefined ? 'GET' : 'POST';
      const answer = await service.call(`${method} /api/chain/${path}`, { as: 'admin', json });
      answers.set(path, [answer.status, answer.text.replace(/"request_id":"[^"]*"/g, '')]);
    }
    for (const path of STREAMS) answers.set(path, await streamed(path));
    return answers;
  }

  /** The first kilobytes of a stream that resumes after a row. */
  async function streamed(path: string): Promise<string> {
    const controller = new AbortController();
    const url = `${service.running.url}/api/chain/${slug}/${path}`;
    const headers = { authorization: `Bearer ${service.keys.admin}`, accept: 'text/event-stream' };
    const answer = await fetch(url, { headers, signal: controller.signal });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.length > 20_000) break;
    }
    controller.abort();
    return text.slice(0, 20_000).replaceAll(/^(:|retry:).*$/gm, '');
  }

  const STREAMS = ['explore/sse?since=3', 'explore/sse?since=240', 'events/stream?source=all&name=ping&since=3'];

  const calls = (): [path: string, json?: object][] => [
    ...[
      'explore?limit=200',
      'explore?limit=200&cursor=300',
      'explore?limit=200&cursor=40',
      'explore?limit=50&type=emit',
      'explore?limit=200&type=contract',
      'explore?limit=200&type=genesis',
      `explore?limit=200&contract=${contract}`,
      'events?limit=200&source=all&name=rare',
      'events?limit=200&source=all&name=never',
      'events?limit=200&source=all&name=ping&cursor=100',
      'events?limit=200&name=pong&cursor=700',
      'events?source=all&limit=200&cursor=260',
      'stats',
      'state',
      `at?svcond=${tick}`,
      `block?svcond=${tick}`,
      `block?svcond=${tick + 15}`,
      'awareness/status',
      'sources',
      'analytics?ticks=100000&bins=7',
      'analytics?ticks=100000&bins=400',
      'analytics?ticks=140&bins=140',
      'pohc/validate',
      'pohc/validate?from=0&to=100',
      'pohc/validate?from=200&to=600',
      'proof/inclusion?seq=3',
      'proof/inclusion?seq=300',
      'proof/consistency?from=100&to=300',
      'bundle',
      'bundle?from=0&to=300',
      'bundle?from=250&to=260',
      `contracts/${contract}`,
      `contracts/${contract}/audit?limit=200`,
      `contracts/${contract}/export`,
      `contracts/${contract}/integrity`,
      'tally/supply',
      'tally/tokens?limit=50',
      `tally/tokens?limit=50&from=300`,
    ].map((path): [string] => [`${slug}/${path}`]),
    [`${slug}/anchors`],
    [`${slug}/anchored`],
    ['recent?limit=200'],
    ['fleet'],
    [`${slug}/tally/verify`, {}],
    [`${slug}/contracts/${contract}/verify`, {}],
    [`${slug}/contracts/${contract}/dry-run`, { from_svcond: tick }],
  ];

  beforeAll(async () => {
    slug = await own.machine();
    const deployed = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
    contract = (deployed.contract as { id: string }).id;
    const token = { name: 'Boiler', symbol: 'BOIL', max_supply: 10_000, mint: { unit: 'row', every: 1, amount: 1 } };
    await own.request(`POST /api/chain/${slug}/tally/token/genesis`, 'admin', token, 201);
    tick = Number((await own.rows(slug))[0]?.svcond);
    await own.event(slug, 'rare', { payload: { note: 'ä\u0000€😀' } });
    await own.request(`POST /api/chain/${slug}/state`, 'admin', { state: { a: 1 } }, 201);
    for (let i = 0; i < 6; i++) {
      advanceClock(service, 10n * TICK_NS);
      await Promise.all(Array.from({ length: 100 }, (_, n) => own.event(slug, 'ping', { payload: { n } })));
    }
    const [victim] = (await own.rows(slug)).filter(({ type }) => type === 'event');
    await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: 30, reason: 'asked' }, 201);
    expect(victim).toBeDefined();
    await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { keep_rows: 1 });
    for (let i = 0; i < 6; i++)
      await Promise.all(Array.from({ length: 100 }, (_, n) => own.event(slug, 'tick', { payload: { n } })));
    advanceClock(service, 100n * TICK_NS);
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
  }, 60_000);

  test('every route answers the same after rows are moved to the archive', async () => {
    const before = await read();
    const machine = await storage.machines.bySlug(slug);
    if (machine === undefined) throw new Error('The machine is missing.');
    const due = await archive.due(machine);
    const moved = await archive.archive(machine, 100);
    const expected = machine.head.seq + 1 - LIMITS.archive.keptRows;
    expect(due).toEqual({ first: 0, end: expected - (expected % RANGE_ROWS) });
    expect(moved.map(({ first, last }) => [first, last])).toEqual(
      Array.from({ length: (due?.end ?? 0) / RANGE_ROWS }, (_, i) => [i * RANGE_ROWS, i * RANGE_ROWS + RANGE_ROWS - 1]),
    );
    expect(moved.length).toBeGreaterThan(0);
    const { rows: kept } = (await storage.database.knex.raw(
      'select min(seq) as first from audit where machine_id = ?',
      [machine.id],
    )) as { rows: Json[] };
    expect(kept).toEqual([{ first: due?.end }]);
    const after = await read();
    for (const [path, answer] of before) expect([path, after.get(path)]).toEqual([path, answer]);
    const refused = [...before].filter(([, answer]) => Array.isArray(answer) && answer[0] !== 200);
    expect(refused).toEqual([]);
  });

  const machineOf = async (name: string) => {
    const machine = await storage.machines.bySlug(name);
    if (machine === undefined) throw new Error(`${name} is missing.`);
    return machine;
  };

  /** Paths of the files of a machine, the oldest rows first. */
  const filesOf = (id: string) =>
    readdirSync(join(folder, id))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .map((name) => join(folder, id, name));

  const faultsOf = async (options: { readonly archiveFolder?: string } = { archiveFolder: folder }) => {
    const found: FsckFault[] = [];
    const nowMs = Number(clock.now() / 1_000_000n);
    await fsck(storage.database.knex, { keys: undefined, nowMs, ...options, onFault: (fault) => found.push(fault) });
    return found.map(({ table, key, code, message }) => ({ table, key, code, message }));
  };

  /** A node that has read no file yet. */
  const afresh = () => new AuditRepository(storage.database.knex, new RowArchive(folder));

  test('fsck checks archived rows, and finds no fault', async () => {
    expect(await faultsOf()).toEqual([]);
  });

  test('a file that is missing, cut short, changed, of another range or of another machine is named and never served', async () => {
    const { id } = await machineOf(slug);
    const [first = '', second = ''] = filesOf(id);
    const kept = `${first}.kept`;
    const name = first.slice(folder.length + 1);
    const damages: [string, string, () => void][] = [
      ['ARCHIVE_UNAVAILABLE', 'missing', () => renameSync(first, `${first}.away`)],
      ['ARCHIVE_TAMPERED', 'bytes', () => truncateSync(first, 1_000)],
      ['ARCHIVE_TAMPERED', 'hash', () => writeFileSync(first, flipped(readFileSync(first)))],
      ['ARCHIVE_TAMPERED', 'archive', () => copyFileSync(second, first)],
    ];
    copyFileSync(first, kept);
    for (const [code, word, damage] of damages) {
      damage();
      const reading = afresh().range(id, slug, 10, 20);
      await expect(reading).rejects.toMatchObject({ code, message: expect.stringContaining(name) });
      await expect(reading).rejects.toThrow(word);
      // The other ranges are served.
      expect(await afresh().range(id, slug, 300, 310)).toHaveLength(11);
      const faults = await faultsOf();
      expect(faults).toEqual([
        { table: 'audit_archive', key: { first_seq: 0 }, code: 'ARCHIVE', message: expect.stringContaining(name) },
      ]);
      copyFileSync(kept, first);
    }
    rmSync(kept);
    rmSync(`${first}.away`);
    expect(await faultsOf()).toEqual([]);
  });

  test('a file whose record names it, but that has other rows, is named', async () => {
    const { id } = await machineOf(slug);
    const [first = ''] = filesOf(id);
    const text = gunzipSync(readFileSync(first)).toString();
    const { knex } = storage.database;
    const edits: [RegExp, string, string][] = [
      [/"type":"event"/, '"type":"emit"', 'HASH'],
      [new RegExp(`"machine":"${id}"`), `"machine":"${id.replace(/^./, 'f')}"`, 'ARCHIVE'],
      [/^.*\n/, '$&\n', 'ARCHIVE'],
      [/\\"n\\":5\b/, String.raw`\"n\":6`, 'COMMIT'],
    ];
    for (const [pattern, replacement, code] of edits) {
      const bytes = gzipSync(text.replace(pattern, replacement));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const path = join(folder, id, `0-255-${sha256.slice(0, 16)}.ndjson.gz`);
      expect(pattern.test(text)).toBe(true);
      writeFileSync(path, bytes);
      const outcome = knex.transaction(async (on) => {
        await on.raw(
          `update audit_archive set sha256 = decode(?, 'hex'), bytes = ? where machine_id = ? and first_seq = 0`,
          [sha256, bytes.length, id],
        );
        const found: FsckFault[] = [];
        const nowMs = Number(clock.now() / 1_000_000n);
        await fsck(on, { keys: undefined, nowMs, archiveFolder: folder, onFault: (fault) => found.push(fault) });
        expect(found.map((fault) => fault.code)).toContain(code);
        throw new Error('rolled back');
      });
      await expect(outcome).rejects.toThrow('rolled back');
      rmSync(path);
    }
    expect(await faultsOf()).toEqual([]);
  });

  test('a node without an archive says so, and serves what is in the database', async () => {
    const { id, head } = await machineOf(slug);
    const without = new AuditRepository(storage.database.knex);
    const refused = {
      code: 'ARCHIVE_UNAVAILABLE',
      message: expect.stringMatching(/Rows 0 to 255 of .* set SVC_ARCHIVE/),
    };
    await expect(without.range(id, slug, 0, 3)).rejects.toMatchObject(refused);
    expect(await without.range(id, slug, head.seq, head.seq)).toHaveLength(1);
    expect((await faultsOf({})).map(({ code }) => code)).toContain('ARCHIVE');
  });

  test('rows are removed only while a record covers them, and records stay', async () => {
    const { id, head } = await machineOf(slug);
    const { knex } = storage.database;
    const refused = (statement: string, bindings: readonly (string | number)[]) =>
      expect(rows(knex, statement, bindings)).rejects.toThrow('append-only');
    await refused('delete from audit where machine_id = ? and seq = ?', [id, head.seq]);
    await refused('delete from audit_archive where machine_id = ?', [id]);
    await refused('update audit_archive set last_seq = last_seq + 1 where machine_id = ?', [id]);
    await refused('update audit_archive set totals = ? where machine_id = ?', ['{}', id]);
    await refused('truncate audit_archive', []);
  });

  test('an archived payload can be erased: its file is replaced, and nobody reads it again', async () => {
    const { id } = await machineOf(slug);
    const before = filesOf(id);
    const [row] = await storage.audit.range(id, slug, 3, 3);
    expect(row?.payload_text).toContain('"name":"rare"');
    await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: 3, reason: 'Art. 17 GDPR' }, 201);
    const after = filesOf(id);
    expect(after).toHaveLength(before.length);
    expect(existsSync(before[0] ?? '')).toBe(false);
    expect(after.slice(1)).toEqual(before.slice(1));
    for (const audit of [storage.audit, afresh()]) {
      const [erased] = await audit.range(id, slug, 3, 3);
      expect(erased).toEqual({ ...row, salt: undefined, payload_text: undefined });
    }
    expect(gunzipSync(readFileSync(after[0] ?? '')).includes(String.raw`\"name\":\"rare\"`)).toBe(false);
    const { rows: found } = await own.request(`GET /api/chain/${slug}/events?source=all&name=rare`, 'admin');
    expect(found).toEqual([]);
    await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: 3, reason: 'again' }, 409);
    expect(await own.request(`GET /api/chain/${slug}/pohc/validate?from=0&to=50`)).toMatchObject({ valid: true });
    expect(await faultsOf()).toEqual([]);
  });

  test('an erasure that cannot write its file changes nothing', async () => {
    const { id } = await machineOf(slug);
    const away = `${folder}-away`;
    renameSync(folder, away);
    try {
      const json = { seq: 5, reason: 'Art. 17 GDPR' };
      const answer = await service.call(`POST /api/chain/${slug}/erase`, { as: 'admin', json });
      expect([answer.status, answer.json().code]).toEqual([503, 'ARCHIVE_UNAVAILABLE']);
    } finally {
      renameSync(away, folder);
    }
    expect((await storage.audit.range(id, slug, 5, 5))[0]?.payload_text).toBeDefined();
    expect(await faultsOf()).toEqual([]);
  });

  test('a payload that is erased while its rows are moved stays erased, and the rows stay', async () => {
    const name = await own.machine();
    for (let i = 0; i < 9; i++) await own.event(name, 'tick', { payload: { i } });
    moveTime(100n * TICK_NS);
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
    const { id } = await machineOf(name);
    const movable = { id, slug: name, end: 8, beforeSvcond: Number.MAX_SAFE_INTEGER };
    const moving = new RowArchive(folder);
    const files = moving.folder;
    if (files === undefined) throw new Error('The archive is missing.');
    const write = files.write.bind(files);
    files.write = async (...args) => {
      await own.request(`POST /api/chain/${name}/erase`, 'admin', { seq: 2, reason: 'meanwhile' }, 201);
      return write(...args);
    };
    const options = { ...storage, on: storage.database.knex };
    const range = { first: 0, last: 3 };
    await expect(moveRange(movable, range, { ...options, archive: moving })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await storage.audit.range(id, name, 2, 2))[0]?.payload_text).toBeUndefined();
    expect(await rows(storage.database.knex, 'select 1 from audit_archive where machine_id = ?', [id])).toEqual([]);
    await moveRange(movable, range, options);
    expect((await storage.audit.range(id, name, 0, 3)).map((row) => row.payload_text === undefined)).toEqual([
      ...[false, false, true, false],
    ]);
    await archive.archive(await machineOf(name), 1);
    expect(filesOf(id)).toHaveLength(1);
    expect(await faultsOf()).toEqual([]);
  });

  test('sealed payloads are archived as they are, and decrypted from there', async () => {
    const { machine, owner } = await createOwnedMachine(service.running, 'sealed');
    const { id, head } = machine;
    const reload = async () => (await storage.machines.byIds([id], false))[0] ?? machine;
    for (let i = 0; i < 9; i++)
      await services.machineLog.event(await reload(), owner, { name: 'secret', payload: { i } });
    moveTime(100n * TICK_NS);
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
    const before = await storage.audit.sealedRange(id, head.slug, 0, 9);
    expect(before.filter(({ sealed }) => sealed !== undefined).length).toBeGreaterThan(3);
    const movable = { id, slug: head.slug, end: 8, beforeSvcond: Number.MAX_SAFE_INTEGER };
    await moveRange(movable, { first: 0, last: 7 }, { ...storage, on: storage.database.knex });
    const bytes = (all: typeof before) =>
      all.map(({ row, sealed }) => [row, sealed && Buffer.from(sealed).toString('hex')]);
    for (const audit of [storage.audit, afresh()])
      expect(bytes(await audit.sealedRange(id, head.slug, 0, 9))).toEqual(bytes(before));
    expect(await faultsOf()).toEqual([]);
  });

  test('rows that do not fit their chain or tree are not moved', async () => {
    const name = await own.machine();
    for (let i = 0; i < 9; i++) await own.event(name, 'tick', { payload: { i } });
    const { id } = await machineOf(name);
    const movable = { id, slug: name, end: 8, beforeSvcond: Number.MAX_SAFE_INTEGER };
    const move = (on: Executor) =>
      moveRange(movable, { first: 0, last: 3 }, { ...storage, on, transaction: (work) => work(on) });
    // No checkpoint covers them.
    await expect(move(storage.database.knex)).rejects.toThrow('Row 0 of');
    moveTime(100n * TICK_NS);
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
    for (const edit of [
      `actor = reverse(actor)`,
      `body = '{"name":"tock"}'`,
      `prev_hash = sha256(prev_hash)`,
      `seq = 99`,
    ]) {
      const outcome = storage.database.knex.transaction(async (on) => {
        await on.raw('alter table audit disable trigger all');
        await on.raw(`update audit set ${edit} where machine_id = ? and seq = 2`, [id]);
        await expect(move(on)).rejects.toThrow('Row 2 of');
        throw new Error('rolled back');
      });
      await expect(outcome).rejects.toThrow('rolled back');
    }
  });

  test('if nothing can be written, rows stay, and the failure is counted', async () => {
    const name = await own.machine();
    await own.request(`PATCH /api/chain/${name}/settings`, 'admin', { keep_days: 1 });
    for (let i = 0; i < 13; i++)
      await Promise.all(Array.from({ length: 100 }, () => own.event(name, 'tick', { payload: {} })));
    moveTime(100n * TICK_NS);
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
    expect(await archive.archive(await machineOf(name), 9)).toEqual([]);
    moveTime(2n * 86_400_000_000_000n);
    const { id } = await machineOf(name);
    // Where the folder of the machine should be is a file.
    writeFileSync(join(folder, id), '');
    const failures: unknown[] = [];
    const failing = new ArchiveService({
      storage,
      clock,
      owns: (each) => each === id,
      onFailed: (error) => failures.push(error),
      rangeRows: RANGE_ROWS,
    });
    await failing.archiveDue(500);
    expect(failures).toMatchObject([{ code: 'ARCHIVE_UNAVAILABLE', message: expect.stringContaining(`${id}/0-255-`) }]);
    expect(failing.counts).toEqual({ rows: 0, bytes: 0, failures: 1 });
    expect(await rows(storage.database.knex, 'select 1 from audit_archive where machine_id = ?', [id])).toEqual([]);
    expect(await faultsOf()).toEqual([]);
    rmSync(join(folder, id));
    await failing.archiveDue(500);
    expect(failing.counts).toMatchObject({ rows: 256, failures: 1 });
    expect(await faultsOf()).toEqual([]);
  });
});

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[500] = (copy[500] ?? 0) ^ 1;
  return copy;
}
