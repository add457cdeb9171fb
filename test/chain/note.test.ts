import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyRoot } from '../../src/chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint, signatureLine, signCheckpoint } from '../../src/chain/note.ts';
import { utf8 } from '../../src/core/sha256.ts';
import { testSigner } from './signer.ts';

const signer = testSigner(3);
const ORIGIN = 'node.example/m/a';
const NOTE = signCheckpoint({ origin: ORIGIN, size: 41, root: emptyRoot() }, signer);

test('a note with a second signature still carries the first', () => {
  const witness = testSigner(5);
  const parsed = parseCheckpoint(NOTE);
  const text = parsed?.text ?? '';
  const both = parseCheckpoint(NOTE + signatureLine('witness.example', witness.publicKey, witness.sign(utf8(text))));
  expect(both && isCheckpointSignedBy(both, ORIGIN, signer.publicKey)).toBe(true);
  expect(both && isCheckpointSignedBy(both, 'witness.example', witness.publicKey)).toBe(true);
});

test('extension lines are signed with the rest', () => {
  const text = `${ORIGIN}\n41\n${NOTE.split('\n')[2]}\nextension\n`;
  const note = `${text}\n${signatureLine(ORIGIN, signer.publicKey, signer.sign(utf8(text)))}`;
  const parsed = parseCheckpoint(note);
  expect(parsed && isCheckpointSignedBy(parsed, ORIGIN, signer.publicKey)).toBe(true);
  const changed = parseCheckpoint(note.replace('extension', 'extensiom'));
  expect(changed && isCheckpointSignedBy(changed, ORIGIN, signer.publicKey)).toBe(false);
});

test.each([
  ['no blank line', NOTE.replace('\n\n', '\n')],
  ['no signature', `${NOTE.split('\n\n')[0]}\n\n`],
  ['a size with a zero before', NOTE.replace('\n41\n', '\n041\n')],
  ['a size with a sign', NOTE.replace('\n41\n', '\n+41\n')],
  ['a size beyond exact numbers', NOTE.replace('\n41\n', '\n9999999999999999\n')],
  ['a short root', NOTE.replace(/\n41\n.*\n/, '\n41\nAAAA\n')],
  ['an origin with a space', NOTE.replace(ORIGIN, 'a b')],
  ['a hyphen for the dash', NOTE.replace('—', '-')],
  ['no line break at the end', NOTE.slice(0, -1)],
  ['far too much', NOTE + 'x'.repeat(20_000)],
])('%s is no checkpoint', (_, note) => {
  expect(parseCheckpoint(note)).toBeUndefined();
});

test('no change of one character keeps the signature', () => {
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
