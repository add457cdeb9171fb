// Cursors: a place in a list, newest first, as opaque text.
//
// A list is ordered by id alone (UUID version 7: by time), and its query is limited to the caller's account. So the
// cursor holds only the last id seen, and a forged one shows nothing that the caller may not see.

import { DomainError } from '../../core/errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CURSOR = /^[A-Za-z0-9_-]{22}$/;

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | undefined;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** @throws DomainError VALIDATION_FAILED */
export function decodeCursor(cursor: string): string {
  const bytes = Buffer.from(CURSOR.test(cursor) ? cursor : '', 'base64url');
  // 22 characters hold 132 bits, of which the last four must be zero, so that each place has exactly one cursor.
  if (bytes.length !== 16 || bytes.toString('base64url') !== cursor) {
    throw invalidCursor();
  }
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function invalidCursor(): DomainError {
  const message = 'The cursor is not one that a list has answered; begin again without it.';
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'cursor', code: 'CURSOR_INVALID', message }],
  });
}

/** A cursor of a list that is ordered by texts. */
export function encodeTexts(texts: readonly string[]): string {
  return Buffer.from(JSON.stringify(texts)).toString('base64url');
}

/** @throws DomainError VALIDATION_FAILED */
export function decodeTexts(cursor: string, count: number): string[] {
  try {
    const texts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const areTexts = Array.isArray(texts) && texts.length === count && texts.every((text) => typeof text === 'string');
    if (areTexts && encodeTexts(texts) === cursor && !texts.some((text) => text.includes('\0'))) return texts;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidCursor();
}

/** The cursor of the page after one that may be cut. */
export function nextCursorOf({ rows, isCut }: CutPage): string | undefined {
  const last = rows.at(-1);
  return isCut && last ? encodeCursor(last.id) : undefined;
}

interface CutPage {
  readonly rows: readonly { readonly id: string }[];
  readonly isCut: boolean;
}

/** @param found  up to `limit` + 1 rows: the extra one shows that another page follows */
export function pageOf<Row extends { readonly id: string }>(found: readonly Row[], limit: number): Page<Row> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: found.length > limit && last ? encodeCursor(last.id) : undefined };
}
