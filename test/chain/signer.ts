// Ed25519 signers with a fixed seed.

import { ed25519 } from '@noble/curves/ed25519.js';
import type { NoteSigner } from '../../src/chain/note.ts';

export function testSigner(fill: number): NoteSigner {
  const seed = new Uint8Array(32).fill(fill);
  return { publicKey: ed25519.getPublicKey(seed), sign: (message) => ed25519.sign(message, seed) };
}
