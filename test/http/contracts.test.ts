// Contracts over HTTP: deployment, events, timers, manual fires and verification.

import { describe, expect, test } from 'vitest';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();

let made = 0;
async function machine(): Promise<string> {
  const slug = `contracts-${made++}`;
  const answer = await service.call('POST /api/chain/state-machines', { as: 'admin', json: { slug } });
  expect(answer.status).toBe(201);
  return slug;
}

async function post(path: string, json: unknown = {}): Promise<Json> {
  const answer = await service.call(`POST ${path}`, { as: 'admin', json });
  expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([
    path,
    answer.status < 300 ? answer.status : 0,
    '',
  ]);
  return answer.json();
}
const get = async (path: string) => (await service.call(`GET ${path}`, { as: 'admin' })).json();

const become = (slug: string, status: string) => post(`/api/chain/${slug}/status`, { status });

async function deployed(slug: string, json: Json): Promise<string> {
  const { contract } = await post(`/api/chain/${slug}/contracts`, json);
  return String((contract as Json).id);
}

/** A lamp that goes out by itself. */
const LAMP = {
  name: 'lamp',
  version: '1.0',
  operators: ['KO42'],
  initial: 'dark',
  parameters: { burns: { type: 'ticks', default: 2 }, most: { type: 'integer', default: 3 } },
  context: { times: { type: 'integer', initial: 0 }, who: { type: 'string', initial: '' } },
  events: { press: { payload: { by: 'string' } } },
  emits: ['lit', 'out'],
  states: {
    dark: { role: 'initial' },
    light: { role: 'intermediate' },
    broken: { role: 'terminal', outcome: 'failure' },
  },
  transitions: [
    {
      id: 'on',
      from: 'dark',
      to: 'light',
      operator: 'KO42',
      proof: true,
      trigger: { kind: 'event', event: 'press' },
      fires_when: 'times < most and event.by != ""',
      post: [{ set: { times: 'times + 1', who: 'event.by' } }, { emit: { event: 'lit', payload: { times: 'times' } } }],
    },
    {
      id: 'off',
      from: 'light',
      to: 'dark',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 'burns' },
      post: [{ emit: 'out' }],
    },
    {
      id: 'burst',
      from: 'dark',
      to: 'broken',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'press' },
      fires_when: 'times >= most',
      priority: -1,
    },
  ],
};

async function lamp(slug: string, parameters: Json = {}): Promise<string> {
  const { contract } = await post(`/api/chain/${slug}/contracts/custom`, { definition: LAMP, parameters });
  return String((contract as Json).id);
}
const press = (slug: string, by: string) => post(`/api/chain/${slug}/event`, { name: 'press', payload: { by } });
const contractOf = async (slug: string, id: string) =>
  (await get(`/api/chain/${slug}/contracts/${id}`)).contract as Json;

describe('the rate limiter of the specification', () => {
  test('limits above its threshold, emits, and recovers after inactivity', async () => {
    const slug = await machine();
    const id = await deployed(slug, { template_id: 'rate-limiter', parameters: { threshold: 2, within: 3 } });
    const fired: Json[] = [];
    for (let i = 0; i < 3; i++)
      fired.push(...((await post(`/api/chain/${slug}/event`, { name: 'request' })).fired as Json[]));
    expect(fired).toMatchObject([{ transition: 'limit', from: 'allowing', to: 'limiting', emitted: ['rate_limited'] }]);
    expect(await contractOf(slug, id)).toMatchObject({ currentState: 'limiting', fire_count: 1 });
    await expect.poll(() => contractOf(slug, id)).toMatchObject({ currentState: 'allowing', fire_count: 2 });
    const { rows } = (await get(`/api/chain/${slug}/explore`)) as { rows: Json[] };
    // Its audit clock is on: each tick that changed something has a stamp as well.
    expect(rows.map((row) => row.type).filter((type) => type !== 'stamp')).toEqual([
      'emit',
      'transition',
      'emit',
      'transition',
      'event',
      'event',
      'event',
      'contract',
      'genesis',
    ]);
    expect(await get(`/api/chain/${slug}/pohc/validate`)).toMatchObject({ valid: true, checked: rows.length });
  });
});

