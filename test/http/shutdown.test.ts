// A node that stops: it waits for requests, not for connections.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
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
