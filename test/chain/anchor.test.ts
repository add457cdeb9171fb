// Pseudonyms, statements and continuity of anchors. The literals come from an independent implementation of HMAC and
// HKDF.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anchorSeed,
  isAnchorSigned,
  isContinuitySigned,
  pseudonymOf,
  signAnchor,
  signContinuity,
} from '../../src/chain/anchor.ts';
import { toHex } from '../../src/core/bits.ts';
import { testSigner } from './signer.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const MOTHER = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);
const signer = testSigner(3);
const STATEMENT = { mother: MOTHER, pseudonym: pseudonymOf(KEY, MOTHER), size: 41, root: '5e'.repeat(32), svcond: 7 };

describe('pseudonyms and keys', () => {
  test('match HMAC-SHA256 and HKDF-SHA256', () => {
    expect(pseudonymOf(KEY, MOTHER)).toBe('1e89fd7928db421fb70cfb2233a1c67f');
    expect(toHex(anchorSeed(KEY, MOTHER))).toBe('25257816625cdf4c7d7dd028e2111a603d8d4be46acaf43966e4c9a97ceee348');
  });

  test('differ for each mother and each key', () => {
    const another = KEY.map((byte) => byte ^ 1);
    const all = [KEY, another].flatMap((key) =>
      [MOTHER, OTHER].flatMap((mother) => [pseudonymOf(key, mother), toHex(anchorSeed(key, mother)).slice(0, 32)]),
    );
    expect(new Set(all).size).toBe(8);
  });
});

describe('an anchor statement', () => {
  const anchor = signAnchor(STATEMENT, signer);

  test('is valid only for its mother', () => {
    expect(isAnchorSigned(MOTHER, anchor)).toBe(true);
    expect(isAnchorSigned(OTHER, anchor)).toBe(false);
    expect(anchor).not.toHaveProperty('mother');
  });

  test.each([
    ['size', { size: 42 }],
    ['root', { root: '5f'.repeat(32) }],
    ['tick', { svcond: 8 }],
    ['pseudonym', { pseudonym: pseudonymOf(KEY, OTHER) }],
    ['key', { public_key: toHex(testSigner(4).publicKey) }],
    ['malformed key', { public_key: 'zz' }],
    ['signature', { sig: signAnchor({ ...STATEMENT, size: 42 }, signer).sig }],
    ['malformed signature', { sig: 'AAAA' }],
  ])('is not valid with a changed field: %s', (_, change) => {
    expect(isAnchorSigned(MOTHER, { ...anchor, ...change })).toBe(false);
  });

  test('is valid for exactly the signed size', () => {
    const sizes = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(sizes, sizes, fc.nat(), (size, other, svcond) => {
        const signed = signAnchor({ ...STATEMENT, size, svcond }, signer);
        expect(isAnchorSigned(MOTHER, signed)).toBe(true);
        expect(isAnchorSigned(MOTHER, { ...signed, size: other })).toBe(size === other);
      }),
      { numRuns: 40 },
    );
  });
});

describe('continuity', () => {
  const [oldPseudonym, newPseudonym] = [
    pseudonymOf(KEY, MOTHER),
    pseudonymOf(
      KEY.map((byte) => byte ^ 1),
      MOTHER,
    ),
  ];
  const newSigner = testSigner(4);
  const continuity = signContinuity(MOTHER, [oldPseudonym, signer], [newPseudonym, newSigner], 9);

  test('is signed by both keys, for this mother', () => {
    expect(continuity).toMatchObject({
      from: { pseudonym: oldPseudonym },
      to: { pseudonym: newPseudonym },
      svcond: 9,
    });
    expect(isContinuitySigned(MOTHER, continuity)).toBe(true);
    expect(isContinuitySigned(OTHER, continuity)).toBe(false);
  });

  test('is not valid with one signature, swapped signatures or changed fields', () => {
    const [oldSignature, newSignature] = continuity.sigs;
    expect(isContinuitySigned(MOTHER, { ...continuity, sigs: [oldSignature, oldSignature] })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...continuity, sigs: [newSignature, newSignature] })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...continuity, sigs: [newSignature, oldSignature] })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...continuity, from: continuity.to, to: continuity.from })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...continuity, svcond: 10 })).toBe(false);
  });

  test('is not valid with the signature of an anchor statement', () => {
    const { sig } = signAnchor(STATEMENT, signer);
    expect(isContinuitySigned(MOTHER, { ...continuity, sigs: [sig, continuity.sigs[1]] })).toBe(false);
  });
});
