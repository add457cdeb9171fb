// Callers behind trusted proxies: their address, their rate and the address of the service as they see it.

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { ForwardedHeaders } from '../../src/services/access/forwarded-headers.ts';
import { connectSocket } from '../streams/socket-client.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';
import { startService } from './service-fixture.ts';

const trusted = (list: string) => readConfiguration({ SVC_TRUSTED_PROXIES: list }).trustedProxies;

describe('the client address', () => {
  const proxies = new ForwardedHeaders(trusted('10.0.0.0/8, 192.0.2.7, 2001:db8:1::/48, loopback'));
  const addressFrom = (remoteAddress: string | undefined, forwarded?: string) =>
    proxies.addressOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } });

  test.each([
    ['an untrusted peer, whatever it claims', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a peer one past a range', '11.0.0.0', '198.51.100.1', '11.0.0.0'],
    ['a trusted peer without the header', '10.0.0.1', undefined, '10.0.0.1'],
    ['a trusted peer with an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['the client of one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the client of two proxies', '10.0.0.1', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['the last untrusted hop, not what it claims', '10.0.0.1', '1.1.1.1, 10.0.0.2, 198.51.100.1', '198.51.100.1'],
    ['an IPv6 client behind an IPv6 proxy', '2001:db8:1:2::3', '2001:DB8:0:0::1', '2001:db8::1'],
    ['a proxy on this machine over IPv6', '::1', '198.51.100.1', '198.51.100.1'],
    ['a mapped peer', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a mapped peer that is not trusted', '::ffff:203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a mapped client', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a mapped client in hexadecimal', '10.0.0.1', '::ffff:c633:6401', '198.51.100.1'],
    ['a mapped proxy in the list', '10.0.0.1', '198.51.100.1, ::ffff:10.9.9.9', '198.51.100.1'],
    ['addresses with ports', '10.0.0.1', '[2001:db8::1]:443, 10.0.0.2:8080', '2001:db8::1'],
    ['spaces and tabs around addresses', '10.0.0.1', ' 198.51.100.1\t,  10.0.0.2 ', '198.51.100.1'],
    ['only proxies: the farthest', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a malformed entry stops the walk', '10.0.0.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['a malformed newest entry', '10.0.0.1', '198.51.100.1, _hidden', '10.0.0.1'],
    ['an empty entry', '10.0.0.1', '198.51.100.1,,10.0.0.2', '10.0.0.2'],
    ['an octal address', '10.0.0.1', '198.51.100.1, 010.0.0.2', '10.0.0.1'],
    ['a short address', '10.0.0.1', '198.51.100.1, 10.2', '10.0.0.1'],
    ['a zone', '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
    ['a port that is none', '10.0.0.1', '198.51.100.1:99999', '10.0.0.1'],
    ['a socket that has closed', undefined, '198.51.100.1', 'unknown'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(addressFrom(peer, forwarded)).toBe(expected);
  });

  test('without trusted proxies the header is never read', () => {
    const none = new ForwardedHeaders(trusted(''));
    const headers = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https', host: 'svc.example' };
    for (const remoteAddress of ['127.0.0.1', '::1', '10.0.0.1']) {
      expect(none.addressOf({ socket: { remoteAddress }, headers })).toBe(remoteAddress);
      expect(none.baseUrlOf({ socket: { remoteAddress }, headers })).toBe('http://svc.example');
    }
  });
});

describe('the address of the service', () => {
  const proxies = new ForwardedHeaders(trusted('10.0.0.1'));
  const base = (remoteAddress: string, headers: Record<string, string>) =>
    proxies.baseUrlOf({ socket: { remoteAddress }, headers: { host: 'svc.example:8443', ...headers } });

  test.each([
    ['https', 'https://svc.example:8443'],
    ['HTTPS', 'https://svc.example:8443'],
    ['http, https', 'https://svc.example:8443'],
    ['https, http', 'http://svc.example:8443'],
    ['javascript', 'http://svc.example:8443'],
    ['', 'http://svc.example:8443'],
  ])('has the protocol that a trusted proxy set: %s', (protocol, expected) => {
    expect(base('10.0.0.1', { 'x-forwarded-proto': protocol })).toBe(expected);
    expect(base('10.0.0.2', { 'x-forwarded-proto': protocol })).toBe('http://svc.example:8443');
  });

  test('never has the host of X-Forwarded-Host, which many proxies pass on from clients', () => {
    expect(base('10.0.0.1', { 'x-forwarded-host': 'evil.example' })).toBe('http://svc.example:8443');
  });

  test('is SVC_PUBLIC_URL if set', () => {
    const named = new ForwardedHeaders(trusted('10.0.0.1'), 'https://named.example');
    const headers = { host: 'svc.example', 'x-forwarded-proto': 'http' };
    expect(named.baseUrlOf({ socket: { remoteAddress: '10.0.0.1' }, headers })).toBe('https://named.example');
  });
});

describe('SVC_TRUSTED_PROXIES', () => {
  test('accepts addresses, ranges and loopback', () => {
    expect(trusted(' 10.0.0.1 , ::1, 10.0.0.0/8,2001:db8::/32,::ffff:10.0.0.0/104, loopback,')).toHaveLength(7);
    expect(readConfiguration({}).trustedProxies).toEqual([]);
  });

  test.each([
    'proxy.example',
    '10.0.0.1:80',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/+8',
    '10.0.0/8',
    '010.0.0.1',
    '0x0a.0.0.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '10.0.0.1 10.0.0.2',
    'Loopback!',
    '*',
  ])('rejects %s with the name of the variable', (entry) => {
    expect(() => trusted(`127.0.0.1,${entry}`)).toThrow(
      /^SVC_TRUSTED_PROXIES has an invalid entry ".*"; entries must be/,
    );
  });

  test.each(['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96'])('rejects %s, which would trust every caller', (entry) => {
    expect(() => trusted(entry)).toThrow(/^SVC_TRUSTED_PROXIES has .*every caller/);
  });
});

describe('a service behind a proxy', async () => {
  const KEYLESS = 3;
  const rates = unlimitedRates({ keyless: KEYLESS, demo: 4 });
  const service = await startService({ rates }, { SVC_TRUSTED_PROXIES: '127.0.0.1' });
  const { url } = service.running;

  /** Sends a request from a loopback address: 127.0.0.1 is the proxy, 127.0.0.2 is a direct client. */
  const get = (forwarded: string | undefined, localAddress = '127.0.0.1', path = '/api/svc/pulse') =>
    new Promise<{ status: number; rest: string; body: string }>((resolve, reject) => {
      const headers = {
        ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
        'x-forwarded-proto': 'https',
      };
      const sent = request(`${url}${path}`, { localAddress, headers }, async (response) => {
        const rest = /r=(\d+)/.exec(String(response.headers.ratelimit))?.[1] ?? '';
        resolve({ status: response.statusCode ?? 0, rest, body: await text(response) });
      });
      sent.on('error', reject);
      sent.end();
    });

  test('counts each caller by itself', async () => {
    for (let i = 0; i < KEYLESS; i++) expect((await get('198.51.100.1')).status).toBe(200);
    expect((await get('198.51.100.1')).status).toBe(429);
    expect(await get('198.51.100.2')).toMatchObject({ status: 200, rest: `${KEYLESS - 1}` });
    // Claims to the left of the client's address do not give it another rate.
    expect((await get('203.0.113.77, 198.51.100.1')).status).toBe(429);
    expect((await get('::ffff:198.51.100.1')).status).toBe(429);
  });

  test('counts the addresses of one IPv6 network together', async () => {
    expect(await get('2001:db8:0:7::1')).toMatchObject({ rest: `${KEYLESS - 1}` });
    expect(await get('2001:db8:0:7:ffff::2')).toMatchObject({ rest: `${KEYLESS - 2}` });
    expect(await get('2001:db8:0:8::1')).toMatchObject({ rest: `${KEYLESS - 1}` });
  });

  test('a client that is not a proxy gets no other address by a header', async () => {
    for (let i = 0; i < KEYLESS; i++) expect((await get(`203.0.113.${i}`, '127.0.0.2')).status).toBe(200);
    expect((await get('203.0.113.99', '127.0.0.2')).status).toBe(429);
  });

  test('counts WebSocket upgrades by the same address', async () => {
    const connect = (forwarded: string) => connectSocket(url, { headers: { 'x-forwarded-for': forwarded } });
    const opened = await Promise.all(Array.from({ length: KEYLESS }, () => connect('198.51.100.40')));
    await expect(connect('198.51.100.40')).rejects.toMatchObject({ status: 429 });
    expect((await get('198.51.100.40')).status).toBe(429);
    opened.push(await connect('198.51.100.41'));
    for (const { socket } of opened) socket.close();
  });

  test('documents name the protocol that the caller used', async () => {
    const path = '/.well-known/svc-os-kernel.md';
    expect((await get('198.51.100.50', '127.0.0.1', path)).body).toContain(url.replace('http:', 'https:'));
    expect((await get('198.51.100.51', '127.0.0.3', path)).body).not.toContain('https://127.0.0.1');
  });
});
