// Members and developer keys of machines: permissions and chain rows.

import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { rows as statement } from '../../src/storage/database/sql.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Caller, type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
let other: string;
let admin: string;
beforeAll(async () => {
  own = ownMachines(service, 'members');
  [other, admin] = [await own.zidOf('other'), await own.zidOf('admin')];
});

const codeOf = async (route: string, as: Caller, json?: Json) => {
  const answer = await service.call(route, { as, ...(json === undefined ? {} : { json }) });
  return [answer.status, answer.json().code ?? 'ok'];
};

const principalOf = (as: Caller) => service.running.services.access.authenticate(service.keys[as]);

describe('members', () => {
  test('of a machine are limited; those that there are can still be changed', async () => {
    const slug = await own.machine();
    const { knex } = service.running.storage.database;
    const { members } = LIMITS.chain;
    await statement(
      knex,
      `insert into member (machine_id, zid, role, since_svcond)
       select id, lpad(to_hex(n), 32, '0'), 'viewer', 0 from machine, generate_series(1, ?::int) n where slug = ?`,
      [members - 2, slug],
    );
    const add = () => codeOf(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'viewer' });
    expect(await add()).toEqual([201, 'ok']);
    expect(await codeOf(`DELETE /api/chain/${slug}/admins/${other}`, 'admin')).toEqual([200, 'ok']);
    await statement(knex, `insert into member select id, repeat('f', 32), 'viewer', 0 from machine where slug = ?`, [
      slug,
    ]);
    expect(await add()).toEqual([409, 'CONFLICT']);
    const first = '1'.padStart(32, '0');
    expect(await codeOf(`PATCH /api/chain/${slug}/admins/${first}`, 'admin', { role: 'operator' })).toEqual([
      200,
      'ok',
    ]);
  });

  test('are added, promoted and removed, with a chain row each time', async () => {
    const slug = await own.machine({ is_public: false });
    expect(await codeOf(`GET /api/chain/${slug}/explore`, 'other')).toEqual([404, 'NOT_FOUND']);
    const { member } = await own.request(
      `POST /api/chain/${slug}/admins`,
      'admin',
      { zid: other, role: 'viewer' },
      201,
    );
    expect(member).toMatchObject({ zid: other, role: 'viewer', kind: 'identity' });
    expect(await codeOf(`GET /api/chain/${slug}/explore`, 'other')).toEqual([200, 'ok']);
    expect(await codeOf(`POST /api/chain/${slug}/event`, 'other', { name: 'x' })).toEqual([403, 'FORBIDDEN']);
    await own.request(`PATCH /api/chain/${slug}/admins/${other}`, 'admin', { role: 'operator' });
    expect(await codeOf(`POST /api/chain/${slug}/event`, 'other', { name: 'x' })).toEqual([201, 'ok']);
    const { rows } = (await own.request(`GET /api/chain/${slug}/admins`, 'other')) as { rows: Json[] };
    expect(rows.map(({ zid, role }) => [zid, role])).toEqual(
      expect.arrayContaining([
        [admin, 'owner'],
        [other, 'operator'],
      ]),
    );
    await own.request(`DELETE /api/chain/${slug}/admins/${other}`, 'admin');
    expect(await codeOf(`GET /api/chain/${slug}/explore`, 'other')).toEqual([404, 'NOT_FOUND']);
    const said = (await own.rows(slug)).filter(({ type }) => type === 'member').map(({ payload }) => payload);
    expect(said).toEqual([
      { act: 'added', zid: other, role: 'viewer' },
      { act: 'changed', zid: other, role: 'operator' },
      { act: 'removed', zid: other },
    ]);
    expect(await own.request(`GET /api/chain/${slug}/pohc/validate`, 'admin')).toMatchObject({ valid: true });
  });

  test('a malformed ZID is INVALID_ZID, an unknown one 404, a member 409', async () => {
    const slug = await own.machine();
    const add = (zid: string) => codeOf(`POST /api/chain/${slug}/admins`, 'admin', { zid, role: 'viewer' });
    expect(await add('xyz')).toEqual([422, 'INVALID_ZID']);
    expect(await add(other.toUpperCase())).toEqual([422, 'INVALID_ZID']);
    expect(await add('f'.repeat(32))).toEqual([404, 'NOT_FOUND']);
    expect(await add(admin)).toEqual([409, 'CONFLICT']);
    const stranger = `${'f'.repeat(32)}`;
    expect(await codeOf(`PATCH /api/chain/${slug}/admins/nope`, 'admin', { role: 'viewer' })).toEqual([
      422,
      'INVALID_ZID',
    ]);
    expect(await codeOf(`PATCH /api/chain/${slug}/admins/${stranger}`, 'admin', { role: 'viewer' })).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await codeOf(`DELETE /api/chain/${slug}/admins/${stranger}`, 'admin')).toEqual([404, 'NOT_FOUND']);
    expect((await own.rows(slug)).map(({ type }) => type)).toEqual(['genesis']);
  });

  test('the last owner cannot leave or be demoted until another owner exists', async () => {
    const slug = await own.machine();
    expect(await codeOf(`DELETE /api/chain/${slug}/admins/${admin}`, 'admin')).toEqual([409, 'CONFLICT']);
    expect(await codeOf(`PATCH /api/chain/${slug}/admins/${admin}`, 'admin', { role: 'admin' })).toEqual([
      409,
      'CONFLICT',
    ]);
    await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'admin' }, 201);
    await own.request(`PATCH /api/chain/${slug}/admins/${other}`, 'admin', { role: 'owner' });
    await own.request(`DELETE /api/chain/${slug}/admins/${admin}`, 'admin');
    expect(await codeOf(`DELETE /api/chain/${slug}/admins/${other}`, 'other')).toEqual([409, 'CONFLICT']);
  });

  test('of two owners who leave concurrently one remains', async () => {
    for (let i = 0; i < 5; i++) {
      const slug = await own.machine();
      await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'viewer' }, 201);
      await own.request(`PATCH /api/chain/${slug}/admins/${other}`, 'admin', { role: 'owner' });
      const { services } = service.running;
      const [one, two] = [await principalOf('admin'), await principalOf('other')];
      const machine = await services.machines.find(slug, one, 'owner');
      // The ledger is kept busy, so that both would be decided in one flush.
      const busy = Array.from({ length: 40 }, (_, n) => services.machineLog.event(machine, one, { name: `busy_${n}` }));
      const left = await Promise.allSettled([
        services.members.remove(machine, one, admin),
        services.members.remove(machine, two, other),
      ]);
      await Promise.all(busy);
      expect(left.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(left.find((outcome) => outcome.status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
    }
  });

  test('a concurrently demoted member can no longer change others', async () => {
    const slug = await own.machine();
    await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'admin' }, 201);
    const { services } = service.running;
    const [one, two] = [await principalOf('admin'), await principalOf('other')];
    const machine = await services.machines.find(slug, one, 'owner');
    const outcomes = await Promise.allSettled([
      services.members.setRole(machine, one, other, 'viewer'),
      services.members.remove(machine, two, admin),
      services.members.setRole(machine, two, other, 'admin'),
      services.machines.setStatus(machine, two, 'paused'),
    ]);
    const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.code));
    const types = (await own.rows(slug)).map(({ type }) => type).slice(2);
    // The pause may have come first; then it was an admin's.
    expect([codes, types]).toEqual(
      codes[3] === 'done'
        ? [
            ['done', 'CONFLICT', 'FORBIDDEN', 'done'],
            ['status', 'member'],
          ]
        : [['done', 'CONFLICT', 'FORBIDDEN', 'FORBIDDEN'], ['member']],
    );
  });

  test('an admin changes admins but not owners; an operator can only leave', async () => {
    const slug = await own.machine();
    await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'admin' }, 201);
    expect(await codeOf(`DELETE /api/chain/${slug}/admins/${admin}`, 'other')).toEqual([409, 'CONFLICT']);
    expect(await codeOf(`PATCH /api/chain/${slug}/admins/${other}`, 'other', { role: 'owner' })).toEqual([
      403,
      'FORBIDDEN',
    ]);
    await own.request(`PATCH /api/chain/${slug}/admins/${other}`, 'other', { role: 'operator' });
    expect(await codeOf(`PATCH /api/chain/${slug}/admins/${other}`, 'other', { role: 'admin' })).toEqual([
      403,
      'ADMIN_REQUIRED',
    ]);
    expect(await codeOf(`GET /api/chain/${slug}/api-keys`, 'other')).toEqual([403, 'ADMIN_REQUIRED']);
    await own.request(`DELETE /api/chain/${slug}/admins/${other}`, 'other');
    expect(await codeOf(`GET /api/chain/${slug}/admins`, 'other')).toEqual([403, 'FORBIDDEN']);
  });

  test('only members see the list, and archiving keeps it', async () => {
    const slug = await own.machine();
    expect(await codeOf(`GET /api/chain/${slug}/admins`, 'anonymous')).toEqual([401, 'AUTH_REQUIRED']);
    expect(await codeOf(`GET /api/chain/${slug}/admins`, 'demo')).toEqual([403, 'ZID_NOT_LINKED']);
    await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'archived' });
    expect(await codeOf(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'viewer' })).toEqual([
      409,
      'MACHINE_ARCHIVED',
    ]);
  });
});

