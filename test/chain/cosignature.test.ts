import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cosignatureLine, cosignatureTime, parseSubmission } from '../../src/chain/cosignature.ts';
import { emptyRoot } from '../../src/chain/merkle.ts';
import { parseCheckpoint, parseVerifierKey, signCheckpoint, verifierKey } from '../../src/chain/note.ts';
import { fromBase64, toBase64, toHex } from '../../src/core/bits.ts';
import { sha256, utf8 } from '../../src/core/sha256.ts';
import { testSigner } from './signer.ts';

const log = testSigner(3);
const witness = testSigner(5);
const NAME = 'witness.example/w1';
const NOTE = signCheckpoint({ origin: 'log.example/a', size: 41, root: emptyRoot() }, log);
const parse = (note: string) => parseCheckpoint(note) ?? expect.fail('not a checkpoint');

describe('a cosignature', () => {
  const line = cosignatureLine(parse(NOTE), NAME, witness, 1_679_315_147);

  test('has the layout of the specification: key id of type 4, eight bytes of time, Ed25519', () => {
    const bytes = fromBase64(line.split(' ')[2]?.trim() ?? '') ?? new Uint8Array();
    const id = sha256(Uint8Array.of(...utf8(`${NAME}\n`), 4, ...witness.publicKey)).subarray(0, 4);
    expect(toHex(bytes.subarray(0, 12))).toBe(`${toHex(id)}00000000641850cb`);
    expect(bytes.length).toBe(76);
    // The example of c2sp.org/tlog-cosignature, sliced at the same offsets.
    const published = fromBase64(
      'jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==',
    );
    expect(published?.length).toBe(76);
    expect(toHex(published?.subarray(4, 12) ?? new Uint8Array())).toBe('00000000641850cb');
  });

  test('signs the header, the time and the text, and nothing else', () => {
    const signature = fromBase64(line.split(' ')[2]?.trim() ?? '')?.subarray(12) ?? new Uint8Array();
    const text = `cosignature/v1\ntime 1679315147\nlog.example/a\n41\n${toBase64(emptyRoot())}\n`;
    expect(signature).toEqual(witness.sign(utf8(text)));
  });

  test('is found next to the signature of the log, only for its name and key', () => {
    const both = parse(NOTE + line);
    expect(cosignatureTime(both, NAME, witness.publicKey)).toBe(1_679_315_147);
    expect(cosignatureTime(both, 'witness.example/w2', witness.publicKey)).toBeUndefined();
    expect(cosignatureTime(both, NAME, log.publicKey)).toBeUndefined();
    expect(cosignatureTime(parse(NOTE), NAME, witness.publicKey)).toBeUndefined();
  });

  test('is not valid for another checkpoint', () => {
    const other = signCheckpoint({ origin: 'log.example/a', size: 42, root: emptyRoot() }, log);
    expect(cosignatureTime(parse(other + line), NAME, witness.publicKey)).toBeUndefined();
  });

  test('the latest of several is returned', () => {
    const later = cosignatureLine(parse(NOTE), NAME, witness, 1_679_315_200);
    expect(cosignatureTime(parse(NOTE + later + line), NAME, witness.publicKey)).toBe(1_679_315_200);
  });
});

describe('a submission', () => {
  const hash = toBase64(new Uint8Array(32).fill(9));

  test('is the old size, the proof and the checkpoint', () => {
    const read = parseSubmission(`old 20\n${hash}\n${hash}\n\n${NOTE}`);
    expect(read).toMatchObject({ oldSize: 20, note: NOTE, parsed: { checkpoint: { size: 41 } } });
    expect(read?.proof.map(toBase64)).toEqual([hash, hash]);
    expect(parseSubmission(`old 0\n\n${NOTE}`)).toMatchObject({ oldSize: 0, proof: [] });
  });

  test.each([
    ['an empty string', ''],
    ['a missing old size', `\n\n${NOTE}`],
    ['a checkpoint alone', NOTE],
    ['a size with a leading zero', `old 020\n\n${NOTE}`],
    ['an unsafe integer as size', `old 9999999999999999\n\n${NOTE}`],
    ['two spaces', `old  20\n\n${NOTE}`],
    ['a carriage return', `old 20\r\n\r\n${NOTE}`],
    ['a short hash', `old 20\nAAAA\n\n${NOTE}`],
    ['a hash that is not base64', `old 20\n${'-'.repeat(44)}\n\n${NOTE}`],
    ['too many hashes', `old 20\n${`${hash}\n`.repeat(64)}\n${NOTE}`],
    ['an unsigned checkpoint', `old 20\n\nlog.example/a\n41\n`],
  ])('is not parsed from %s', (_, text) => {
    expect(parseSubmission(text)).toBeUndefined();
  });

  test('may have 63 hashes', () => {
    expect(parseSubmission(`old 20\n${`${hash}\n`.repeat(63)}\n${NOTE}`)?.proof.length).toBe(63);
  });

  test('arbitrary text never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseSubmission(`old 1\n${text}`)));
  });
});

describe('a verifier key', () => {
  test('survives a round trip for both algorithms', () => {
    for (const algorithm of ['ed25519', 'cosignature'] as const) {
      const text = verifierKey(NAME, witness.publicKey, algorithm);
      expect(parseVerifierKey(text)).toEqual({ name: NAME, publicKey: witness.publicKey, algorithm });
    }
  });

  const KEY = verifierKey(NAME, witness.publicKey);
  test.each([
    ['a wrong id', KEY.replace(/\+[0-9a-f]{8}\+/, '+00000000+')],
    ['a changed name', KEY.replace('w1', 'w2')],
    ['an unsupported algorithm', `${NAME}+00000000+${toBase64(Uint8Array.of(2, ...witness.publicKey))}`],
    ['a trailing space', `${KEY} `],
    ['a short key', KEY.slice(0, -4)],
    ['an empty string', ''],
  ])('is not parsed from %s', (_, text) => {
    expect(parseVerifierKey(text)).toBeUndefined();
  });
});
