// Receipts: published test vectors, signed claims and key rotation.

import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReceiptKeys, receiptText } from '../../src/protocol/receipt.ts';

const secret = (byte: number) => new Uint8Array(32).fill(byte);
const keys = new ReceiptKeys([{ epoch: 1, secret: secret(7) }]);

const V1 = {
  operatorIds: ['KO42', 'WM1'],
  R_t: 1.00042,
  svcond: 2303730000,
  keyPrefix: 'svc_ak_0a1b2c3d',
};
const V2 = { ...V1, value: 171.5, unit: 'Hz' };

// vectors.json of the specification.
const PUBLISHED = [
  {
    version: 'v1',
    claim: V1,
    text: '["svc-proof","v1",["KO42","WM1"],1.00042,2303730000,"svc_ak_0a1b2c3d"]',
    svcProof: 'd518a68eb2b4c9df812ca699ca23be27872f64116e15fb08c60f779b50ab1e9f',
  },
  {
    version: 'v2',
    claim: V2,
    text: '["svc-proof","v2",["KO42","WM1"],1.00042,2303730000,"svc_ak_0a1b2c3d",171.5,"Hz"]',
    svcProof: 'fb22b9d8bbb63cc95e31deacd3ec2f2868ad61b02a4a43d58a69cbba8ada1201',
  },
] as const;

describe.each(PUBLISHED)('the published $version test vector', ({ version, claim, text, svcProof }) => {
  test('is reproduced', () => {
    expect(receiptText('computation', claim)).toBe(text);
    expect(keys.sign('computation', claim)).toEqual({ svcProof, version, epoch: 1 });
  });

  test('verifies', () => {
    expect(keys.verify(svcProof, claim)).toEqual({ valid: true, kind: 'computation', version, epoch: 1 });
  });
});

test('the signing key is the HKDF-SHA256 of the secret with the key prefix, as Node computes it', () => {
  const key = Buffer.from(hkdfSync('sha256', secret(7), 'svc-proof', V2.keyPrefix, 32));
  expect(keys.sign('computation', V2).svcProof).toBe(
    createHmac('sha256', key).update(receiptText('computation', V2)).digest('hex'),
  );
});

test('a v1 receipt does not cover a value', () => {
  const [{ svcProof }] = PUBLISHED;
  expect(keys.verify(svcProof, V2)).toEqual({ valid: false, reason: 'VALUE_NOT_SIGNED' });
});

test('a v2 receipt is invalid without its value', () => {
  expect(keys.verify(PUBLISHED[1].svcProof, V1)).toEqual({ valid: false, reason: 'NO_MATCH' });
});

test('a stamp does not verify as a computation', () => {
  const { svcProof } = keys.sign('stamp', V2);
  expect(svcProof).not.toBe(PUBLISHED[1].svcProof);
  expect(keys.verify(svcProof, V2)).toEqual({ valid: true, kind: 'stamp', version: 'v2', epoch: 1 });
});

test.each([
  [{ operatorIds: ['WM1', 'KO42'] }],
  [{ operatorIds: ['KO42WM1'] }],
  [{ R_t: 1.0004200000000003 }],
  [{ svcond: 2303730001 }],
  [{ keyPrefix: 'svc_ak_0a1b2c3e' }],
  [{ value: 171.50000000000003 }],
  [{ unit: 'kHz' }],
  [{ unit: undefined }],
])('a receipt is invalid for another claim: %o', (change) => {
  expect(keys.verify(PUBLISHED[1].svcProof, { ...V2, ...change })).toEqual({ valid: false, reason: 'NO_MATCH' });
});

test.each([
  [undefined],
  [null],
  [42],
  [{}],
  [''],
  ['zz'.repeat(32)],
  [PUBLISHED[1].svcProof.toUpperCase()],
  [`${PUBLISHED[1].svcProof}0`],
  [`${PUBLISHED[1].svcProof}\n`],
])('a malformed proof is reported as invalid and does not throw: %o', (proof) => {
  expect(keys.verify(proof, V2)).toEqual({ valid: false, reason: 'MALFORMED' });
});

