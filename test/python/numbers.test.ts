// The parts of the Python package below its verdicts: canonical JSON, rounded numbers, signatures, bit for bit as in svc.

import { createHash, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBits, toHex } from '../../src/core/bits.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { verifySignature } from '../../src/core/ed25519.ts';
import { roundedPair } from '../../src/core/rounded.ts';
import { parseStrictJson } from '../../src/core/strict-json.ts';
import { BACKENDS, drive, PYTHON, type Task } from './python.ts';

const finite = fc
  .bigInt({ min: 0n, max: 2n ** 64n - 1n })
  .map(fromBits)
  .filter(Number.isFinite);
const sample = <Value>(arbitrary: fc.Arbitrary<Value>, count: number) => fc.sample(arbitrary, count);

describe.skipIf(PYTHON === undefined)('the Python package', () => {
  const canonicalCases = [
    // RFC 8785, appendix B, and the edges of each form.
    ...[0, -0, 5e-324, -5e-324, Number.MAX_VALUE, 9007199254740992, 295147905179352830000, 9.999999999999997e22],
    ...[1e23, 999999999999999700000, 333333333.3333332, 333333333.33333325, -1e-7, 1e-6, 1e21, 1e20, 123456789012345.6],
    ...sample(finite, 3_000),
    ...sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 1_000),
    ...sample(fc.integer(), 200),
    ...sample(fc.jsonValue({ noUnicodeString: false }), 500),
    { '\u{1f600}': 1, '\ufb33': 2, '€': 3, '': 4, '\r': 5, a: '\u2028\u0000\u001f\u007f"\\/' },
  ];

  test('writes canonical JSON as svc does', async () => {
    const found = await drive(canonicalCases.map((value) => ({ do: 'canonical', text: JSON.stringify(value) })));
    for (const [at, value] of canonicalCases.entries())
      expect(found[at]).toEqual({ text: canonicalJson(JSON.parse(JSON.stringify(value))) });
  });

  test('keeps and refuses the same JSON texts', async () => {
    const texts = [
      ...['1e400', '-1e400', '1e-400', '0e-400', '0.0', '-0', '-0.0', '9007199254740992', '9007199254740993'],
      ...['9007199254740994', '1152921504606847000', '1152921504606846977', '1152921504606846976', '1'.repeat(400)],
      ...['NaN', 'Infinity', '[1,]', '01', '"\\ud800"', '"\\ud83d\\ude00"', '{"a":1,"a":2}', '{"a":{"b":1,"b":1}}'],
      ...[
        '{"__proto__":1}',
        '"\t"',
        '1E5',
        '1e+5',
        '"\\u00e9"',
        '',
        '[]',
        '\ufeff1',
        '{"\\ud800":1}',
        '123456789012345678',
      ],
      `${'['.repeat(64)}${']'.repeat(64)}`,
      `${'['.repeat(65)}${']'.repeat(65)}`,
      ...sample(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), 300).map(String),
    ];
    const found = await drive(texts.map((text) => ({ do: 'canonical', text })));
    let kept = 0;
    for (const [at, text] of texts.entries()) {
      let ours: string | undefined;
      try {
        ours = canonicalJson(parseStrictJson(text));
        kept++;
      } catch {
        ours = undefined;
      }
      expect(found[at]?.text, text.slice(0, 80)).toBe(ours);
    }
    expect(kept).toBeGreaterThan(12);
    expect(kept).toBeLessThan(texts.length - 12);
  });

  test('rounds a number to the digits that ± supports as svc does', async () => {
    const positive = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    const near = fc.tuple(finite, fc.integer({ min: -18, max: 3 })).map(([value, power]) => {
      const uncertainty = Math.abs(value) * Number(`1e${power}`);
      return [value, uncertainty] as const;
    });
    const ties = [0.25, 2.5, 0.125, 1.5, 12345.5, 25, 99.5, 995].flatMap((value) =>
      [0.1, 0.25, 0.125, 1, 10, 95, 99.5, 0.995].map((uncertainty) => [value, uncertainty] as const),
    );
    const pairs = [
      ...ties,
      ...sample(near, 2_000),
      ...sample(fc.tuple(finite, positive), 300),
      [0, 1],
      [1, 0],
      [-0, 0],
    ];
    const tasks = pairs.map(([value, uncertainty]) => ({
      do: 'pair',
      value: String(value),
      uncertainty: String(uncertainty),
    }));
    const found = await drive(tasks);
    for (const [at, [value = 0, uncertainty = 0]] of pairs.entries()) {
      const ours = roundedPair(value, uncertainty);
      const expected = ours === undefined ? null : [ours.value, ours.uncertainty];
      expect(found[at]?.pair, `${value} ± ${uncertainty}`).toEqual(expected);
    }
  });

  describe.each(BACKENDS)('with %s', (backend) => {
    test('accepts the signatures that svc accepts, and no others', async () => {
      const { tasks, expected } = signatureCases();
      const found = await drive(tasks, backend);
      expect(found.map(({ ok }) => ok)).toEqual(expected);
      expect(expected.filter(Boolean).length).toBeGreaterThan(8);
      expect(expected.filter((ok) => !ok).length).toBeGreaterThan(20);
    });
  });
});

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
/** A point of order 8, the encodings of the other small orders, and two that are not canonical. */
const TORSION = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a';
const SMALL = [
  TORSION,
  `01${'00'.repeat(31)}`,
  '00'.repeat(32),
  `ec${'ff'.repeat(30)}7f`,
  `${'00'.repeat(31)}80`,
  `ee${'ff'.repeat(30)}7f`,
  `01${'00'.repeat(30)}80`,
  '02'.repeat(32),
];

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
}

function fromLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

function signatureCases() {
  const cases: { readonly key: Uint8Array; readonly message: Uint8Array; readonly signature: Uint8Array }[] = [];
  for (let i = 0; i < 10; i++) {
    const secret = ed25519.utils.randomSecretKey();
    const key = ed25519.getPublicKey(secret);
    const message = randomBytes(i * 37);
    const signature = ed25519.sign(message, secret);
    const flip = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ (1 << (i % 8)));
    const s = fromLittleEndian(signature.subarray(32));
    const beyond = Uint8Array.from([...signature.subarray(0, 32), ...littleEndian(s + ORDER)]);
    cases.push(
      { key, message, signature },
      { key, message, signature: flip(signature, (i * 13) % 64) },
      { key: flip(key, i * 3), message, signature },
      { key, message: Buffer.concat([message, Buffer.from([0])]), signature },
      { key, message, signature: beyond },
      { key, message, signature: signature.subarray(0, 63) },
    );
  }
  cases.push(...rfc8032(), ...torsionCases());
  for (const key of SMALL)
    for (const r of SMALL) {
      const signature = Buffer.concat([Buffer.from(r, 'hex'), Buffer.alloc(32)]);
      cases.push({ key: Buffer.from(key, 'hex'), message: Buffer.from('any'), signature });
    }
  const tasks: Task[] = cases.map(({ key, message, signature }) => ({
    do: 'signature',
    key: toHex(key),
    message: toHex(message),
    signature: toHex(signature),
  }));
  return {
    tasks,
    expected: cases.map(({ key, message, signature }) => verifySignature(key, message, signature)),
  };
}

/** A key and a commitment with a part of small order: they fulfil the equation with the cofactor alone. */
function torsionCases() {
  const torsion = Point.fromHex(TORSION);
  const secret = 12345n;
  const nonce = 67890n;
  const key = Point.BASE.multiply(secret).add(torsion).toBytes();
  const commitment = Point.BASE.multiply(nonce).add(torsion).toBytes();
  return Array.from({ length: 12 }, (_, at) => {
    const message = Buffer.from([at]);
    const digest = createHash('sha512').update(commitment).update(key).update(message).digest();
    const k = fromLittleEndian(digest) % ORDER;
    const signature = Buffer.concat([commitment, littleEndian((nonce + k * secret) % ORDER)]);
    return { key, message, signature };
  });
}

/** RFC 8032, section 7.1, tests 1 and 2. */
function rfc8032() {
  const hex = (text: string) => Buffer.from(text, 'hex');
  return [
    {
      key: hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
      message: hex(''),
      signature: hex(
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ),
    },
    {
      key: hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
      message: hex('72'),
      signature: hex(
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ),
    },
  ];
}
