// Checks and simulations of definitions that are not deployed, over HTTP: anybody's documents, in bounded time.

import { describe, expect, test } from 'vitest';
import { TEMPLATES } from '../../src/templates/load.ts';
import { ORDERS } from '../contracts/instances/orders.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();

const post = async (route: string, json: unknown) => {
  const answer = await service.call(`POST ${route}`, { as: 'demo', json });
  return { status: answer.status, body: answer.json() };
};
const check = (json: unknown) => post('/api/contracts/check', json);
const simulate = (json: unknown) => post('/api/contracts/simulate', json);

const escrow = TEMPLATES.get('escrow-dispute-window');
const { definition, scenarios = [] } = escrow ?? {};

test('a sound definition is explained with the names of its parties, and bound to its hash', async () => {
  const { status, body } = await check({ definition, names: { buyer: 'Ann Smith' } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ok: true, sound: true, faults: [], warnings: [] });
  const explanation = body.explanation as Json;
  expect(explanation.definition_hash).toBe(body.definition_hash);
  expect(JSON.stringify(explanation)).toContain('the buyer (Ann Smith) sends');
});

test('a document of another form is answered by its faults', async () => {
  const { status, body } = await check({ definition: { ...definition, transitions: 'none', intial: 'x' } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ sound: false, definition_hash: null, explanation: null });
  const faults = body.faults as Json[];
  expect(faults.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['/transitions', '/intial']));
  expect(faults.find(({ pointer }) => pointer === '/intial')).toMatchObject({
    got: 'x',
    fix: expect.stringContaining('initial'),
  });
});

test('what is not sound is not simulated', async () => {
  const { body } = await simulate({ definition: { ...definition, initial: 'nowhere' }, scenarios });
  expect(body).toMatchObject({ sound: false, met: false, scenarios: [], coverage: null });
});

test('the scenarios of a template are met, and cover it', async () => {
  const { status, body } = await simulate({ definition, scenarios });
  expect(status).toBe(200);
  expect(body).toMatchObject({ sound: true, met: true });
  expect(body.scenarios).toHaveLength(scenarios.length);
  const { transitions } = body.coverage as { transitions: { covered: number; total: number } };
  expect(transitions.covered).toBe(transitions.total);
});

test('an unmet expectation and a misspelt event are told, the others run', async () => {
  const steps = [{ send: 'depositt', by: 'buyer' }];
  const wrong = { name: 'wrong', steps: [{ at: 1, expect: { state: 'funded' } }] };
  const { body } = await simulate({ definition, scenarios: [{ name: 'misspelt', steps }, wrong] });
  expect(body).toMatchObject({
    met: false,
    scenarios: [
      {
        met: false,
        faults: [{ pointer: '/steps/0/send', fix: 'Write deposit, if that is what you mean.' }],
        steps: [],
      },
      { met: false, faults: [], steps: [{ mismatches: ['the state is awaiting_deposit, not funded'] }] },
    ],
  });
});

test('a key is needed, and a scenario without steps is refused by its field', async () => {
  expect((await service.call('POST /api/contracts/check', { json: { definition } })).status).toBe(401);
  const { status, body } = await simulate({ definition, scenarios: [{ name: 'x', steps: [] }] });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain('0.steps');
});

test('a definition that fires for ever ends at the limit, while others are answered', async () => {
  const ticking = {
    name: 'ticking',
    version: '1.0',
    operators: ['KO42'],
    initial: 'a',
    context: { n: { type: 'number', initial: 0 } },
    events: { stop: {} },
    states: { a: { role: 'initial' }, b: { role: 'terminal' } },
    transitions: [
      {
        id: 'tick',
        from: 'a',
        to: 'a',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'recurring', every: 1 },
        post: [{ set: { n: 'n + 1' } }],
      },
      { id: 'stop', from: 'a', to: 'b', operator: 'KO42', proof: false, trigger: { kind: 'event', event: 'stop' } },
    ],
  };
  const long = simulate({ definition: ticking, scenarios: [{ name: 'for ever', steps: [{ at: 2_000_000_000 }] }] });
  const other = service.call('GET /api/contracts/templates');
  expect(await Promise.race([long.then(() => 'long'), other.then(() => 'other')])).toBe('other');
  const { status, body } = await long;
  expect([status, body.code]).toEqual([422, 'BUDGET_EXCEEDED']);
});

