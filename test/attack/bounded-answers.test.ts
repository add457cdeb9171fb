// Lists of long rows: every page is bounded in bytes, and the pages together are the whole list.
//
// An import took names of 990 kB, and 199 of them made a list of 197 MB that anyone could ask for.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { rows as statement } from '../../src/storage/database/sql.ts';
import { ECHO, ownMachines } from '../http/machine-fixture.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const own = ownMachines(service, 'long');

/** Up to the limit, and the row that passes it; JSON escapes are shorter than as much again. */
const MAX_ANSWER_BYTES = LIMITS.pageBytes + 2 * LIMITS.chain.payloadBytes + 200_000;

/** All pages of a list. @returns rows, and the bytes of the longest page */
async function allPages(route: string, cursorName = 'cursor', nextName = 'next_cursor') {
  const rows: Json[] = [];
  let longest = 0;
  let pages = 0;
  for (let cursor: unknown; cursor !== null; pages++) {
    const more = cursor === undefined ? '' : `&${cursorName}=${String(cursor)}`;
    const answer = await service.call(`GET ${route}${more}`, { as: 'admin' });
    expect(answer.status, answer.text.slice(0, 200)).toBe(200);
    longest = Math.max(longest, answer.bytes.length);
    rows.push(...(answer.json().rows as Json[]));
    cursor = answer.json()[nextName];
  }
  return { rows, longest, pages };
}

describe('an import', () => {
  const exported = async (slug: string) => {
    const created = await own.request(
      `POST /api/chain/${slug}/contracts/custom`,
      'admin',
      { definition: ECHO, name: 'echo' },
      201,
    );
    const { id } = created.contract as Json;
    return (await own.request(`GET /api/chain/${slug}/contracts/${String(id)}/export`, 'admin')).export as Json;
  };

  test.each([
    ['name', 'n'.repeat(121)],
    ['name', ''],
    ['template_id', 't'.repeat(65)],
  ])('refuses the %s %#, as a deployment does', async (field, value) => {
    const slug = await own.machine();
    const given = { ...(await exported(slug)), [field]: value };
    const answer = await service.call(`POST /api/chain/${slug}/contracts/import`, {
      as: 'admin',
      json: { export: given },
    });
    expect([answer.status, answer.json().details]).toMatchObject([422, [{ path: `export.${field}` }]]);
  });
});

const names = Array.from({ length: 16 }, (_, i) => `p${i}`);
/** Parameters of 8 kB. */
const long = Object.fromEntries(names.map((name) => [name, 'x'.repeat(500)]));
const [answering, ...others] = ECHO.transitions;
const payload = Object.fromEntries(names.map((name) => [name, name]));
const definition = {
  ...ECHO,
  parameters: Object.fromEntries(names.map((name) => [name, { type: 'string', default: 'x' }])),
  transitions: [{ ...answering, post: [{ emit: { event: 'pong', payload } }] }, ...others],
};

describe('the versions of a contract', async () => {
  const { perContract, bytes } = LIMITS.contracts.versions;
  const { storage } = service.running;
  const slug = await own.machine();
  const deploy = async () => {
    const json = { definition, parameters: long };
    const { contract } = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', json, 201);
    return String((contract as Json).id);
  };
  /** Copies the first version of a contract, with definitions of some length. */
  const addVersions = (id: string, to: number, length: number) =>
    statement(
      storage.database.knex,
      `insert into contract_version
         (machine_id, contract_id, no, definition, definition_hash, parameters, svcond, actor, reason)
       select machine_id, contract_id, n, rpad(definition, ?::int), definition_hash, parameters, svcond, actor, reason
       from contract_version, generate_series(2, ?::int) n where contract_id = ? and no = 1`,
      [length, to, id],
    );
  const rename = (id: string) =>
    service.call(`PATCH /api/chain/${slug}/contracts/${id}`, { as: 'admin', json: { name: 'renamed' } });

  test('are listed in pages of bounded bytes, newest first, and read one at a time', async () => {
    const id = await deploy();
    await addVersions(id, perContract, 10_000);
    const readAll = vi.spyOn(storage.contractVersions, 'list');
    onTestFinished(() => readAll.mockRestore());
    const at = `/api/chain/${slug}/contracts/${id}/versions`;
    const { rows: found, longest, pages } = await allPages(`${at}?limit=200`);
    expect(found.map(({ no }) => no)).toEqual(Array.from({ length: perContract }, (_, i) => perContract - i));
    expect(longest).toBeLessThan(MAX_ANSWER_BYTES);
    expect(pages).toBeGreaterThan(5);
    expect((await own.request(`GET ${at}/7`, 'admin')).no).toBe(7);
    for (const absent of [perContract + 1, 2 ** 31, 2 ** 52])
      expect((await service.call(`GET ${at}/${absent}`, { as: 'admin' })).status).toBe(404);
    expect((await own.request(`GET ${at}?cursor=999999999999999&limit=1`, 'admin')).rows).toMatchObject([
      { no: perContract },
    ]);
    expect(readAll).not.toHaveBeenCalled();
  });

  test.each([
    ['number', perContract, 1_000, 'versions'],
    ['bytes', 5, bytes / 4, 'bytes of definitions'],
  ])('are limited in %s', async (_, to, length, words) => {
    const id = await deploy();
    await addVersions(id, to, length);
    const answer = await rename(id);
    expect([answer.status, answer.json().code, answer.text]).toEqual([409, 'CONFLICT', expect.stringContaining(words)]);
    expect((await rename(await deploy())).status).toBe(200);
  });
});

