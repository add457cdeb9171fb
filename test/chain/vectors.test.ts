// Test vectors of the specification.

import { expect, test } from 'vitest';
import { addressOf, idHash } from '../../src/chain/identity.ts';
import { emptyRoot, inclusionRanges, rangeHash } from '../../src/chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint, signCheckpoint, verifierKey } from '../../src/chain/note.ts';
import { CHAIN_START, validateRows } from '../../src/chain/validate.ts';
import { toHex } from '../../src/core/bits.ts';
import { chainOf, leavesOf } from './chain-fixture.ts';
import { readerOf } from './reference-tree.ts';
import { testSigner } from './signer.ts';

const EVENTS = [
  { type: 'genesis', payload: { slug: 'demo', genesis_tick: 2303730000, policy: 'v1' } },
  { type: 'event', payload: { name: 'request' } },
  { type: 'transition', payload: { contract: 'c1', from: 'allowing', to: 'limiting' } },
];
const rows = chainOf(
  'demo',
  EVENTS.map((event, i) => ({ ...event, svcond: 2303730000 + i })),
);
const GENESIS = 'da66e542aa1d05d0291c4df02e660092f21ec26ab3169a8fd13861ff81925ed2';
const leaves = leavesOf(rows);

test('commitments and row hashes match the specification', () => {
  expect(rows.map((row) => row.commit)).toEqual([
    '781a05231bef84766ab76f0c18bbc86a02b0c24f018193cb55f911f000bf2d64',
    '15637b257ecd51e8723b973ffff66bfdeaa07f39796f9db6476b5fe799fbbe06',
    'eb25048eb1497e5e92a72a032861af34434fee1085a499dfbb4e6af487eefe55',
  ]);
  expect(rows.map((row) => row.row_hash)).toEqual([
    GENESIS,
    'e52d5cb109c68a0adc85ff79a7f6543ffab5e2f982facbe31d53c3f8f8083ad1',
    '073a5c4af3d90f10eb7a413366ba015b61dc07ada882def9c24b4074e72a2e78',
  ]);
  expect(validateRows(rows, 'demo', 0, CHAIN_START)).toEqual({
    valid: true,
    from: 0,
    to: 2,
    checked: 3,
    erased: 0,
    sealed: 0,
  });
});

test('the machine identity and address match the specification', () => {
  const id = idHash('demo', GENESIS);
  expect(id).toBe('2aa807e876044d83b3867b2a990ee0a1a1917d8aef58111eb57892f59ee1a515');
  expect(addressOf(id)).toBe('2aa807e876044d83');
});

test('tree roots and inclusion path match the specification', () => {
  const read = readerOf(leaves);
  expect(toHex(emptyRoot())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(toHex(rangeHash({ from: 0, to: 3 }, read))).toBe(
    '6cdbbd6803f247e1a6cd5c0e5388ea8a4fa0b42a59f345f9fcb697f3f09306ec',
  );
  expect(inclusionRanges(1, 3).map((range) => toHex(rangeHash(range, read)))).toEqual([
    'fae3dc7c1b8650f75d3a77f68b4ec678930b334eecf588ac224b17e2e15d8635',
    '9005d507a9e8b17b890913498019dcb918a113deecc2c20d3e3369205b924448',
  ]);
});

const NOTE = `node.example/m/demo
3
bNu9aAPyR+GmzVwOU4jqik+gtCpZ80X5/LaX8/CTBuw=

— node.example/m/demo mO/MA21WTYYXMoEjNTYTta5AECEM8A0z37p2NLZawcFBFZ4yysHANyMf1WJ85FoM8rGhRv00WN9jb/Loa2nCGfzXIgc=
`;

test('the signed checkpoint matches the specification and can be parsed', () => {
  const signer = testSigner(9);
  const origin = 'node.example/m/demo';
  const root = rangeHash({ from: 0, to: 3 }, readerOf(leaves));
  expect(signCheckpoint({ origin, size: 3, root }, signer)).toBe(NOTE);
  expect(verifierKey(origin, signer.publicKey)).toBe(
    'node.example/m/demo+98efcc03+Af0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY',
  );
  const parsed = parseCheckpoint(NOTE);
  expect(parsed?.checkpoint).toEqual({ origin, size: 3, root: Uint8Array.from(root) });
  expect(parsed && isCheckpointSignedBy(parsed, origin, signer.publicKey)).toBe(true);
  expect(parsed && isCheckpointSignedBy(parsed, origin, testSigner(8).publicKey)).toBe(false);
  expect(parsed && isCheckpointSignedBy(parsed, 'node.example/m/other', signer.publicKey)).toBe(false);
});
