// Attack: a caller repeats refused calls over a door that answers them at once. Refusals of a tenant beyond its first of
// a second wait, whether they came over HTTP, MCP or WebSocket.

import { beforeEach, expect, test, vi } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { connectSocket } from '../streams/socket-client.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

const service = await startService({ rates: unlimitedRates({ playground: 1 }) });
const { url, services } = service.running;
const rpc = new RpcClient(url);

const COMPUTATION = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 3, m: 9.1e-31, L: 2.5e-9 } };

/** Holds each refusal until the test lets it go. */
let held: { readonly tenant: string; readonly send: () => void }[] = [];

beforeEach(() => {
  held = [];
  vi.spyOn(services.refusalDelay, 'wait').mockImplementation(async (error, tenantOf) => {
    if ((error as { code?: string }).code !== 'RATE_LIMITED') return;
    await new Promise<void>((send) => held.push({ tenant: tenantOf(), send }));
  });
});

/** Expects no answer while the refusal is held. */
async function expectHeld<Result>(answer: Promise<Result>, tenant: string): Promise<Result> {
  let isAnswered = false;
  void answer.then(() => {
    isAnswered = true;
  });
  await expect.poll(() => held.length, { timeout: 5_000 }).toBe(1);
  // An answer that was sent before would have arrived with this one.
  expect((await service.call('GET /api/svc/pulse')).status).toBe(200);
  expect(isAnswered).toBe(false);
  expect(held[0]?.tenant).toBe(tenant);
  held[0]?.send();
  return answer;
}

/** A computation without a key, beyond the limit of its address. */
const refusedBody = async () => {
  await services.rateLimit.admit('playground', addressTenant).catch(() => {});
  return COMPUTATION;
};

const addressTenant = services.rateLimit.tenantOf(undefined, '127.0.0.1');

test('a refusal over HTTP', async () => {
  const call = service.call('POST /api/playground/compute', { json: await refusedBody() });
  expect((await expectHeld(call, addressTenant)).status).toBe(429);
});

test('a refused tool', async () => {
  const call = rpc.call('svc_http', { method: 'POST', path: '/api/playground/compute', body: await refusedBody() });
  const { isError, structuredContent } = await expectHeld(call, addressTenant);
  expect({ isError, code: structuredContent.code }).toEqual({ isError: true, code: 'RATE_LIMITED' });
});

test('a refused message of a WebSocket; the next one of its connection waits behind it', async () => {
  const socket = await connectSocket(url);
  const principal = await services.access.authenticate(service.keys.write);
  socket.send({ op: 'auth', key: service.keys.write });
  expect(await socket.receive()).toMatchObject({ ok: true });
  const consume = vi.spyOn(services.rateLimit, 'consume');
  consume.mockResolvedValueOnce({ limit: 1, remaining: 0, resetSeconds: 60, isExceeded: true });
  socket.send({ op: 'cancel', id: 'first' });
  socket.send({ op: 'cancel', id: 'second' });
  const tenant = services.rateLimit.tenantOf(principal, '127.0.0.1');
  expect(await expectHeld(socket.receive(), tenant)).toMatchObject({ code: 'RATE_LIMITED' });
  expect(await socket.receive()).toMatchObject({ code: 'NOT_FOUND' });
  socket.socket.close();
});

test('a refused run of a WebSocket', async () => {
  const socket = await connectSocket(url);
  vi.spyOn(service.running.pool, 'run').mockRejectedValueOnce(new DomainError('RATE_LIMITED', 'Too many runs.'));
  socket.send({ op: 'auth', key: service.keys.write });
  expect(await socket.receive()).toMatchObject({ ok: true });
  socket.send({ op: 'solve', solver: 'heat', id: 'a', input: { dim: 2, nx: 48, steps: 400, method: 'implicit' } });
  expect(await socket.receive()).toMatchObject({ ok: true, op: 'solve' });
  const principal = await services.access.authenticate(service.keys.write);
  const tenant = services.rateLimit.tenantOf(principal, '127.0.0.1');
  expect(await expectHeld(socket.receive(), tenant)).toMatchObject({ code: 'RATE_LIMITED', id: 'a' });
  socket.socket.close();
});

test('a refused upgrade', async () => {
  vi.spyOn(services.rateLimit, 'consume').mockImplementationOnce(async () => ({
    ...{ limit: 1, remaining: 0, resetSeconds: 60, isExceeded: true },
  }));
  const refused = connectSocket(url).catch((error: { status: number }) => error.status);
  expect(await expectHeld(refused, addressTenant)).toBe(429);
});