describe('a custom definition', () => {
  test('fires on events and timers, and every transition is in the chain with its reason', async () => {
    const slug = await machine();
    const id = await lamp(slug);
    const { fired } = await press(slug, 'ann');
    expect(fired).toMatchObject([{ transition: 'on', emitted: ['lit'], receipt: { kind: 'transition' } }]);
    expect(await contractOf(slug, id)).toMatchObject({ currentState: 'light', context: { times: 1, who: 'ann' } });
    await expect
      .poll(() => contractOf(slug, id))
      .toMatchObject({ currentState: 'dark', next_fire: null, fire_count: 2 });
    const { rows } = (await get(`/api/chain/${slug}/contracts/${id}/audit`)) as { rows: Json[] };
    expect(rows).toMatchObject([
      { transition: 'off', from: 'light', to: 'dark', occurrence: expect.stringMatching(/^t\d+$/) },
      { transition: 'on', from: 'dark', to: 'light' },
    ]);
  });

  test('the receipt of a fire names the transition, its version and the row before, and is no stamp', async () => {
    const slug = await machine();
    const id = await lamp(slug);
    const before = ((await get(`/api/chain/${slug}/explore`)).rows as Json[])[0];
    const { fired } = (await press(slug, 'ann')) as { fired: { receipt: Json }[] };
    const receipt = fired[0]?.receipt ?? {};
    const { definition_hash } = await contractOf(slug, id);
    const previous = { seq: before?.seq, row_hash: before?.row_hash };
    expect(receipt).toMatchObject({ kind: 'transition', definition_hash, previous });
    const claim = { proof: receipt.svcProof, operatorIds: ['KO42'], R_t: 1, svcond: 1, keyPrefix: 'public' };
    expect(await post('/api/svc/prove/verify', claim)).toMatchObject({ valid: false });
    expect(await post(`/api/chain/${slug}/contracts/${id}/verify`)).toMatchObject({
      valid: true,
      checked: { receipts: 1, stamps: 0 },
    });
  });

  test('an event with an invalid payload fires nothing and is still written', async () => {
    const slug = await machine();
    const id = await lamp(slug);
    const { fired, seq } = await post(`/api/chain/${slug}/event`, { name: 'press', payload: { by: 7 } });
    expect([fired, seq]).toEqual([[], 2]);
    expect(await contractOf(slug, id)).toMatchObject({ currentState: 'dark' });
  });

  test('a terminal state completes it', async () => {
    const slug = await machine();
    const id = await lamp(slug, { most: 0 });
    await press(slug, 'ann');
    expect(await contractOf(slug, id)).toMatchObject({ currentState: 'broken', status: 'completed', next_fire: null });
  });

  test.each([
    ['an unreachable state', { states: { ...LAMP.states, attic: { role: 'intermediate' } } }, 'UNREACHABLE'],
    [
      'an unknown name',
      { transitions: [{ ...LAMP.transitions[0], fires_when: 'tmes < most' }, ...LAMP.transitions.slice(1)] },
      'EXPRESSION_INVALID',
    ],
    [
      'a condition that is no truth',
      { transitions: [{ ...LAMP.transitions[0], fires_when: 'times + 1' }, ...LAMP.transitions.slice(1)] },
      'EXPRESSION_INVALID',
    ],
    ['an unknown operator', { operators: ['KO42', 'XX99'] }, 'OPERATOR_UNKNOWN'],
    [
      'a cron that never fires',
      {
        transitions: [
          ...LAMP.transitions,
          { ...LAMP.transitions[1], id: 'never', trigger: { kind: 'cron', cron: '0 0 31 2 *' } },
        ],
      },
      'CRON',
    ],
    ['an emit that is not declared', { emits: ['lit'] }, 'UNDECLARED'],
    ['an unused parameter', { parameters: { ...LAMP.parameters, idle: { type: 'number', default: 1 } } }, 'UNUSED'],
  ])('%s is rejected at deployment and nothing is written', async (_, change, code) => {
    const slug = await machine();
    const answer = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
      as: 'admin',
      json: { definition: { ...LAMP, ...change } },
    });
    expect(answer.status).toBe(422);
    expect((answer.json().details as Json[]).map((one) => one.code)).toContain(code);
    expect((await get(`/api/chain/${slug}/stats`)).rows).toBe(1);
  });

  test('ten thousand transitions are rejected before compilation', async () => {
    const slug = await machine();
    const transitions = Array.from({ length: 10_000 }, (_, i) => ({ ...LAMP.transitions[1], id: `t${i}`, post: [] }));
    const answer = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
      as: 'admin',
      json: { definition: { ...LAMP, transitions } },
    });
    expect([answer.status < 500, answer.status >= 400]).toEqual([true, true]);
  });
});

