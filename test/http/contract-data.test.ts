// Collections, money, named expressions and hashes over HTTP: deployed, sent to, read, replayed, verified and amended.

import { describe, expect, test } from 'vitest';
import { type Executor, rows } from '../../src/storage/database/sql.ts';
import { close, ledger, on } from '../contracts/data/data-fixture.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { ownMachines } from './machine-fixture.ts';
import { SERVICE_DATABASES, startServiceOn } from './service-databases.ts';
import type { Json } from './service-fixture.ts';

/** Takes bids in euros, at most two bidders, and charges a fee on the highest. */
const BIDS = ledger({
  name: 'bids',
  parameters: { fee: { type: 'number', default: 0.075 } },
  context: { charged: { type: 'money<EUR>', initial: 0 } },
  collections: {
    bids: { kind: 'map', of: 'money<EUR>', max: 2 },
    log: { kind: 'list', of: 'string', max: 3, at_limit: 'drop_oldest' },
  },
  let: { best: 'max(bids, 0)', charge: 'times(best, fee)' },
  events: { bid: { payload: { who: 'string', amount: 'money<EUR>' } }, settle: {}, close: {} },
  transitions: [
    on(
      'bid',
      [
        { append: { to: 'log', value: 'event.who' } },
        { put: { into: 'bids', key: 'event.who', value: 'event.amount' } },
      ],
      { fires_when: 'event.amount > best' },
    ),
    on(
      'settle',
      [
        { token: { op: 'mint', amount: 'best', to: 'largest_key(bids, 1, "")' } },
        { token: { op: 'transfer', amount: 'charge', from: 'largest_key(bids, 1, "")', to: '"house"' } },
        { set: { charged: 'charged + charge' } },
      ],
      { proof: true, fires_when: 'count(bids) > 0' },
    ),
    close,
  ],
});

/** Another contract, which mints what is distributed. */
const MINT = ledger({
  name: 'mint',
  events: { fund: {}, close: {} },
  transitions: [on('fund', [{ token: { op: 'mint', token: 'EUR', amount: '3', to: '"pot"' } }]), close],
});

