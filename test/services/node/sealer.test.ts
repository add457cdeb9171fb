// Sealer: one signature a turn of the event loop, whatever happens to it.

import { expect, test } from 'vitest';
import { utf8 } from '../../../src/core/sha256.ts';
import { BATCH_TYPE, openSeal, PAYLOAD_TYPE } from '../../../src/protocol/seal-batch.ts';
import type { Signer } from '../../../src/protocol/signing.ts';
import { Sealer } from '../../../src/services/node/sealer.ts';
import { signer } from '../../protocol/sealed-case.ts';

const statementOf = (i: number) => utf8(`{"statement":${i}}`);

function counting(): { signer: Signer; count: () => number } {
  let count = 0;
  const sign = (bytes: Uint8Array) => {
    count++;
    return signer.sign(bytes);
  };
  return { signer: { publicKey: signer.publicKey, sign }, count: () => count };
}

test('32 concurrent calls share a signature, and each gets the seal of its statement', async () => {
  const counted = counting();
  const sealer = new Sealer(counted.signer);
  const seals = await Promise.all(Array.from({ length: 32 }, (_, i) => sealer.seal(statementOf(i))));
  expect(counted.count()).toBe(1);
  for (const [i, seal] of seals.entries()) {
    expect(seal.payloadType).toBe(BATCH_TYPE);
    expect(openSeal(seal)).toMatchObject({ statement: statementOf(i) });
  }
});

test('a lone statement has the plain form, within its turn', async () => {
  const sealer = new Sealer(signer);
  let isNextTurn = false;
  const pending = sealer.seal(statementOf(0));
  setImmediate(() => {
    isNextTurn = true;
  });
  const seal = await pending;
  expect([seal.payloadType, isNextTurn]).toEqual([PAYLOAD_TYPE, false]);
  expect(openSeal(seal)).toMatchObject({ statement: statementOf(0) });
});

test('turns do not share signatures', async () => {
  const counted = counting();
  const sealer = new Sealer(counted.signer);
  await sealer.seal(statementOf(0));
  await Promise.all([sealer.seal(statementOf(1)), sealer.seal(statementOf(2))]);
  expect(counted.count()).toBe(2);
});

test('600 statements of one turn take three signatures', async () => {
  const counted = counting();
  const sealer = new Sealer(counted.signer);
  const seals = await Promise.all(Array.from({ length: 600 }, (_, i) => sealer.seal(statementOf(i))));
  expect(counted.count()).toBe(3);
  for (const [i, seal] of seals.entries()) expect(openSeal(seal)).toMatchObject({ statement: statementOf(i) });
});

test('a failing signer rejects all statements of its batch, and the next batch is signed', async () => {
  let isBroken = true;
  const failing: Signer = {
    publicKey: signer.publicKey,
    sign: (bytes) => {
      if (isBroken) throw new Error('The key is gone.');
      return signer.sign(bytes);
    },
  };
  const sealer = new Sealer(failing);
  const settled = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => sealer.seal(statementOf(i))));
  expect(settled.map((one) => (one.status === 'rejected' ? String(one.reason) : one.status))).toEqual(
    Array.from({ length: 5 }, () => 'Error: The key is gone.'),
  );
  isBroken = false;
  expect(openSeal(await sealer.seal(statementOf(9)))).toMatchObject({ statement: statementOf(9) });
});

test('closing seals what is pending, and a late statement is sealed at once', async () => {
  const counted = counting();
  const sealer = new Sealer(counted.signer);
  const pending = [sealer.seal(statementOf(0)), sealer.seal(statementOf(1))];
  sealer.close();
  expect(counted.count()).toBe(1);
  const late = sealer.seal(statementOf(2));
  expect(counted.count()).toBe(2);
  for (const [i, seal] of (await Promise.all([...pending, late])).entries())
    expect(openSeal(seal)).toMatchObject({ statement: statementOf(i) });
});
