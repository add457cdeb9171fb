// svc mcp, run as a process by a client that exchanges lines of JSON.

import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startLocalService } from '../../src/cli/serve.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { McpProcess } from './mcp-process.ts';
import { SVC } from './run-svc.ts';

const LONG_CALL = { name: 'svc_evolve', arguments: { N: 2_000, steps: 100_000 } };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let service: RunningService;
const openProcesses: McpProcess[] = [];

beforeAll(async () => {
  const configuration = readConfiguration({ PORT: '0' });
  service = await listen({ configuration, log: pino({ level: 'silent' }), ...(await inMemory()) });
});
afterEach(() => Promise.all(openProcesses.splice(0).map((mcp) => mcp.end())));
afterAll(() => service.close());

function open(args: readonly string[] = ['--url', service.url], env: Record<string, string> = {}): McpProcess {
  const { SVC_URL: _, SVC_KEY: __, ...clean } = process.env;
  const mcp = new McpProcess(process.execPath, [SVC, 'mcp', ...args], { env: { ...clean, ...env } });
  openProcesses.push(mcp);
  return mcp;
}
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('a 2025 client', () => {
  test('initializes, lists and calls tools with a demo key if no key is given', async () => {
    const mcp = open();
    expect((await mcp.request('initialize', initialize)).result).toMatchObject({ serverInfo: { name: 'svc' } });
    mcp.send('notifications/initialized', {});
    const { result: list } = await mcp.request('tools/list', {});
    expect(list).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'svc_heat' })]) });
    const heat = { name: 'svc_heat', arguments: { dim: 1, nx: 16, steps: 2 } };
    expect((await mcp.request('tools/call', heat)).result).toMatchObject({ structuredContent: { solver: 'heat' } });
    expect(mcp.other).toEqual([]);
    expect(await mcp.end()).toBe(0);
  });

  test('receives progress and can cancel the kernel', async () => {
    const mcp = open();
    await mcp.request('initialize', initialize);
    mcp.send('tools/call', { ...LONG_CALL, _meta: { progressToken: 7 } }, 'long');
    const progress = () => mcp.messages.filter(({ method }) => method === 'notifications/progress');
    await vi.waitFor(() => expect(progress().length).toBeGreaterThan(0), 20_000);
    mcp.send('notifications/cancelled', { requestId: 'long' });
    await vi.waitFor(() => expect(service.pool.load().running).toBe(0), 30_000);
    await mcp.request('ping', {});
    expect(mcp.messages.some(({ id }) => id === 'long')).toBe(false);
  });
});

describe('a 2026 client', () => {
  const _meta = ENVELOPE;

  test('needs no handshake', async () => {
    const mcp = open();
    expect((await mcp.request('server/discover', { _meta })).result).toMatchObject({
      supportedVersions: ['2026-07-28'],
    });
    const pulse = { name: 'svc_pulse', arguments: {}, _meta };
    expect((await mcp.request('tools/call', pulse)).result).toMatchObject({ structuredContent: { ok: true } });
  });

  test('cancels with a notification, which closes the HTTP stream', async () => {
    const mcp = open();
    mcp.send('tools/call', { ...LONG_CALL, _meta }, 'long');
    await vi.waitFor(() => expect(service.pool.load().running).toBe(1), 20_000);
    mcp.send('notifications/cancelled', { requestId: 'long', _meta });
    await vi.waitFor(() => expect(service.pool.load().running).toBe(0), 30_000);
    await mcp.request('server/discover', { _meta });
    expect(mcp.messages.some(({ id }) => id === 'long')).toBe(false);
  });

  test('may use names that a header cannot carry unencoded', async () => {
    const mcp = open();
    const { error } = await mcp.request('tools/call', { name: 'svc_wärme', arguments: {}, _meta });
    expect(error?.message).toContain('Tool "svc_wärme" not found');
  });
});

test('the local service starts on a free port and stops when closed', async () => {
  const local = await startLocalService({});
  expect(local.url).not.toContain(':8787');
  expect((await fetch(`${local.url}/api/svc/pulse`)).status).toBe(200);
  await local.close();
  await expect(fetch(`${local.url}/api/svc/pulse`)).rejects.toThrow();
});

test('the end of standard input cancels running calls', async () => {
  const mcp = open();
  mcp.send('tools/call', { ...LONG_CALL, _meta: ENVELOPE }, 'long');
  await vi.waitFor(() => expect(service.pool.load().running).toBe(1), 20_000);
  expect(await mcp.end()).toBe(0);
  await vi.waitFor(() => expect(service.pool.load().running).toBe(0), 30_000);
});

test('invalid JSON, a bad key and an unreachable service give error responses', async () => {
  const mcp = open(['--url', service.url, '--key', 'svc_ak_wrong']);
  mcp.write('not json');
  const refused = await mcp.request('tools/list', {}, 'refused');
  expect(refused.error).toMatchObject({ data: { code: 'KEY_INVALID' } });
  await vi.waitFor(() => expect(mcp.messages).toContainEqual(expect.objectContaining({ id: null })), 20_000);

  const unreachable = open(['--url', 'http://127.0.0.1:1', '--key', 'svc_ak_any']);
  expect((await unreachable.request('tools/list', {})).error?.message).toContain('did not respond');
});
