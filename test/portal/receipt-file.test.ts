// Files that a reader drops on the Verify page.

import { expect, test } from 'vitest';
import { openFile } from '../../src/portal/worker/open-file.ts';
import { readReceipt } from '../../src/portal/worker/receipt-file.ts';

const read = (text: string) => readReceipt(new Blob([text]));

test('a receipt is read as it is, also inside the record of a run', async () => {
  expect(await read('{"solver": "heat", "value": 1152921504606847000}')).toEqual({ solver: 'heat', value: 2 ** 60 });
  const opened = await openFile(new Blob(['{"run_id": "1", "envelope": {"value": 1}}']));
  expect(opened).toEqual({ kind: 'receipt', envelope: { value: 1 }, isSealed: true });
});

test('a byte order mark is skipped, and bytes that are no UTF-8 are refused', async () => {
  const bytes = (...parts: readonly (string | readonly number[])[]) =>
    new Blob(parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part))));
  expect(await readReceipt(bytes([0xef, 0xbb, 0xbf], '{"value": 1}'))).toEqual({ value: 1 });
  await expect(readReceipt(bytes('{"unit": "', [0xff], '"}'))).rejects.toThrow('it is not UTF-8');
});

test.each([
  ['a number that changes when it is read', '{"value": 9007199254740993}', /value is 9007199254740993; an integer/],
  ['two values, of which one would show', '{"value": 1, "value": 2}', /value is given twice/],
  ['a number beyond doubles', '{"value": 1e400}', /value is 1e400; a number up to/],
  ['half a file', '{"value": 1', /not JSON/],
  ['a list', '[]', /does not contain a JSON object/],
])('%s is refused', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});
