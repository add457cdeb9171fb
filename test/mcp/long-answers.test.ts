// Long tool results: reads are linked to their own URL with its access control, and never stored under a public hash.

import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { overflowOf } from '../../src/mcp/tool.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { ECHO, type OwnMachines, ownMachines } from '../http/machine-fixture.ts';
import { type Caller, type Json, startService } from '../http/service-fixture.ts';
import { RpcClient, type ToolResult } from './rpc-client.ts';

const service = await startService();
const { url } = service.running;
const mcp = new RpcClient(url);
const SECRET = 'the pump of house 3 leaks';
const LONG = SECRET.repeat(200);

let own: OwnMachines;
let other: string;
beforeAll(async () => {
  own = ownMachines(service, 'whole');
  other = await own.zidOf('other');
  // The first machine of an account has its equation available and would be sealed.
  await own.zidOf('admin');
});

const http = (method: string, path: string, more: Json = {}, as: Caller = 'admin') =>
  mcp.call('svc_http', { method, path, ...more }, { key: service.keys[as] });

interface Complete {
  readonly href: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly again?: string;
}
const completeOf = ({ structuredContent }: ToolResult) => structuredContent.complete as Complete;
const linksOf = ({ content }: ToolResult) => content.filter(({ type }) => type === 'resource_link');
const get = (href: string, as: Caller) => service.call(`GET ${href.slice(url.length)}`, { as });

/** Echoes the payload of its event, so that a dry run returns a long result. */
const NOTEBOOK = {
  ...ECHO,
  events: { ...ECHO.events, note: { payload: { text: 'string' } } },
  transitions: [
    ...ECHO.transitions,
    {
      id: 'note',
      from: 'idle',
      to: 'idle',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'note' },
      post: [{ emit: { event: 'pong', payload: { text: 'event.text' } } }],
    },
  ],
};

/** A private machine whose chain exceeds the size of a tool result; `other` is a viewer. */
async function longMachine(): Promise<string> {
  const slug = await own.machine({ is_public: false });
  for (let i = 0; i < 6; i++) await own.event(slug, 'leak', { payload: { said: LONG, i } });
  await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid: other, role: 'viewer' }, 201);
  return slug;
}

/** Results of tools that are stored in the database. */
async function storedResults(): Promise<string[]> {
  const { storage } = service.running;
  const found = await storage.transaction(async (on) => on.raw('select bytes from field'));
  const { rows } = found as { rows: { bytes: Uint8Array }[] };
  return rows.map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
}

describe('a long result about a private machine', () => {
  test.each([
    ['GET', '/explore', { query: { limit: 6 } }],
    ['QUERY', '/explore', { body: { limit: 6 } }],
    ['GET', '/events', { query: { source: 'all' } }],
    ['GET', '/bundle', {}],
    ['GET', '/bundle.html', {}],
  ])('%s %s is truncated and linked to its own URL, and not stored', async (method, rest, more) => {
    const slug = await longMachine();
    const path = `/api/chain/${slug}${rest}`;
    const answer = await http(method, path, more, 'other');
    expect(answer.isError).toBeUndefined();
    expect(Buffer.byteLength(answer.content[0]?.text ?? '')).toBeLessThanOrEqual(LIMITS.toolResultBytes);
    expect(linksOf(answer)).toEqual([]);
    const { href, bytes } = completeOf(answer);
    expect(bytes).toBeGreaterThan(LIMITS.toolResultBytes);
    expect(href.startsWith(`${url}${path}`)).toBe(true);
    const whole = await get(href, 'other');
    expect([whole.status, whole.text.includes(LONG)]).toEqual([200, true]);

    // The hash of the full result, as an attacker could compute it.
    const body = rest === '/bundle.html' ? whole.text : whole.json();
    const media = rest.startsWith('/bundle') ? { media_type: whole.headers.get('content-type') } : {};
    const sha256 = sha256Hex(JSON.stringify({ ok: true, status: 200, ...media, body }));
    for (const as of ['anonymous', 'demo', 'other', 'admin'] as const) {
      const tried = await get(`${url}/api/svc/results/${sha256}.json`, as);
      expect([as, tried.status, tried.json().code]).toEqual([as, 404, 'NOT_FOUND']);
    }
    const resource = await mcp.request('2026-07-28', 'resources/read', {
      uri: `${url}/api/svc/results/${sha256}.json`,
    });
    expect(resource.messages.at(-1)?.result).toBeUndefined();
    expect((await storedResults()).filter((text) => text.includes(SECRET))).toEqual([]);

    const needsKey = rest === '/events';
    const [otherAccount, anonymous] = [await get(href, 'demo'), await get(href, 'anonymous')];
    expect([otherAccount.status, anonymous.status]).toEqual([404, needsKey ? 401 : 404]);
    await own.request(`DELETE /api/chain/${slug}/admins/${other}`, 'admin');
    expect((await get(href, 'other')).status).toBe(404);
  });

  test('no longer contains a payload that was erased', async () => {
    const slug = await longMachine();
    const answer = await http('GET', `/api/chain/${slug}/explore`, { query: { limit: 10 } });
    const { href } = completeOf(answer);
    const rows = (await get(href, 'admin')).json().rows as { seq: number; type: string }[];
    for (const { seq, type } of rows) {
      if (type === 'event')
        await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq, reason: 'asked for' }, 201);
    }
    expect((await get(href, 'admin')).text).not.toContain(SECRET);
    expect((await storedResults()).filter((text) => text.includes(SECRET))).toEqual([]);
  });

  test('that was read by POST is truncated, and returned in full by the same POST', async () => {
    const slug = await own.machine({ is_public: false });
    const made = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: NOTEBOOK }, 201);
    const { id } = made.contract as { id: string };
    const payload = { text: LONG.repeat(5) };
    const path = `/api/chain/${slug}/contracts/${id}/dry-run`;
    const body = { event: 'note', payload };
    const answer = await http('POST', path, { body });
    expect(answer.structuredContent).toMatchObject({ ok: true, status: 200, body: { would_fire: true } });
    expect(Buffer.byteLength(answer.content[0]?.text ?? '')).toBeLessThanOrEqual(LIMITS.toolResultBytes);
    const { href, bytes, again } = completeOf(answer);
    expect([href, bytes > LIMITS.toolResultBytes]).toEqual([`${url}${path}`, true]);
    expect(again).toContain('POST the same body to href');
    expect(linksOf(answer)).toEqual([]);
    const whole = await service.call(`POST ${path}`, { as: 'admin', json: body });
    expect([whole.status, whole.text.includes(payload.text)]).toEqual([200, true]);
    expect((await storedResults()).filter((text) => text.includes(SECRET))).toEqual([]);

    const less = await http('POST', path, { body: { event: 'note', payload: { text: SECRET } } });
    expect(less.structuredContent).not.toHaveProperty('complete');
    expect(JSON.stringify(less.structuredContent)).toContain(SECRET);
  });
});

test('only results of writes are never truncated', () => {
  for (const operation of OPERATIONS) {
    const overflow = overflowOf(operation, {}, { baseUrl: url });
    expect(overflow === 'inline', operation.name).toBe(operation.effect === 'write');
  }
});
