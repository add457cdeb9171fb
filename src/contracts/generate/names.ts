// Parses names: of events, fields, states, tokens.

import { type TokenCursor, words } from './token-cursor.ts';

/** Words of the grammar, which cannot be names. */
const RESERVED: ReadonlySet<string> = words(
  'a an the and or then when whenever if on upon once as soon each every time times unless until within in over during per for of to from at after before between is are was be been gets get goes go rises rise falls fall drops drop becomes become stays there no not more less fewer greater higher lower than above below under exceeds exceed equals equal least most only provided that this it its with by last past otherwise else while but so also not never none nor neither nothing nobody anything anybody anyone someone somebody everyone everybody they he she we you them him her us who cannot am pm except excluding without event events arrives arrive arrived received happens happen occurs occur comes comes into out first second third fourth fifth next previous final same all both some several few many',
);
/** People, of whom a contract cannot tell one from another: the second of two may be the first again. */
export const PEOPLE: ReadonlySet<string> = words(
  'person people party parties user member manager director officer doctor nurse judge juror voter signatory signer approver reviewer auditor inspector arbiter lawyer trustee partner shareholder guardian parent witness buyer seller customer client tenant landlord owner admin administrator operator employee worker engineer supervisor colleague guest player bidder supplier vendor carrier courier driver pilot teacher student board committee team',
);
export const ARTICLES: ReadonlySet<string> = words('a an the any new another its each');
const MAX_LENGTH = 40;

/** The next word as an identifier of a definition, after any articles. */
export function parseName(cursor: TokenCursor): string | undefined {
  return cursor.attempt((at) => {
    skipArticles(at);
    const { kind, value } = at.next();
    return kind === 'word' && !RESERVED.has(value) && !value.endsWith("n't") ? identifier(value) : undefined;
  });
}

export function skipArticles(cursor: TokenCursor): void {
  while (cursor.takeAny(ARTICLES) !== undefined);
}

export function identifier(word: string): string {
  return word.replaceAll("'", '_').slice(0, MAX_LENGTH);
}

/** The singular of a plural: `requests` → `request`, `retries` → `retry`. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(ss|x|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
