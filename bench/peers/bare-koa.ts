// HTTP baseline: Koa with a small JSON response and nothing else. Prints its URL.

import type { AddressInfo } from 'node:net';
import Koa from 'koa';

const BODY = { ok: true, svcond: 2303730000, phase: 0.25, R_t: 1.00042, timestamp: '2026-09-21T14:13:20.000Z' };

const app = new Koa();
app.use(async (context) => {
  for await (const _ of context.req) {
    // Drains the request body.
  }
  context.body = BODY;
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