describe('manual control', () => {
  test('fire-now fires the enabled transition or returns the reason', async () => {
    const slug = await machine();
    const id = await lamp(slug);
    const base = `/api/chain/${slug}/contracts/${id}`;
    expect(await post(`${base}/fire-now`)).toMatchObject({
      fired: false,
      reason: expect.stringContaining('payload.by is missing'),
    });
    expect(await post(`${base}/transition`, { transition: 'on', payload: { by: 'bob' } })).toMatchObject({
      fired: true,
      fire: { transition: 'on' },
      contract: { currentState: 'light' },
    });
    const wrong = await service.call(`POST ${base}/transition`, { as: 'admin', json: { transition: 'on' } });
    expect([wrong.status, wrong.json().code, wrong.json().enabled]).toEqual([409, 'TRANSITION_NOT_ENABLED', ['off']]);
  });

  test('a paused contract fires nothing, counts events, and resumes by its mode', async () => {
    const slug = await machine();
    const id = await deployed(slug, { template_id: 'rate-limiter', parameters: { threshold: 2, within: 1_000 } });
    const base = `/api/chain/${slug}/contracts/${id}`;
    expect((await post(`${base}/pause`)).contract).toMatchObject({ status: 'paused', next_fire: null });
    for (let i = 0; i < 3; i++) expect((await post(`/api/chain/${slug}/event`, { name: 'request' })).fired).toEqual([]);
    expect(await post(`${base}/fire-now`)).toMatchObject({ fired: false, reason: 'The contract is paused.' });
    expect((await post(`${base}/resume`)).contract).toMatchObject({ status: 'active', currentState: 'allowing' });
    // The three that came meanwhile were counted.
    expect((await post(`/api/chain/${slug}/event`, { name: 'request' })).fired).toMatchObject([
      { transition: 'limit' },
    ]);
  });

  test('an empty list of next fires explains itself and the effect of resuming', async () => {
    const slug = await machine();
    const id = await deployed(slug, { template_id: 'regulatory-report-filing' });
    const base = `/api/chain/${slug}/contracts/${id}`;
    const next = () => get(`${base}/next-fires`);
    const [first] = (await next()).next_fires as Json[];
    expect(first).toMatchObject({ transition: 'open_period', svcond: (await contractOf(slug, id)).next_fire });
    await post(`${base}/pause`);
    expect(await next()).toMatchObject({
      next_fires: [],
      note: expect.stringMatching(/^The contract is paused: .* until it is resumed\. Then catch_up decides/),
    });
    await post(`${base}/resume`);
    expect((await next()).note).toBeUndefined();
    await become(slug, 'paused');
    expect(await next()).toMatchObject({ next_fires: [], note: expect.stringContaining('The machine is paused') });
    await become(slug, 'active');
    await post(`${base}/freeze`);
    expect(await next()).toMatchObject({ next_fires: [], note: expect.stringContaining('The contract is frozen') });
  });

  test('on an archived machine nothing is due until it is restored', async () => {
    const slug = await machine();
    const id = await deployed(slug, { template_id: 'regulatory-report-filing' });
    const own = async () => {
      const { rows } = await get('/api/contracts?status=active&limit=100');
      return (rows as Json[]).find((one) => one.id === id)?.next_fire;
    };
    const listed = async () => ((await get(`/api/chain/${slug}/contracts`)).rows as Json[])[0]?.next_fire;
    const shown = async () => [(await contractOf(slug, id)).next_fire, await listed(), await own()];
    const [due] = await shown();
    expect(await shown()).toEqual([due, due, due]);
    await become(slug, 'archived');
    expect(await shown()).toEqual([null, null, null]);
    expect(await get(`/api/chain/${slug}/contracts/${id}/next-fires`)).toMatchObject({
      next_fires: [],
      note: expect.stringContaining('archived'),
    });
    await become(slug, 'paused');
    await become(slug, 'active');
    expect(await shown()).toEqual([due, due, due]);
  });

  test('skip-next consumes an occurrence, once', async () => {
    const slug = await machine();
    const id = await lamp(slug, { burns: 1_000 });
    await press(slug, 'ann');
    const base = `/api/chain/${slug}/contracts/${id}`;
    const { next_fire: due } = await contractOf(slug, id);
    const wrong = await service.call(`POST ${base}/skip-next`, { as: 'admin', json: { expected_next_fire: 1 } });
    expect([wrong.status, wrong.json().next_fire]).toEqual([409, due]);
    expect((await post(`${base}/skip-next`, { expected_next_fire: due })).contract).toMatchObject({
      next_fire: null,
      status: 'completed',
    });
  });

  test('skip-next without a timer skips one match of an event, and the chain records the caller', async () => {
    const slug = await machine();
    const id = await lamp(slug);
    const base = `/api/chain/${slug}/contracts/${id}`;
    const answerOf = async (json: Json) => {
      const answer = await service.call(`POST ${base}/skip-next`, { as: 'write', json });
      return [answer.status, answer.json().code ?? 'ok'];
    };
    expect(await answerOf({ expected_next_fire: 7 })).toEqual([409, 'CONFLICT']);
    expect(await answerOf({})).toEqual([200, 'ok']);
    // One match can pass, not two.
    expect(await answerOf({})).toEqual([409, 'CONFLICT']);
    expect((await press(slug, 'ann')).fired).toEqual([]);
    expect((await press(slug, 'ann')).fired).toMatchObject([{ transition: 'on' }]);
    const { rows } = (await get(`/api/chain/${slug}/explore`)) as { rows: Json[] };
    const [first] = rows.toReversed();
    const requests = rows.filter(
      ({ type, payload }) => type === 'contract' && (payload as Json).act === 'asked to skip',
    );
    expect(requests).toMatchObject([{ actor: first?.actor, payload: { contract: id } }]);
    expect(rows.filter(({ type }) => type === 'fire_skipped')).toMatchObject([{ payload: { transition: 'on' } }]);
    expect(await post(`${base}/verify`)).toMatchObject({ valid: true });
  });

  test('a frozen contract is permanently read-only', async () => {
    const slug = await machine();
    const id = await lamp(slug);
    const base = `/api/chain/${slug}/contracts/${id}`;
    expect((await post(`${base}/freeze`)).contract).toMatchObject({ status: 'frozen', next_fire: null });
    expect((await press(slug, 'ann')).fired).toEqual([]);
    expect(await post(`${base}/fire-now`)).toMatchObject({ fired: false, reason: 'The contract is frozen.' });
    const resumed = await service.call(`POST ${base}/resume`, { as: 'admin', json: {} });
    expect(resumed.status).toBe(409);
    expect(await get(`${base}/integrity`)).toMatchObject({ intact: true });
  });
});

