// Size and rate limits: excess requests are rejected with a reason, and the caller can continue.

import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';
import { startService } from './service-fixture.ts';

/** `standard` is small here: its key is made by the test of the rate. */
const RATES = unlimitedRates({ demo: 4, standard: 3, playground: 2, unlock: 2 });
const service = await startService({ rates: RATES });
const { url, services } = service.running;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** One request on the only connection of `agent`. */
function post(body: Buffer | string, headers: Record<string, string | number> = {}) {
  const { hostname, port } = new URL(url);
  return new Promise<{ status: number; body: unknown; localPort: number | undefined }>((resolve, reject) => {
    const all = { 'content-type': 'application/json', authorization: `Bearer ${service.keys.write}`, ...headers };
    const sent = request(
      { agent, hostname, port, method: 'POST', path: '/api/svc/heat', headers: all },
      async (response) => {
        const { localPort } = response.socket;
        resolve({ status: response.statusCode ?? 0, body: await json(response), localPort });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('a body of 10 MB', () => {
  const large = Buffer.alloc(10_000_000, 0x20);

  test('is rejected, and its connection stays open', async () => {
    const refused = await post(large, { 'content-length': large.length });
    expect(refused).toMatchObject({ status: 413, body: { ok: false, code: 'BODY_TOO_LARGE' } });
    const next = await post('{"dim": 1, "nx": 8}');
    expect(next.status).toBe(200);
    expect(next.localPort).toBe(refused.localPort);
  });

  test('without Content-Length is rejected too', async () => {
    const refused = await post(large, { 'transfer-encoding': 'chunked' });
    expect(refused).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect((await post('{"dim": 1, "nx": 8}')).status).toBe(200);
  });

  test('and without a key is a 401', async () => {
    const refused = await post(large, { authorization: '', 'content-length': large.length });
    expect(refused.status).toBe(401);
  });

  test('the limit is exact to the byte', async () => {
    const body = (bytes: number) => `{"query":"a"}${' '.repeat(bytes - 13)}`;
    expect((await post(body(LIMITS.body.bytes + 1))).status).toBe(413);
    expect((await post(body(LIMITS.body.bytes))).status).toBe(200);
  });
});

test('a client that disconnects in the middle of a body does not disturb the service', async () => {
  const { hostname, port } = new URL(url);
  for (const body of ['{"nx"', '']) {
    const socket = connect(Number(port), hostname);
    const head = `POST /api/svc/heat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.keys.write}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n${body}`);
    await sleep(30);
    socket.destroy();
  }
  expect((await post('{"dim": 1, "nx": 8}')).status).toBe(200);
});

describe('rates', () => {
  test('a key beyond its rate is rejected until its minute ends', async () => {
    const { key } = await services.keys.openAccount({ name: 'slow', scope: 'read', rate_limit_tier: 'standard' });
    const headers = { authorization: `Bearer ${key}` };
    for (let left = RATES.standard - 1; left >= 0; left--) {
      const answer = await service.call('GET /api/svc/pulse', { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe(`"minute";q=${RATES.standard};w=60`);
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${left};t=\\d+$`));
      expect(answer.headers.get('retry-after')).toBeNull();
    }
    const refused = await service.call('GET /api/svc/pulse', { headers });
    expect([refused.status, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toBe(`"minute";r=0;t=${wait}`);
    // The refusal comes before the body and before the tier.
    const write = await service.call('POST /api/keys', { headers, body: '{' });
    expect([write.status, write.headers.get('access-control-allow-origin')]).toEqual([429, '*']);
    expect((await service.call('GET /api/svc/pulse', { as: 'write' })).status).toBe(200);
  });

  test('another demo key does not raise the limit', async () => {
    for (let i = 0; i < RATES.demo; i++)
      expect((await service.call('GET /api/svc/pulse', { as: 'demo' })).status).toBe(200);
    const { key } = await services.keys.mintDemo();
    const answer = await service.call('GET /api/svc/pulse', { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(429);
  });
});
