// Read-only contract routes over HTTP: dry runs, replays, previews, proof chains, and generated contracts.

import { describe, expect, test } from 'vitest';
import { appendRow, emptyHead, type Head } from '../../src/chain/row.ts';
import { advanceClock, ownMachines } from './machine-fixture.ts';
import { SERVICE_DATABASES, startServiceOn } from './service-databases.ts';
import type { Json } from './service-fixture.ts';

/** Opens on knocks, shuts by itself, and remembers who knocked. */
const GATE = {
  name: 'gate',
  version: '1.0',
  operators: ['KO42'],
  initial: 'shut',
  parameters: { needed: { type: 'integer', default: 2 }, stays: { type: 'ticks', default: 1_000_000 } },
  context: { knocks: { type: 'integer', initial: 0 }, who: { type: 'string', initial: '' } },
  events: { knock: { payload: { by: 'string' } }, leave: { payload: {} } },
  emits: ['opened', 'shut_again'],
  states: { shut: { role: 'initial' }, open: { role: 'intermediate' }, gone: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'open',
      from: 'shut',
      to: 'open',
      operator: 'KO42',
      proof: true,
      trigger: { kind: 'event', event: 'knock' },
      fires_when: 'knocks + 1 >= needed',
      post: [
        { set: { who: 'event.by' } },
        { emit: { event: 'opened', payload: { by: 'event.by' } } },
        { webhook: { url: 'https://example.org/opened' } },
        { token: { op: 'mint', token: 'visit', amount: '1', to: 'event.by' } },
      ],
    },
    {
      id: 'count',
      from: 'shut',
      to: 'shut',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'knock' },
      priority: -1,
      post: [{ set: { knocks: 'knocks + 1' } }],
    },
    {
      id: 'shut',
      from: 'open',
      to: 'shut',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 'stays' },
      post: [{ set: { knocks: '0' } }, { emit: 'shut_again' }],
    },
    {
      id: 'leave',
      from: 'open',
      to: 'gone',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'leave' },
    },
  ],
};