describe('developer keys', () => {
  const create = (slug: string, json: Json, as: Caller = 'admin', status = 201) =>
    own.request(`POST /api/chain/${slug}/api-keys`, as, json, status) as Promise<
      Json & { key: string; record: Json & { id: string } }
    >;
  const withKey = async (key: string, route: string, json?: Json) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await service.call(route, { headers, ...(json === undefined ? {} : { json }) });
    return [answer.status, answer.json().code ?? 'ok'];
  };

  test('act on their machine within their scope, and on no other', async () => {
    const [slug, elsewhere] = [await own.machine({ is_public: false }), await own.machine({ is_public: false })];
    const keys = new Map<string, string>();
    for (const scope of ['read', 'write', 'admin']) keys.set(scope, (await create(slug, { name: scope, scope })).key);
    const outcome = async (scope: string) => [
      (await withKey(keys.get(scope) ?? '', `GET /api/chain/${slug}/explore`))[0],
      (await withKey(keys.get(scope) ?? '', `POST /api/chain/${slug}/event`, { name: 'x' }))[0],
      (await withKey(keys.get(scope) ?? '', `PATCH /api/chain/${slug}/settings`, { name: 'new' }))[0],
      (await withKey(keys.get(scope) ?? '', `PATCH /api/chain/${slug}/settings`, { is_public: true }))[0],
      (await withKey(keys.get(scope) ?? '', `GET /api/chain/${elsewhere}/explore`))[0],
    ];
    expect(await outcome('read')).toEqual([200, 403, 403, 403, 404]);
    expect(await outcome('write')).toEqual([200, 201, 403, 403, 404]);
    expect(await outcome('admin')).toEqual([200, 201, 200, 403, 404]);
  });

  test('have no access to the account of their creator', async () => {
    const slug = await own.machine();
    const { key } = await create(slug, { name: 'apart', scope: 'admin' });
    const listed = await service.call('GET /api/keys', { headers: { authorization: `Bearer ${key}` } });
    expect((listed.json().rows as Json[]).map(({ name }) => name)).toEqual(['apart']);
    expect(((await own.request('GET /api/keys', 'admin')).rows as Json[]).map(({ name }) => name)).not.toContain(
      'apart',
    );
  });

  test('are shown once, listed without the raw key, and revoked immediately', async () => {
    const slug = await own.machine();
    const { key, record } = await create(slug, { name: 'plc', scope: 'write' });
    expect(key.startsWith(String(record.keyPrefix))).toBe(true);
    const listed = await service.call(`GET /api/chain/${slug}/api-keys`, { as: 'admin' });
    expect(listed.json().rows).toEqual([expect.objectContaining({ id: record.id, name: 'plc', revoked_at: null })]);
    expect(listed.text).not.toContain(key.slice(16));
    expect((await withKey(key, `POST /api/chain/${slug}/event`, { name: 'x' }))[0]).toBe(201);
    await own.request(`DELETE /api/chain/${slug}/api-keys/${record.id}`, 'admin');
    await own.request(`DELETE /api/chain/${slug}/api-keys/${record.id}`, 'admin');
    expect(await withKey(key, `POST /api/chain/${slug}/event`, { name: 'x' })).toEqual([401, 'KEY_REVOKED']);
    const said = await own.rows(slug);
    expect(said.map(({ type }) => type)).toEqual(['genesis', 'member', 'api_key', 'event', 'api_key']);
    expect(said[4]?.payload).toMatchObject({ act: 'revoked', id: record.id });
    expect(said[3]?.actor).toBe((said[1]?.payload as Json | undefined)?.zid);
    expect(JSON.stringify(said)).not.toContain(key.slice(16));
    const missing = await codeOf(`DELETE /api/chain/${slug}/api-keys/00000000-0000-7000-8000-000000000000`, 'admin');
    expect(missing).toEqual([404, 'NOT_FOUND']);
  });

  test('cannot manage account keys: such keys would outlive their own revocation', async () => {
    const slug = await own.machine();
    const { key, record } = await create(slug, { name: 'plc', scope: 'admin' });
    expect(await withKey(key, 'POST /api/keys', { name: 'hidden', scope: 'admin' })).toEqual([403, 'FORBIDDEN']);
    const headers = { authorization: `Bearer ${key}` };
    const revoked = await service.call(`DELETE /api/keys/${record.id}`, { headers });
    expect([revoked.status, revoked.json().code]).toEqual([403, 'FORBIDDEN']);
    expect((await own.request(`GET /api/chain/${slug}/api-keys`, 'admin')).rows).toEqual([
      expect.objectContaining({ id: record.id, revoked_at: null }),
    ]);
    expect(await withKey(key, `POST /api/chain/${slug}/api-keys`, { name: 'second' })).toEqual([201, 'ok']);
    expect((await own.rows(slug)).map(({ type }) => type)).toEqual(['genesis', 'member', 'api_key', 'api_key']);
  });

  test('of one machine cannot be revoked by the admin of another', async () => {
    const [slug, elsewhere] = [await own.machine(), await own.machine({}, 'other')];
    const { key, record } = await create(slug, { name: 'mine' });
    expect(await codeOf(`DELETE /api/chain/${elsewhere}/api-keys/${record.id}`, 'other')).toEqual([404, 'NOT_FOUND']);
    expect((await withKey(key, `POST /api/chain/${slug}/event`, { name: 'x' }))[0]).toBe(201);
  });

  test('cannot exceed the key that creates them, and need an admin', async () => {
    const slug = await own.machine();
    expect(await codeOf(`POST /api/chain/${slug}/api-keys`, 'write', { name: 'x' })).toEqual([403, 'ADMIN_REQUIRED']);
    expect(await codeOf(`POST /api/chain/${slug}/api-keys`, 'other', { name: 'x' })).toEqual([403, 'FORBIDDEN']);
    const lesser = await own.request(
      'POST /api/keys',
      'admin',
      { name: 'lesser', scope: 'admin', rate_limit_tier: 'free' },
      201,
    );
    const draft = { name: 'more', rate_limit_tier: 'high' };
    expect(await withKey(String(lesser.key), `POST /api/chain/${slug}/api-keys`, draft)).toEqual([403, 'FORBIDDEN']);
    expect(
      await codeOf(`POST /api/chain/${slug}/api-keys`, 'admin', { name: 'x', expires_at: '2001-01-01T00:00:00Z' }),
    ).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('two concurrent first keys share one identity of the machine', async () => {
    const slug = await own.machine();
    const made = await Promise.all(['a', 'b', 'c'].map((name) => create(slug, { name })));
    expect(new Set(made.map(({ key }) => key)).size).toBe(3);
    const { rows } = (await own.request(`GET /api/chain/${slug}/admins`, 'admin')) as { rows: Json[] };
    expect(rows.filter(({ kind }) => kind === 'developer-keys')).toHaveLength(1);
    expect((await own.request(`GET /api/chain/${slug}/api-keys`, 'admin')).rows).toHaveLength(3);
  });
});
