// svc mcp: the service for clients that start a program and talk to it over standard input and output.

import { createInterface } from 'node:readline';
import { call } from '../client/client.ts';
import { McpBridge } from '../client/mcp-bridge.ts';
import { mintDemoKey } from '../operations/access/keys.ts';
import { pulse } from '../operations/node/pulse.ts';
import { type CliContext, DEFAULT_URL } from './context.ts';
import { startHere } from './serve.ts';
import { say } from './terminal.ts';

export interface McpOptions {
  readonly url?: string;
  readonly key?: string;
}

/** A demo key is replaced this long before it ends. */
const RENEW_MS = 600_000;

/** Runs until standard input ends. Standard output holds messages and nothing else. */
export async function runMcp({ terminal, env, signal }: CliContext, options: McpOptions): Promise<void> {
  const service = await reach(options.url, env);
  say(terminal, `svc mcp: ${service.note}`);
  const bridge = new McpBridge({
    url: service.url,
    key: options.key === undefined ? demoKeys(service.url) : async () => options.key,
    send: (line) => terminal.stdout.write(`${line}\n`),
  });
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const underWay = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const received = bridge.receive(line).finally(() => underWay.delete(received));
    underWay.add(received);
  }
  bridge.close();
  await Promise.all(underWay);
  await service.close();
}

interface Reached {
  readonly url: string;
  readonly note: string;
  close(): Promise<void>;
}

/** The service that is named; else the one at the usual address; else one of its own. */
async function reach(url: string | undefined, env: CliContext['env']): Promise<Reached> {
  const close = () => Promise.resolve();
  if (url !== undefined) return { url, note: `tools of ${url}`, close };
  const isThere = await call(pulse, {}, { url: DEFAULT_URL }).then(
    () => true,
    () => false,
  );
  if (isThere) return { url: DEFAULT_URL, note: `tools of ${DEFAULT_URL}`, close };
  const own = await startHere(env);
  const note = 'no service runs here, so this is one of its own, in memory; `svc serve` starts one that keeps its runs';
  return { url: own.url, note, close: () => own.close() };
}

/** Without a key of the user's own, a demo key, renewed before it ends. */
function demoKeys(url: string): () => Promise<string> {
  let minted: Promise<{ key: string; endMs: number }> | undefined;
  const mint = async () => {
    const { key, expires_at } = await call(mintDemoKey, {}, { url });
    return { key: String(key), endMs: Date.parse(String(expires_at)) };
  };
  return async () => {
    const known = await minted?.catch(() => undefined);
    if (known === undefined || known.endMs - Date.now() < RENEW_MS) minted = mint();
    return (await (minted ?? mint())).key;
  };
}
