// Responses of /api/mcp in both generations of the protocol.

import { describe, expect, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { LIMITS } from '../../src/core/limits.ts';
import { verifyEnvelope } from '../../src/protocol/replay.ts';
import { startService } from '../http/service-fixture.ts';
import { type Generation, RpcClient, type RpcMessage } from './rpc-client.ts';

const service = await startService();
const { url, pool } = service.running;
const mcp = new RpcClient(url);
const key = service.keys.write;
const GENERATIONS: readonly Generation[] = ['2025-11-25', '2026-07-28'];
const CORE = ['svc_pulse', 'svc_compute', 'svc_auto', 'svc_find_operator', 'svc_verify', 'svc_api_catalog', 'svc_http'];
/** About half a minute of one core. */
const LONG = { N: 2_000, steps: 100_000 };
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

const namesIn = (result: Readonly<Record<string, unknown>>) =>
  (result.tools as { name: string }[]).map(({ name }) => name);

/** Claims of an envelope that fail verification. */
const faultsOf = (envelope: Readonly<Record<string, unknown>>) => verifyEnvelope(envelope).filter(({ ok }) => !ok);

test.each([
  ['{"domain": "QM", "inputs": {"n": 9007199254740993}}', 'params.arguments.inputs.n is 9007199254740993'],
  ['{"domain": "QM", "domain": "CM", "inputs": {}}', 'params.arguments.domain is given twice'],
])('arguments that JSON.parse would change are refused with their path: %s', async (args, error) => {
  const response = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_compute", "arguments": ${args}}}`,
  });
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(error) } });
  expect(response.status).toBe(422);
});

describe('before the first call', () => {
  test('2025: initialize agrees on the version and says where to start', async () => {
    const { messages, headers } = await mcp.request('2025-11-25', 'initialize', INITIALIZE);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'svc', version: packageJson.version },
    });
    const instructions = String(messages[0]?.result?.instructions);
    expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2_048);
    for (const name of CORE) expect(instructions).toContain(name);
    expect(headers.get('mcp-session-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    '2025: a client of %s is served in its own revision',
    async (protocolVersion) => {
      const result = await mcp.result('2025-11-25', 'initialize', { ...INITIALIZE, protocolVersion });
      expect(result.protocolVersion).toBe(protocolVersion);
      const headers = { 'mcp-protocol-version': protocolVersion };
      expect((await mcp.call('svc_pulse', {}, { generation: '2025-11-25', headers })).structuredContent.ok).toBe(true);
    },
  );

  test('2025: an unknown version is answered with a supported one', async () => {
    const { protocolVersion } = await mcp.result('2025-11-25', 'initialize', {
      ...INITIALIZE,
      protocolVersion: '1999-01-01',
    });
    expect(protocolVersion).toBe('2025-11-25');
  });

  test('2026: server/discover names versions and capabilities', async () => {
    const result = await mcp.result('2026-07-28', 'server/discover');
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {} } });
  });

  test('2026: an unknown version is rejected with the supported versions', async () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } };
    const given = { headers: { 'mcp-protocol-version': '2099-01-01' } };
    const { status, messages } = await mcp.request('2026-07-28', 'tools/list', params, given);
    expect(status).toBe(400);
    expect(messages[0]?.error?.data).toMatchObject({ supported: ['2026-07-28'], requested: '2099-01-01' });
  });

  test('2026: a header that contradicts the message is rejected', async () => {
    const { status, messages } = await mcp.request(
      '2026-07-28',
      'tools/list',
      {},
      { headers: { 'mcp-method': 'ping' } },
    );
    expect([status, messages[0]?.error?.code]).toEqual([400, -32_020]);
  });
});

const CHAIN = [
  'spin_up',
  'observer',
  'contract_templates',
  'contract_generate',
  'contract_check',
  'contract_list',
  'contract_deploy',
  'contract_get',
  'contract_fire',
  'contract_parties',
  'contract_send',
  'contract_accept',
].map((name) => `svc_${name}`);

