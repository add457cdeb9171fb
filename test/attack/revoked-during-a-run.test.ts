// A key that is revoked while its run is computed: the run is not filed and leaves no arrays, over HTTP and MCP. One that
// is not to be filed is answered, as a call that ended a moment before.

import { expect, test } from 'vitest';
import { rows } from '../../src/storage/database/sql.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient } from '../mcp/rpc-client.ts';

const service = await startService();
const { services, storage, url } = service.running;
const PLATE = { dim: 2, nx: 96, ny: 96, dt: 1e-6, steps: 4_000 };

const countOf = async (table: 'run' | 'field') =>
  (await rows<{ count: number }>(storage.database.knex, `select count(*)::int as count from ${table}`))[0]?.count;

/** Revokes the key of a call as soon as a worker computes its run. @returns what `call` returns */
async function revokedDuring<Result>(call: (key: string) => Promise<Result>): Promise<Result> {
  const { key, record } = await services.keys.openAccount({ name: 'x', scope: 'admin', rate_limit_tier: 'high' });
  const principal = await services.access.authenticate(key);
  const answered = call(key);
  const running = () => Number(/^svc_kernel_runs\{state="running"\} (\d+)$/m.exec(services.metrics.text())?.[1]);
  await expect.poll(running, { interval: 5, timeout: 20_000 }).toBe(1);
  await services.keys.revoke(principal, record.id);
  const result = await answered;
  await expect(services.access.authenticate(key)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  return result;
}

const overHttp = (json: object) => (key: string) =>
  service.call('POST /api/svc/heat', { json, headers: { authorization: `Bearer ${key}` } });

test('over HTTP a run to be filed is refused, and nothing of it is stored', async () => {
  const refused = await revokedDuring(overHttp({ ...PLATE, folder: 'kept' }));
  expect([refused.status, refused.json().code]).toEqual([401, 'KEY_REVOKED']);
  expect([await countOf('run'), await countOf('field')]).toEqual([0, 0]);
});

test('over MCP too', async () => {
  const mcp = new RpcClient(url);
  const refused = await revokedDuring((key) => mcp.call('svc_heat', { ...PLATE, folder: 'kept' }, { key }));
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).toContain('KEY_REVOKED');
  expect([await countOf('run'), await countOf('field')]).toEqual([0, 0]);
});

test('a run that is not filed is answered', async () => {
  const answered = await revokedDuring(overHttp(PLATE));
  expect([answered.status, await countOf('run')]).toEqual([200, 0]);
});
