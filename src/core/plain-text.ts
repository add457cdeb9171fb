// Texts of strangers for display: no control characters, no invisible ones, no change of direction, bounded length.

/**
 * Control and format characters (escapes, line ends, bidirectional overrides, zero widths), lone surrogates, private
 * use, separators other than the space, characters that display as nothing, and the brackets of additions.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u27e6\u27e7]|(?! )\p{Zs}/gu;
/**
 * What a terminal obeys, hides or reorders: controls, formats, separators of lines, lone surrogates, and what displays as
 * nothing, but for the two selectors that a symbol of one name ends with.
 */
const CONTROLS = /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const CONTROLS_IN_JSON = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Stacked marks would cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
const SPACES = / {2,}/g;

const MAX_CHARACTERS = 200;

/** Marks what a program adds to a text of a stranger. Plain text never contains these brackets. */
export const bracketed = (texts: readonly string[]): string => (texts.length === 0 ? '' : `⟦${texts.join('; ')}⟧`);

const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Shows control and format characters as `\u{1b}` and keeps the rest: for a line that a program has laid out. */
export const visibleControls = (text: string): string => text.replace(CONTROLS, escaped).replace(STACKED_MARKS, '$1…');

/** The same JSON value in other bytes: control and format characters as `\u009b`, which JSON allows but never requires. */
export function visibleJson(json: string): string {
  const unitOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(CONTROLS_IN_JSON, (character) => character.split('').map(unitOf).join(''));
}

/** Shows each unsafe character as `\u{202e}`. The result is one line that a terminal and a page display as it is. */
export function plainText(text: string): string {
  return text.replace(UNSAFE, escaped).replace(STACKED_MARKS, '$1…').replace(SPACES, ' ');
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
