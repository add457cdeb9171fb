// The witness over HTTP.

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { cosignatureTime } from '../../src/chain/cosignature.ts';
import { treeRoot } from '../../src/chain/merkle.ts';
import { parseCheckpoint, parseVerifierKey, signCheckpoint, verifierKey } from '../../src/chain/note.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { openLog } from '../../src/log.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { testSigner } from '../chain/signer.ts';
import { inMemory } from '../storage/migrated-database.ts';

const signer = testSigner(9);
const ORIGIN = 'log.example/a';
const settings = { PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') };
const ROUTE = '/api/witness/add-checkpoint';

async function witnessOf(...keys: string[]): Promise<RunningService> {
  const configuration = readConfiguration({ ...settings, SVC_WITNESS_LOGS: keys.join(' ') });
  return listen({ configuration, log: openLog('silent'), ...(await inMemory()) });
}

describe('the route', () => {
  let witness: RunningService;
  beforeAll(async () => {
    witness = await witnessOf(verifierKey(ORIGIN, signer.publicKey));
    return () => witness.close();
  });

  const leaves = Array.from({ length: 10 }, (_, i) => new Uint8Array(32).fill(i));
  const noteAt = (size: number, by = signer, origin = ORIGIN) =>
    signCheckpoint({ origin, size, root: treeRoot(leaves.slice(0, size)) }, by);
  const post = async (body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(`${witness.url}${ROUTE}`, { method: 'POST', body });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  test('follows the protocol, not our error format', async () => {
    const text = 'text/plain; charset=utf-8';
    const made = await post(`old 0\n\n${noteAt(5)}`);
    expect(made).toMatchObject({ status: 200, type: text });
    const key = parseVerifierKey(witness.services.witness.verifierKey);
    const cosigned = parseCheckpoint(noteAt(5) + made.text);
    expect(key && cosigned && cosignatureTime(cosigned, key.name, key.publicKey)).toBeGreaterThan(1_700_000_000);
    expect(await post(`old 0\n\n${noteAt(6)}`)).toEqual({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
    expect(await post(`old 5\n\n${noteAt(6)}`)).toMatchObject({ status: 422, type: text });
    expect(await post(`old 5\n\n${noteAt(6, testSigner(8))}`)).toMatchObject({ status: 403, type: text });
    expect(await post(`old 0\n\n${noteAt(5, signer, 'log.example/b')}`)).toMatchObject({ status: 404, type: text });
    expect(await post(`old 9\n\n${noteAt(6)}`)).toMatchObject({ status: 400, type: text });
    for (const malformed of ['', '{}', noteAt(5), `old 5\n\n${noteAt(5).slice(0, -1)}`])
      expect(await post(malformed)).toMatchObject({ status: 400, type: text });
  });

  test('limits the body size', async () => {
    expect(await post('x'.repeat(LIMITS.chain.witnessBytes + 1))).toMatchObject({ status: 413 });
    expect(await post(Uint8Array.of(0x6f, 0xff, 0xfe))).toMatchObject({ status: 400 });
    expect((await fetch(`${witness.url}${ROUTE}`)).status).toBe(405);
  });

  test('knows no log unless configured', async () => {
    const unconfigured = await witnessOf();
    try {
      const answer = await fetch(`${unconfigured.url}${ROUTE}`, { method: 'POST', body: `old 0\n\n${noteAt(5)}` });
      expect(answer.status).toBe(404);
    } finally {
      await unconfigured.close();
    }
  });

  test('an invalid log key in the setting is rejected with its position', () => {
    const good = verifierKey(ORIGIN, signer.publicKey);
    for (const bad of ['x', verifierKey(ORIGIN, signer.publicKey, 'cosignature'), good.replace('log', 'lag')])
      expect(() => readConfiguration({ SVC_WITNESS_LOGS: `${good} ${bad}` })).toThrow(
        /SVC_WITNESS_LOGS must list .*; entry 2 is not one/,
      );
    expect(readConfiguration({ SVC_WITNESS_LOGS: ` ${good}\n${good} ` }).witnessLogs.length).toBe(2);
  });
});
