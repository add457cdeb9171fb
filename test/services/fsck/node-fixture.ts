// A node that has seen everything: machines with trees of several levels, contracts in every status, tokens, webhooks, an
// erased payload, settings that were changed; whoever may use them; and all that ties machines to each other.

import { TICK_NS } from '../../../src/core/clock.ts';
import { ECHO, forward, type OwnMachines, ownMachines } from '../../http/own-machines.ts';
import { type Json, startService, type TestService } from '../../http/service.ts';
import { letIn } from './rights-fixture.ts';
import { TIED, tie } from './ties-fixture.ts';

/** Waits for long, and meanwhile mints and asks for webhooks. */
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

/** Spends what nobody has, and fails for it in the end. */
const POOR = {
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

export interface LivedIn {
  readonly service: TestService;
  readonly own: OwnMachines;
  /** The machine with everything, and one with little. */
  readonly slug: string;
  readonly small: string;
  /** One that is anchored in others. */
  readonly child: string;
  /** One that many may use. */
  readonly shared: string;
}

const EVENTS = 280;

export async function liveIn(...[options, environment]: Parameters<typeof startService>): Promise<LivedIn> {
  const service = await startService(options, { ...environment, ...TIED });
  const own = ownMachines(service, 'lived-in');
  const slug = await own.machine();
  const small = await own.machine();
  const post = (path: string, json: Json, status = 200) =>
    own.ask(`POST /api/chain/${slug}/${path}`, 'admin', json, status);
  const deploy = async (definition: object, more: Json = {}) =>
    ((await post('contracts/custom', { definition, ...more }, 201)).contract as { id: string }).id;
  const sign = async () => {
    forward(service, 100n * TICK_NS);
    await service.running.services.trees.sweep((ids) => service.running.storage.machines.byIds(ids, false), 10);
  };
  await deploy(ECHO);
  const watch = await deploy(WATCH, { parameters: { coins: 5 }, name: 'the watch' });
  const paused = await deploy(WATCH);
  const frozen = await deploy(WATCH);
  await post('contracts', { template_id: 'rate-limiter' }, 201);
  await post(`contracts/${paused}/pause`, {});
  await post(`contracts/${frozen}/freeze`, {});
  for (let i = 0; i < 4; i++)
    await own.event(slug, i % 2 === 0 ? 'ping' : 'poke', {
      id: `first-${i}`,
      ...(i % 2 === 0 ? { payload: { n: i } } : {}),
    });
  await sign();
  await own.ask(`PATCH /api/chain/${slug}/contracts/${watch}`, 'admin', { parameters: { coins: 7 }, name: 'renamed' });
  await Promise.all(
    Array.from({ length: EVENTS }, (_, i) =>
      own.event(slug, 'tick', { id: `tick-${i}`, payload: { i, text: 'ä€😀' } }),
    ),
  );
  await sign();
  await own.event(slug, 'poke', { id: 'poke-more' });
  await own.event(slug, 'halt', { id: 'halt' });
  await deploy(POOR);
  for (let i = 0; i < FAILURES; i++) {
    await own.event(slug, 'spend', { id: `spend-${i}` });
    forward(service, TICK_NS);
  }
  const settings = { name: 'lived in', description: 'with everything', is_public: true, retention: 1_000_000 };
  await own.ask(`PATCH /api/chain/${slug}/settings`, 'admin', settings);
  const [victim] = (await own.rows(slug)).filter(({ type }) => type === 'event').slice(5);
  await own.ask(`POST /api/chain/${slug}/erase`, 'admin', { seq: victim?.seq, reason: 'asked for' }, 201);
  await own.event(small, 'tick', { id: 'only' });
  const child = await tie(service, own, small);
  const shared = await letIn(service, own);
  return { service, own, slug, small, child, shared };
}
