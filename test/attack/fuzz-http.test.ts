// Fuzzes every operation over HTTP with the bytes of hostile clients. SVC_FUZZ=10 sends ten times as many requests.
//
// Requests are sent in parts, each a test with seeds of its own: 100,000 of them take longer than one test may.
//
// test/http/fuzz.test.ts compares answers with the OpenAPI document; here requests need not even be HTTP.

import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { defectOf, startFuzzedNode } from './fuzz/node.ts';
import { RawClient } from './fuzz/raw-client.ts';
import { curlOf, type FuzzRequest, fuzzRequests, write } from './fuzz/requests.ts';
import { fuzzSettings, runAll } from './fuzz/settings.ts';

const REQUESTS = 100_000;
const PART = 5_000;
const CONNECTIONS = 8;
/** Operations whose success is so rare that a run may miss them: members, a paused contract. */
const MAX_MISSED = 8;
/** Operations that need what no generator guesses: a signed note, the equation of an owner, a hash, the id of a key. */
const NEVER_BY_CHANCE: readonly string[] = [
  ...['witness.add-checkpoint', 'machine.decrypt', 'field.get', 'result.get', 'key.revoke'],
];

const { seed, factor } = fuzzSettings();
const node = await startFuzzedNode();
const statuses = new Map<number, number>();
const successes = new Map<string, number>();

const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);

async function assertAnswered(client: RawClient, request: FuzzRequest): Promise<void> {
  const written = write(node, request);
  if (written === undefined) return;
  await node.count();
  const answer = await client.send(written);
  const { name } = written.operation;
  count(statuses, answer.status);
  if (answer.status >= 200 && answer.status < 300) count(successes, name);
  const defect = defectOf(answer, written.isHead);
  if (defect !== undefined)
    throw new Error(`${name}: ${defect}\n${curlOf(node, request, written)}\n${answer.text.slice(0, 600)}`);
}

const total = REQUESTS * factor;
const parts = Array.from({ length: Math.ceil(total / PART) }, (_, part) => ({
  part: part + 1,
  count: Math.min(PART, total - part * PART),
  firstSeed: seed + part * CONNECTIONS,
}));

describe(`hostile requests to every operation are answered or refused, never with a 5xx (seed ${seed})`, () => {
  test.each(parts)('part $part: $count requests from seed $firstSeed', { timeout: 600_000 }, async (given) => {
    const connect = () => new RawClient(node.url);
    await runAll(given.count, CONNECTIONS, fuzzRequests(), connect, assertAnswered, given.firstSeed);
  });

  test('afterwards the node is sound, and most operations have succeeded', async () => {
    if (factor > 1 || process.env.SVC_SEED !== undefined)
      process.stdout.write(`answers by status: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    await node.assertSound();
    if (factor < 1) return;
    // A fuzzer that never comes past the first refusal has seen nothing.
    const unseen = OPERATIONS.map(({ name }) => name).filter((name) => !successes.has(name));
    const missed = unseen.filter((name) => !NEVER_BY_CHANCE.includes(name));
    expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(MAX_MISSED);
    for (const status of [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422, 431])
      expect(statuses.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(0);
  });
});
