// A sentence as words, numbers, clock times, addresses and signs. One pass, no backtracking beyond a token.

export type TokenKind = 'word' | 'number' | 'clock' | 'url' | 'text' | 'zone' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** In lower case, but for addresses, texts in quotes and time zones. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** In the order in which they are tried at each place. Each pattern is linear in the text. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['url', /https?:\/\/[^\s"'<>]+/iy],
  ['text', /"[^"\n]{0,300}"/y],
  ['clock', /\d{1,2}:\d{2}(?!\d)/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['zone', /(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[A-Za-z_+\-0-9/]+/iy],
  // Written as a zone is, whether or not there is one of that name.
  ['zone', /[A-Z][a-z]+\/[A-Z][A-Za-z_]+/y],
  ['word', /[A-Za-z][A-Za-z0-9]*(?:[_'][A-Za-z0-9]+)*/y],
  ['sign', />=|<=|[><=.,;%°$€-]/y],
];

export function tokensOf(given: string): Token[] {
  const text = given.replaceAll('’', "'");
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const found = tokenAt(text, at);
    if (found !== undefined) tokens.push(found);
    at = found?.end ?? at + 1;
  }
  tokens.push({ kind: 'end', value: '', start: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, start: number): Token | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = start;
    const [raw] = pattern.exec(text) ?? [];
    if (raw === undefined) continue;
    // A full stop or a comma behind an address ends the sentence, not the address.
    const found = kind === 'url' ? raw.replace(/[.,;:!?)]+$/, '') : raw;
    const isKept = kind === 'url' || kind === 'zone' || kind === 'text';
    return { kind, value: isKept ? found : found.toLowerCase(), start, end: start + found.length };
  }
  return undefined;
}
