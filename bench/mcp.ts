// MCP calls per CPU second of the server, compared with bare Koa in interleaved rounds.
//
//   node bench/mcp.ts

import { measure, table, withServers } from './harness/load.ts';

const ROUNDS = 4;
const PATH = '/api/mcp';
const VERSION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function legacyMessage(method: string, params: object): Message {
  return { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers: JSON_RPC };
}

/** The same message in the 2026-07-28 revision, which repeats the session data in every request. */
function message2026(method: string, params: object, name: string | undefined): Message {
  const { body } = legacyMessage(method, { ...params, _meta: ENVELOPE });
  const named = name === undefined ? {} : { 'mcp-name': name };
  return { body, headers: { ...JSON_RPC, 'mcp-protocol-version': VERSION, 'mcp-method': method, ...named } };
}

const PULSE = { name: 'svc_pulse', arguments: {} };
const CALLS = [
  { name: 'tools/list 2025-11-25', message: legacyMessage('tools/list', {}), target: '≤ 1.5 ms' },
  { name: 'tools/list 2026-07-28', message: message2026('tools/list', {}, undefined), target: '≤ 1.5 ms' },
  { name: 'tools/call svc_pulse 2025-11-25', message: legacyMessage('tools/call', PULSE), target: '≥ 0.05' },
  { name: 'tools/call svc_pulse 2026-07-28', message: message2026('tools/call', PULSE, PULSE.name), target: '≥ 0.05' },
];

await withServers(async ({ koa, svc }) => {
  const best = new Map<string, number>();
  const record = (name: string, rate: number) => best.set(name, Math.max(best.get(name) ?? 0, rate));
  for (const { message } of CALLS) await measure(svc, 500, PATH, 'POST', message.headers, message.body);
  await measure(koa, 2_000, '/', 'POST', JSON_RPC, '{}');
  for (let round = 0; round < ROUNDS; round++) {
    record('koa', await measure(koa, 10_000, '/', 'POST', JSON_RPC, '{}'));
    for (const { name, message } of CALLS) {
      record(name, await measure(svc, 1_500, PATH, 'POST', message.headers, message.body));
    }
  }
  const rate = (name: string) => best.get(name) ?? Number.NaN;
  const rowOf = ({ name, target }: { name: string; target: string }) =>
    [`${name} (${(1e3 / rate(name)).toFixed(2)} ms)`, rate(name), rate('koa'), target] as const;
  console.log(table(CALLS.map(rowOf)));
});
