// Child process of the crash tests of owners: a node that serves, and sends events to its own server, which makes them
// at the owner of each machine. It prints the key of each acknowledged event, until it is killed.
//
// argv: databaseUrl and schema as JSON; a name for this process, the prefix of its event keys.

import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfiguration } from '../../src/configuration.ts';
import { openLog } from '../../src/log.ts';
import { listen } from '../../src/server.ts';
import { CLOCKWORK, COUNTER, MACHINES } from './contract-definitions.ts';

interface DatabaseLocation {
  readonly databaseUrl: string;
  readonly schema: string;
}

const [json = '{}', processName = ''] = process.argv.slice(2);
const { schema, databaseUrl } = JSON.parse(json) as DatabaseLocation;
const environment = {
  PORT: '0',
  SVC_MASTER_KEY: 'f1c9a8e27b3d4650918273645546372819a0b1c2d3e4f5061728394a5b6c7d8e',
  SVC_WORKERS: '1',
  SVC_RATE_FACTOR: '100000',
  DATABASE_URL: databaseUrl,
};
const { services, storage, url } = await listen({
  configuration: readConfiguration(environment),
  log: openLog('error'),
  leaseMs: 600,
  // A node that is stopped in a transaction holds up the others for no longer than it is stopped.
  databaseTimeouts: { idleInTransactionMs: 1_000 },
  schema,
});
const KEY = 'key of the crash test';
const opened = await services.keys.openAccount({ name: 'crash', scope: 'admin', rate_limit_tier: 'high' });
// The key of the first process is that of all.
await storage.node.setOnce(KEY, opened.key);
const key = (await storage.node.get(KEY)) ?? '';

/** Calls this node. One that cannot reach the owner is sent again with its key, as a client would. */
async function call(path: string, body: unknown, idempotencyKey?: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly code?: string };
    if (response.ok) return answer;
    if (response.status !== 503 && answer.code !== 'IDEMPOTENCY_IN_FLIGHT') throw new Error(JSON.stringify(answer));
    await sleep(20);
  }
}

const slugs = Array.from({ length: MACHINES }, (_, i) => `crash-${i}`);
for (const slug of slugs) {
  if ((await storage.machines.bySlug(slug)) === undefined)
    await call('/api/chain/state-machines', { slug }).catch(() => undefined); // another node created it first
  const machine = await storage.machines.bySlug(slug);
  if (machine === undefined) throw new Error(`Machine ${slug} is missing.`);
  const names = (await services.contracts.list(machine, { limit: 200 })).rows.map(({ name }) => name);
  for (const definition of [CLOCKWORK, COUNTER]) {
    if (names.includes(definition.name)) continue;
    await call(
      `/api/chain/${slug}/contracts/custom`,
      { definition, name: definition.name },
      `${slug} ${definition.name}`,
    );
  }
}

// Synchronous, so that the line is written before the next event is sent.
const print = (line: string) => writeSync(1, `${line}\n`);

print('ready');
for (let turn = 0; ; turn++) {
  const slug = slugs[turn % slugs.length] as string;
  const eventKey = `${processName}-${turn}`;
  await call(`/api/chain/${slug}/event`, { name: 'hit', id: eventKey }, eventKey);
  print(`${slug} ${eventKey}`);
}
