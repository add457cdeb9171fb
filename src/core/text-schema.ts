// Schemas of texts from outside. PostgreSQL cannot store NUL, terminals obey control characters, and lone surrogates
// have no UTF-8: every text field of a request is one of these, or has a pattern.

import { z } from 'zod';

/** Control characters: C0, DEL and C1. */
const CONTROL = /\p{Cc}/u;
/** The same without tab, line feed and carriage return. */
const CONTROL_IN_LINES = /[^\P{Cc}\t\n\r]/u;

const isLine = (text: string) => text.isWellFormed() && !CONTROL.test(text);
/** The embedded database reads a text without the mark that it begins with. */
const hasNoMark = (text: string) => !text.startsWith('\ufeff');
const isText = (text: string) => text.isWellFormed() && !CONTROL_IN_LINES.test(text);

const REFUSAL = 'control characters are not allowed';

/** Refuses a byte order mark before a text that is stored as it is. */
export const unmarked = <Schema extends z.ZodString | z.ZodURL>(schema: Schema) =>
  schema.refine(hasNoMark, 'a byte order mark (U+FEFF) at the start is not allowed');

/** Refuses control characters in a text of one line, and a byte order mark before it. */
export const printable = <Schema extends z.ZodString | z.ZodURL>(schema: Schema) =>
  unmarked(schema.refine(isLine, REFUSAL));

/** A name or label: one line of printable text. */
export const singleLine = (max: number, min = 1) => printable(z.string().min(min).max(max));

/** Text of several lines, which may be empty; as a column of its own, `unmarked`. */
export const multiLine = (max: number, min = 0) => z.string().min(min).max(max).refine(isText, REFUSAL);