test('the most expensive guards that a body holds keep no request waiting', async () => {
  const guard = Array.from({ length: 12 }, (_, i) => `(event.n > ${i} or event.m < ${i})`).join(' and ');
  const transitions = Array.from({ length: 96 }, (_, i) => ({
    id: `t${i}`,
    from: 'a',
    to: 'b',
    operator: 'KO42',
    proof: false,
    trigger: { kind: 'event', event: 'go' },
    fires_when: guard,
  }));
  const states = { a: { role: 'initial' }, b: { role: 'terminal' } };
  const events = { go: { payload: { n: 'number', m: 'number' } } };
  const large = { name: 'large', version: '1.0', operators: ['KO42'], initial: 'a', events, states, transitions };
  const checked = check({ definition: large });
  const other = service.call('GET /api/contracts/templates');
  expect(await Promise.race([checked.then(() => 'checked'), other.then(() => 'other')])).toBe('other');
  expect((await checked).body).toMatchObject({ sound: true });
});

describe('a contract with a key', () => {
  const order = (order_id: unknown, amount: number) => ({ send: 'order', payload: { order_id, amount } });
  const steps = [
    { at: 1, ...order('A-17', 5) },
    { at: 2, ...order('B/2', 9), expect: { instance: 'A-17', state: 'placed', context: { due: 5 } } },
    { at: 3, send: 'pay', payload: { order_id: 'A-17', amount: 5 }, expect: { instance: 'A-17', state: 'paid' } },
    { at: 4, send: 'pay', payload: { order_id: 'C', amount: 5 }, expect: { refused: ['UNKNOWN_KEY'] } },
    { at: 22, expect: { instance: 'B/2', state: 'lapsed' } },
  ];

  test('is checked, and explained as what holds for each key', async () => {
    const { body } = await check({ definition: ORDERS });
    expect(body).toMatchObject({ sound: true, faults: [] });
    expect(JSON.stringify(body.explanation)).toContain('All of this holds for each order id by itself');
  });

  test('is simulated, each instance by its key', async () => {
    const { status, body } = await simulate({ definition: ORDERS, scenarios: [{ name: 'two orders', steps }] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ sound: true, met: true });
    const [scenario] = body.scenarios as { steps: Json[] }[];
    const [, , paid, refused, lapsed] = scenario?.steps ?? [];
    expect(paid).toMatchObject({
      instance: 'A-17',
      state: 'paid',
      instances: [{ instance: 'A-17', state: 'paid', context: { paid: 5 }, next_svcond: null }],
      fired: [{ instance: 'A-17', transition: 'settle' }],
    });
    expect(refused).toMatchObject({
      instance: null,
      // Of the order that is still open.
      next_svcond: 9,
      refused: [{ instance: 'C', transition: null, code: 'UNKNOWN_KEY' }],
    });
    expect(lapsed).toMatchObject({ instance: 'B/2', state: 'lapsed', next_svcond: null });
  });

  test('an unmet expectation names the instance', async () => {
    const wrong = [...steps.slice(0, 2), { expect: { instance: 'B/2', state: 'paid' } }];
    const { body } = await simulate({ definition: ORDERS, scenarios: [{ name: 'wrong', steps: wrong }] });
    expect(body).toMatchObject({
      met: false,
      scenarios: [{ steps: [{}, {}, { mismatches: ['the state of B/2 is placed, not paid'] }] }],
    });
  });
});
