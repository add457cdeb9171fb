// Image sanitizing: format detection, limits before decoding, and re-encoding to pixels only.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../../src/core/limits.ts';
import { readImageHeader } from '../../../../src/services/machines/tally/image-header.ts';
import { ImageCleaner } from '../../../../src/services/machines/tally/images.ts';
import { jpeg, png, webp } from './image-fixtures.ts';

const TEXT = 'Ada-1815 was here';
const { side, bytes: maxBytes } = LIMITS.tally.avatar;
const images = new ImageCleaner();
const clean = (bytes: Uint8Array) => images.clean(new Uint8Array(bytes), 'data');

const IMAGES = [
  ['PNG', 'image/png', png(6, 4, TEXT)],
  ['JPEG', 'image/jpeg', jpeg(TEXT)],
  ['WebP', 'image/webp', webp(TEXT)],
  ['plain WebP', 'image/webp', webp()],
] as const;

describe.each(IMAGES)('a %s', (_, mediaType, picture) => {
  test('is identified by its header, with its dimensions', () => {
    expect(readImageHeader(picture)).toEqual({ mediaType, width: 6, height: 4 });
    for (let length = 0; length < 12; length++) expect(readImageHeader(picture.subarray(0, length))).toBeUndefined();
  });

  test('keeps its dimensions and loses its metadata', async () => {
    const found = await clean(Buffer.concat([picture, Buffer.from(`<script>${TEXT}</script>`)]));
    expect(found).toMatchObject({ mediaType, width: 6, height: 4 });
    expect(readImageHeader(found.bytes)).toEqual({ mediaType, width: 6, height: 4 });
    const text = Buffer.from(found.bytes).toString('latin1');
    for (const trace of [TEXT, '<script', 'Exif', 'EXIF', 'Comment']) expect(text).not.toContain(trace);
    // What is clean stays clean.
    expect(await clean(found.bytes)).toMatchObject({ mediaType, width: 6, height: 4 });
  });

  test('is rejected if truncated, and the service continues', async () => {
    const cut = clean(picture.subarray(0, 40));
    await expect(cut).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'data' }] });
    expect(await clean(picture)).toMatchObject({ mediaType });
  });
});

test('a rotated JPEG is turned upright before its Exif orientation is stripped', async () => {
  expect(await clean(jpeg(TEXT, 6))).toMatchObject({ width: 4, height: 6 });
});

test.each([
  ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ['nothing', Buffer.alloc(0)],
  ['a RIFF audio file', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
  ['a JPEG without a frame', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
])('%s is rejected as not an image', async (_, bytes) => {
  await expect(clean(bytes)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ code: 'FORMAT' }] });
});

test('an oversized image is rejected before decoding, one with wrong dimensions after decoding', async () => {
  const large = (width: number, height: number) => clean(png(1, 1, '', { width, height }));
  for (const [width, height] of [
    [side + 1, 1],
    [1, 0xffff_ffff],
    [0, 4],
  ] as const)
    await expect(large(width, height)).rejects.toMatchObject({ details: [{ code: 'DIMENSIONS' }] });
  // The header of the container says 6 × 4; the frame within is larger than that.
  const lying = webp(TEXT);
  lying[24] = 2;
  await expect(clean(lying)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const heavy = Buffer.concat([png(6, 4), Buffer.alloc(maxBytes)]);
  await expect(clean(heavy)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
});

test('the largest allowed image is accepted', async () => {
  expect(await clean(png(side, side))).toMatchObject({ width: side, height: side });
});

test('no input makes header parsing throw', () => {
  const prefixes = IMAGES.map(([, , picture]) => [...picture.subarray(0, 40)]);
  const hostile = fc
    .tuple(fc.constantFrom([], ...prefixes), fc.nat(40), fc.uint8Array({ maxLength: 60 }))
    .map(([prefix, kept, rest]) => Uint8Array.from([...prefix.slice(0, kept), ...rest]));
  fc.assert(
    fc.property(hostile, (bytes) => {
      const header = readImageHeader(bytes);
      if (header === undefined) return;
      expect(Number.isSafeInteger(header.width) && header.width >= 0).toBe(true);
      expect(Number.isSafeInteger(header.height) && header.height >= 0).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
