// QR codes: known vectors of the standard, codes that zbarimg has read, and zbarimg itself where it is installed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Modules } from '../../../src/portal/qr/modules.ts';
import { qrCode } from '../../../src/portal/qr/qr-code.ts';
import { checkBytes } from '../../../src/portal/qr/reed-solomon.ts';
import { smallestVersion } from '../../../src/portal/qr/versions.ts';

const LINK = `https://svc.example.org/verify?receipt=${'0123456789abcdef'.repeat(4)}`;

const rowsOf = (code: Modules) =>
  Array.from({ length: code.size }, (_, y) =>
    Array.from({ length: code.size }, (_, x) => (code.isDark(x, y) ? '█' : '·')).join(''),
  );
const codeOf = (text: string): Modules => {
  const code = qrCode(text);
  if (code === undefined) throw new Error(`${text.length} characters are too many.`);
  return code;
};
const sha256Of = (text: string) =>
  createHash('sha256')
    .update(rowsOf(codeOf(text)).join('\n'))
    .digest('hex');

test('check bytes are those of the example in ISO/IEC 18004, annex I', () => {
  const data = Uint8Array.from([
    0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11,
  ]);
  expect(Buffer.from(checkBytes(data, 10)).toString('hex')).toBe('a524d4c1ed36c787 2c55'.replace(' ', ''));
});

test('capacities of bytes at level M are those of table 7, and the smallest version is taken', () => {
  const capacities = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412];
  for (const [at, bytes] of capacities.entries()) {
    expect(smallestVersion(bytes)?.number).toBe(at + 1);
    expect(smallestVersion(bytes + 1)?.number).toBe(at === 14 ? undefined : at + 2);
  }
  expect(smallestVersion(412)).toMatchObject({ size: 77, centres: [6, 26, 48, 70] });
  expect(qrCode('x'.repeat(413))).toBeUndefined();
  // Readers take the bytes of such letters for others: zbarimg for Shift JIS.
  expect(qrCode('12 µm')).toBeUndefined();
});

test('a code is the one that an independent decoder has read', () => {
  expect(rowsOf(codeOf('svc'))).toEqual(SVC_CODE);
  for (const [text, sha256] of GOLDEN) expect(sha256Of(text)).toBe(sha256);
});

/** Texts of versions 1, 2, 7 (with its version field), 10 (long count) and 15; zbarimg 0.23 has read each code. */
const GOLDEN: readonly (readonly [text: string, sha256: string])[] = [
  ['https://svc', 'dc2c98dfe7cbbbcf5158d44950a5b456a3e83c77190f0708d215f73c9972dd62'],
  ['https://svc.example', '985f3200aac0b552028a48483ce1ded81fd44fe242fdb7040404ffa75dd65519'],
  [`${LINK}&run=7a`, '82609e57801e9682a90449f69dbd20447a8f8274144ea30a6bbef082042a44da'],
  [LINK.repeat(2), 'cc43effbac4e34311851d42a147ceecf981ddae164f35a5f5352576cecdb53e8'],
  [LINK.repeat(4), 'dc3b42200b8f2f908babfe213be6473eaf79a9d4adfbc003542761a3a355fe63'],
];

const SVC_CODE: readonly string[] = [
  '███████·██·█··███████',
  '█·····█··█·██·█·····█',
  '█·███·█··█·█··█·███·█',
  '█·███·█·█··██·█·███·█',
  '█·███·█·███·█·█·███·█',
  '█·····█·████··█·····█',
  '███████·█·█·█·███████',
  '········██·██········',
  '█···█·███··█·█████··█',
  '··████····███··█·██··',
  '····████··██··██████·',
  '·█·█·█·█··█··██·█··██',
  '·██·█·██·█··███····██',
  '········███·███···█··',
  '███████·█···██····██·',
  '█·····█····██··█·█·██',
  '█·███·█·█·██··███·███',
  '█·███·█··████··█·█·██',
  '█·███·█···██··█████··',
  '█·····█··█···██·█·█··',
  '███████·██··███···█·█',
];

describe('zbarimg', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-qr-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const isThere = spawnSync('zbarimg', ['--version']).status === 0;
  if (!isThere) console.log('zbarimg is not installed; only kept codes are compared');

  /** A bitmap (PBM) with four light modules around the code and four pixels for each module. */
  function decode(code: Modules, isInverted: (x: number, y: number) => boolean = () => false): string {
    const [quiet, scale] = [4, 4];
    const side = (code.size + 2 * quiet) * scale;
    const pixels = Array.from({ length: side * side }, (_, at) => {
      const [x, y] = [at % side, Math.floor(at / side)].map((pixel) => Math.floor(pixel / scale) - quiet) as [
        number,
        number,
      ];
      const isInside = x >= 0 && y >= 0 && x < code.size && y < code.size;
      return isInside && code.isDark(x, y) !== isInverted(x, y) ? 1 : 0;
    });
    const file = join(folder, 'code.pbm');
    writeFileSync(file, `P1\n${side} ${side}\n${pixels.join('\n')}\n`);
    return spawnSync('zbarimg', ['-q', '--raw', file], { encoding: 'utf8' }).stdout.replace(/\n$/, '');
  }

  test.skipIf(!isThere)('reads a text of every version', () => {
    const sizes = [1, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412].map((length) => {
      const text = LINK.repeat(5).slice(0, length);
      const code = codeOf(text);
      expect(decode(code)).toBe(text);
      return code.size;
    });
    expect(new Set(sizes).size).toBe(15);
    for (const [text] of GOLDEN) expect(decode(codeOf(text))).toBe(text);
  });

  test.skipIf(!isThere)('reads a code of which a corner is torn off, since level M repairs it', () => {
    const code = codeOf(LINK);
    const from = code.size - 9;
    expect(decode(code, (x, y) => x >= from && y >= from && (x + y) % 2 === 0)).toBe(LINK);
  });
});
