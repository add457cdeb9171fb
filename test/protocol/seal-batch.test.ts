// Seals of batches: vectors made with node:crypto alone, every change of a part, and other trees as attacks.

import { createHash, createPrivateKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64Url } from '../../src/core/bits.ts';
import { verifySignature } from '../../src/core/ed25519.ts';
import { utf8 } from '../../src/core/sha256.ts';
import { BATCH_TYPE, openSeal, PAYLOAD_TYPE, type Seal, sealBatch } from '../../src/protocol/seal-batch.ts';
import type { Signer } from '../../src/protocol/signing.ts';
import { inclusionPath } from '../chain/reference-tree.ts';
import { signer, signerOf } from './sealed-case.ts';

const key = fromBase64Url(signer.publicKey.x) ?? new Uint8Array();
const statementsOf = (count: number) => Array.from({ length: count }, (_, i) => utf8(`{"statement":${i}}`));
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The statement that a seal signs with the test's key, or why it signs none. */
function verified(seal: unknown): string {
  const opened = openSeal(seal);
  if ('reason' in opened) return `refused: ${opened.reason}`;
  if (opened.keyid !== signer.publicKey.kid) return 'refused: another key';
  const { statement, signedBytes, signature } = opened;
  return verifySignature(key, signedBytes, signature) ? Buffer.from(statement).toString() : 'refused: the signature';
}

/** Counts signatures. */
function counting(): Signer & { count: number } {
  const counted = {
    publicKey: signer.publicKey,
    count: 0,
    sign: (bytes: Uint8Array) => {
      counted.count++;
      return signer.sign(bytes);
    },
  };
  return counted;
}

