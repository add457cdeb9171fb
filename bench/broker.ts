// Events per CPU second of a node: from a NATS broker beside the same events over HTTP, 32 on their way, in interleaved
// rounds. Needs a NATS server.
//
//   NATS_URL=nats://127.0.0.1:4222 node bench/broker.ts

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, headers } from '@nats-io/transport-node';
import { cpuSeconds, launchNode, measure } from './harness/load.ts';

const ROUNDS = 3;
const EVENTS = 8_000;
const ON_THEIR_WAY = 32;
const EVENT = JSON.stringify({ name: 'noted', payload: { n: 1 } });

const servers = process.env.NATS_URL ?? 'nats://127.0.0.1:4222';
const data = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const prefix = `svc-bench-${process.pid}`;
const env = { PORT: '0', SVC_DATA: data, SVC_RATE_FACTOR: '100000', NODE_ENV: 'production' };
const node = await launchNode({ ...env, DATABASE_URL: undefined, NATS_URL: servers, SVC_NATS_PREFIX: prefix });
const client = await connect({ servers });
try {
  const spun = await fetch(`${node.url}/api/chain/spin-up`, { method: 'POST' });
  const { key, machine } = (await spun.json()) as { key: string; machine: { slug: string } };
  const { slug } = machine;
  const auth = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = headers();
  sent.set('Authorization', auth.authorization);

  const overHttp = () => measure(node, EVENTS, `/api/chain/${slug}/event`, 'POST', auth, EVENT);
  const overNats = async () => {
    const before = cpuSeconds(node.child);
    let left = EVENTS;
    const sender = async () => {
      while (left-- > 0) {
        const reply = await client.request(`${prefix}.events.${slug}`, EVENT, { timeout: 30_000, headers: sent });
        if (reply.headers?.get('Svc-Status') !== '201') throw new Error(reply.string());
      }
    };
    await Promise.all(Array.from({ length: ON_THEIR_WAY }, sender));
    return EVENTS / (cpuSeconds(node.child) - before);
  };

  await overHttp();
  await overNats();
  let [http, nats] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    http = Math.max(http, await overHttp());
    nats = Math.max(nats, await overNats());
  }
  console.log(`| events per CPU second | HTTP | NATS | ratio |\n|---|---|---|---|`);
  console.log(`| best of ${ROUNDS} | ${Math.round(http)} | ${Math.round(nats)} | ${(nats / http).toFixed(2)} |`);
} finally {
  await client.close();
  node.child.kill('SIGTERM');
  await new Promise((resolve) => node.child.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}