describe.each(SERVICE_DATABASES)('on $name', async ({ url }) => {
  const service = await startServiceOn(url);
  const own = ownMachines(service, `trial${url === undefined ? '' : '-pg'}`);
  const { database } = service.running.storage;
  const sql = (text: string, ...values: unknown[]) => database.knex.raw(text, values as string[]);

  const deployGate = async (slug: string, parameters: Json = {}) => {
    const { contract } = await own.request(
      `POST /api/chain/${slug}/contracts/custom`,
      'admin',
      { definition: GATE, parameters },
      201,
    );
    return String((contract as Json).id);
  };
  const contractPath = (slug: string, id: string, action: string) => `/api/chain/${slug}/contracts/${id}/${action}`;
  const dryRun = (slug: string, id: string, body: Json, status = 200) =>
    own.request(`POST ${contractPath(slug, id, 'dry-run')}`, 'admin', body, status);
  const knock = (slug: string, by: string) => own.event(slug, 'knock', { payload: { by } });
  const rowCount = async (slug: string) => (await own.request(`GET /api/chain/${slug}/stats`, 'admin')).rows;

  describe('a dry run', () => {
    test('simulates an event and writes nothing', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug);
      await knock(slug, 'ann');
      const before = await rowCount(slug);
      const answer = await dryRun(slug, id, { event: 'knock', payload: { by: 'bob' } });
      expect(answer).toMatchObject({
        would_fire: true,
        reason: null,
        transitions: [
          {
            transition: 'open',
            from: 'shut',
            to: 'open',
            cause: 'event',
            emitted: [{ event: 'opened', payload: { by: 'bob' } }],
            webhooks: ['https://example.org/opened'],
            tokens: [{ token: 'visit', holder: 'bob', amount: 1 }],
          },
        ],
        state_before: { state: 'shut', context: { knocks: 1, who: '' } },
        state_after: { state: 'open', context: { knocks: 1, who: 'bob' } },
        next_fires: [{ transition: 'shut' }],
        replay: null,
      });
      expect(await rowCount(slug)).toBe(before);
      expect(await own.request(`GET /api/chain/${slug}/contracts/${id}`, 'admin')).toMatchObject({
        contract: { currentState: 'shut', context: { knocks: 1, who: '' }, fire_count: 1 },
      });
    });

    test('runs timers up to a tick, and accepts other parameters', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug, { stays: 50 });
      const { svcond } = await dryRun(slug, id, { event: 'knock', payload: { by: 'bob' } });
      const until = Number(svcond) + 200;
      const simulation = {
        event: 'knock',
        payload: { by: 'bob' },
        until_svcond: until,
        parameters: { needed: 1, stays: 60 },
      };
      expect(await dryRun(slug, id, simulation)).toMatchObject({
        transitions: [{ transition: 'open' }, { transition: 'shut', cause: 'timer' }],
        state_after: { state: 'shut', context: { knocks: 0, who: 'bob' } },
      });
      expect((await dryRun(slug, id, { until_svcond: until })).reason).toBe('Nothing is due.');
    });

    test('without an event fires the next transition, or returns the reason why none can fire', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug, { needed: 5 });
      expect(await dryRun(slug, id, {})).toMatchObject({
        would_fire: false,
        refused: [
          { transition: 'open', code: 'PAYLOAD' },
          { transition: 'count', code: 'PAYLOAD' },
        ],
      });
      await own.request(`POST ${contractPath(slug, id, 'pause')}`, 'admin', {});
      expect(await dryRun(slug, id, { event: 'knock', payload: { by: 'x' } })).toMatchObject({
        would_fire: false,
        reason: 'The contract is paused.',
      });
      expect(await dryRun(slug, id, { event: 'nothing' })).toMatchObject({ would_fire: false });
    });

    test.each<[string, Json, string]>([
      ['a payload without an event', { payload: { by: 'x' } }, 'payload'],
      ['a version and a definition', { version: 1, definition: GATE }, 'definition'],
      ['a tick too far ahead', { until_svcond: 9_000_000_000 }, 'until_svcond'],
      ['a replay with an event', { from_svcond: 0, event: 'knock' }, 'event'],
      ['a definition that cannot be deployed', { definition: { ...GATE, initial: 'open' } }, 'initial'],
    ])('%s is rejected with its field', async (_name, body, path) => {
      const slug = await own.machine();
      const id = await deployGate(slug);
      const answer = await dryRun(slug, id, body, 422);
      expect((answer.details as Json[]).map((detail) => detail.path)).toContain(path);
    });

    test('requires the operator role', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug);
      await own.request(`POST ${contractPath(slug, id, 'dry-run')}`, 'other', { event: 'knock' }, 403);
      await own.request(`POST ${contractPath(slug, id, 'dry-run')}`, 'anonymous', { event: 'knock' }, 401);
    });
  });

  describe('a replay', () => {
    test('with the same parameters matches the history, with others reports the first divergence', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug);
      for (const by of ['ann', 'bob', 'cid']) await knock(slug, by);
      await own.event(slug, 'leave');
      const before = await rowCount(slug);
      expect(await dryRun(slug, id, { from_svcond: 0 })).toMatchObject({
        state_after: { state: 'gone', context: { who: 'bob' }, status: 'completed' },
        replay: {
          beginning: 'deployed',
          diverges: false,
          first_divergence: null,
          real_count: 3,
          would_count: 3,
          real_now: { state: 'gone', status: 'completed' },
          exact: true,
          first_mismatch: null,
          unreadable: 0,
        },
      });
      expect(await dryRun(slug, id, { from_svcond: 0, parameters: { needed: 3 } })).toMatchObject({
        state_after: { state: 'gone', context: { who: 'cid' } },
        replay: {
          diverges: true,
          first_divergence: { place: 1, real: { transition: 'open' }, would: { transition: 'count' } },
          exact: true,
        },
      });
      expect(await dryRun(slug, id, { from_svcond: 0, parameters: { needed: 9 } })).toMatchObject({
        state_after: { state: 'shut', context: { knocks: 3 } },
        replay: { real_now: { state: 'gone' }, would_count: 3 },
      });
      expect(await rowCount(slug)).toBe(before);
      await dryRun(slug, id, { from_svcond: 99_999_999_999 }, 404);
    });

    test('reproduces manual transitions with their payloads', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug, { needed: 1 });
      await own.request(`POST ${contractPath(slug, id, 'transition')}`, 'admin', {
        transition: 'open',
        payload: { by: 'eve' },
      });
      expect(await dryRun(slug, id, { from_svcond: 0 })).toMatchObject({
        state_after: { context: { who: 'eve' } },
        replay: { exact: true, diverges: false, real: [{ cause: 'manual' }] },
      });
    });

    test('is reported as inexact if a payload was erased', async () => {
      const slug = await own.machine();
      const id = await deployGate(slug);
      const { seq } = await knock(slug, 'ann');
      await knock(slug, 'bob');
      await sql(
        'update audit set salt = null, body = null where seq = ? and machine_id = (select id from machine where slug = ?)',
        Number(seq),
        slug,
      );
      expect((await dryRun(slug, id, { from_svcond: 0 })).replay).toMatchObject({ exact: false, unreadable: 1 });
    });
  });

  test('a preview lists enabled transitions, is cached for some ticks, and supports 304', async () => {
    const slug = await own.machine();
    const id = await deployGate(slug, { needed: 3 });
    const route = `GET ${contractPath(slug, id, 'preview')}`;
    const first = await service.call(route, { as: 'admin' });
    expect(first.json()).toMatchObject({
      currentState: 'shut',
      definition: { name: 'gate', version: '1.0', transitions: 4, states: ['gone', 'open', 'shut'] },
      enabled: [
        { transition: 'open', to: 'open', trigger: 'event', guard: 'knocks + 1 >= needed', value: null },
        { transition: 'count', guard: null },
      ],
      next_fires: [],
    });
    const etag = String(first.headers.get('etag'));
    await knock(slug, 'ann');
    const again = await service.call(route, { as: 'admin', headers: { 'if-none-match': etag } });
    advanceClock(service, 10_000_000_000n);
    const later = await service.call(route, { as: 'admin', headers: { 'if-none-match': etag } });
    expect([304, 200]).toContain(again.status);
    expect(later.status).toBe(200);
    await own.request(route, 'other', undefined, 403);
    await own.request(route, 'anonymous', undefined, 401);
  });

  describe('the proof chain', () => {
    const deployWithHistory = async () => {
      const slug = await own.machine();
      const id = await deployGate(slug);
      for (const by of ['ann', 'bob']) await knock(slug, by);
      await own.request(`PATCH /api/chain/${slug}/contracts/${id}`, 'admin', { parameters: { needed: 4 } });
      await own.event(slug, 'leave');
      const { row } = await machineRow(slug);
      return { slug, id, machineId: String(row.id) };
    };
    const machineRow = async (slug: string) => {
      const found = (await sql('select id from machine where slug = ?', slug)) as { rows: Json[] };
      return { row: found.rows[0] as Json };
    };
    /** Tampers with the database directly. */
    const tamper = async (change: () => Promise<unknown>) => {
      await sql('alter table audit disable trigger user');
      await change();
      await sql('alter table audit enable trigger user');
    };
    /** Rewrites the payloads of a chain and recomputes every hash. */
    const rewrite = async (slug: string, machineId: string, change: (text: string) => string) => {
      const rows = await service.running.storage.audit.range(machineId, slug, 0, Number.MAX_SAFE_INTEGER);
      let head: Head = emptyHead(slug);
      for (const { svcond, type, source, actor, salt = '', payload_text: text = '' } of rows) {
        const rewritten = { svcond, type, source, actor, payload: JSON.parse(change(text)) as unknown };
        const row = appendRow(head, rewritten, Buffer.from(salt, 'hex'));
        head = row;
        const hex = (bytes: string) => `decode('${bytes}', 'hex')`;
        const set = `commitment = ${hex(row.commit)}, prev_hash = ${hex(row.prev)}, hash = ${hex(row.row_hash)}, body = ?`;
        await sql(`update audit set ${set} where machine_id = ? and seq = ?`, row.payload_text, machineId, row.seq);
      }
    };
    const verify = (slug: string, id: string) =>
      own.request(`POST ${contractPath(slug, id, 'verify')}`, 'anonymous', {});

    test('is valid for every reader of the machine', async () => {
      const { slug, id } = await deployWithHistory();
      expect(await verify(slug, id)).toMatchObject({
        valid: true,
        checked: { transitions: 3, versions: 2, receipts: 1, unreadable: 0 },
      });
    });

    test.each<[string, string, string]>([
      ['a changed fire', `update fire set to_state = 'gone' where machine_id = :m and transition = 'open'`, 'FIRE'],
      ['a deleted fire', `delete from fire where machine_id = :m and transition = 'open'`, 'FIRE'],
      [
        'a forged fire',
        `insert into fire select machine_id, contract_id, version_no, transition, entry, 'forged', 999999, svcond, from_state, to_state from fire where machine_id = :m and transition = 'open'`,
        'FIRE',
      ],
      [
        'a changed definition',
        `update contract_version set definition = replace(definition, 'example.org', 'example.com') where machine_id = :m and no = 1`,
        'DEFINITION',
      ],
      [
        'a definition changed with its hash',
        `update contract_version set definition_hash = decode(repeat('ab', 32), 'hex') where machine_id = :m and no = 1`,
        'DEFINITION',
      ],
      [
        'a changed running definition',
        `update contract set definition = replace(definition, 'example.org', 'example.com') where machine_id = :m`,
        'DEFINITION',
      ],
      ['a deleted version', `delete from contract_version where machine_id = :m and no = 2`, 'VERSION'],
      [
        'a changed payload',
        `update audit set body = replace(body, '"open"', '"gone"') where machine_id = :m and type = 'transition'`,
        'COMMIT',
      ],
      [
        'a changed stamp',
        `update audit set body = regexp_replace(body, '"svcProof":"....', '"svcProof":"0000') where machine_id = :m and body like '%svcProof%'`,
        'COMMIT',
      ],
      [
        'a deleted row',
        `delete from audit where machine_id = :m and type = 'transition' and body like '%"count"%'`,
        'GAP',
      ],
      ['a changed tick', `update audit set svcond = svcond + 1 where machine_id = :m and type = 'transition'`, 'HASH'],
      [
        'a changed count of fires',
        `update contract set state = regexp_replace(state, '"fires":3', '"fires":7') where machine_id = :m`,
        'COUNT',
      ],
      [
        'a changed state',
        `update contract set state = replace(state, '"state":"gone"', '"state":"open"') where machine_id = :m`,
        'STATE',
      ],
    ])('%s is detected', async (_name, statement, reason) => {
      const { slug, id, machineId } = await deployWithHistory();
      await tamper(() => sql(statement.replaceAll(':m', `'${machineId}'`)));
      const answer = await verify(slug, id);
      expect(answer).toMatchObject({ valid: false, first_bad: { reason } });
    });

    test.each<[string, (text: string) => string, string]>([
      ['a receipt of another place', (text) => text.replace(/("previous":.*?"row_hash":")..../, '$1ffff'), 'RECEIPT'],
      ['a changed receipt', (text) => text.replace(/"svcProof":"..../, '"svcProof":"ffff'), 'RECEIPT'],
      ['a removed receipt', (text) => text.replace(/"receipt":\{(?:[^{}]|\{[^}]*\})*\},/, ''), 'RECEIPT'],
      ['a changed transition', (text) => text.replace('"to":"open"', '"to":"gone"'), 'FIRE'],
      [
        'a changed hash of a version',
        (text) => text.replace(/"definition_hash":"..../, '"definition_hash":"ffff'),
        'VERSION',
      ],
    ])('%s is detected even with recomputed hashes', async (_name, change, reason) => {
      const { slug, id, machineId } = await deployWithHistory();
      await tamper(() => rewrite(slug, machineId, change));
      expect(await verify(slug, id)).toMatchObject({ valid: false, first_bad: { reason } });
    });

    test('of a private machine is hidden from others', async () => {
      const slug = await own.machine({ is_public: false });
      const id = await deployGate(slug);
      await own.request(`POST ${contractPath(slug, id, 'verify')}`, 'anonymous', {}, 404);
      await own.request(`POST ${contractPath(slug, id, 'verify')}`, 'admin', {});
    });
  });

  describe('a generated contract', () => {
    test('can be deployed unchanged, and is deterministic', async () => {
      const query =
        'when temperature above 80 for 3 times within 10 minutes emit alarm and call webhook https://example.org/hook';
      const first = await service.call('POST /api/contracts/generate', { as: 'demo', json: { query } });
      const again = await service.call('POST /api/contracts/generate', { as: 'admin', json: { query } });
      expect(again.text).toBe(first.text);
      const { definition, ...rest } = first.json();
      expect(rest).toMatchObject({
        confidence: 1,
        unparsed: [],
        mode: 'deterministic',
        timeline: [{ transition: 'rule_1', emitted: ['alarm'] }, { to: 'stopped' }],
      });
      const slug = await own.machine();
      await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 201);
      for (let i = 0; i < 3; i++) await own.event(slug, 'temperature', { payload: { value: 81 } });
      expect(
        (await own.rows(slug)).filter(({ type }) => type === 'emit').map((row) => (row.payload as Json).name),
      ).toEqual(['alarm']);
    });

    test('is rejected with a hint if a part was not understood', async () => {
      const query = 'do not emit alarm when temperature above 80, every day at 25:00';
      const answer = await own.request('POST /api/contracts/generate', 'admin', { query }, 422);
      expect(answer).toMatchObject({ code: 'CANNOT_GENERATE', nearest: [{}, {}, {}] });
      expect(answer.changing).toContain('do not');
      expect(answer.error).toMatch(/^Not understood: "do not", "every day at 25:00"\. A time of day is 00:00 to 23:59/);
      const nearest = (answer.nearest as Json[]).map(({ id }) => id);
      expect(answer.error).toContain(`The nearest templates are ${nearest.join(', ')}.`);
    });

    test('is rejected with the nearest templates', async () => {
      const answer = await own.request(
        'POST /api/contracts/generate',
        'admin',
        { query: 'an escrow with a buyer, a seller and an arbiter for disputes' },
        422,
      );
      expect(answer).toMatchObject({ code: 'CANNOT_GENERATE', nearest: [{ id: 'escrow-dispute-window' }, {}, {}] });
      for (const query of ['short', 'x'.repeat(601)]) {
        expect(await own.request('POST /api/contracts/generate', 'admin', { query }, 422)).toMatchObject({
          code: 'VALIDATION_FAILED',
        });
      }
    });
  });

  test('the observer returns rows of owned machines, or of public ones without a key', async () => {
    // A new tick, so that the newest rows are those of this test.
    advanceClock(service, 1_000_000_000n);
    const hidden = await own.machine({ is_public: false });
    const ownFeed = await own.request('GET /api/observer?limit=50', 'admin');
    expect(ownFeed.feed).toBe('own');
    expect((ownFeed.rows as Json[]).map(({ slug }) => slug)).toContain(hidden);
    const publicFeed = await own.request('GET /api/observer?limit=50', 'anonymous');
    expect([publicFeed.feed, (publicFeed.rows as Json[]).some(({ slug }) => slug === hidden)]).toEqual([
      'public',
      false,
    ]);
    await own.request('GET /api/observer?limit=51', 'anonymous', undefined, 422);
  });
});
