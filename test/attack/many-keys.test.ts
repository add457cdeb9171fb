// Attack: one caller takes many keys to pass limits that count keys. Limits count the tenant: an account with all keys
// it minted, or an address with its demo keys and the accounts that were opened from it.

import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { type Answer, type Caller, type Json, startService } from '../http/service-fixture.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const limited = (rates: Parameters<typeof unlimitedRates>[0]) => startService({ rates: unlimitedRates(rates) });

async function mintDemo(service: Service): Promise<string> {
  return (await service.running.services.keys.mintDemo()).key;
}

/** Creates a machine as its own account would be opened: without a key, or with a demo key. */
function spinUp(service: Service, key: string | undefined): Promise<Answer> {
  return service.call('POST /api/chain/spin-up', { json: {}, ...(key === undefined ? {} : { headers: bearer(key) }) });
}

async function statuses(calls: readonly (() => Promise<Answer>)[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const call of calls) {
    const { status } = await call();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const times = <T>(count: number, each: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => each(i));

describe('400 permanent admin keys from one demo key', () => {
  test('accounts are opened at the rate of their address, with and without a key', async () => {
    const service = await limited({ spinUp: 3 });
    const keys = [await mintDemo(service), await mintDemo(service), undefined];
    expect(await statuses(times(9, (i) => () => spinUp(service, keys[i % 3])))).toEqual({ 201: 3, 429: 6 });
    const refused = await spinUp(service, keys[0]);
    expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', error: expect.stringContaining('Limit of 3') });
  });

  test('machines of an account are counted over its keys', async () => {
    const service = await limited({ machine: 3 });
    const create = (as: Caller) => () => service.call('POST /api/chain/state-machines', { as, json: {} });
    expect(await statuses([create('admin'), create('write'), create('admin'), create('write')])).toEqual({
      201: 3,
      429: 1,
    });
    expect(await statuses([create('other')])).toEqual({ 201: 1 });
  });

  test('demo keys are minted at the rate of their address', async () => {
    const service = await limited({ demoKey: 2 });
    const mint = () => service.call('POST /api/demo-key/mint', { json: {} });
    expect(await statuses(times(4, () => mint))).toEqual({ 200: 2, 429: 2 });
  });

  test('keys of accounts, developer keys and share tokens have one rate', async () => {
    const service = await limited({ key: 3 });
    const slug = await machineOf(service, 'other');
    const calls = [
      ['POST /api/keys', { name: 'a' }],
      [`POST /api/chain/${slug}/api-keys`, { name: 'b' }],
      [`POST /api/chain/state-machines/${slug}/share/set`, { label: 'c' }],
      ['POST /api/keys', { name: 'd' }],
      [`POST /api/chain/${slug}/api-keys`, { name: 'e' }],
      [`POST /api/chain/state-machines/${slug}/share/set`, { label: 'f' }],
    ] as const;
    expect(
      await statuses(
        calls.map(
          ([route, json]) =>
            () =>
              service.call(route, { as: 'other', json }),
        ),
      ),
    ).toEqual({ 201: 3, 429: 3 });
  });

  test('an account holds a limited number of keys', async () => {
    const service = await limited({});
    const { services } = service.running;
    const other = await services.access.authenticate(service.keys.other);
    const request = { name: 'x', scope: 'read', rate_limit_tier: 'free' } as const;
    const minted = await Promise.allSettled(
      times(LIMITS.keysPerAccount + 5, () => services.keys.create(other, request)),
    );
    // The first key opened the account.
    expect(minted.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMITS.keysPerAccount - 1);
    const refused = await service.call('POST /api/keys', { as: 'other', json: { name: 'y' } });
    expect(refused.status).toBe(409);
    expect(refused.json().error).toContain(`Limit of ${LIMITS.keysPerAccount} keys`);
  });
});

test('what an expiring key mints does not outlive it', async () => {
  const service = await limited({});
  const { services, clock } = service.running;
  const slug = await machineOf(service, 'other');
  const endMs = Number(clock.now() / 1_000_000n) + 60_000;
  const end = (ms: number) => ({ expires_at: new Date(ms).toISOString() });
  const request = { name: 'x', scope: 'admin', rate_limit_tier: 'free', ...end(endMs) } as const;
  const owner = await services.access.authenticate(service.keys.other);
  const headers = bearer((await services.keys.create(owner, request)).key);
  for (const [route, json] of [
    ['POST /api/keys', { name: 'a' }],
    [`POST /api/chain/${slug}/api-keys`, { name: 'b' }],
    [`POST /api/chain/state-machines/${slug}/share/set`, { label: 'c' }],
  ] as const) {
    const outcomes = [];
    for (const fields of [{}, end(endMs + 1), end(endMs)])
      outcomes.push((await service.call(route, { headers, json: { ...json, ...fields } })).status);
    expect([route, outcomes]).toEqual([route, [403, 403, 201]]);
  }
});

async function machineOf(service: Service, as: Caller): Promise<string> {
  const made = await service.call('POST /api/chain/state-machines', { as, json: {} });
  return (made.json().machine as Json).slug as string;
}

describe('9,600 requests in 4 s with ten keys', () => {
  const RATE = 8;
  const pulse = (service: Service, key: string) => () => service.call('GET /api/svc/pulse', { headers: bearer(key) });

  test('accounts that one address opened share the rate of that address', async () => {
    const service = await limited({ demo: RATE, free: RATE });
    const demo = await mintDemo(service);
    const keys = [demo];
    for (const creator of [demo, undefined, demo]) keys.push((await spinUp(service, creator)).json().key as string);
    const used = await service.call('GET /api/svc/pulse', { headers: bearer(demo) });
    // Two of the demo key's requests made machines.
    expect(used.headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${RATE - 3};`));
    const calls = times(4 * RATE, (i) => pulse(service, keys[i % keys.length] ?? ''));
    expect(await statuses(calls)).toEqual({ 200: RATE - 3, 429: 3 * RATE + 3 });
  });

  test('keys of an account and developer keys of its machines share its rate', async () => {
    const service = await limited({ standard: RATE });
    const { services } = service.running;
    const owner = await services.access.authenticate(service.keys.other);
    const request = { name: 'x', scope: 'read', rate_limit_tier: 'standard' } as const;
    const keys = [(await services.keys.create(owner, request)).key, (await services.keys.create(owner, request)).key];
    for (let i = 0; i < 2; i++) {
      const slug = await machineOf(service, 'other');
      const by = await services.access.authenticate(service.keys.other);
      const machine = await services.machines.find(slug, by, 'admin');
      keys.push((await services.developerKeys.create(machine, by, request)).key);
    }
    const calls = times(3 * RATE, (i) => pulse(service, keys[i % keys.length] ?? ''));
    expect(await statuses(calls)).toEqual({ 200: RATE, 429: 2 * RATE });
  });

  test('share tokens share the rate of the address that uses them', async () => {
    const service = await limited({ free: RATE });
    const slug = await machineOf(service, 'other');
    const share = { as: 'other', json: { label: 'x' } } as const;
    const tokens = await Promise.all(
      times(4, () => service.call(`POST /api/chain/state-machines/${slug}/share/set`, share)),
    );
    const keys = tokens.map((answer) => answer.json().token as string);
    const read =
      (key = '') =>
      () =>
        service.call(`GET /api/chain/${slug}/state`, { headers: bearer(key) });
    expect(await statuses(times(2 * RATE, (i) => read(keys[i % keys.length])))).toEqual({ 200: RATE, 429: RATE });
  });

  test('a small key leaves a large one of its account what it did not use', async () => {
    const service = await limited({ standard: 5, high: 50 });
    const { services } = service.running;
    const owner = await services.access.authenticate(service.keys.other);
    const small = await services.keys.create(owner, { name: 'x', scope: 'read', rate_limit_tier: 'standard' });
    // Half of the minute.
    await statuses(times(25, () => pulse(service, service.keys.other)));
    expect(await statuses(times(4, () => pulse(service, small.key)))).toEqual({ 200: 2, 429: 2 });
    expect(await statuses(times(10, () => pulse(service, service.keys.other)))).toEqual({ 200: 5, 429: 5 });
  });
});

test('90 calls of a playground of 30: keys of one tenant share it', async () => {
  const service = await limited({ playground: 3 });
  const json = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 3, m: 9.1e-31, L: 2.5e-9 } };
  const call = (headers: Record<string, string>) => () =>
    service.call('POST /api/playground/compute', { json, headers });
  const demo = [await mintDemo(service), await mintDemo(service)];
  const outcomes = await statuses([call({}), ...[...demo, ...demo].map((key) => call(bearer(key)))]);
  expect(outcomes[429]).toBe(2);
  const account = [service.keys.read, service.keys.write, service.keys.admin, service.keys.write];
  expect((await statuses(account.map((key) => call(bearer(key)))))[429]).toBe(1);
});

test('wrong equations for decryption: calls of one tenant share those of a machine, and right ones do not count', async () => {
  const service = await limited({ unlock: 3 });
  const owned = async () => {
    const answer = await service.call('POST /api/chain/state-machines', { json: { is_public: false } });
    const { equation, key, machine } = answer.json() as { equation: string; key: string; machine: Json };
    return (digit = '') =>
      service.call(`POST /api/chain/${machine.slug}/audit/decrypt`, {
        headers: bearer(key),
        json: { equation: `${equation}${digit}` },
      });
  };
  const [decrypt, decryptOther] = [await owned(), await owned()];
  expect(await statuses(times(4, () => () => decrypt()))).toEqual({ 200: 4 });
  expect(await statuses(times(5, () => () => decrypt('0')))).toEqual({ 403: 3, 429: 2 });
  // Another owner behind the same address.
  expect((await decryptOther()).status).toBe(200);
  const refused = await decrypt();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('reports in the chain of the node: keys of one tenant share a rate, those of a machine of their own have none', async () => {
  const service = await limited({ nodeReport: 2 });
  const slug = await machineOf(service, 'admin');
  const json = { code: 'RATE_LIMITED', route: 'GET /api/x', detail_sha256: '0'.repeat(64), severity: 'info' };
  const report =
    (key: string, more: Json = {}) =>
    () =>
      service.call('POST /api/chain/rejection-log', { headers: bearer(key), json: { ...json, ...more } });
  const { admin, write } = service.keys;
  expect(await statuses([admin, write, admin, write].map((key) => report(key)))).toEqual({ 201: 2, 429: 2 });
  expect(await statuses(times(3, () => report(admin, { slug })))).toEqual({ 201: 3 });
});

test('25 of 5 attempts to unlock: keys of one tenant share them', async () => {
  const service = await limited({ unlock: 3 });
  const slug = await machineOf(service, 'other');
  const guess = (headers: Record<string, string>) => () =>
    service.call(`POST /api/chain/${slug}/unlock`, { json: { equation: 'x' }, headers });
  const keys = [service.keys.read, service.keys.write, service.keys.admin, service.keys.write, service.keys.read];
  expect(await statuses(keys.map((key) => guess(bearer(key))))).toEqual({ 404: 3, 429: 2 });
  const demo = [await mintDemo(service), await mintDemo(service)];
  const address = [guess({}), ...[...demo, ...demo].map((key) => guess(bearer(key)))];
  expect(await statuses(address)).toEqual({ 404: 3, 429: 2 });
});

test('102 keys for all 2,000 streams: those of one tenant have a limited number', async () => {
  const service = await limited({});
  const { services, url, streams } = service.running;
  const owner = await services.access.authenticate(service.keys.other);
  const { perCaller, perTenant } = LIMITS.stream;
  const request_ = { name: 'x', scope: 'read', rate_limit_tier: 'free' } as const;
  const keys = await Promise.all(times(perTenant / perCaller + 2, () => services.keys.create(owner, request_)));
  const agent = new Agent({ keepAlive: false });
  const opened: IncomingMessage[] = [];
  const open = (key: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/api/svc/pulse/stream`, { agent, headers: bearer(key) }, (response) => {
        opened.push(response);
        response.on('error', () => undefined);
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });
  try {
    const answers = await Promise.all(keys.flatMap(({ key }) => times(perCaller, () => open(key))));
    expect(answers.filter((status) => status === 200)).toHaveLength(perTenant);
    expect(answers.filter((status) => status === 429)).toHaveLength(2 * perCaller);
    expect(await open(service.keys.admin)).toBe(200);
  } finally {
    for (const response of opened) response.destroy();
  }
  await expect.poll(() => streams.count()).toBe(0);
});
