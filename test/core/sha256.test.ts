import { createHash, createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/core/bits.ts';
import * as browser from '../../src/core/digest-browser.ts';
import * as node from '../../src/core/digest-node.ts';
import { hkdfSha256, hmacSha256Hex, sha256, sha256Hex, utf8 } from '../../src/core/sha256.ts';

test('reproduces the examples of FIPS 180-4', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

// RFC 4231, test case 2.
test('HMAC reproduces RFC 4231', () => {
  expect(hmacSha256Hex(utf8('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('HMAC agrees with Node for texts around the size of its buffer, one after another', () => {
  const key = utf8('key');
  for (const unit of ['a', 'é', '–', '😀'])
    for (const count of [0, 5000, 1, 1343, 1344, 1345, 2017, 4032, 4033, 3]) {
      const text = unit.repeat(count);
      expect(hmacSha256Hex(key, text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
    }
});

// RFC 5869, test case 3: no salt and no info.
test('HKDF reproduces RFC 5869', () => {
  const secret = fromHex('0b'.repeat(22)) ?? new Uint8Array();
  expect(toHex(hkdfSha256(secret, '', '', 42))).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  );
});

test('hash, HMAC and HKDF agree with Node for any content', () => {
  const content = fc.uint8Array({ maxLength: 300 });
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(content, text, text, (key, text1, text2) => {
      expect(toHex(sha256(key))).toBe(createHash('sha256').update(key).digest('hex'));
      expect(sha256Hex(text1)).toBe(createHash('sha256').update(text1).digest('hex'));
      expect(hmacSha256Hex(key, text1)).toBe(createHmac('sha256', key).update(text1).digest('hex'));
      expect(toHex(hkdfSha256(key, text1, text2, 32))).toBe(
        Buffer.from(hkdfSync('sha256', key, text1, text2, 32)).toString('hex'),
      );
    }),
  );
});

test('the browser and the Node implementation agree, also for lone surrogates', () => {
  const illFormed = fc.string({ unit: 'binary' }).map((text) => `${text}\ud800`);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), illFormed, (bytes, text) => {
      for (const content of [bytes, text]) expect(toHex(browser.sha256(content))).toBe(toHex(node.sha256(content)));
      expect(browser.hmacSha256Hex(bytes, text)).toBe(node.hmacSha256Hex(bytes, text));
    }),
  );
});