describe('versions', () => {
  test('a patch keeps the state, a rollback creates a version, and a stale writer gets a conflict', async () => {
    const slug = await machine();
    const id = await lamp(slug, { burns: 1_000 });
    await press(slug, 'ann');
    const base = `/api/chain/${slug}/contracts/${id}`;
    const patch = (json: Json) => service.call(`PATCH ${base}`, { as: 'admin', json });
    expect((await patch({ parameters: { burns: 2_000 }, if_match: 1 })).json().contract).toMatchObject({
      currentState: 'light',
      current_version_no: 2,
      context: { times: 1 },
      parameters: { burns: 2_000 },
    });
    const stale = await patch({ name: 'x', if_match: 1 });
    expect([stale.status, stale.json().current_version_no]).toEqual([409, 2]);
    expect((await post(`${base}/rollback`, { to_version: 1 })).contract).toMatchObject({
      current_version_no: 3,
      parameters: { burns: 1_000 },
    });
    const { rows } = (await get(`${base}/versions`)) as { rows: Json[] };
    expect(rows.map(({ no, reason }) => `${no} ${reason}`)).toEqual(['3 rolled back', '2 patched', '1 deployed']);
    expect((await get(`${base}/versions/2`)).parameters).toEqual({ burns: 2_000 });
  });

  test('a definition without the current state needs a reset', async () => {
    const slug = await machine();
    const id = await lamp(slug, { burns: 1_000 });
    await press(slug, 'ann');
    const renamed = JSON.parse(JSON.stringify(LAMP).replaceAll('"light"', '"bright"')) as Json;
    const patch = (json: Json) => service.call(`PATCH /api/chain/${slug}/contracts/${id}`, { as: 'admin', json });
    expect((await patch({ definition: renamed })).status).toBe(409);
    expect((await patch({ definition: renamed, reset: true })).json().contract).toMatchObject({
      currentState: 'dark',
      context: { times: 0 },
    });
  });

  test('an export is imported with initial state, and rejected if modified', async () => {
    const [here, there] = [await machine(), await machine()];
    const id = await lamp(here, { burns: 9 });
    await press(here, 'ann');
    const { export: exported } = (await get(`/api/chain/${here}/contracts/${id}/export`)) as { export: Json };
    expect((await post(`/api/chain/${there}/contracts/import`, { export: exported })).contract).toMatchObject({
      currentState: 'dark',
      parameters: { burns: 9 },
      definition_hash: exported.definition_hash,
    });
    const forged = { ...exported, definition: { ...(exported.definition as Json), title: 'other' } };
    const refused = await service.call(`POST /api/chain/${there}/contracts/import`, {
      as: 'admin',
      json: { export: forged },
    });
    expect([refused.status, refused.json().details]).toMatchObject([422, [{ code: 'HASH_MISMATCH' }]]);
  });

  test('an import has the id of a template only with its definition', async () => {
    const slug = await machine();
    const lit = await lamp(slug);
    const { contract } = await post(`/api/chain/${slug}/contracts`, { template_id: 'rate-limiter' });
    const imported = async (id: string) => {
      const { export: exported } = (await get(`/api/chain/${slug}/contracts/${id}/export`)) as { export: Json };
      const claimed = { ...exported, template_id: 'rate-limiter' };
      return (await post(`/api/chain/${slug}/contracts/import`, { export: claimed })).contract as Json;
    };
    expect((await imported(String((contract as Json).id))).template_id).toBe('rate-limiter');
    expect((await imported(lit)).template_id).toBeNull();
  });
});