describe.each(GENERATIONS)('%s', (generation) => {
  test('tools/list begins with the core tools and has annotations and short descriptions', async () => {
    const { tools } = (await mcp.result(generation, 'tools/list')) as {
      tools: {
        name: string;
        title: string;
        description: string;
        annotations: { readOnlyHint: boolean; destructiveHint?: boolean };
        outputSchema?: object;
      }[];
    };
    expect(tools.slice(0, CORE.length).map(({ name }) => name)).toEqual(CORE);
    for (const { name, title, description, annotations, outputSchema } of tools) {
      expect(title, name).not.toBe('');
      expect(description, name).toMatch(/^Use (to|for) /);
      expect(description.length, name).toBeLessThanOrEqual(200);
      expect(annotations.readOnlyHint || annotations.destructiveHint !== undefined, name).toBe(true);
      expect(outputSchema, name).toBeUndefined();
    }
  });

  test.each([
    ['core', CORE],
    ['agent', [...CORE, 'svc_field_status']],
    ['chain', [...CORE, ...CHAIN]],
  ])('profile=%s is a shorter list', async (profile, expected) => {
    const result = await mcp.result(generation, 'tools/list', {}, { query: `?profile=${profile}` });
    expect(namesIn(result)).toEqual(expected);
  });

  test('every profile is a subset of the full list, and science has the solvers', async () => {
    const all = namesIn(await mcp.result(generation, 'tools/list'));
    const science = namesIn(await mcp.result(generation, 'tools/list', {}, { query: '?profile=science' }));
    expect(all).toEqual(expect.arrayContaining(science));
    expect(science).toEqual(expect.arrayContaining(['svc_heat', 'svc_schrodinger', 'svc_evolve']));
    expect(science).not.toContain('svc_field_status');
  });

  test('public tools need no key, and return sentences and structured content', async () => {
    const { content, structuredContent, isError } = await mcp.call('svc_pulse', {}, { generation });
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ ok: true, pulseHz: 1.287 });
    expect(content[0]?.text).toContain(`Tick ${structuredContent.svcond}`);
    expect((await mcp.call('svc_field_status', {}, { generation })).structuredContent).toMatchObject({
      cipher: 'aes-256-gcm',
      key_source: 'environment',
    });
  });

  test('a tool that needs a key returns a tool error without one, not a protocol error', async () => {
    const { isError, structuredContent } = await mcp.call('svc_heat', { dim: 1 }, { generation });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ ok: false, code: 'AUTH_REQUIRED' });
    // An unauthenticated caller learns nothing about the arguments.
    const wrong = await mcp.call('svc_heat', { nx: 1 }, { generation });
    expect(wrong.structuredContent).toMatchObject({ code: 'AUTH_REQUIRED' });
  });

  test('an invalid key is 401 with the URL of the metadata', async () => {
    for (const bad of [service.keys.revoked, service.keys.expired, service.keys.malformed, 'nonsense']) {
      const { status, headers, messages } = await mcp.request(generation, 'tools/list', {}, { key: bad });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain(
        `resource_metadata="${url}/.well-known/oauth-protected-resource/api/mcp"`,
      );
      expect(messages[0]).toMatchObject({ jsonrpc: '2.0', error: { data: { request_id: expect.any(String) } } });
    }
  });

  test('a solver returns a sealed envelope', async () => {
    const given = { dim: 1, nx: 16, steps: 4 };
    const { structuredContent, isError } = await mcp.call('svc_heat', given, { generation, key });
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ ok: true, solver: 'heat', inputs: given });
    const { structuredContent: full, content } = await mcp.call(
      'svc_heat',
      { ...given, detail: 'full' },
      { generation, key },
    );
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(full);
    expect(faultsOf(full)).toEqual([]);
    const { svcProof, operatorChain, R_t, svcond, value, unit } = structuredContent;
    const receipt = { proof: svcProof, operatorIds: operatorChain, R_t, svcond, value, unit };
    expect((await mcp.call('svc_verify', receipt, { generation, key })).structuredContent).toMatchObject({
      valid: true,
      kind: 'computation',
    });
  });

  test.each([
    ['a sweep of a field with a default', 'svc_heat', { dim: 1, t_end: 0.05, sweep: { nx: [16, 32] } }, [2, 3]],
    ['a sweep of two', 'svc_schrodinger', { N: 100, sweep: { omega: [1, 2], hbar: [1, 2] } }, [4, 4]],
    ['samples', 'svc_heat', { dim: 1, t_end: 0.05, uncertainties: { alpha: 0.01 }, samples: { count: 60 } }, [61, 3]],
  ])('a solver takes %s', async (_, tool, body, shape) => {
    const { structuredContent } = await mcp.call(tool, { ...body, detail: 'full' }, { generation, key });
    expect(structuredContent).toMatchObject({ table: { shape } });
  });

  test('svc_verify takes the link of a computation, and the fields of its envelope', async () => {
    const { structuredContent: envelope } = await mcp.call('svc_heat', { dim: 1, nx: 8 }, { generation, key });
    const check = (given: Record<string, unknown>) => mcp.call('svc_verify', given, { generation, key });
    const { href } = envelope.complete as { readonly href: string };
    const [, sha256 = ''] = /([0-9a-f]{64})\.json$/.exec(href) ?? [];
    for (const receipt of [href, href.slice(url.length), sha256])
      expect((await check({ receipt })).structuredContent).toMatchObject({ valid: true, kind: 'computation' });
    const { svcProof: proof, operatorChain: operatorIds, R_t, svcond, keyPrefix, value, unit } = envelope;
    const fields = { operatorIds, R_t, svcond, keyPrefix, value, unit };
    expect((await check({ proof, ...fields })).structuredContent).toMatchObject({ valid: true, kind: 'computation' });
    const refused = async (given: Record<string, unknown>) => {
      const { structuredContent, isError } = await check(given);
      expect([isError, structuredContent.code]).toEqual([true, 'VALIDATION_FAILED']);
      return structuredContent.error;
    };
    expect(await refused(fields)).toMatch(/^proof is missing; the svcProof of the envelope is expected/);
    expect(await refused({ receipt: envelope })).toContain(`give its complete.href as receipt: ${href}`);
    expect(await refused({ receipt: `https://example.org${href.slice(url.length)}` })).toContain(
      `on ${url} is expected`,
    );
    const unknown = await check({ receipt: '0'.repeat(64) });
    expect([unknown.isError, unknown.structuredContent.code]).toEqual([true, 'NOT_FOUND']);
  });

  test('a question in words has a receipt like any other', async () => {
    const query = 'kinetic energy of 1200 kg at 30 m/s';
    const { structuredContent, content } = await mcp.call('svc_auto', { query }, { generation, key });
    expect(content[0]?.text).toMatch(/^Understood as CM9 .* m = 1200 kg \("1200 kg"\), v = 30 m\/s .*K = 540000/);
    const { href: receipt } = structuredContent.complete as { readonly href: string };
    const verdict = await mcp.call('svc_verify', { receipt }, { generation, key });
    expect(verdict.structuredContent).toMatchObject({ valid: true, kind: 'computation' });
  });

  test('a text that describes no contract is a tool error that quotes the clause and names the nearest templates', async () => {
    const query = 'without an answer emit alarm, an escrow with a dispute window';
    const { isError, structuredContent, content } = await mcp.call(
      'svc_contract_generate',
      { query },
      { generation, key },
    );
    expect([isError, structuredContent.code]).toEqual([true, 'CANNOT_GENERATE']);
    const nearest = (structuredContent.nearest as { id: string }[]).map(({ id }) => id);
    expect(nearest[0]).toBe('escrow-dispute-window');
    expect(content[0]?.text).toContain(`The nearest templates are ${nearest.join(', ')}.`);
    expect(content[0]?.text).toContain('"without an answer emit alarm');
  });

  test('invalid arguments are a tool error that names every field, its range and the nearest name', async () => {
    const { isError, structuredContent, content } = await mcp.call(
      'svc_heat',
      { nx: 4, alpha: 'one', nny: 16 },
      { generation, key },
    );
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ code: 'VALIDATION_FAILED' });
    for (const part of ['nx is 4', 'at least 8 is allowed', 'alpha is "one"', 'Did you mean ny?'])
      expect(content[0]?.text).toContain(part);
  });

  test.each([
    ['svc_heat', { nx: { evil: true } }],
    ['svc_heat', { folder: 7 }],
    ['svc_pulse', { unexpected: 1 }],
    ['svc_verify', { proof: 1 }],
    ['svc_verify', {}],
    ['svc_api_catalog', { limit: '40' }],
    ['svc_api_catalog', { limit: 201 }],
    ['svc_http', { method: 'TRACE', path: '/api/svc/pulse' }],
  ])('%s with %j is rejected', async (name, given) => {
    const { isError, structuredContent } = await mcp.call(name, given, { generation, key });
    expect([isError, structuredContent.code]).toEqual([true, 'VALIDATION_FAILED']);
  });

  test('an unknown tool is a protocol error with the nearest names', async () => {
    const { messages } = await mcp.request(generation, 'tools/call', { name: 'svc_heet', arguments: {} }, { key });
    expect(messages.at(-1)?.error).toMatchObject({ code: -32_602, message: expect.stringContaining('svc_heat') });
  });

  test('an unknown method, and arguments that are not an object, are protocol errors', async () => {
    const unknown = await mcp.request(generation, 'tools/everything');
    expect(unknown.messages.at(-1)?.error?.code).toBe(-32_601);
    const listed = await mcp.request(generation, 'tools/call', { name: 'svc_pulse', arguments: [1] });
    expect(listed.messages.at(-1)?.error?.code).toBe(-32_602);
  });

  test('a long result is truncated and linked, and the link returns it in full', async () => {
    const given = { N: 64, steps: 100, detail: 'full' };
    const { structuredContent, content } = await mcp.call('svc_evolve', given, { generation, key });
    const link = content.find(({ type }) => type === 'resource_link');
    const shown = content[0]?.text ?? '';
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(LIMITS.toolResultBytes);
    expect(structuredContent).toMatchObject({ ok: true, solver: 'evolve', complete: { href: link?.uri } });
    expect(typeof structuredContent.value).toBe('number');

    const fetched = await fetch(String(link?.uri));
    expect(fetched.headers.get('content-type')).toBe('application/json');
    const text = await fetched.text();
    expect(Buffer.byteLength(text)).toBe(link?.size);
    expect(faultsOf(JSON.parse(text))).toEqual([]);

    const read = await mcp.result(generation, 'resources/read', { uri: link?.uri });
    expect(read.contents).toEqual([{ uri: link?.uri, mimeType: 'application/json', text }]);
  });

  test('a missing resource is an error that names its URI', async () => {
    for (const uri of [`${url}/api/svc/results/${'0'.repeat(64)}.json`, 'file:///etc/passwd', `${url}/api/keys`]) {
      const { messages } = await mcp.request(generation, 'resources/read', { uri });
      expect(messages.at(-1)?.error).toMatchObject({ data: { uri } });
    }
  });

  test.each([
    ['a long run', { N: 1_000, steps: 6_000 }],
    ['a sweep', { N: 108, steps: 200, sweep: { seed: [1, 2, 3, 4] } }],
  ])('%s reports progress that never decreases', async (_, body) => {
    const params = { name: 'svc_evolve', arguments: body, _meta: { progressToken: 'mine' } };
    const { messages } = await mcp.request(generation, 'tools/call', params, { key });
    const updates = messages.filter(({ method }) => method === 'notifications/progress').map(({ params: p }) => p);
    expect(updates.length).toBeGreaterThan(1);
    const fractions = updates.map((p) => Number(p?.progress));
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    for (const p of updates) expect(p).toMatchObject({ progressToken: 'mine', total: 1 });
    expect(messages.at(-1)?.result).toMatchObject({ structuredContent: { ok: true } });
  });

  test('svc_stream says what the frames of a run show, at most twice a second, and answers as its solver', async () => {
    // The first of its runs, which is drawn, takes about a second.
    const input = { N: 64, steps: 20_000 };
    const given = { name: 'svc_stream', arguments: { solver: 'react', input }, _meta: { progressToken: 'live' } };
    const begin = performance.now();
    const { messages } = await mcp.request(generation, 'tools/call', given, { key });
    const elapsedMs = performance.now() - begin;
    const updates = messages.filter(({ method }) => method === 'notifications/progress').map(({ params: p }) => p);
    expect(updates.length).toBeGreaterThan(0);
    expect(updates.length).toBeLessThanOrEqual(elapsedMs / (LIMITS.live.messageMs / 2) + 1);
    const fractions = updates.map((p) => Number(p?.progress));
    for (const [i, fraction] of fractions.entries()) expect(fraction).toBeGreaterThan(fractions[i - 1] ?? 0);
    const texts = updates.map((p) => String(p?.message));
    for (const text of texts) expect(text).toMatch(/^\d+ % done\./);
    expect(texts.some((text) => /Concentration v: v from \S+ to \S+ c\.$/.test(text))).toBe(true);
    const answer = messages.at(-1)?.result as { structuredContent: object; content: { text: string }[] } | undefined;
    expect(answer?.structuredContent).toMatchObject({ ok: true, solver: 'react', converged: expect.any(Boolean) });
    expect(answer?.content[0]?.text).toMatch(/\(react\): .* ± /);
    const refused = await mcp.call('svc_stream', { solver: 'haet' }, { generation, key });
    expect(refused.structuredContent).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });

  test('closing the stream stops the kernel', async () => {
    const controller = new AbortController();
    const call = mcp.call('svc_evolve', LONG, { generation, key, signal: controller.signal });
    await vi.waitFor(() => expect(pool.load().running).toBe(1), 30_000);
    controller.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(pool.load().running).toBe(0), 30_000);
  });
});