describe('vectors by node:crypto alone', () => {
  const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const leaf = (bytes: Uint8Array) => sha256(Uint8Array.of(0), bytes);
  const node = (left: Uint8Array, right: Uint8Array) => sha256(Uint8Array.of(1), left, right);
  const PKCS8 = Buffer.from(`302e020100300506032b657004220420${'09'.repeat(32)}`, 'hex');
  const privateKey = createPrivateKey({ key: PKCS8, format: 'der', type: 'pkcs8' });
  const dsse = (type: string, payload: string) => ({
    payloadType: type,
    payload: base64(payload),
    signatures: [
      {
        keyid: signer.publicKey.kid,
        sig: sign(null, Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`), privateKey).toString(
          'base64',
        ),
      },
    ],
  });

  test('one statement has the plain form', () => {
    expect(sealBatch([utf8('{"a":1}')], signer)).toEqual([dsse('application/vnd.in-toto+json', '{"a":1}')]);
  });

  test('three statements share the root of RFC 6962', () => {
    const texts = ['{"a":1}', '{"b":2}', '{"c":3}'];
    const [a, b, c] = texts.map((text) => leaf(Buffer.from(text))) as [Buffer, Buffer, Buffer];
    const ab = node(a, b);
    const root = node(ab, c).toString('hex');
    const signed = dsse('application/vnd.svc.seal-batch+json', `{"batch":1,"root":"${root}","size":3}`);
    const paths = [[b, c], [a, c], [ab]];
    expect(sealBatch(texts.map(utf8), signer)).toEqual(
      texts.map((text, index) => ({
        ...signed,
        statement: base64(text),
        inclusion: { index, path: (paths[index] ?? []).map((hash) => hash.toString('hex')) },
      })),
    );
    // Also computed in Python with hashlib.
    expect(root).toBe('15a780c86283d42c8c13ad385bf96794f2b61becf22ceff08d0255e0551c878f');
  });
});

test('no statements have no seals and no signature', () => {
  const counted = counting();
  expect([sealBatch([], counted), counted.count]).toEqual([[], 0]);
});

test('1 to 300 statements take one signature, and each seal signs its statement', () => {
  for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 100, 255, 256, 257, 300]) {
    const counted = counting();
    const statements = statementsOf(size);
    const seals = sealBatch(statements, counted);
    expect([seals.length, counted.count]).toEqual([size, 1]);
    const wire = JSON.parse(JSON.stringify(seals)) as Seal[];
    const opened = wire.map((seal) => openSeal(seal));
    for (const [i, one] of opened.entries()) expect(one).toMatchObject({ statement: statements[i] });
    expect(verified(wire[size - 1])).toBe(`{"statement":${size - 1}}`);
  }
});

test('property: any statements, and paths of the reference tree', () => {
  const any = fc.array(fc.uint8Array({ maxLength: 80 }), { minLength: 2, maxLength: 300 });
  fc.assert(
    fc.property(any, fc.nat(), (statements, pick) => {
      const index = pick % statements.length;
      const seal = sealBatch(statements, signer)[index];
      const path = inclusionPath(index, statements).map((hash) => Buffer.from(hash).toString('hex'));
      expect(seal?.inclusion).toEqual({ index, path });
      expect(openSeal(seal)).toMatchObject({ statement: statements[index] });
    }),
    { numRuns: 40 },
  );
});

describe('a changed part is refused', () => {
  const seals = sealBatch(statementsOf(11), signer);
  const [first, second] = seals as [Seal, Seal];
  const batch = (fields: object) => base64(JSON.stringify({ batch: 1, root: '0'.repeat(64), size: 11, ...fields }));
  const inclusion = (fields: object) => ({ ...first, inclusion: { ...first.inclusion, ...fields } });
  const [lone] = sealBatch([utf8('{}')], signer) as [Seal];

  test('the unchanged seals are accepted', () => {
    expect(verified(first)).toBe('{"statement":0}');
    expect(verified(lone)).toBe('{}');
  });

  test('every bit of the statement, of the path and of the signature', () => {
    for (const index of [0, 5, 10]) {
      const seal = seals[index] as Seal;
      const statement = Buffer.from(seal.statement ?? '', 'base64');
      for (let bit = 0; bit < statement.length * 8; bit++) {
        const changed = Buffer.from(statement);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verified({ ...seal, statement: changed.toString('base64') })).toMatch(/^refused: The statement is not/);
      }
      const path = seal.inclusion?.path ?? [];
      for (let digit = 0; digit < path.length * 64; digit++) {
        const at = digit >> 6;
        const old = path[at] ?? '';
        const k = digit & 63;
        const flipped = `${old.slice(0, k)}${(Number.parseInt(old[k] ?? '', 16) ^ 1).toString(16)}${old.slice(k + 1)}`;
        const changed = { ...seal, inclusion: { index, path: path.with(at, flipped) } };
        expect(verified(changed)).toMatch(/^refused: The statement is not/);
      }
      const [signature] = seal.signatures;
      const sig = Buffer.from(signature.sig, 'base64');
      for (let byte = 0; byte < 64; byte++) {
        const changed = Buffer.from(sig);
        changed[byte] = (changed[byte] ?? 0) ^ 1;
        expect(verified({ ...seal, signatures: [{ ...signature, sig: changed.toString('base64') }] })).toBe(
          'refused: the signature',
        );
      }
    }
  });

  test.each<[string, unknown]>([
    ['another index', inclusion({ index: 1 })],
    ['an index beyond the size', inclusion({ index: 11 })],
    ['a negative index', inclusion({ index: -1 })],
    ['a fractional index', inclusion({ index: 0.5 })],
    ['an index of text', inclusion({ index: '0' })],
    ['a shorter path', inclusion({ path: first.inclusion?.path.slice(1) })],
    ['a longer path', inclusion({ path: [...(first.inclusion?.path ?? []), '0'.repeat(64)] })],
    ['a path of 21 hashes', inclusion({ path: Array.from({ length: 21 }, () => '0'.repeat(64)) })],
    ['upper-case hex in the path', inclusion({ path: first.inclusion?.path.map((one) => one.toUpperCase()) })],
    ['the path of another leaf', { ...first, inclusion: second.inclusion }],
    ['the statement of another leaf', { ...first, statement: second.statement }],
    ['another root', { ...first, payload: batch({}) }],
    ['another size', { ...first, payload: batch({ root: rootOf(first), size: 12 }) }],
    ['a size above 2^20', { ...first, payload: batch({ size: 2 ** 20 + 1 }) }],
    ['a batch of one', { ...first, payload: batch({ size: 1 }), inclusion: { index: 0, path: [] } }],
    ['another version of batches', { ...first, payload: batch({ batch: 2, root: rootOf(first) }) }],
    ['an unknown field in the payload', { ...first, payload: batch({ root: rootOf(first), more: 1 }) }],
    ['a payload that is not canonical', { ...first, payload: spaced(first) }],
    ['a payload with a duplicate key', { ...first, payload: duplicated(first) }],
    ['a payload that is not JSON', { ...first, payload: base64('batch') }],
    ['a payload that is too long', { ...first, payload: base64(' '.repeat(200)) }],
    ['an unknown field of the seal', { ...first, more: 1 }],
    ['an unknown field of inclusion', inclusion({ size: 11 })],
    ['an unknown field of a signature', { ...first, signatures: [{ ...first.signatures[0], more: 1 }] }],
    ['two signatures', { ...first, signatures: [first.signatures[0], first.signatures[0]] }],
    ['no signature', { ...first, signatures: [] }],
    ['a signature of 63 bytes', { ...first, signatures: [{ ...first.signatures[0], sig: sigOf(63) }] }],
    ['no statement', { ...first, statement: undefined }],
    ['no inclusion', { ...first, inclusion: undefined }],
    ['white space in the base64 of the statement', { ...first, statement: ` ${first.statement}` }],
    ['another type of payload', { ...first, payloadType: 'application/json' }],
    ['a batch that claims to be plain', { ...first, payloadType: PAYLOAD_TYPE }],
    ['the signed payload of a batch as a statement', { ...plainOf(first), payloadType: PAYLOAD_TYPE }],
    ['a plain seal that claims to be a batch', { ...first, ...lone, payloadType: BATCH_TYPE }],
    ['a plain seal with a statement beside it', { ...lone, statement: base64('{}') }],
    ['another key', sealBatch(statementsOf(3), signerOf(4))[0]],
    ['null', null],
    ['a text', 'seal'],
    ['a list', [first]],
    ['an empty object', {}],
  ])('%s', (_, changed) => {
    expect(verified(changed)).toMatch(/^refused: /);
  });

  test('an inner node is no leaf: second preimages end at the prefix', () => {
    const four = sealBatch(statementsOf(4), signer);
    const [, right] = four.map((seal) => seal.inclusion?.path ?? []);
    const children = Buffer.concat([leafOf('{"statement":0}'), leafOf('{"statement":1}')]);
    for (const preimage of [children, Buffer.concat([Uint8Array.of(1), children])]) {
      const forged = { ...four[0], statement: preimage.toString('base64') };
      for (const path of [[right?.[1]], right, []])
        for (const index of [0, 1]) expect(verified({ ...forged, inclusion: { index, path } })).toMatch(/^refused: /);
    }
    // The same tree of two leaves with that root cannot be claimed either, since the size is signed.
    const payload = base64(JSON.stringify({ batch: 1, root: rootOf(four[0] as Seal), size: 2 }));
    const inclusionOfNode = { index: 0, path: [right?.[1]] };
    const forged = { ...four[0], payload, statement: children.toString('base64'), inclusion: inclusionOfNode };
    expect(verified(forged)).toMatch(/^refused: /);
  });
});

const leafOf = (text: string) => createHash('sha256').update(Uint8Array.of(0)).update(text).digest();
const payloadText = (seal: Seal) => Buffer.from(seal.payload, 'base64').toString();
const rootOf = (seal: Seal) => (JSON.parse(payloadText(seal)) as { root: string }).root;
const spaced = (seal: Seal) => base64(payloadText(seal).replace(':', ': '));
const duplicated = (seal: Seal) => base64(payloadText(seal).replace('{', '{"batch":1,'));
const sigOf = (length: number) => Buffer.alloc(length).toString('base64');
const plainOf = ({ payload, signatures }: Seal) => ({ payload, signatures });
