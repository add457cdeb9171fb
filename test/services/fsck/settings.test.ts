// Settings of machines changed behind the chain's back: visibility, settings and sealing key, each found and named.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { type OwnMachines, ownMachines } from '../../http/machine-fixture.ts';
import { startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const service = await startService();
const WIDER = `settings = '{"http_allow":["attacker.example"]}'`;
const ATTACKER = `decode(repeat('ab', 32), 'hex')`;
let own: OwnMachines;
/** A public machine, a private one, and one whose payloads are sealed; none was changed after its creation. */
let slugs: Record<'public' | 'private' | 'sealed', string>;

beforeAll(async () => {
  own = ownMachines(service, 'stated');
  const { machine } = await service.running.services.machines.create(
    undefined,
    { name: 'vault', is_public: false },
    'stated.test',
  );
  slugs = { public: await own.machine(), private: await own.machine({ is_public: false }), sealed: machine.head.slug };
});

const changed = (slug: string, change: string) => (on: Executor) =>
  rows(on, `update machine set ${change} where slug = ? returning 1`, [slug]);

test('machines as they were created have no faults', async () => {
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test.each(['public', 'private', 'sealed'] as const)('changed settings of a %s machine are named', async (kind) => {
  const slug = slugs[kind];
  for (const [column, change] of [
    ['is_public', 'is_public = not is_public'],
    ['settings', WIDER],
    ['name', `name = 'other'`],
    ['description', `description = 'other'`],
  ] as const) {
    const found = await faultsAfter(service, changed(slug, change));
    expect(found).toMatchObject([{ machine: slug, table: 'machine', code: 'SAID', column }]);
  }
});

test('a sealing key that is replaced in both tables is named', async () => {
  const found = await faultsAfter(service, async (on) => {
    await changed(slugs.sealed, `sealing_key = ${ATTACKER}`)(on);
    const of = `machine_id = (select id from machine where slug = '${slugs.sealed}')`;
    await rows(on, `update sealing_key set public_key = ${ATTACKER} where ${of}`);
  });
  expect(found).toContainEqual(
    expect.objectContaining({ machine: slugs.sealed, table: 'machine', code: 'SAID', column: 'sealing_key' }),
  );
  expect(new Set(found.map(({ table }) => table))).toEqual(new Set(['machine', 'sealing_key']));
});

test.each([
  ['another owner', `zid = repeat('0', 32)`, 'zid'],
  ['another salt', `salt = '\\x00'`, 'salt'],
])('a sealing key with %s is named', async (_, change, column) => {
  const found = await faultsAfter(service, (on) => rows(on, `update sealing_key set ${change}`));
  expect(found).toContainEqual(expect.objectContaining({ machine: slugs.sealed, table: 'sealing_key', column }));
});

test('a missing sealing key is named', async () => {
  const found = await faultsAfter(service, (on) => rows(on, 'delete from sealing_key'));
  expect(found).toMatchObject([{ machine: slugs.sealed, table: 'sealing_key', code: 'SAID' }]);
});

describe('after changes', () => {
  const patch = (slug: string, json: Record<string, unknown>) =>
    own.request(`PATCH /api/chain/${slug}/settings`, 'admin', json);

  test('every row of settings states all of them', async () => {
    const slug = await own.machine();
    await patch(slug, { name: 'first', http_allow: ['a.example'] });
    await patch(slug, { is_public: false });
    const [, first, second] = await own.rows(slug);
    const stated = { name: 'first', description: '', settings: { http_allow: ['a.example'] }, sealingKey: null };
    expect(first?.payload).toEqual({ ...stated, isPublic: true });
    expect(second?.payload).toEqual({ ...stated, isPublic: false });
  });

  test('the erasure of the row that states them is followed by a row that states them again', async () => {
    const slug = await own.machine();
    await patch(slug, { http_allow: ['a.example'] });
    for (const seq of [0, 1]) await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq, reason: 'x' }, 201);
    const types = (await own.rows(slug)).map(({ type }) => type);
    expect(types).toEqual(['genesis', 'settings', 'payload_erased', 'payload_erased', 'settings']);
    expect(await faultsAfter(service, async () => {})).toEqual([]);
    expect(await faultsAfter(service, changed(slug, WIDER))).toMatchObject([{ machine: slug, column: 'settings' }]);
  });

  test('an erasure without such a row is named', async () => {
    const slug = await own.machine();
    const found = await faultsAfter(service, async (on) => {
      await rows(
        on,
        `update audit set salt = null, body = null where seq = 0
           and machine_id = (select id from machine where slug = ?)`,
        [slug],
      );
      await changed(slug, WIDER)(on);
    });
    expect(found).toContainEqual(expect.objectContaining({ machine: slug, column: 'settings_seq', code: 'SAID' }));
  });
});
