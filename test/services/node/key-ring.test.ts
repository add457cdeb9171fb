// Signature verification by node:crypto agrees with the JavaScript implementation.

import { expect, test } from 'vitest';
import { verifySignature } from '../../../src/core/ed25519.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { ed25519Signer, isSignedByNative } from '../../../src/services/node/key-ring.ts';
import { testSigner } from '../../chain/signer.ts';

const signer = ed25519Signer(new Uint8Array(32).fill(3));
const message = utf8('the message');
const sig = signer.sign(message);

test.each([
  ['the signed message', signer.publicKey, message, sig, true],
  ['another message', signer.publicKey, utf8('another message'), sig, false],
  ['another key', testSigner(4).publicKey, message, sig, false],
  ['a flipped bit', signer.publicKey, message, sig.map((byte, i) => (i === 40 ? byte ^ 1 : byte)), false],
  ['half a signature', signer.publicKey, message, sig.subarray(32), false],
  ['a key of 31 bytes', new Uint8Array(31), message, sig, false],
  ['a key that is not a curve point', new Uint8Array(32).fill(255), message, sig, false],
])('%s gets the same result from both', (_, key, signed, signature, expected) => {
  expect([isSignedByNative(key, signed, signature), verifySignature(key, signed, signature)]).toEqual([
    expected,
    expected,
  ]);
});
