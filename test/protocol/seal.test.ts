// Seals: the standards they follow, and that every change of an envelope breaks them.

import { createPublicKey, verify as verifyByNode } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromBase64, fromBase64Url, fromHex } from '../../src/core/bits.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { DomainError } from '../../src/core/errors.ts';
import { mapValues } from '../../src/core/map-values.ts';
import { sha256Hex, utf8 } from '../../src/core/sha256.ts';
import { definitionSha256 } from '../../src/operators/definition-hash.ts';
import { preAuthenticationEncoding, signDsse } from '../../src/protocol/dsse.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import type { RunArray } from '../../src/protocol/executed-run.ts';
import { verifyEnvelope } from '../../src/protocol/replay.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import { PAYLOAD_TYPE } from '../../src/protocol/seal-batch.ts';
import { coveredFields, uncoveredFields } from '../../src/protocol/sealed-fields.ts';
import { publicJwk } from '../../src/protocol/signing.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { envelopeOf, ROD, signer, signerOf, solve } from './sealed-case.ts';
import { changed, isWord, leavesOf, nameOf, withLeaf } from './tamper.ts';

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

// The example of the DSSE protocol document (secure-systems-lab/dsse, protocol.md).
test('the pre-authentication encoding follows the example of DSSE', () => {
  expect(text(preAuthenticationEncoding('http://example.com/HelloWorld', utf8('hello world')))).toBe(
    'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  );
});

test('lengths in the encoding count bytes, not characters', () => {
  expect(text(preAuthenticationEncoding('é', utf8('→')))).toBe('DSSEv1 2 é 3 →');
});

// RFC 8037, appendix A.3.
test('the key id is the thumbprint of RFC 7638', () => {
  const key = publicJwk(fromBase64Url('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo') ?? new Uint8Array());
  expect(key.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

// RFC 8032, §7.1, test 2.
test('Node and the browser library give the signatures of the standard', () => {
  const seed = fromHex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb') ?? new Uint8Array();
  expect(Buffer.from(ed25519.sign(Uint8Array.of(0x72), seed)).toString('hex')).toBe(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
  const ours = signerOf(9);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (message) => {
      expect(new Uint8Array(ours.sign(message))).toEqual(ed25519.sign(message, new Uint8Array(32).fill(9)));
    }),
    { numRuns: 30 },
  );
});

test('signed bytes that only read as the statement are not the statement', async () => {
  const { seal, ...body } = envelopeOf(await solve('heat', ROD));
  const statement = fromBase64(seal.payload) ?? new Uint8Array();
  const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...statement);
  // A unit that is the sign for what is no UTF-8, signed as a byte that is none.
  const strange = { ...body, unit: '\ufffd' };
  const other = Buffer.from(fromBase64(sealEnvelope(strange, signer).payload) ?? []).toString('latin1');
  const lossy = Buffer.from(other.replace('\u00ef\u00bf\u00bd', '\u00ff'), 'latin1');
  const failed = (sealed: Untrusted) =>
    verifyEnvelope(sealed, [signer.publicKey])
      .filter(({ ok }) => ok === false)
      .map(({ claim }) => claim);
  expect(failed({ ...body, seal })).toEqual([]);
  expect(failed({ ...body, seal: signDsse(PAYLOAD_TYPE, marked, signer) })).toEqual(['statement']);
  expect(text(lossy)).toContain('"unit":"\ufffd"');
  expect(failed({ ...strange, seal: signDsse(PAYLOAD_TYPE, lossy, signer) })).toEqual(['statement']);
});

describe('a sealed envelope', () => {
  let envelope: Envelope;
  beforeAll(async () => {
    envelope = envelopeOf(await solve('heat', ROD));
  });
  const failed = (one: unknown, trusted = [signer.publicKey]) =>
    verifyEnvelope(one as Untrusted, trusted)
      .filter((claim) => !claim.ok)
      .map(({ claim }) => claim);

  const refused = (check: () => readonly string[]): boolean => {
    try {
      return check().length > 0;
    } catch (error) {
      return error instanceof DomainError && error.code === 'VALIDATION_FAILED';
    }
  };

  test('verifies, whatever the order of its keys', () => {
    const claims = ['keyid', 'signature', 'statement', 'key pinned'].map((claim) => ({ claim, ok: true }));
    expect(verifyEnvelope(envelope as never, [signer.publicKey])).toEqual(claims);
    expect(failed(Object.fromEntries(Object.entries(envelope).reverse()))).toEqual([]);
  });

  test('has a DSSE signature that Node verifies without our code', () => {
    const { payload, signatures } = envelope.seal;
    const bytes = Buffer.from(payload, 'base64');
    const signed = Buffer.concat([Buffer.from(`DSSEv1 28 ${PAYLOAD_TYPE} ${bytes.length} `), bytes]);
    const { kty, crv, x } = envelope.public_key;
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    expect(verifyByNode(null, signed, key, Buffer.from(signatures[0]?.sig ?? '', 'base64'))).toBe(true);
  });

  test('states in an in-toto statement what was computed, from which inputs, and when', () => {
    const { seal, runs } = envelope;
    const hash = (value: unknown) => sha256Hex(canonicalJson(value));
    const withoutBytes = ({ base64: _, ...array }: RunArray) => array;
    expect(JSON.parse(text(fromBase64(seal.payload)))).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'sealed fields', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
      predicateType: 'https://svc.invalid/compute/v5',
      predicate: {
        solver: 'heat',
        revision: findSolver('heat')?.revision,
        kernel_sha256: envelope.kernel_sha256,
        runs_sha256: hash(runs.map((run) => ({ ...run, inputs: mapValues(run.inputs, withoutBytes) }))),
        outputs_sha256: hash(envelope.outcomes),
        inputs_sha256: hash({ inputs: envelope.inputs, consts: {}, seed: 42 }),
        definitions_sha256: hash(envelope.definitions.map(definitionSha256)),
        value: envelope.value,
        value_bits: envelope.verification.value_bits,
        unit: 'T',
        uncertainty: envelope.uncertainty,
        trajectory_sha256: sha256Hex([...envelope.series, ...envelope.fields].map(({ sha256 }) => sha256).join('')),
        stamps: envelope.stamps,
      },
    });
  });

  test('does not verify after a change of any single leaf but words', () => {
    const leaves = leavesOf(envelope).filter(({ path }) => !isWord(path));
    expect(leaves.length).toBeGreaterThan(250);
    const unnoticed = leaves.filter(
      ({ path, value }) => !refused(() => failed(withLeaf(envelope, path, changed(value)))),
    );
    expect(unnoticed.map(({ path }) => path.join('.'))).toEqual([]);
  });

  test('verifies after any change of its words, which it does not cover', () => {
    const words = leavesOf(envelope).filter(({ path }) => isWord(path));
    expect(words.length).toBeGreaterThan(15);
    for (const { path, value } of words)
      expect(failed(withLeaf(envelope, path, changed(value))), nameOf(path)).toEqual([]);
    const { equations: _, plots: __, notes: ___, ...less } = envelope;
    expect(failed({ ...less, approved_by: 'me' })).toEqual([]);
    expect(uncoveredFields({ ...envelope, approved_by: 'me' })).toEqual(
      expect.arrayContaining(['equations', 'plots', 'notes', 'approved_by']),
    );
    expect(coveredFields(envelope as never)).toEqual(
      expect.arrayContaining(['value', 'inputs', 'runs', 'definitions']),
    );
  });

  test('does not verify without a sealed field, or with one that it did not have', () => {
    for (const name of coveredFields(envelope as never)) {
      const { [name as 'value']: _, ...less } = envelope;
      expect(
        refused(() => failed(less)),
        name,
      ).toBe(true);
    }
    expect(failed({ ...envelope, phi0: 0.5 })).toEqual(['statement']);
    expect(failed({ ...envelope, units: { alpha: 'mm^2/s' } })).toEqual(['statement']);
    expect(failed({ ...envelope, seal: { ...envelope.seal, comment: 'x' } })).toEqual(['seal']);
    expect(failed({ ...envelope, seal: undefined })).toEqual(['seal']);
    const signatures = [...envelope.seal.signatures, ...envelope.seal.signatures];
    expect(failed({ ...envelope, seal: { ...envelope.seal, signatures } })).toEqual(['seal']);
  });

  test('that is sealed again with another key is consistent but fails the pinned key', () => {
    const forger = signerOf(66);
    const { seal: _, ...body } = { ...envelope, value: 1, public_key: forger.publicKey };
    const forged = { ...body, seal: sealEnvelope(body as never, forger) };
    expect(failed(forged)).toEqual(['key pinned']);
    expect(verifyEnvelope(forged as never).every((claim) => claim.ok)).toBe(true);
  });

  test('with another public key beside our signature does not verify', () => {
    const failures = failed({ ...envelope, public_key: signerOf(66).publicKey });
    expect(failures).toEqual(['keyid', 'signature', 'key pinned']);
  });

  test.each([
    [{ kid: 'atZR63tNG3W2GhPpVleKnfrw1N7N6LAqOe5grE2SBR5' }],
    [{ kty: 'EC' }],
    [{ crv: 'X25519' }],
    [{ x: 'AAAA' }],
    [{ d: 'secret' }],
  ])('with a key that is not an Ed25519 key named by its thumbprint does not verify: %o', (change) => {
    expect(failed({ ...envelope, public_key: { ...envelope.public_key, ...change } })).toEqual(['key']);
  });
});