test('contracts of one machine receive each other’s events, and cycles end', async () => {
  const slug = await machine();
  const relay = (name: string, hears: string, says: string) => ({
    name,
    version: '1.0',
    operators: ['KO42'],
    initial: 'a',
    events: { [hears]: {} },
    emits: [says],
    states: { a: { role: 'initial' }, b: { role: 'intermediate' } },
    transitions: ['a', 'b'].map((from) => ({
      id: `from_${from}`,
      from,
      to: from === 'a' ? 'b' : 'a',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: hears },
      post: [{ emit: says }],
    })),
  });
  const custom = async (definition: Json) =>
    ((await post(`/api/chain/${slug}/contracts/custom`, { definition })).contract as Json).id as string;
  const one = await custom(relay('one', 'ping', 'pong'));
  const two = await custom(relay('two', 'pong', 'ping'));
  const { fired } = (await post(`/api/chain/${slug}/event`, { name: 'ping' })) as { fired: Json[] };
  expect(fired).toHaveLength(9);
  const { rows } = (await get(`/api/chain/${slug}/explore?type=refused`)) as { rows: Json[] };
  expect(rows).toMatchObject([{ payload: { code: 'CASCADE_LIMIT', contract: one } }]);
  const refusedOf = async (id: string) =>
    ((await get(`/api/chain/${slug}/explore?type=refused&contract=${id}`)) as { rows: Json[] }).rows;
  expect(await refusedOf(one)).toEqual(rows);
  expect(await refusedOf(two)).toEqual([]);
  // A page has the requested length, regardless of other rows between its entries.
  const page = (await get(`/api/chain/${slug}/explore?contract=${two}&limit=3`)) as {
    rows: Json[];
    next_cursor: string;
  };
  expect(page.rows.map(({ payload }) => (payload as Json).contract)).toEqual([two, two, two]);
  expect(page.next_cursor).toEqual(expect.any(String));
});

