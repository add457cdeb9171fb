// Texts of strangers for display: no control characters, no invisible ones, no change of direction, bounded length.

/**
 * Control and format characters (escapes, line ends, bidirectional overrides, zero widths), lone surrogates, private
 * use, separators other than the space, characters that display as nothing, and the brackets of additions.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u27e6\u27e7]|(?! )\p{Zs}/gu;
/** Stacked marks would cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
const SPACES = / {2,}/g;

const MAX_CHARACTERS = 200;

/** Marks what a program adds to a text of a stranger. Plain text never contains these brackets. */
export const bracketed = (texts: readonly string[]): string => (texts.length === 0 ? '' : `⟦${texts.join('; ')}⟧`);

/** Shows each unsafe character as `\u{202e}`. The result is one line that a terminal and a page display as it is. */
export function plainText(text: string): string {
  return text
    .replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(STACKED_MARKS, '$1…')
    .replace(SPACES, ' ');
}

/** Plain text, shortened to `max` characters with the full length behind it. */
export function shortText(text: string, max = MAX_CHARACTERS): string {
  if (text.length <= max) return plainText(text);
  // Half of a pair at the cut would show as a lone surrogate.
  const head = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${plainText(head)}… (${groupDigits(text.length)} characters)`;
}

/** A count with commas: 12,345. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
