// A node that stops: it says so, serves on while it drains, and waits for requests, not for connections.

import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { withResolvers } from '../../src/core/with-resolvers.ts';
import { openLog } from '../../src/log.ts';
import { listen } from '../../src/server.ts';
import { inMemory } from '../storage/migrated-database.ts';

test('a connection that a browser opened in advance, without a request, does not delay the end', async () => {
  const configuration = readConfiguration({ PORT: '0' });
  const node = await listen({ configuration, log: openLog('silent'), ...(await inMemory()) });
  const { hostname, port } = new URL(node.url);
  const unused = connect(Number(port), hostname);
  await once(unused, 'connect');
  // The node has accepted connections in order: the one above before that of this request.
  expect((await fetch(`${node.url}/api/svc/pulse`)).status).toBe(200);
  const ended = once(unused, 'close');
  await node.close();
  await ended;
});

test('a node that drains is not ready, serves on, and ends each connection with its answer', async () => {
  const configuration = readConfiguration({ PORT: '0' });
  const gate = withResolvers<void>();
  const drained = () => gate.promise;
  const node = await listen({ configuration, log: openLog('silent'), drained, ...(await inMemory()) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined; body: string }>((resolve, reject) => {
      request(`${node.url}${path}`, { agent }, async (response) => {
        const { statusCode: status, headers } = response;
        resolve({ status, connection: headers.connection, body: await text(response) });
      })
        .once('error', reject)
        .end();
    });
  expect(await get('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' });
  // On its way when the node begins to drain, on a connection that has been used before.
  const early = get('/api/svc/pulse');
  const closed = node.close();
  expect(await early).toMatchObject({ status: 200, connection: 'close' });
  const ready = await get('/readyz');
  expect(ready).toMatchObject({ status: 503, connection: 'close' });
  expect(JSON.parse(ready.body)).toMatchObject({ code: 'SHUTTING_DOWN' });
  expect(await get('/api/svc/pulse')).toMatchObject({ status: 200, connection: 'close' });
  gate.resolve();
  await closed;
  await expect(get('/api/svc/pulse')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  agent.destroy();
});