describe.each(SERVICE_DATABASES)('on $name', async ({ url }) => {
  const service = await startServiceOn(url);
  const own = ownMachines(service, `data${url === undefined ? '' : '-pg'}`);
  const { database } = service.running.storage;

  const deploy = async (slug: string, definition: object = BIDS, status = 201) =>
    own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, status);
  const start = async () => {
    const slug = await own.machine();
    const { contract } = await deploy(slug);
    return { slug, path: `/api/chain/${slug}/contracts/${String((contract as Json).id)}` };
  };
  const bid = (slug: string, who: string, amount: number) => own.event(slug, 'bid', { payload: { who, amount } });

  test('a contract keeps, shows, replays and proves what it collected', async () => {
    const { slug, path } = await start();
    await bid(slug, 'ann', 900);
    await bid(slug, 'bob', 1_100);
    expect(await bid(slug, 'ann', 1_000)).toMatchObject({ refused: [{ code: 'CONDITION' }] });
    expect(await bid(slug, 'cleo', 1_200)).toMatchObject({
      fired: [],
      refused: [
        {
          code: 'ACTION_FAILED',
          fault: 'COLLECTION_FULL',
          reason: 'bids is full: it has 2 entries, and 2 are allowed.',
        },
      ],
    });
    await own.event(slug, 'settle');
    const { contract } = await own.request(`GET ${path}`, 'admin');
    expect(contract).toMatchObject({
      // 7.5 % of 1,100 is 82.5, half of a cent: to the even 82.
      context: { charged: 82 },
      collections: {
        bids: [
          ['ann', 900],
          ['bob', 1_100],
        ],
        log: ['ann', 'bob'],
      },
    });
    expect(await own.request(`GET ${path}/balances`, 'admin')).toMatchObject({
      rows: [
        { token: 'EUR', holder: 'bob', amount: 1_018 },
        { token: 'EUR', holder: 'house', amount: 82 },
      ],
    });
    const explored = (await own.request(`GET /api/chain/${slug}/explore`, 'admin')) as { rows: Json[] };
    const refused = explored.rows.find(({ type }) => type === 'refused');
    expect(refused?.payload).toMatchObject({ code: 'ACTION_FAILED', fault: 'COLLECTION_FULL' });

    expect(
      await own.request(`POST ${path}/dry-run`, 'admin', { event: 'bid', payload: { who: 'ann', amount: 2_000 } }),
    ).toMatchObject({
      would_fire: true,
      state_before: { collections: { log: ['ann', 'bob'] } },
      state_after: {
        collections: {
          bids: [
            ['ann', 2_000],
            ['bob', 1_100],
          ],
          log: ['ann', 'bob', 'ann'],
        },
      },
    });
    const replay = await own.request(`POST ${path}/dry-run`, 'admin', { from_svcond: 0, parameters: { fee: 0.1 } });
    expect(replay).toMatchObject({
      replay: { exact: true, diverges: false },
      state_after: { context: { charged: 110 } },
    });
    expect(await own.request(`POST ${path}/verify`, 'admin', {})).toMatchObject({ valid: true });
  });

  test('a collection changed in the database is found', async () => {
    const { slug, path } = await start();
    await bid(slug, 'ann', 900);
    const edit = `update contract set collections = replace(collections, '["ann",900]', '["ann",901]') where id = ?`;
    const id = path.slice(path.lastIndexOf('/') + 1);
    expect(await faultsAfter(service, async () => {})).toEqual([]);
    expect(await faultsAfter(service, (on: Executor) => rows(on, edit, [id]))).toMatchObject([
      { table: 'contract', column: 'collections', code: 'STATE' },
    ]);
    await database.knex.raw(edit, [id]);
    expect(await own.request(`POST ${path}/verify`, 'admin', {})).toMatchObject({
      valid: false,
      first_bad: { reason: 'STATE', message: 'The collections of the contract are not those of its last transition.' },
    });
  });

  test('a new version keeps collections of the same kind, and amounts of the same currency', async () => {
    const { slug, path } = await start();
    await bid(slug, 'ann', 900);
    await own.event(slug, 'settle');
    const text = JSON.stringify(BIDS);
    const dollars = JSON.parse(text.replaceAll('EUR', 'USD')) as Json;
    await own.request(`PATCH ${path}`, 'admin', { definition: dollars });
    expect((await own.request(`GET ${path}`, 'admin')).contract).toMatchObject({
      context: { charged: 0 },
      collections: { bids: [], log: ['ann'] },
    });
    expect(await own.request(`POST ${path}/verify`, 'admin', {})).toMatchObject({ valid: true });
    const replay = await own.request(`POST ${path}/dry-run`, 'admin', { from_svcond: 0 });
    expect(replay).toMatchObject({ replay: { exact: true } });
  });

  test('the balances of a contract include what it distributed', async () => {
    const slug = await own.machine();
    const share = (who: string) => ({ put: { into: 'shares', key: `"${who}"`, value: '1' } });
    const definition = ledger({
      name: 'pot',
      collections: { shares: { kind: 'map', of: 'number', max: 2 } },
      events: { share: {}, pay: {}, close: {} },
      transitions: [
        on('share', [share('ann'), share('bob')]),
        on('pay', [{ distribute: { amount: 'money(0, "EUR")', by: 'shares', from: '"pot"' } }]),
        close,
      ],
    });
    const { contract } = await deploy(slug, definition);
    await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: MINT }, 201);
    await own.event(slug, 'share');
    await own.event(slug, 'fund');
    await own.event(slug, 'pay');
    const path = `/api/chain/${slug}/contracts/${String((contract as Json).id)}`;
    expect(await own.request(`GET ${path}/balances`, 'admin')).toMatchObject({
      rows: [{ token: 'EUR', holder: 'pot', amount: 3 }],
    });
  });

  test('a definition of the first edition with data is refused with every fault', async () => {
    const slug = await own.machine();
    const { edition: _, ...first } = BIDS as { edition: number };
    const { details } = await deploy(slug, first, 422);
    const paths = (details as { path: string; code: string }[]).filter(({ code }) => code === 'EDITION');
    expect(paths.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'collections',
        'let',
        'context.charged.type',
        'events.bid.payload.amount',
        'transitions.bid.post',
      ]),
    );
  });

  test('10^6 entries are refused by name', async () => {
    const slug = await own.machine();
    const many = JSON.parse(JSON.stringify(BIDS).replace('"max":2', '"max":1000000')) as object;
    expect(JSON.stringify(await deploy(slug, many, 422))).toContain('collections.bids.max');
  });
});
