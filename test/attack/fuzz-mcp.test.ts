// Fuzzes every tool of the MCP endpoint. SVC_FUZZ=10 sends ten times as many messages.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryOf, withoutReferences } from '../http/arbitrary-of.ts';
import { isLong } from '../http/long-run.ts';
import type { Json } from '../http/service-fixture.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { type Change, CUTS, changed, changes, cut } from './fuzz/hostile.ts';
import { ACTORS, type Actor, defectOf, keyOf, startFuzzedNode } from './fuzz/node.ts';
import { RawClient } from './fuzz/raw-client.ts';
import { fuzzSettings, runAll } from './fuzz/settings.ts';

const MESSAGES = 8_000;
const SAMPLES = 12;
/** Kernel time of one call. */
const MAX_KERNEL_MS = 5;

const node = await startFuzzedNode();
const { tools } = (await new RpcClient(node.url).result('2025-11-25', 'tools/list')) as {
  tools: readonly { readonly name: string; readonly inputSchema: Json }[];
};
const SAMPLED = tools.map(({ name, inputSchema }, index) => ({
  name,
  inputs: fc.sample(arbitraryOf(withoutReferences(inputSchema)), { numRuns: SAMPLES, seed: index }) as Json[],
}));
const METHODS = ['tools/list', 'resources/list', 'resources/read', 'prompts/list', 'ping', 'nothing', ''];

interface Message {
  readonly tool: number;
  readonly sample: number;
  readonly actor: Actor;
  readonly method: string;
  readonly changes: readonly Change[];
  readonly cut: (typeof CUTS)[number];
  readonly generation: string;
}

const messages: fc.Arbitrary<Message> = fc.record({
  tool: fc.nat(tools.length - 1),
  sample: fc.nat(SAMPLES - 1),
  actor: fc.constantFrom<Actor>(...ACTORS),
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant('tools/call') },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  ),
  changes: fc.array(changes(), { maxLength: 3 }),
  cut: fc.oneof({ weight: 19, arbitrary: fc.constant('whole' as const) }, fc.constantFrom(...CUTS)),
  generation: fc.constantFrom('2025-11-25', '2025-11-25', '2026-07-28', '1999-01-01', ''),
});

/** Ids of what exists in place of random ones. */
function addressed(input: Json): Json {
  const { slug, contract, run } = node.existing();
  const known: Json = { slug, id: contract, contract_id: contract, run_id: run };
  return { ...input, ...Object.fromEntries(Object.entries(known).filter(([name]) => name in input)) };
}

const toolResults = { answered: 0, refused: 0 };

async function assertAnswered(client: RawClient, message: Message): Promise<void> {
  const { name = '', inputs = [] } = SAMPLED[message.tool] ?? {};
  const input = addressed(inputs[message.sample] ?? {});
  if (isLong(name.replace('svc_', ''), input, MAX_KERNEL_MS)) return;
  await node.count();
  const params = { name, arguments: input };
  const text = changed({ jsonrpc: '2.0', id: 1, method: message.method, params }, message.changes);
  const body = cut(text, message.cut);
  const key = keyOf(node, message.actor);
  const head = [
    'POST /api/mcp HTTP/1.1',
    `host: ${new URL(node.url).host}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${body.length}`,
    ...(key === '' ? [] : [`authorization: Bearer ${key}`]),
    ...(message.generation === '' ? [] : [`mcp-protocol-version: ${message.generation}`]),
  ];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  const answer = await client.send({ bytes, readsStreams: true });
  if (answer.text.includes('"isError":true')) toolResults.refused++;
  else if (answer.text.includes('"structuredContent"')) toolResults.answered++;
  // The SDK reports a wrong parameter as -32603 with a list of what is wrong.
  const isInternal = /"code": ?(-32603,"message":"(?!\[)|\\?"INTERNAL)/.test(answer.text);
  const defect = isInternal ? 'an internal error' : answer.status >= 400 ? rpcDefect(answer) : defectOf(answer);
  if (defect !== undefined)
    throw new Error(`${name}: ${defect}\n${head[0]}\n${text.slice(0, 2_000)}\n${answer.text.slice(0, 600)}`);
}

/** Refusals of the endpoint are errors of JSON-RPC; those before it, of the service. */
function rpcDefect(answer: Parameters<typeof defectOf>[0]): string | undefined {
  const error = /"jsonrpc"/.test(answer.text)
    ? (JSON.parse(answer.text) as { error?: { code?: unknown } }).error
    : undefined;
  if (answer.status < 500 && Number.isInteger(error?.code)) return undefined;
  return defectOf(answer);
}

const { seed, factor } = fuzzSettings();

test(`hostile calls of every tool are answered or refused (seed ${seed})`, {
  timeout: 600_000 * Math.max(1, factor),
}, async () => {
  await runAll(MESSAGES * factor, 4, messages, () => new RawClient(node.url), assertAnswered);
  await node.assertSound();
  expect(toolResults.answered).toBeGreaterThan((MESSAGES * factor) / 50);
  expect(toolResults.refused).toBeGreaterThan((MESSAGES * factor) / 50);
});