test.each([[{ unit: '\ud800' }], [{ keyPrefix: '\udc00' }], [{ operatorIds: ['\ud800'] }], [{ R_t: Number.NaN }]])(
  'a claim that JSON cannot represent is reported as invalid and does not throw: %o',
  (change) => {
    expect(keys.verify(PUBLISHED[1].svcProof, { ...V2, ...change })).toEqual({ valid: false, reason: 'MALFORMED' });
  },
);

test('any changed digit makes a receipt invalid', () => {
  const { svcProof } = PUBLISHED[1];
  for (let i = 0; i < svcProof.length; i++) {
    const other = (Number.parseInt(svcProof.charAt(i), 16) ^ 1).toString(16);
    expect(keys.verify(svcProof.slice(0, i) + other + svcProof.slice(i + 1), V2).valid).toBe(false);
  }
});

describe('a key ring of two epochs', () => {
  const rotated = new ReceiptKeys([
    { epoch: 1, secret: secret(7) },
    { epoch: 2, secret: secret(8) },
  ]);

  test('signs with the newest key', () => {
    expect(rotated.newestEpoch).toBe(2);
    expect(rotated.sign('computation', V2)).toMatchObject({ epoch: 2 });
    expect(keys.verify(rotated.sign('computation', V2).svcProof, V2).valid).toBe(false);
  });

  test('verifies old receipts, with or without their epoch', () => {
    const old = PUBLISHED[1].svcProof;
    expect(rotated.verify(old, V2)).toMatchObject({ valid: true, epoch: 1 });
    expect(rotated.verify(old, V2, 1)).toMatchObject({ valid: true, epoch: 1 });
    expect(rotated.verify(old, V2, 2)).toEqual({ valid: false, reason: 'NO_MATCH' });
    expect(rotated.verify(old, V2, 3)).toEqual({ valid: false, reason: 'EPOCH_UNKNOWN' });
  });
});

test('a key ring without a secret is rejected', () => {
  expect(() => new ReceiptKeys([])).toThrow(/at least one/);
});

test('every receipt verifies with its own claim', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const claims = fc.record({
    operatorIds: fc.array(text, { maxLength: 4 }),
    R_t: fc.double({ noNaN: true, noDefaultInfinity: true }),
    svcond: fc.maxSafeNat(),
    keyPrefix: text,
    value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }),
    unit: text,
  });
  fc.assert(
    fc.property(claims, fc.constantFrom('computation', 'stamp'), (claim, kind) => {
      const { svcProof } = keys.sign(kind, claim);
      expect(keys.verify(svcProof, claim)).toMatchObject({ valid: true, kind });
    }),
  );
});

describe('receipts of transitions', () => {
  const claim = {
    machine: 'boiler',
    contract: 'c1',
    definition_hash: 'ab',
    transition: 'pay',
    from: 'open',
    to: 'paid',
    entry: 2,
    seq: 7,
    svcond: 100,
    previous: { seq: 6, row_hash: 'cd' },
    computed: [],
  };

  test('bind the key of the instance, which another instance does not have', () => {
    const ofInstance = { ...claim, instance: 'A-17' };
    const { svcProof, epoch } = keys.signTransition(ofInstance);
    expect(keys.isTransition(svcProof, ofInstance, epoch)).toBe(true);
    for (const other of [{ ...claim, instance: 'A-18' }, claim])
      expect(keys.isTransition(svcProof, other, epoch)).toBe(false);
  });

  test('of a contract without a key are signed as before', () => {
    const text = `["svc-transition","v1",{"computed":[],"contract":"c1","definition_hash":"ab","entry":2,"from":"open","machine":"boiler","previous":{"row_hash":"cd","seq":6},"seq":7,"svcond":100,"to":"paid","transition":"pay"}]`;
    const key = hkdfSync('sha256', secret(7), 'svc-proof', 'transition', 32);
    const { svcProof } = keys.signTransition(claim);
    expect(svcProof).toBe(createHmac('sha256', Buffer.from(key)).update(text).digest('hex'));
  });
});
