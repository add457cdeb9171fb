// Requests that leave much in the database: filed runs, answers kept for retries, and rows of machines.
//
// One demo key filed 500 kB with every request, and again under each Idempotency-Key: 600 MB a minute.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { nodeMaintenance } from '../../src/services/node/maintenance.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { ownMachines } from '../http/machine-fixture.ts';
import { type Call, startService } from '../http/service-fixture.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

const MAX_STORED = 200_000;
const service = await startService({
  rates: unlimitedRates({ addressStored: MAX_STORED, accountStored: MAX_STORED }),
});
const { database } = service.running.storage;
const own = ownMachines(service, 'stored');

const PLATE = { dim: 2, nx: 40, ny: 40, steps: 2, self_contained: true };
const REQUESTS = 12;

async function bytesOf(table: 'run' | 'idempotency', column: 'envelope' | 'body'): Promise<number> {
  const sum = `select coalesce(sum(octet_length(${column})), 0)::bigint as bytes from ${table}`;
  return (await rows<{ bytes: number }>(database.knex, sum))[0]?.bytes ?? 0;
}

/** Sends a request until it is refused. @returns how many were accepted, and the bytes of the longest */
async function sendUntilRefused(route: string, callOf: (n: number) => Call) {
  let longest = 0;
  for (let n = 0; n < REQUESTS; n++) {
    const answer = await service.call(route, callOf(n));
    if (answer.status === 429) {
      expect(answer.json().error).toContain(`${MAX_STORED} stored bytes per day`);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60);
      return { accepted: n, longest };
    }
    expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(300);
    longest = Math.max(longest, answer.text.length);
  }
  throw new Error(`${REQUESTS} requests were accepted.`);
}

test('filed runs of an address, over all its demo keys, are limited; runs that are not filed go on', async () => {
  const second = (await service.running.services.keys.mintDemo()).key;
  const { accepted, longest } = await sendUntilRefused('POST /api/svc/heat', (n) => ({
    json: { ...PLATE, folder: 'kept' },
    ...(n % 2 === 0 ? { as: 'demo' } : { headers: { authorization: `Bearer ${second}` } }),
  }));
  expect(accepted).toBeGreaterThan(1);
  expect(await bytesOf('run', 'envelope')).toBeLessThan(MAX_STORED + longest + accepted * LIMITS.uncountedBytes);
  expect((await service.call('POST /api/svc/heat', { as: 'demo', json: PLATE })).status).toBe(200);
});

test('answers kept for retries are limited, and a retry still gets the one that is kept', async () => {
  const keyed = (n: number): Call => ({
    ...{ as: 'other', json: { equations: ['y = 2 + x'], x: n, self_contained: true } },
    headers: { 'idempotency-key': `storage-${n}` },
  });
  const plate = (n: number): Call => ({ ...keyed(n), json: PLATE });
  const filed = await bytesOf('run', 'envelope');
  const { accepted, longest } = await sendUntilRefused('POST /api/svc/heat', plate);
  const kept = (await bytesOf('idempotency', 'body')) + (await bytesOf('run', 'envelope')) - filed;
  expect(kept).toBeLessThan(MAX_STORED + 2 * longest + 4 * accepted * LIMITS.uncountedBytes);
  const retried = await service.call('POST /api/svc/heat', plate(0));
  expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
});

test('bytes written to machines are limited by account; short writes and other accounts go on', async () => {
  const slug = await own.machine();
  const payload = { text: 'x'.repeat(60_000) };
  const { accepted } = await sendUntilRefused(`POST /api/chain/${slug}/event`, () => ({
    as: 'admin',
    json: { name: 'wide', payload },
  }));
  expect(accepted).toBe(Math.ceil(MAX_STORED / 59_000));
  // Beside the first row of the machine.
  expect(await own.rows(slug)).toHaveLength(accepted + 1);
  await own.event(slug, 'short');
  // A caller whose bytes are used up can still put an end to its keys.
  await own.request('POST /api/chain/state-machines', 'admin', { slug: 'stored-second', is_public: true }, 201);
});

test('maintenance deletes in one run all that has expired, however much came in a minute', async () => {
  const { storage, clock } = service.running;
  const expired = 1_200;
  const nowMs = Number(clock.now() / 1_000_000n);
  await rows(
    database.knex,
    `insert into idempotency (principal, key, route, body_sha256, state, owner, lease_until, expires_at, status, headers, body)
     select 'nobody', n::text, 'POST /', decode(repeat('00', 32), 'hex'), 'done', gen_random_uuid(), ?, ?, 200, '{}', ''
     from generate_series(1, ?::int) as n`,
    [new Date(nowMs - 2_000).toISOString(), new Date(nowMs - 1_000).toISOString(), expired],
  );
  let runs = 0;
  let finish = () => {};
  const ran = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const countRuns = async () => {
    if (++runs === 2) finish();
  };
  const maintenance = nodeMaintenance({ ...service.running, storage, clock } as never, [countRuns], 5);
  maintenance.start();
  await ran;
  await maintenance.stop();
  const left = await rows(database.knex, `select 1 from idempotency where principal = 'nobody'`);
  expect(left.length).toBe(0);
});
