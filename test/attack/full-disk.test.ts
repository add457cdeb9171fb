// A disk that fills: callers stop writing before the database stops, and timers, reads and revocations go on.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { SPARING } from '../../src/operations/invoke.ts';
import { advanceClock, ownMachines } from '../http/machine-fixture.ts';
import { type Call, startService } from '../http/service-fixture.ts';
import { RpcClient } from '../mcp/rpc-client.ts';

const { lowBytes, fullBytes } = LIMITS.freeSpace;
let free: number | undefined;
const service = await startService({ freeBytes: async () => free });
const { running } = service;
const own = ownMachines(service, 'disk');
const HEAT = { dim: 1, nx: 9, steps: 2 };
const rpc = new RpcClient(running.url);
const PATIENCE = { timeout: 10_000, interval: 50 };
/** A contract that rings once, after half a minute. */
const BELL = {
  name: 'bell',
  version: '1.0',
  operators: ['KO42'],
  initial: 'silent',
  emits: ['rung'],
  states: { silent: { role: 'initial' }, loud: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      ...{ id: 'ring', from: 'silent', to: 'loud', operator: 'KO42', proof: false },
      trigger: { kind: 'one_shot', after: 'PT30S' },
      post: [{ emit: 'rung' }],
    },
  ],
};
const LONG = 'x'.repeat(LIMITS.uncountedBytes + 1);

async function leave(bytes: number | undefined): Promise<void> {
  free = bytes;
  await running.services.freeSpace.refresh();
}

async function refused(route: string, call: Call): Promise<void> {
  const answer = await service.call(route, call);
  expect([answer.status, answer.json().code], answer.text.slice(0, 300)).toEqual([507, 'STORAGE_FULL']);
  expect(answer.headers.get('retry-after')).toBe('60');
}

async function taken(route: string, call: Call): Promise<void> {
  const answer = await service.call(route, call);
  expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(300);
}

const event = (payload: object): Call => ({ as: 'admin', json: { name: 'noted', payload } });
const filed: Call = { as: 'admin', json: { ...HEAT, folder: 'kept' } };
const keyed = (key: string): Call => ({ as: 'admin', json: HEAT, headers: { 'idempotency-key': key } });

test('a low disk: nothing long is stored; short writes, computations and reads go on', async () => {
  await leave(lowBytes);
  const slug = await own.machine();
  const events = `POST /api/chain/${slug}/event`;
  await taken('POST /api/svc/heat', filed);
  await taken('POST /api/svc/heat', keyed('before'));
  await leave(lowBytes - 1);
  await refused('POST /api/svc/heat', filed);
  await refused('POST /api/svc/heat', keyed('after'));
  await refused('POST /api/contracts/check', { ...keyed('check'), json: { definition: BELL } });
  await refused(events, event({ text: LONG }));
  await taken('POST /api/svc/heat', keyed('before'));
  await taken('POST /api/svc/heat', { as: 'admin', json: HEAT });
  await taken(events, event({ text: 'short' }));
  await leave(lowBytes);
  await taken(events, event({ text: LONG }));
});

test('a full disk: callers write nothing and leave no row, over HTTP and MCP; timers and reads go on', async () => {
  await leave(undefined);
  const slug = await own.machine();
  const deployed = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: BELL }, 201);
  const { id } = deployed.contract as { id: string };
  const before = await own.rows(slug);
  await leave(fullBytes - 1);
  await refused(`POST /api/chain/${slug}/event`, event({ text: 'short' }));
  await refused('POST /api/chain/state-machines', { as: 'admin', json: { slug: 'disk-another' } });
  await refused('POST /api/demo-key/mint', {});
  const told = await rpc.call('svc_contract_deploy', { slug, definition: BELL }, { key: service.keys.admin });
  expect(told.isError).toBe(true);
  expect(JSON.stringify(told)).toContain('STORAGE_FULL');
  expect(await own.rows(slug)).toHaveLength(before.length);
  advanceClock(service, 60_000_000_000n);
  const read = () => own.request(`GET /api/chain/${slug}/contracts/${id}`, 'admin');
  await expect.poll(async () => (await read()).contract, PATIENCE).toMatchObject({ currentState: 'loud' });
  await leave(undefined);
  await own.event(slug, 'short');
});

test('a full disk takes what frees space or takes rights away', async () => {
  await leave(undefined);
  const slug = await own.machine();
  const shares = `POST /api/chain/state-machines/${slug}/share`;
  await taken(`${shares}/set`, { as: 'admin', json: { label: 'reader' } });
  await leave(0);
  await taken(`${shares}/disable`, { as: 'admin', json: {} });
  await taken(`PATCH /api/chain/${slug}/settings`, { as: 'admin', json: { is_public: false } });
  await leave(undefined);
  const names: ReadonlySet<string> = new Set(OPERATIONS.map(({ name }) => name));
  for (const name of SPARING) expect(names.has(name), name).toBe(true);
});
