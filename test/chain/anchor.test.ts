// Pseudonyms, statements and continuity of anchors, with literals worked out by another implementation of HMAC and HKDF.

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

describe('names and keys', () => {
  test('are those that HMAC-SHA256 and HKDF-SHA256 give', () => {
    expect(pseudonymOf(KEY, MOTHER)).toBe('1e89fd7928db421fb70cfb2233a1c67f');
    expect(toHex(anchorSeed(KEY, MOTHER))).toBe('25257816625cdf4c7d7dd028e2111a603d8d4be46acaf43966e4c9a97ceee348');
  });

  test('have nothing in common from one mother to the next, nor from one key to the next', () => {
    const another = KEY.map((byte) => byte ^ 1);
    const all = [KEY, another].flatMap((key) =>
      [MOTHER, OTHER].flatMap((mother) => [pseudonymOf(key, mother), toHex(anchorSeed(key, mother)).slice(0, 32)]),
    );
    expect(new Set(all).size).toBe(8);
  });
});

describe('a statement', () => {
  const told = signAnchor(STATEMENT, signer);

  test('holds for this mother and for no other', () => {
    expect(isAnchorSigned(MOTHER, told)).toBe(true);
    expect(isAnchorSigned(OTHER, told)).toBe(false);
    expect(told).not.toHaveProperty('mother');
  });

  test.each([
    ['size', { size: 42 }],
    ['root', { root: '5f'.repeat(32) }],
    ['tick', { svcond: 8 }],
    ['pseudonym', { pseudonym: pseudonymOf(KEY, OTHER) }],
    ['key', { public_key: toHex(testSigner(4).publicKey) }],
    ['key that is none', { public_key: 'zz' }],
    ['signature', { sig: signAnchor({ ...STATEMENT, size: 42 }, signer).sig }],
    ['signature that is none', { sig: 'AAAA' }],
  ])('with another %s does not hold', (_, change) => {
    expect(isAnchorSigned(MOTHER, { ...told, ...change })).toBe(false);
  });

  test('holds whatever it says, and only that', () => {
    const sizes = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(sizes, sizes, fc.nat(), (size, other, svcond) => {
        const one = signAnchor({ ...STATEMENT, size, svcond }, signer);
        expect(isAnchorSigned(MOTHER, one)).toBe(true);
        expect(isAnchorSigned(MOTHER, { ...one, size: other })).toBe(size === other);
      }),
      { numRuns: 40 },
    );
  });
});

describe('continuity', () => {
  const [before, after] = [
    pseudonymOf(KEY, MOTHER),
    pseudonymOf(
      KEY.map((byte) => byte ^ 1),
      MOTHER,
    ),
  ];
  const next = testSigner(4);
  const told = signContinuity(MOTHER, [before, signer], [after, next], 9);

  test('is signed by both keys, for this mother', () => {
    expect(told).toMatchObject({ from: { pseudonym: before }, to: { pseudonym: after }, svcond: 9 });
    expect(isContinuitySigned(MOTHER, told)).toBe(true);
    expect(isContinuitySigned(OTHER, told)).toBe(false);
  });

  test('does not hold with one signature, nor the wrong way round', () => {
    const [mine, theirs] = told.sigs;
    expect(isContinuitySigned(MOTHER, { ...told, sigs: [mine, mine] })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...told, sigs: [theirs, theirs] })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...told, sigs: [theirs, mine] })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...told, from: told.to, to: told.from })).toBe(false);
    expect(isContinuitySigned(MOTHER, { ...told, svcond: 10 })).toBe(false);
  });

  test('is no statement of an anchor, and none is continuity', () => {
    const { sig } = signAnchor(STATEMENT, signer);
    expect(isContinuitySigned(MOTHER, { ...told, sigs: [sig, told.sigs[1]] })).toBe(false);
  });
});
