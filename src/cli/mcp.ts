// svc mcp: serves MCP over standard input and output.

import { createInterface } from 'node:readline';
import { createClient } from '../client/client.ts';
import { McpBridge } from '../client/mcp-bridge.ts';
import { type CliContext, DEFAULT_URL } from './context.ts';
import { startLocalService } from './serve.ts';
import { printStatus } from './terminal.ts';

export interface McpOptions {
  readonly url?: string;
  readonly key?: string;
}

/** A demo key is renewed this long before it expires. */
const RENEW_BEFORE_MS = 600_000;

/** Runs until standard input ends. Writes only MCP messages to standard output. */
export async function runMcp({ terminal, env, signal }: CliContext, options: McpOptions): Promise<void> {
  const service = await connectOrStart(options.url, env);
  printStatus(terminal, `svc mcp: ${service.note}`);
  const bridge = new McpBridge({
    url: service.url,
    key: options.key === undefined ? demoKeyProvider(service.url) : async () => options.key,
    send: (line) => terminal.stdout.write(`${line}\n`),
  });
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const inFlight = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const received = bridge.receive(line).finally(() => inFlight.delete(received));
    inFlight.add(received);
  }
  bridge.close();
  await Promise.all(inFlight);
  await service.close();
}

interface ServiceConnection {
  readonly url: string;
  readonly note: string;
  close(): Promise<void>;
}

/** Connects to the given URL or to a service at the default URL; otherwise starts a local in-memory service. */
async function connectOrStart(url: string | undefined, env: CliContext['env']): Promise<ServiceConnection> {
  const close = () => Promise.resolve();
  if (url !== undefined) return { url, note: `tools of ${url}`, close };
  const reading = createClient({ url: DEFAULT_URL }).call('pulse.read', {});
  const isReachable = await reading.then(
    () => true,
    () => false,
  );
  if (isReachable) return { url: DEFAULT_URL, note: `tools of ${DEFAULT_URL}`, close };
  const local = await startLocalService(env);
  const note = `no service at ${DEFAULT_URL}; started one in memory. Use svc serve to store runs.`;
  return { url: local.url, note, close: () => local.close() };
}

/** Provides a demo key and renews it before it expires. */
function demoKeyProvider(url: string): () => Promise<string> {
  let minted: Promise<{ key: string; expiresMs: number }> | undefined;
  const mint = async () => {
    const { key, expires_at } = await createClient({ url }).call('demo-key.mint', {});
    return { key: String(key), expiresMs: Date.parse(String(expires_at)) };
  };
  return async () => {
    const current = await minted?.catch(() => undefined);
    if (current === undefined || current.expiresMs - Date.now() < RENEW_BEFORE_MS) minted = mint();
    return (await (minted ?? mint())).key;
  };
}
