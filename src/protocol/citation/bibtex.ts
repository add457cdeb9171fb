// A citation as an entry of BibTeX. `@misc` is the one type that every style prints with a version, a URL and a note.

import type { Citation } from './citation.ts';

/** Macros that every style defines. */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** UTF-8, with a line end. */
export function toBibtex({ key, title, publisher, version, date, url, note }: Citation): string {
  const fields: readonly (readonly [string, string | undefined])[] = [
    // The second braces keep the case of names and units: styles would make K (kelvin) a k.
    ['title', `{{${escapeBibtex(title)}}}`],
    ['publisher', `{${escapeBibtex(publisher)}}`],
    ['version', `{${escapeBibtex(version)}}`],
    ['year', date && `{${date.year}}`],
    ['month', date && MONTHS[date.month - 1]],
    ['day', date && `{${date.day}}`],
    ['url', url === undefined ? undefined : `{${verbatimUrl(url)}}`],
    ['note', `{${escapeBibtex(note)}}`],
    // What styles sort by where there is no author, which nobody should invent.
    ['key', `{${escapeBibtex(publisher)}}`],
  ];
  const lines = fields.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name} = ${text},\n`]));
  return `@misc{${key},\n${lines.join('')}}\n`;
}

/**
 * BibTeX counts braces even behind a backslash, so `\{` alone would end the field: braces become commands, as do the
 * characters that TeX has no escape for or prints as others.
 */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '{\\textbackslash}',
  '{': '{\\textbraceleft}',
  '}': '{\\textbraceright}',
  '~': '{\\textasciitilde}',
  '^': '{\\textasciicircum}',
  '<': '{\\textless}',
  '>': '{\\textgreater}',
  '|': '{\\textbar}',
  '%': '\\%',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  $: '\\$',
};

/** Plain text as TeX that prints it; letters beyond ASCII stay UTF-8. */
export function escapeBibtex(text: string): string {
  return text.replace(/[\\{}~^<>|%&#_$]/g, (character) => ESCAPES[character] ?? '');
}

/** Styles set a URL verbatim, so it is not escaped as text; a brace, which a name of a host may have, would end the field. */
const verbatimUrl = (url: string) => url.replace(/[{}]/g, encodeURIComponent);
