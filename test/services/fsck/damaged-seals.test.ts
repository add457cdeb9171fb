// Damaged seals: the node names them in the next seal, and fsck understands it.

import { beforeAll, describe, expect, test } from 'vitest';
import { type SealedHead, sealRoot } from '../../../src/chain/node-seal.ts';
import { TICK_NS } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { advanceClock, ownMachines } from '../../http/machine-fixture.ts';
import { startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const service = await startService();
const { seals, sealLog } = service.running.services;
let slug: string;

/** Seals all machines, as a node does on schedule. */
async function sealAll(): Promise<void> {
  advanceClock(service, BigInt(LIMITS.chain.sealEveryTicks) * TICK_NS);
  await seals.sealWhenDue();
  await sealLog.record();
}

beforeAll(async () => {
  slug = await ownMachines(service, 'damaged').machine();
  await sealAll();
});

describe('a node whose newest seal was damaged', () => {
  const { knex } = service.running.storage.database;
  const newest = async () => {
    const [seal] = await rows<{ no: number; root: string }>(
      knex,
      `select no, encode(root, 'hex') as root from node_seal order by no desc limit 1`,
    );
    if (seal === undefined) throw new Error('There is no seal.');
    return seal;
  };
  const set = (no: number, column: string, value: unknown) =>
    rows(knex, `update node_seal set ${column} = ? where no = ?`, [value as never, no]);
  const getSeal = async () => {
    const { status, text } = await service.call('GET /api/chain/seal');
    return { status, json: JSON.parse(text) };
  };

  test.each([
    ['envelope', 'not JSON', 'SIGNATURE'],
    ['envelope', '{"payload":7}', 'SIGNATURE'],
    ['envelope', 'null', 'SIGNATURE'],
    ['svcond', '900000000000', 'SAID'],
    ['machines', '7', 'SAID'],
    ['root', Buffer.alloc(32), 'SAID'],
  ])('fsck names %s = %s, and the node makes another that says so', async (column, damage, code) => {
    await sealAll();
    const before = await newest();
    const kept = (await rows<Record<string, unknown>>(knex, `select * from node_seal where no = ?`, [before.no]))[0];
    await set(before.no, column, damage);

    const { status, json } = await getSeal();
    expect([status, json.no]).toEqual([200, before.no + 1]);
    const text = JSON.parse(Buffer.from((json.envelope as { payload: string }).payload, 'base64').toString());
    expect(text.damaged).toEqual({ from: before.no, root: before.root });
    await sealAll();
    const found = await faultsAfter(service, async () => {});
    expect(found).toMatchObject([{ table: 'node_seal', key: { no: String(before.no) }, code, column }]);

    // From a backup, or from a seal that somebody kept.
    await set(before.no, column, kept?.[column]);
    expect(await faultsAfter(service, async () => {})).toEqual([]);
  });

  test('several damaged seals are named together', async () => {
    await sealAll();
    const { no } = await newest();
    await set(no - 1, 'envelope', '');
    await sealAll();
    for (const damaged of [no, no + 1]) await set(damaged, 'envelope', '');
    const { json } = await getSeal();
    const text = JSON.parse(Buffer.from((json.envelope as { payload: string }).payload, 'base64').toString());
    expect([json.no, text.damaged.from]).toEqual([no + 2, no - 1]);
    const found = await faultsAfter(service, async () => {});
    expect(found.map(({ key, code }) => [key.no, code])).toEqual(
      [no - 1, no, no + 1].map((damaged) => [String(damaged), 'SIGNATURE']),
    );
  });

  test('heads that were changed with the damage are refused, or found when the seal is restored', async () => {
    const before = await newest();
    const kept = (await rows<Record<string, unknown>>(knex, `select * from node_seal where no = ?`, [before.no]))[0];
    await rows(knex, 'delete from sealed_head where slug = ?', [slug]);
    await set(before.no, 'envelope', '');
    const { status, json } = await getSeal();
    expect([status, json.code]).toEqual([500, 'SEAL_DAMAGED']);

    // Somebody also gives the damaged seal the root of what is left.
    const left = await rows<SealedHead>(
      knex,
      `select slug, encode(genesis_hash, 'hex') as "genesisHash", encode(head_hash, 'hex') as "headHash" from sealed_head`,
    );
    await set(before.no, 'root', Buffer.from(await sealRoot(left)));
    expect((await getSeal()).json.no).toBe(before.no + 1);
    for (const column of ['envelope', 'root']) await set(before.no, column, kept?.[column]);
    expect(await faultsAfter(service, async () => {})).toContainEqual(
      expect.objectContaining({ table: 'node_seal', key: { no: String(before.no + 1) }, code: 'SEAL' }),
    );
  });
});
