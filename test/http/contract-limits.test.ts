// Limits of contracts on one machine, filters of their list, and balances of their tokens.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { transition } from '../contracts/transition.ts';
import { advanceClock, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const { machine, request, event } = ownMachines(service, 'limited');

/** Completes on `stop`, and fails after five events `break`, whose action cannot succeed. */
const FRAGILE = {
  name: 'fragile',
  version: '1.0',
  operators: ['KO42'],
  initial: 'on',
  events: { stop: {}, break: {} },
  states: { on: { role: 'initial' }, off: { role: 'terminal', outcome: 'success' } },
  transitions: [
    transition('stop', 'on', 'off', { kind: 'event', event: 'stop' }),
    transition(
      'break',
      'on',
      'on',
      { kind: 'event', event: 'break' },
      { post: [{ token: { op: 'spend', token: 'eur', amount: '1', from: '"nobody"' } }] },
    ),
  ],
};

const deploy = async (slug: string, definition: object, name = 'c'): Promise<string> => {
  const body = { definition, name };
  const { contract } = await request(`POST /api/chain/${slug}/contracts/custom`, 'admin', body, 201);
  return String((contract as Json).id);
};
const list = async (slug: string, query = '') =>
  (await request(`GET /api/chain/${slug}/contracts?limit=200${query}`, 'admin')) as unknown as {
    rows: { id: string; name: string; status: string; currentState: string }[];
    next_cursor: string | null;
  };

test('completed and failed contracts do not count against the limit; a failed one is resumed only below it', async () => {
  const slug = await machine();
  const { perMachine } = LIMITS.contracts;
  const failed = await deploy(slug, FRAGILE, 'failed');
  for (let i = 0; i < 5; i++) await event(slug, 'break');
  const [first] = (await list(slug)).rows;
  expect(first).toMatchObject({ id: failed, status: 'failed' });
  for (let i = 0; i < perMachine; i++) await deploy(slug, FRAGILE, `old ${i}`);
  const full = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
    as: 'admin',
    json: { definition: FRAGILE },
  });
  expect([full.status, full.json().error]).toEqual([
    409,
    `Limit of ${perMachine} active and paused contracts on machine ${slug} reached; freeze one that is no longer needed.`,
  ]);
  const resumed = await service.call(`POST /api/chain/${slug}/contracts/${failed}/resume`, { as: 'admin', json: {} });
  expect([resumed.status, resumed.json().code]).toEqual([409, 'CONFLICT']);
  await event(slug, 'stop');
  const { rows } = await list(slug, '&status=completed');
  expect(rows.length).toBe(perMachine);
  expect((await request(`POST /api/chain/${slug}/contracts/${failed}/resume`, 'admin', {})).contract).toMatchObject({
    status: 'active',
  });
  await deploy(slug, FRAGILE, 'new');
  // A completed contract answers as before, though it is no longer in memory.
  const done = `/api/chain/${slug}/contracts/${rows[0]?.id}`;
  expect(await request(`POST ${done}/fire-now`, 'admin', {})).toMatchObject({
    fired: false,
    reason: 'The contract is completed.',
  });
  expect((await service.call(`POST ${done}/pause`, { as: 'admin', json: {} })).json().error).toBe(
    'The contract is completed; it must be active to be paused.',
  );
  expect((await request(`POST ${done}/freeze`, 'admin', {})).contract).toMatchObject({ status: 'frozen' });
});

