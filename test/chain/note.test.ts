import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyRoot } from '../../src/chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint, signatureLine, signCheckpoint } from '../../src/chain/note.ts';
import { utf8 } from '../../src/core/sha256.ts';
import { testSigner } from './signer.ts';

const signer = testSigner(3);
const ORIGIN = 'node.example/m/a';
const NOTE = signCheckpoint({ origin: ORIGIN, size: 41, root: emptyRoot() }, signer);

test('a note with two signatures is valid for both keys', () => {
  const witness = testSigner(5);
  const parsed = parseCheckpoint(NOTE);
  const text = parsed?.text ?? '';
  const both = parseCheckpoint(NOTE + signatureLine('witness.example', witness.publicKey, witness.sign(utf8(text))));
  expect(both && isCheckpointSignedBy(both, ORIGIN, signer.publicKey)).toBe(true);
  expect(both && isCheckpointSignedBy(both, 'witness.example', witness.publicKey)).toBe(true);
});

test('extension lines are covered by the signature', () => {
  const text = `${ORIGIN}\n41\n${NOTE.split('\n')[2]}\nextension\n`;
  const note = `${text}\n${signatureLine(ORIGIN, signer.publicKey, signer.sign(utf8(text)))}`;
  const parsed = parseCheckpoint(note);
  expect(parsed && isCheckpointSignedBy(parsed, ORIGIN, signer.publicKey)).toBe(true);
  const changed = parseCheckpoint(note.replace('extension', 'extensiom'));
  expect(changed && isCheckpointSignedBy(changed, ORIGIN, signer.publicKey)).toBe(false);
});

test.each([
  ['a note without a blank line', NOTE.replace('\n\n', '\n')],
  ['a note without signatures', `${NOTE.split('\n\n')[0]}\n\n`],
  ['a size with a leading zero', NOTE.replace('\n41\n', '\n041\n')],
  ['a size with a sign', NOTE.replace('\n41\n', '\n+41\n')],
  ['an unsafe integer as size', NOTE.replace('\n41\n', '\n9999999999999999\n')],
  ['a short root', NOTE.replace(/\n41\n.*\n/, '\n41\nAAAA\n')],
  ['an origin with a space', NOTE.replace(ORIGIN, 'a b')],
  ['a hyphen instead of the em dash', NOTE.replace('—', '-')],
  ['a missing final line break', NOTE.slice(0, -1)],
  ['an oversized note', NOTE + 'x'.repeat(20_000)],
])('%s is not a checkpoint', (_, note) => {
  expect(parseCheckpoint(note)).toBeUndefined();
});

test('changing any single character invalidates the signature', () => {
  fc.assert(
    fc.property(fc.nat(NOTE.length - 1), fc.constantFrom('a', '0', '\n', '=', '—'), (at, character) => {
      fc.pre(NOTE[at] !== character);
      const parsed = parseCheckpoint(NOTE.slice(0, at) + character + NOTE.slice(at + 1));
      expect(parsed !== undefined && isCheckpointSignedBy(parsed, ORIGIN, signer.publicKey)).toBe(false);
    }),
    { numRuns: 400 },
  );
});

test('arbitrary text never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseCheckpoint(text)));
});