describe('2025: a cancellation is a separate message', () => {
  async function session(as: string): Promise<Record<string, string>> {
    const { headers } = await mcp.request('2025-11-25', 'initialize', INITIALIZE, { key: as });
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
  }

  const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });

  test('it stops the kernel of the call that it names; the stream ends without a result', async () => {
    const headers = await session(key);
    const body = { jsonrpc: '2.0', id: 'long', method: 'tools/call', params: { name: 'svc_evolve', arguments: LONG } };
    const call = mcp.post(JSON.stringify(body), { key, headers });
    await vi.waitFor(() => expect(pool.load().running).toBe(1), 30_000);

    const { keys } = service;
    const others = [
      { key, headers: await session(key) },
      { key, headers: {} },
      { key: keys.admin, headers },
    ];
    for (const other of others) expect((await mcp.post(cancel, other)).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pool.load().running).toBe(1);

    expect((await mcp.post(cancel, { key, headers })).status).toBe(202);
    expect((await call).messages).toEqual([]);
    await vi.waitFor(() => expect(pool.load().running).toBe(0), 30_000);
  });
});

describe('shared with the REST routes', () => {
  test('a run that a tool filed is listed in the library of its key', async () => {
    const filed = await mcp.call('svc_heat', { dim: 1, nx: 16, steps: 2, folder: 'from mcp' }, { key });
    const { rows } = (await service.call('GET /api/svc/runs?folder=from%20mcp', { as: 'write' })).json() as {
      rows: { id: string }[];
    };
    expect(rows.map(({ id }) => id)).toEqual([filed.structuredContent.run_id]);
  });

  test('svc_api_catalog filters as its route does, and returns 40 rows by default', async () => {
    const call = async (given: Record<string, unknown>) => (await mcp.call('svc_api_catalog', given)).structuredContent;
    const byPath = (await call({ q: 'PULSE', method: 'GET' })) as { rows: { path: string }[] };
    expect(byPath.rows.map(({ path }) => path)).toContain('/api/svc/pulse');
    const admin = (await call({ auth: 'admin' })) as { rows: { auth: string }[] };
    expect(new Set(admin.rows.map(({ auth }) => auth))).toEqual(new Set(['admin']));
    const { count, total, rows } = (await call({ limit: 2 })) as { count: number; total: number; rows: object[] };
    expect([count, rows.length]).toEqual([2, 2]);
    expect(total).toBeGreaterThan(2);
    expect(((await call({})) as { count: number }).count).toBeLessThanOrEqual(40);
  });

  test('an internal error reveals only its request id', async () => {
    const { pulse } = service.running.services;
    const failing = vi.spyOn(pulse, 'read').mockImplementation(() => {
      throw new TypeError('the inside of the service');
    });
    const { isError, structuredContent, content } = await mcp.call('svc_pulse');
    failing.mockRestore();
    expect([isError, structuredContent.code]).toEqual([true, 'INTERNAL']);
    expect(JSON.stringify(content)).not.toContain('inside');
    const logged = service.produced.find((line) => line.includes('the inside of the service'));
    expect(logged).toContain(String(structuredContent.request_id));
  });
});

test('messages are handled concurrently', async () => {
  const answers: RpcMessage[] = [];
  const long = mcp.call('svc_evolve', { N: 500, steps: 4_000 }, { key, onMessage: (message) => answers.push(message) });
  await vi.waitFor(() => expect(pool.load().running).toBe(1), 30_000);
  expect((await mcp.call('svc_pulse')).structuredContent.ok).toBe(true);
  expect(answers).toEqual([]);
  expect((await long).structuredContent.ok).toBe(true);
});