test('lists of contracts are filtered by status, state, template, due tick and last change, and paged', async () => {
  const slug = await machine();
  const timed = {
    ...FRAGILE,
    events: { stop: {} },
    transitions: [FRAGILE.transitions[0], transition('late', 'on', 'off', { kind: 'one_shot', after: 'PT1H' })],
  };
  const soon = await deploy(slug, {
    ...timed,
    transitions: [...timed.transitions, transition('tick', 'on', 'on', { kind: 'recurring', every: 5 })],
  });
  const late = await deploy(slug, timed);
  const { contract: limiter } = await request(
    `POST /api/chain/${slug}/contracts`,
    'admin',
    { template_id: 'rate-limiter' },
    201,
  );
  const { id: limiting } = limiter as { id: string };
  const ids = async (query: string) => (await list(slug, query)).rows.map(({ id }) => id);
  expect(await ids('')).toEqual([soon, late, limiting]);
  expect(await ids('&template_id=rate-limiter')).toEqual([limiting]);
  expect(await ids('&state=on')).toEqual([soon, late]);
  const [first] = (await list(slug)).rows as unknown as { next_fire: number; updated_svcond: number }[];
  expect(await ids(`&due_before=${Number(first?.next_fire) + 1}`)).toEqual([soon]);
  expect(await ids(`&due_before=${first?.next_fire}`)).toEqual([]);
  advanceClock(service, 2_000_000_000n);
  const { contract: paused } = await request(`POST /api/chain/${slug}/contracts/${late}/pause`, 'admin', {});
  const { updated_svcond: since } = paused as { updated_svcond: number };
  expect(since).toBeGreaterThan(Number(first?.updated_svcond));
  expect(await ids(`&updated_since=${since}`)).toEqual([late]);
  expect(await ids('&status=paused&state=on')).toEqual([late]);
  const bad = await service.call(`GET /api/chain/${slug}/contracts?due_before=soon`, { as: 'admin' });
  expect([bad.status, bad.json().code]).toEqual([422, 'VALIDATION_FAILED']);

  const own: string[] = [];
  let cursor = '';
  do {
    const page = await request(`GET /api/contracts?limit=1&state=on${cursor}`, 'admin');
    own.push(...(page.rows as { id: string; slug: string }[]).filter((row) => row.slug === slug).map(({ id }) => id));
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  expect(own).toEqual([late, soon]);
});

const token = (op: string, amount: string, more: object) => ({ token: { op, token: 'eur', amount, ...more } });
const paying = (...post: object[]) => ({
  ...FRAGILE,
  events: { stop: {}, pay: {} },
  transitions: [FRAGILE.transitions[0], transition('pay', 'on', 'on', { kind: 'event', event: 'pay' }, { post })],
});

test('a transfer names its payer, and balances are read by contract and by machine', async () => {
  const slug = await machine();
  const unpaid = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
    as: 'admin',
    json: { definition: paying(token('transfer', '1000000000000', { to: '"bob"' })) },
  });
  expect([unpaid.status, unpaid.json().error]).toEqual([
    422,
    'transitions.pay.post.0.token.from is missing; a transfer names its payer, and mint creates tokens.',
  ]);
  const id = await deploy(
    slug,
    paying(token('mint', '10', { to: '"ann"' }), token('transfer', '3', { from: '"ann"', to: '"bob"' })),
  );
  const points = paying({ token: { op: 'mint', token: 'points', amount: '5', to: '"ann"' } });
  const other = await deploy(slug, points);
  const rows = async (path: string) => (await request(`GET /api/chain/${slug}${path}`, 'admin')).rows;
  expect(await rows('/balances')).toEqual([]);
  await event(slug, 'pay');
  const eur = [
    { token: 'eur', holder: 'ann', amount: 7 },
    { token: 'eur', holder: 'bob', amount: 3 },
  ];
  const ofPoints = { token: 'points', holder: 'ann', amount: 5 };
  expect(await rows(`/contracts/${id}/balances`)).toEqual(eur);
  expect(await rows(`/contracts/${other}/balances`)).toEqual([ofPoints]);
  const paged: unknown[] = [];
  let cursor = '';
  do {
    const page = await request(`GET /api/chain/${slug}/balances?limit=1${cursor}`, 'admin');
    paged.push(...(page.rows as unknown[]));
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  expect(paged).toEqual([...eur, ofPoints]);
  const bad = await service.call(`GET /api/chain/${slug}/balances?cursor=WyJhIl0`, { as: 'admin' });
  expect([bad.status, bad.json().error]).toEqual([
    422,
    'The cursor is not one that a list has answered; begin again without it.',
  ]);
});

test('a setting that nothing reads is refused', async () => {
  const slug = await machine();
  const answer = await service.call(`PATCH /api/chain/${slug}/settings`, { as: 'admin', json: { retention: 5 } });
  expect([answer.status, answer.json().error]).toEqual([422, expect.stringContaining('Unknown field "retention"')]);
});
