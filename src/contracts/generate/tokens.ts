// Splits a text into words, numbers, clock times, URLs and signs. One pass, without backtracking beyond a token.

export type TokenKind = 'word' | 'number' | 'clock' | 'url' | 'text' | 'zone' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** In lower case, except URLs, quoted texts and time zones. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Tried in this order at each position. Each pattern takes time linear in the text. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['url', /https?:\/\/[^\s"'<>]+/iy],
  ['text', /"[^"\n]{0,300}"/y],
  ['clock', /\d{1,2}:\d{2}(?!\d)/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['zone', /(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[A-Za-z_+\-0-9/]+/iy],
  // Any word pair with the form of a zone; parseZone checks that the zone exists.
  ['zone', /[A-Z][a-z]+\/[A-Z][A-Za-z_]+/y],
  ['word', /[A-Za-z][A-Za-z0-9]*(?:[_'][A-Za-z0-9]+)*/y],
  ['sign', />=|<=|!=|[><=.,;%°$€-]/y],
  // What may change the meaning, `a/b`, `5 * 2`, `café`; the rest is punctuation.
  ['sign', /[^\s\w?!:()[\]"'\u2018-\u201f\u2010-\u2015\u2026]/uy],
];

export function tokensOf(original: string): Token[] {
  const text = original.replaceAll('’', "'");
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at);
    if (token !== undefined) tokens.push(token);
    at = token?.end ?? at + 1;
  }
  tokens.push({ kind: 'end', value: '', start: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, start: number): Token | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = start;
    const [raw] = pattern.exec(text) ?? [];
    if (raw === undefined) continue;
    // Punctuation after a URL belongs to the sentence.
    const source = kind === 'url' ? raw.replace(/[.,;:!?)]+$/, '') : raw;
    const keepsCase = kind === 'url' || kind === 'zone' || kind === 'text';
    return { kind, value: keepsCase ? source : source.toLowerCase(), start, end: start + source.length };
  }
  return undefined;
}
