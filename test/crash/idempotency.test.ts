// A node is killed during a call with an Idempotency-Key. The repetition is answered by another node at once, and nothing
// is done twice.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../src/log.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { configurationOf } from './idempotent-configuration.ts';

const NODE = fileURLToPath(new URL('idempotent-node.ts', import.meta.url));
const BOX = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 1, m: 9.1093837139e-31, L: 1e-9 } };

interface Started {
  readonly url: string;
  readonly key: string;
  readonly slug: string;
}

type Json = Record<string, unknown>;

const newFolder = () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-idempotency-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  return { dataFolder };
};
const places = [
  ['PGlite', newFolder],
  ...(databaseUrl === undefined ? [] : [['PostgreSQL', () => ({ databaseUrl, schema: freshSchema() })] as const]),
] as const;

describe.each(places)('on %s', (name, newPlace) => {
  // Embedded, each case opens a database folder twice.
  const moments =
    name === 'PGlite' && process.env.SVC_SLOW !== '1' ? ['after' as const] : (['before', 'after'] as const);
  let running: RunningService | undefined;
  let usedSchema: string | undefined;
  afterEach(async () => {
    if (running && usedSchema) await dropSchema(running.storage.database, usedSchema);
    await running?.close();
    running = undefined;
  });

  /** Starts a node that dies during the next keyed call, calls it, waits for its death, and starts another node. */
  async function callAndCrash(moment: 'before' | 'after', request: (started: Started) => readonly [string, Json]) {
    const place = JSON.stringify(newPlace());
    const child = spawn(process.execPath, [NODE, place, moment], { stdio: ['ignore', 'pipe', 'inherit'] });
    const died = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const started = JSON.parse(line) as Started;
    const [path, json] = request(started);
    const headers = {
      authorization: `Bearer ${started.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const send = (url: string) => fetch(url + path, { method: 'POST', headers, body: JSON.stringify(json) });
    await expect(send(started.url)).rejects.toThrow();
    expect((await died)[1]).toBe('SIGKILL');
    const { configuration, schema } = configurationOf(place);
    running = await listen({ configuration, log: openLog('error'), ...(schema === undefined ? {} : { schema }) });
    usedSchema = schema;
    const { url } = running;
    const repeat = async () => {
      const answer = await send(url);
      const body = (await answer.json()) as Json;
      return { status: answer.status, isReplayed: answer.headers.get('idempotency-replayed') === 'true', body };
    };
    const get = async (route: string) => {
      const answer = await fetch(url + route, { headers: { authorization: headers.authorization } });
      return (await answer.json()) as Json;
    };
    return { started, repeat, get };
  }

  test.each(moments)('an event is logged once if the node dies %s the commit', async (moment) => {
    const crashed = await callAndCrash(moment, ({ slug }) => [`/api/chain/${slug}/event`, { name: 'paid' }]);
    const first = await crashed.repeat();
    expect(first).toMatchObject({ status: 201, isReplayed: false, body: { ok: true, seq: 1 } });
    expect(await crashed.repeat()).toEqual({ ...first, isReplayed: true });
    const { rows } = await crashed.get(`/api/chain/${crashed.started.slug}/explore`);
    expect((rows as Json[]).map(({ type, row_hash }) => [type, row_hash])).toEqual([
      ['event', first.body.row_hash],
      ['genesis', expect.any(String)],
    ]);
  });

  test.each(moments)('a machine is created once if the node dies %s the commit', async (moment) => {
    const slug = `once-${randomUUID().slice(0, 8)}`;
    const crashed = await callAndCrash(moment, () => ['/api/chain/state-machines', { slug }]);
    const first = await crashed.repeat();
    expect(first).toMatchObject({ status: 201, body: { machine: { slug, head: { seq: 0 } } } });
    expect(await crashed.repeat()).toEqual({ ...first, isReplayed: true });
  });

  test.each(moments)('a run is filed once if the node dies %s the commit', async (moment) => {
    const crashed = await callAndCrash(moment, () => ['/api/svc/compute', { ...BOX, folder: 'boxes' }]);
    const first = await crashed.repeat();
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    expect(await crashed.repeat()).toEqual({ ...first, isReplayed: true });
    const { rows } = await crashed.get('/api/svc/runs?folder=boxes');
    expect((rows as Json[]).map(({ id }) => id)).toEqual([first.body.run_id]);
  });
});
