// svc mcp: a client that starts a program and talks to it in lines.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startHere } from '../../src/cli/serve.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import type { Rpc } from '../mcp/rpc.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const LONG = { name: 'svc_evolve', arguments: { N: 2_000, steps: 100_000 } };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let service: RunningService;
const started: Lines[] = [];

beforeAll(async () => {
  const configuration = readConfiguration({ PORT: '0' });
  service = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true });
});
afterEach(() => Promise.all(started.splice(0).map((lines) => lines.end())));
afterAll(() => service.close());

/** The program, and what it has written so far. */
class Lines {
  readonly messages: Rpc[] = [];
  readonly other: string[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<number | null>;

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    const { SVC_URL: _, SVC_KEY: __, ...clean } = process.env;
    this.#child = spawn(process.execPath, [SVC, 'mcp', ...args], {
      env: { ...clean, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#ended = new Promise((resolve) => this.#child.once('exit', resolve));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      try {
        this.messages.push(JSON.parse(line) as Rpc);
      } catch {
        this.other.push(line);
      }
    });
    started.push(this);
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  send(method: string, params: object, id?: string): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params }));
  }

  async answer(id: string): Promise<Rpc> {
    const find = () => this.messages.find((message) => message.id === id);
    return vi.waitUntil(find, { timeout: 30_000 });
  }

  async ask(method: string, params: object, id = method): Promise<Rpc> {
    this.send(method, params, id);
    return this.answer(id);
  }

  /** Closes its input, as a client does. @returns the exit code */
  end(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#ended;
  }
}

const open = (args: readonly string[] = ['--url', service.url], env?: Record<string, string>) => new Lines(args, env);
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('a client of 2025', () => {
  test('initializes, lists and calls; without a key of its own it is given a demo key', async () => {
    const lines = open();
    expect((await lines.ask('initialize', initialize)).result).toMatchObject({ serverInfo: { name: 'svc' } });
    lines.send('notifications/initialized', {});
    const { result: list } = await lines.ask('tools/list', {});
    expect(list).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'svc_heat' })]) });
    const heat = { name: 'svc_heat', arguments: { dim: 1, nx: 16, steps: 2 } };
    expect((await lines.ask('tools/call', heat)).result).toMatchObject({ structuredContent: { solver: 'heat' } });
    expect(lines.other).toEqual([]);
    expect(await lines.end()).toBe(0);
  });

  test('is told of progress, and its cancellation reaches the kernel', async () => {
    const lines = open();
    await lines.ask('initialize', initialize);
    lines.send('tools/call', { ...LONG, _meta: { progressToken: 7 } }, 'long');
    const told = () => lines.messages.filter(({ method }) => method === 'notifications/progress');
    await vi.waitFor(() => expect(told().length).toBeGreaterThan(0), 20_000);
    lines.send('notifications/cancelled', { requestId: 'long' });
    await vi.waitFor(() => expect(service.pool.load().running).toBe(0), 30_000);
    await lines.ask('ping', {});
    expect(lines.messages.some(({ id }) => id === 'long')).toBe(false);
  });
});

describe('a client of 2026', () => {
  const _meta = ENVELOPE;

  test('needs no handshake', async () => {
    const lines = open();
    expect((await lines.ask('server/discover', { _meta })).result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const pulse = { name: 'svc_pulse', arguments: {}, _meta };
    expect((await lines.ask('tools/call', pulse)).result).toMatchObject({ structuredContent: { ok: true } });
  });

  test('cancels by a line what is a closed stream over HTTP', async () => {
    const lines = open();
    lines.send('tools/call', { ...LONG, _meta }, 'long');
    await vi.waitFor(() => expect(service.pool.load().running).toBe(1), 20_000);
    lines.send('notifications/cancelled', { requestId: 'long', _meta });
    await vi.waitFor(() => expect(service.pool.load().running).toBe(0), 30_000);
    await lines.ask('server/discover', { _meta });
    expect(lines.messages.some(({ id }) => id === 'long')).toBe(false);
  });

  test('may name what no header holds as it is', async () => {
    const lines = open();
    const { error } = await lines.ask('tools/call', { name: 'svc_wärme', arguments: {}, _meta });
    expect(error?.message).toContain('There is no tool "svc_wärme"');
  });
});

test('where no service runs, one of its own is started on any free port, and ends with it', async () => {
  const own = await startHere({});
  expect(own.url).not.toContain(':8787');
  expect((await fetch(`${own.url}/api/svc/pulse`)).status).toBe(200);
  await own.close();
  await expect(fetch(`${own.url}/api/svc/pulse`)).rejects.toThrow();
});

test('the end of the input stops what is under way', async () => {
  const lines = open();
  lines.send('tools/call', { ...LONG, _meta: ENVELOPE }, 'long');
  await vi.waitFor(() => expect(service.pool.load().running).toBe(1), 20_000);
  expect(await lines.end()).toBe(0);
  await vi.waitFor(() => expect(service.pool.load().running).toBe(0), 30_000);
});

test('what is no JSON, a bad key and a missing service are answered, each to its request', async () => {
  const lines = open(['--url', service.url, '--key', 'svc_ak_wrong']);
  lines.write('rubbish');
  const refused = await lines.ask('tools/list', {}, 'refused');
  expect(refused.error).toMatchObject({ data: { code: 'KEY_INVALID' } });
  await vi.waitFor(() => expect(lines.messages).toContainEqual(expect.objectContaining({ id: null })), 20_000);

  const lost = open(['--url', 'http://127.0.0.1:1', '--key', 'svc_ak_any']);
  expect((await lost.ask('tools/list', {})).error?.message).toContain('did not answer');
});
