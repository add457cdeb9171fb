// Texts that a database, a terminal or UTF-8 cannot hold, in every text field of every operation.
//
// A NUL in the id of an event was a 500, and made the database refuse the rows of every other tenant written with it.

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nameOf, textFields } from './text-fields.ts';

const fields = textFields();
/** Padded to several lengths, since a text may be refused for its length alone. */
const LENGTHS = [3, 4, 8, 16, 32, 64];
const textsWith = (character: string) => LENGTHS.map((length) => `a${character}`.padEnd(length, 'a'));

describe('the schema of every text field', () => {
  test.each([
    ['NUL', '\0'],
    ['U+0001', '\u0001'],
    ['escape', '\u001b'],
    ['a lone surrogate', '\ud800'],
  ])('refuses %s', (_, character) => {
    expect(fields.length).toBeGreaterThan(250);
    const open = fields.filter(({ schema }) => textsWith(character).some((text) => z.safeParse(schema, text).success));
    expect([...new Set(open.map(nameOf))]).toEqual([]);
  });
});
