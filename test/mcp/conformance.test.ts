// Official MCP clients, conformance suites and the inspector, run against a service in its own process.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { SVC } from '../cli/run-svc.ts';
import { areExternalToolsInstalled, externalToolPath, importExternalTool } from './external-tools.ts';

const CONFORMANCE_SERVER = fileURLToPath(new URL('./conformance/serve.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-conformance-'));
const children: ChildProcess[] = [];

afterAll(async () => {
  await Promise.all(children.map(stop));
  rmSync(folder, { recursive: true, force: true });
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

/** Starts a service in its own process. */
async function start(...program: readonly string[]): Promise<string> {
  const { DATABASE_URL: _, ...rest } = process.env;
  const data = join(folder, `data-${children.length}`);
  const child = spawn(process.execPath, program, {
    env: { ...rest, PORT: '0', SVC_DATA: data, SVC_RATE_FACTOR: '1000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(script: string, args: readonly string[]): Promise<ProcessResult> {
  const options = {
    cwd: folder,
    maxBuffer: 1 << 26,
    env: { ...process.env, MCP_CATALOG_PATH: join(folder, 'mcp.json') },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

interface McpClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(
    call: { name: string; arguments: object },
    ...options: readonly unknown[]
  ): Promise<{ isError?: boolean; structuredContent?: Readonly<Record<string, unknown>> }>;
  close(): Promise<void>;
}

type ClientClass = new (identity: { name: string; version: string }, options?: object) => McpClient;
type TransportClass = new (url: URL, options: { requestInit: RequestInit }) => unknown;

describe.runIf(areExternalToolsInstalled)('the official clients', async () => {
  if (!areExternalToolsInstalled) return;
  const url = await start(SVC, 'serve');
  const answer = await fetch(`${url}/api/demo-key/mint`, { method: 'POST' });
  const { key } = (await answer.json()) as { key: string };
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const progress: number[] = [];
  const onprogress = (notification: { progress: number }) => progress.push(notification.progress);

  async function connect(version: 'v1' | 'v2', options?: object): Promise<McpClient> {
    const endpoint = new URL('/api/mcp', url);
    if (version === 'v1') {
      const { Client } = await importExternalTool<{ Client: ClientClass }>('@modelcontextprotocol/sdk/client/index.js');
      const { StreamableHTTPClientTransport } = await importExternalTool<{
        StreamableHTTPClientTransport: TransportClass;
      }>('@modelcontextprotocol/sdk/client/streamableHttp.js');
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
      return client;
    }
    const { Client, StreamableHTTPClientTransport } = await importExternalTool<{
      Client: ClientClass;
      StreamableHTTPClientTransport: TransportClass;
    }>('@modelcontextprotocol/client');
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
    return client;
  }

  const CLIENTS = [
    { title: 'v1', connect: () => connect('v1'), withSchema: true },
    { title: 'v2', connect: () => connect('v2'), withSchema: false },
    {
      title: 'v2 in the newest revision',
      connect: () => connect('v2', { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
      withSchema: false,
    },
  ];

  test.each(CLIENTS)(
    '$title lists and calls tools, receives progress and cancels',
    async ({ connect: open, withSchema }) => {
      const client = await open();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('svc_heat');

      const heat = await client.callTool({ name: 'svc_heat', arguments: { dim: 1, nx: 16, steps: 2 } });
      expect(heat.structuredContent).toMatchObject({ ok: true, solver: 'heat' });
      const refused = await client.callTool({ name: 'svc_heat', arguments: { nx: 1 } });
      expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'VALIDATION_FAILED' } });

      progress.length = 0;
      const withProgress = { onprogress, timeout: 60_000 };
      const long = { name: 'svc_evolve', arguments: { N: 1_000, steps: 8_000 } };
      await client.callTool(long, ...(withSchema ? [undefined, withProgress] : [withProgress]));
      expect(progress.length).toBeGreaterThan(1);

      const controller = new AbortController();
      const cancelled = { signal: controller.signal, timeout: 60_000 };
      const longer = { name: 'svc_evolve', arguments: { N: 2_000, steps: 100_000 } };
      const call = client.callTool(longer, ...(withSchema ? [undefined, cancelled] : [cancelled]));
      setTimeout(() => controller.abort(new Error('enough')), 300);
      await expect(call).rejects.toThrow();
      await client.close();
    },
  );
});

describe.runIf(areExternalToolsInstalled)('conformance suites and inspector', async () => {
  if (!areExternalToolsInstalled) return;
  const url = `${await start(CONFORMANCE_SERVER)}/api/mcp`;
  const serviceUrl = `${await start(SVC, 'serve')}/api/mcp`;

  /** Sums the lines "✓ name: 2 passed, 0 failed" of the summary, except those after "Not scored". */
  function scoreOf(stdout: string): { passed: number; failing: string[] } {
    const [, summary = ''] = stdout.split('=== SUMMARY ===');
    const [scored = '', unscored = ''] = summary.split('Not scored');
    const lines = [...scored.matchAll(/[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/g)];
    const isScored = (name: string | undefined) => !unscored.includes(` ${name} (`);
    const counted = lines.filter(([, name]) => isScored(name));
    return {
      passed: counted.reduce((sum, [, , passed]) => sum + Number(passed), 0),
      failing: counted.flatMap(([, name = '', , failed]) => (failed === '0' ? [] : [name])),
    };
  }

  test.each([
    ['0.1.16, the active set', '@modelcontextprotocol/conformance', [], 40],
    ['0.2.0-alpha for 2025-11-25', 'conformance-next', ['--requirements', '2025-11-25'], 65],
    ['0.2.0-alpha for 2026-07-28', 'conformance-next', ['--requirements', '2026-07-28'], 95],
  ])('conformance %s passes', async (_, name, args, minPassed) => {
    const script = externalToolPath(`${name}/dist/index.js`);
    const { stdout } = await run(script, ['server', '--url', url, '-o', join(folder, 'results'), ...args]);
    const { passed, failing } = scoreOf(stdout);
    expect(failing).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(minPassed);
  });

  test('the inspector reports no problems with the schemas', async () => {
    const script = externalToolPath('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
    const args = ['--cli', serviceUrl, '--transport', 'http', '--method', 'tools/list', '--strict'];
    const { code, stdout, stderr } = await run(script, args);
    expect([code, stderr]).toEqual([0, '']);
    expect((JSON.parse(stdout) as { tools: object[] }).tools.length).toBeGreaterThan(5);
  });
});
