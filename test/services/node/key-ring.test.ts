// Signatures checked by Node's own crypto hold and fail as they do in JavaScript.

import { expect, test } from 'vitest';
import { isSignedBy } from '../../../src/core/ed25519.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { ed25519Signer, isSignedFast } from '../../../src/services/node/key-ring.ts';
import { testSigner } from '../../chain/signer.ts';

const signer = ed25519Signer(new Uint8Array(32).fill(3));
const message = utf8('what was said');
const sig = signer.sign(message);

test.each([
  ['what was signed', signer.publicKey, message, sig, true],
  ['another message', signer.publicKey, utf8('what was not said'), sig, false],
  ['another key', testSigner(4).publicKey, message, sig, false],
  ['a turned bit', signer.publicKey, message, sig.map((byte, i) => (i === 40 ? byte ^ 1 : byte)), false],
  ['half a signature', signer.publicKey, message, sig.subarray(32), false],
  ['no key at all', new Uint8Array(31), message, sig, false],
  ['a key that is no point', new Uint8Array(32).fill(255), message, sig, false],
])('%s is judged alike', (_, key, said, signature, expected) => {
  expect([isSignedFast(key, said, signature), isSignedBy(key, said, signature)]).toEqual([expected, expected]);
});