describe('the contracts of a machine', async () => {
  const slug = await own.machine();
  const COUNT = 150;
  for (let i = 0; i < COUNT; i++)
    await own.request(
      `POST /api/chain/${slug}/contracts/custom`,
      'admin',
      { definition, parameters: long, name: `c${i}` },
      201,
    );

  test('are listed in pages of bounded bytes, each once, oldest first', async () => {
    const { rows, longest, pages } = await allPages(`/api/chain/${slug}/contracts?limit=200`);
    expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: COUNT }, (_, i) => `c${i}`));
    expect(pages).toBe(2);
    expect(longest).toBeLessThan(MAX_ANSWER_BYTES);
  });

  test('and by default 50', async () => {
    const { rows, next_cursor } = await own.request(`GET /api/chain/${slug}/contracts`);
    expect(rows).toHaveLength(50);
    expect(next_cursor).not.toBeNull();
  });

  test('of a caller too', async () => {
    const answer = await service.call('GET /api/contracts?limit=200', { as: 'admin' });
    expect(answer.bytes.length).toBeLessThan(MAX_ANSWER_BYTES);
  });
});

describe('rows of 60 kB', async () => {
  const slug = await own.machine();
  const COUNT = 100;
  const text = 'x'.repeat(60_000);
  await Promise.all(Array.from({ length: COUNT }, (_, n) => own.event(slug, 'wide', { payload: { n, text } })));

  test('are explored in pages of bounded bytes, each once', async () => {
    const { rows, longest } = await allPages(`/api/chain/${slug}/explore?limit=200`);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: COUNT + 1 }, (_, i) => COUNT - i));
    expect(longest).toBeLessThan(MAX_ANSWER_BYTES);
  });

  test('as events too', async () => {
    const { rows, longest } = await allPages(`/api/chain/${slug}/events?source=all&limit=200`);
    expect(rows).toHaveLength(COUNT);
    expect(longest).toBeLessThan(MAX_ANSWER_BYTES);
  });

  test('and as rows of their ticks', async () => {
    const { rows } = await allPages(`/api/chain/${slug}/explore?limit=200`);
    let seen = 0;
    for (const svcond of new Set(rows.map((row) => Number(row.svcond)))) {
      const block = await allPages(`/api/chain/${slug}/block?svcond=${svcond}&limit=200`, 'from', 'next_from');
      expect(block.longest).toBeLessThan(MAX_ANSWER_BYTES);
      seen += block.rows.length;
    }
    expect(seen).toBe(COUNT + 1);
  });

  test('are validated to the end by following next_from, a limited number of bytes in each call', async () => {
    const { running } = service;
    const machine = await running.storage.machines.bySlug(slug);
    if (machine === undefined) throw new Error('The machine was made and is not there.');
    const last = await running.storage.audit.lastWithin(machine.id, { from: 0, to: COUNT, maxBytes: 600_000 });
    expect(last).toBeGreaterThan(8);
    expect(last).toBeLessThan(13);
    const validated = await own.request(`GET /api/chain/${slug}/pohc/validate?from=0&to=${COUNT}`);
    expect(validated).toMatchObject({ valid: true, to: COUNT, next_from: null });
  });
});
