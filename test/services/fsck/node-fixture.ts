// Fixture: a node with every feature in use. Its machines have trees of several levels, contracts in every status,
// tokens, webhooks, an erased payload, changed settings, members and keys, and connections to each other.

import { TICK_NS } from '../../../src/core/clock.ts';
import { advanceClock, ECHO, type OwnMachines, ownMachines } from '../../http/machine-fixture.ts';
import { type Json, startService, type TestService } from '../../http/service-fixture.ts';
import { createSharedMachine } from './access-fixture.ts';
import { CONNECTIONS_ENVIRONMENT, connectMachines } from './connections-fixture.ts';

/** Mints tokens and sends webhooks on an event, and has a timer far in the future. */
const WATCH = {
  name: 'watch',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  parameters: { coins: { type: 'integer', default: 3 } },
  events: { poke: {} },
  states: { waiting: { role: 'initial' }, over: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'mint',
      from: 'waiting',
      to: 'waiting',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'poke' },
      post: [
        { token: { op: 'mint', token: 'coin', amount: 'coins', to: '"alice"' } },
        { token: { op: 'transfer', token: 'coin', amount: '1', from: '"alice"', to: '"bob"' } },
        { webhook: { url: 'https://hook.invalid/poked' } },
      ],
    },
    {
      id: 'late',
      from: 'waiting',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 1_000_000 },
    },
  ],
};

/** Transfers tokens that do not exist, and fails after several attempts. */
const OVERSPENDER = {
  name: 'poor',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  events: { spend: {} },
  states: { open: { role: 'initial' }, paid: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'pay',
      from: 'open',
      to: 'paid',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'spend' },
      post: [{ token: { op: 'transfer', token: 'gold', amount: '1', from: '"nobody"', to: '"bob"' } }],
    },
  ],
};
const FAILURES = 5;

export interface NodeFixture {
  readonly service: TestService;
  readonly own: OwnMachines;
  /** The machine with every feature in use, and one with few rows. */
  readonly slug: string;
  readonly small: string;
  /** A machine anchored in others. */
  readonly child: string;
  /** A machine with many members, keys and tokens. */
  readonly shared: string;
}

const EVENTS = 280;

export async function createNodeFixture(
  ...[options, environment]: Parameters<typeof startService>
): Promise<NodeFixture> {
  const service = await startService(options, { ...environment, ...CONNECTIONS_ENVIRONMENT });
  const own = ownMachines(service, 'busy-node');
  const slug = await own.machine();
  const small = await own.machine();
  const post = (path: string, json: Json, status = 200) =>
    own.request(`POST /api/chain/${slug}/${path}`, 'admin', json, status);
  const deploy = async (definition: object, more: Json = {}) =>
    ((await post('contracts/custom', { definition, ...more }, 201)).contract as { id: string }).id;
  const sign = async () => {
    advanceClock(service, 100n * TICK_NS);
    const { services, storage } = service.running;
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
  };
  await deploy(ECHO);
  const watch = await deploy(WATCH, { parameters: { coins: 5 }, name: 'the watch' });
  const paused = await deploy(WATCH);
  const frozen = await deploy(WATCH);
  await post('contracts', { template_id: 'rate-limiter' }, 201);
  await post('contracts', { template_id: 'circuit-breaker', parameters: { cool_down: 'PT20S' } }, 201);
  await post(`contracts/${paused}/pause`, {});
  await post(`contracts/${frozen}/freeze`, {});
  for (let i = 0; i < 4; i++)
    await own.event(slug, i % 2 === 0 ? 'ping' : 'poke', {
      id: `first-${i}`,
      ...(i % 2 === 0 ? { payload: { n: i } } : {}),
    });
  await sign();
  await own.request(`PATCH /api/chain/${slug}/contracts/${watch}`, 'admin', {
    parameters: { coins: 7 },
    name: 'renamed',
  });
  await Promise.all(
    Array.from({ length: EVENTS }, (_, i) =>
      own.event(slug, 'tick', { id: `tick-${i}`, payload: { i, text: 'ä€😀' } }),
    ),
  );
  await sign();
  await own.event(slug, 'poke', { id: 'poke-more' });
  await own.event(slug, 'halt', { id: 'halt' });
  await deploy(OVERSPENDER);
  for (let i = 0; i < FAILURES; i++) {
    await own.event(slug, 'spend', { id: `spend-${i}` });
    advanceClock(service, TICK_NS);
  }
  const settings = { name: 'busy', description: 'with every feature', is_public: true, http_allow: ['rates.example'] };
  await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', settings);
  const [victim] = (await own.rows(slug)).filter(({ type }) => type === 'event').slice(5);
  await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: victim?.seq, reason: 'asked for' }, 201);
  await own.event(small, 'tick', { id: 'only' });
  await service.running.services.machines.create(undefined, { name: 'vault', is_public: false }, 'fixture');
  const child = await connectMachines(service, own, small);
  const shared = await createSharedMachine(service, own);
  await service.running.services.sealLog.record();
  return { service, own, slug, small, child, shared };
}