test('templates are listed and shown', async () => {
  const { rows } = (await get('/api/contracts/templates')) as { rows: Json[] };
  expect(rows.map((one) => one.id)).toContain('escrow-dispute-window');
  expect(await get('/api/contracts/templates/rate-limiter')).toMatchObject({
    definition: { name: 'rate_limiter', version: '1.0' },
  });
  const missing = await service.call('GET /api/contracts/templates/rate-limitr');
  expect([missing.status, missing.json().error]).toEqual([404, expect.stringContaining('rate-limiter')]);
});

test('an agent with a demo key spins up, deploys, fires and sees only its own contracts', async () => {
  const spun = (
    await service.call('POST /api/chain/spin-up', { as: 'demo', json: { displayName: 'agent seven' } })
  ).json() as Json & { machine: Json };
  const headers = { authorization: `Bearer ${spun.key}` };
  const call = async (route: string, json?: unknown) =>
    service.call(route, { headers, ...(json === undefined ? {} : { json }) });
  const deployed = (
    await call('POST /api/contracts/deploy', { templateId: 'rate-limiter', parameters: { threshold: 1 } })
  ).json();
  const contract = deployed.contract as Json;
  expect(contract).toMatchObject({ slug: spun.machine.slug, name: 'Rate limiter', currentState: 'allowing' });
  expect((await call('GET /api/contracts')).json()).toMatchObject({ rows: [{ id: contract.id }] });
  expect((await call('GET /api/contracts?status=failed')).json()).toMatchObject({ rows: [] });
  expect((await call('GET /api/contracts?status=active')).json()).toMatchObject({ rows: [{ id: contract.id }] });
  expect((await call(`GET /api/contracts/${contract.id}`)).json()).toMatchObject({
    definition: { name: 'rate_limiter' },
  });
  expect((await call(`POST /api/contracts/${contract.id}/fire`, {})).json()).toMatchObject({
    fired: false,
    reason: expect.stringContaining('The condition is false: agg.value > threshold'),
  });
  expect((await service.call(`GET /api/contracts/${contract.id}`, { as: 'other' })).status).toBe(404);
  const both = await call('POST /api/contracts/deploy', { templateId: 'rate-limiter', definition: LAMP });
  expect([both.status, (both.json().details as Json[])[0]?.code]).toEqual([422, 'ONE_OF']);
  const homeless = await service.call('POST /api/contracts/deploy', {
    as: 'demo',
    json: { templateId: 'rate-limiter' },
  });
  expect([homeless.status, homeless.json().error]).toEqual([404, expect.stringContaining('svc_spin_up')]);
});
