// HPKE and key derivation, against published test vectors and another implementation.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../src/core/bits.ts';
import { utf8 } from '../../../../src/core/sha256.ts';
import { EquationKeys } from '../../../../src/services/machines/sealing/equation-keys.ts';
import { hpkeOpen, hpkeSeal, x25519PublicKey } from '../../../../src/services/machines/sealing/hpke.ts';

const hex = (text: string) => fromHex(text) ?? new Uint8Array();

/**
 * The base vector of DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, its first encryption, from test-vectors.json
 * of github.com/cfrg/draft-irtf-cfrg-hpke, which RFC 9180 names; its appendix prints this KEM with other ciphers only.
 */
const VECTOR = {
  privateKey: '497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d',
  publicKey: '430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c',
  info: '4f6465206f6e2061204772656369616e2055726e',
  aad: '436f756e742d30',
  encapsulated: '6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256',
  ciphertext: 'e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a',
  plaintext: 'Beauty is truth, truth beauty',
};

test('the published vector opens, and its private key has the published public half', async () => {
  expect(toHex(x25519PublicKey(hex(VECTOR.privateKey)))).toBe(VECTOR.publicKey);
  const sealed = hex(VECTOR.encapsulated + VECTOR.ciphertext);
  const opened = await hpkeOpen(hex(VECTOR.privateKey), sealed, { info: hex(VECTOR.info), aad: hex(VECTOR.aad) });
  expect(Buffer.from(opened ?? '').toString()).toBe(VECTOR.plaintext);
});

test('a message opens only with its key and binding, and seals to different bytes each time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 40 }), async (plaintext, aad) => {
      const privateKey = randomBytes(32);
      const publicKey = x25519PublicKey(privateKey);
      const binding = { info: utf8('a'), aad };
      const sealed = await hpkeSeal(publicKey, plaintext, binding);
      expect(sealed).toHaveLength(32 + plaintext.length + 16);
      expect(await hpkeOpen(privateKey, sealed, binding)).toEqual(plaintext);
      expect(toHex(await hpkeSeal(publicKey, plaintext, binding))).not.toBe(toHex(sealed));
      expect(await hpkeOpen(randomBytes(32), sealed, binding)).toBeUndefined();
      expect(await hpkeOpen(privateKey, sealed, { ...binding, info: utf8('b') })).toBeUndefined();
      expect(await hpkeOpen(privateKey, sealed, { ...binding, aad: utf8(`${toHex(aad)}!`) })).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});

test('every flipped bit is detected', async () => {
  const privateKey = randomBytes(32);
  const binding = { info: utf8('a'), aad: utf8('slug|7|event|0') };
  const sealed = await hpkeSeal(x25519PublicKey(privateKey), utf8('a payload'), binding);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed);
    // X25519 ignores the highest bit of a public key; any other one counts.
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(await hpkeOpen(privateKey, changed, binding), `byte ${at}`).toBeUndefined();
  }
  for (const length of [0, 1, 31, 32, 47])
    expect(await hpkeOpen(privateKey, sealed.subarray(0, length), binding)).toBeUndefined();
});

test('key derivation agrees with another implementation, in every Unicode normalization', async () => {
  // scrypt of Python's hashlib, HKDF and X25519 of pyca/cryptography 48, over the composed form.
  const keys = new EquationKeys();
  const salt = Uint8Array.from({ length: 16 }, (_, i) => i);
  for (const equation of ["caf\u00e9'' + 1.2345678*phi' = 0", "cafe\u0301'' + 1.2345678*phi' = 0"]) {
    const pair = await keys.deriveKeyPair(equation, salt, 'boiler');
    expect([toHex(pair.privateKey), toHex(pair.publicKey)]).toEqual([
      'f1a8637433087d8f6182348b679f9189d235a60cc96b779ec934373275d87a22',
      '3d3b4eadc596ec3ca5d237c1803b1a8a2a8ed31de9dfe7f0f1908c16c46c532b',
    ]);
  }
  const other = await keys.deriveKeyPair("caf\u00e9'' + 1.2345678*phi' = 0", salt, 'boiler-2');
  expect(toHex(other.publicKey)).not.toBe('3d3b4eadc596ec3ca5d237c1803b1a8a2a8ed31de9dfe7f0f1908c16c46c532b');
});

test('derivations beyond two are queued; beyond the queue limit they are rejected', async () => {
  const keys = new EquationKeys(2);
  const derivations = Array.from({ length: 6 }, (_, i) =>
    keys.deriveKeyPair(`equation ${i}`, new Uint8Array(16), 'boiler'),
  );
  const settled = Promise.allSettled(derivations);
  await expect(derivations[4]).rejects.toMatchObject({ code: 'QUEUE_FULL' });
  const results = await settled;
  expect(results.map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, (_, i) => (i < 4 ? 'fulfilled' : 'rejected')),
  );
  await expect(keys.deriveKeyPair('one more', new Uint8Array(16), 'boiler')).resolves.toBeDefined();
});
