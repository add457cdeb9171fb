import { expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { isKeySet, PinnedKeys, readKeySet } from '../../src/protocol/pinned-keys.ts';
import { signerOf } from '../protocol/sealed-case.ts';

const { publicKey: known } = signerOf(9);
const { publicKey: other } = signerOf(66);

test('nothing is said about a key while nothing is pinned', () => {
  expect(new PinnedKeys().trusted(known)).toBeUndefined();
});

test('a pinned fingerprint trusts its key and no other', () => {
  const pins = new PinnedKeys();
  pins.add(` ${known.kid}\n`);
  expect(pins.trusted(known)).toEqual([known]);
  expect(pins.trusted(other)).toEqual([]);
  expect(pins.trusted(undefined)).toEqual([]);
  pins.remove(known.kid);
  expect(pins.trusted(known)).toBeUndefined();
});

test.each(['', 'key', known.kid.slice(1), `${known.kid}=`, `${known.kid.slice(1)}+`])(
  '%j is no fingerprint',
  (text) => {
    const pins = new PinnedKeys();
    expect(() => pins.add(text)).toThrow(DomainError);
    expect(pins.fingerprints).toEqual([]);
  },
);

test('at most 32 keys are pinned', () => {
  const pins = new PinnedKeys();
  for (let i = 0; i < 32; i++) pins.add(signerOf(i + 1).publicKey.kid);
  pins.add(known.kid);
  expect(() => pins.add(signerOf(99).publicKey.kid)).toThrow('32');
});

test('a key set holds keys, and is neither a receipt nor a bundle', () => {
  expect(isKeySet({ keys: [known] })).toBe(true);
  expect(isKeySet({ keys: [known], format: 'svc-bundle/1' })).toBe(false);
  expect(isKeySet({ keys: [known], solver: 'heat' })).toBe(false);
  expect(isKeySet({ keys: known })).toBe(false);
});

test('a key set with another kid than the thumbprint, or with other kinds of keys alone, is refused', () => {
  const foreign = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
  expect(readKeySet({ keys: [foreign, known] })).toEqual([known]);
  expect(() => readKeySet({ keys: [foreign, { ...other, kid: known.kid }] })).toThrow('thumbprint');
  expect(() => readKeySet({ keys: [] })).toThrow(DomainError);
});
