// Attack: JSON that JSON.parse changes silently. Over every transport nothing of it is recorded.

import { afterAll, describe, expect, test } from 'vitest';
import { ECHO, ownMachines } from '../http/machine-fixture.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { connectSocket } from '../streams/socket-client.ts';

const service = await startService();
const { url } = service.running;
const { machine, request, rows } = ownMachines(service, 'inexact');
const rpc = new RpcClient(url);

/** Fields of a payload as text, and the path and reason of the refusal. */
const PAYLOADS = [
  ['"n": 9007199254740993', 'n', 'is 9007199254740993'],
  ['"n": 1, "n": 2', 'n', 'is given twice'],
] as const;

const slug = await machine();
await request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
const { length } = await rows(slug);

const socket = await connectSocket(url);
afterAll(() => socket.socket.terminate());
socket.send({ op: 'auth', key: service.keys.admin });
await socket.receive();

describe.each(PAYLOADS)('{%s}', (fields, name, reason) => {
  const refused = (path: string) => ({
    code: 'VALIDATION_FAILED',
    details: [{ path, message: expect.stringContaining(reason) }],
  });

  test.each([
    ['POST', `/api/chain/${slug}/event`, `{"name": "ping", "payload": {${fields}}}`, `payload.${name}`],
    ['POST', `/api/chain/${slug}/state`, `{"state": {"deep": [{${fields}}]}}`, `state.deep.0.${name}`],
    ['POST', `/api/chain/${slug}/contracts/custom`, `{"definition": {${fields}}}`, `definition.${name}`],
    ['POST', '/api/svc/replay', `{"solver": "heat", "inputs": {${fields}}}`, `inputs.${name}`],
    ['QUERY', `/api/chain/${slug}/contracts`, `{"limit": {${fields}}}`, `limit.${name}`],
  ])('%s %s refuses it with its path', async (method, path, body, where) => {
    const answer = await service.call(`${method} ${path}`, { as: 'admin', body });
    expect([answer.status, answer.json()]).toMatchObject([422, refused(where)]);
  });

  test('MCP refuses it in the arguments of a tool', async () => {
    const call = (args: string) =>
      rpc.post(`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${args}}`, { key: service.keys.admin });
    const event = `"method": "POST", "path": "/api/chain/${slug}/event"`;
    const { status, messages } = await call(
      `{"name": "svc_http", "arguments": {${event}, "body": {"name": "ping", "payload": {${fields}}}}}`,
    );
    const data = { ...refused(`params.arguments.body.payload.${name}`) };
    expect([status, messages.at(-1)?.error]).toMatchObject([422, { data }]);
  });

  test('the WebSocket refuses it in the input of a solver', async () => {
    socket.send(`{"op": "solve", "solver": "heat", "input": {${fields}}}`);
    expect(await socket.receive()).toMatchObject({ ok: false, ...refused(`input.${name}`) });
  });

  test('no row is written', async () => expect(await rows(slug)).toHaveLength(length));
});
