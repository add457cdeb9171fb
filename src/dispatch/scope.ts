// Signs against any answer: another language, a negation, a request that is no computation.

import { STOP_WORDS } from '../operators/words.ts';
import type { Token } from './sentence.ts';

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no without never don't dont doesn't except avoid ignore ignoring exclude excluding neither nor cannot stop".split(
    ' ',
  ),
);
const MAX_NEGATED = 7;
const CLAUSE_ENDS: ReadonlySet<string> = new Set([',', ';', '.', '?', '!', 'but', 'just', 'instead', ':']);

/** Indexes of the tokens that a negation covers. */
export function negatedTokens(tokens: readonly Token[]): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const [at, { text, word }] of tokens.entries()) {
    const lower = text.toLowerCase().replaceAll('\u2019', "'");
    const isRather = word === 'of' && tokens[at - 1]?.word === 'instead';
    const isThan = word === 'than' && tokens[at - 1]?.word === 'rather';
    if (!NEGATIONS.has(lower) && !isRather && !isThan) continue;
    // "whether it is chaotic or not": nothing follows.
    for (let next = at + 1; next < Math.min(tokens.length, at + 1 + MAX_NEGATED); next++) {
      if (CLAUSE_ENDS.has(tokens[next]?.word ?? '')) break;
      covered.add(next);
    }
  }
  return covered;
}

/** Frequent small words of other languages that English does not have. */
const FOREIGN: ReadonlySet<string> = new Set(
  (
    'der die das und ist wie wird ein eine einer den dem mit von fur auf wenn berechne wieviel gross lange ' +
    'el los las una del que como puedo por para cual es calcular cuanto cuantos ' +
    'le les des une est quelle quel du dans avec pour combien calculer sur aux et la ' +
    'il lo gli che di per quanto calcola un della con ' +
    'het een van hoe veel bereken en och att som hur ' +
    'um uma qual quanto calcule dos da do das'
  ).split(' '),
);
/** Of these, words of English too. */
const SHARED: ReadonlySet<string> = new Set('die den do con per lo es des van um un la le en et di du el'.split(' '));
const ENGLISH: ReadonlySet<string> = new Set(
  'the a an of is are what how with for to in at and from by on does do find compute calculate simulate solve'.split(
    ' ',
  ),
);

export function isForeign(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word');
  const letters = words.map(({ text }) => text).join('');
  const others = [...letters].filter(
    (letter) => /\p{L}/u.test(letter) && !/[\p{Script=Latin}\p{Script=Greek}]/u.test(letter),
  );
  if (others.length > 0.3 * letters.length && others.length > 1) return true;
  let foreign = 0;
  let english = 0;
  for (const { word } of words) {
    if (FOREIGN.has(word)) foreign += SHARED.has(word) ? 0.5 : 1;
    if (ENGLISH.has(word)) english++;
  }
  return foreign >= 1 && foreign > english;
}

const LEADS: ReadonlySet<string> = new Set('what is are the a an find compute calculate give me'.split(' '));
const MAX_HEAD = 3;

/**
 * Index of the noun that a question begins with, "index" of "the body mass index of a man": what does not know it answers
 * another question. Undefined for a sentence of another form.
 */
export function headOf(tokens: readonly Token[]): number | undefined {
  const start = tokens.findIndex(({ word }) => !LEADS.has(word));
  const to = tokens.findIndex(({ word }, at) => at > start && word === 'of');
  if (start < 0 || to < 0 || to - start > MAX_HEAD) return undefined;
  const isNoun = ({ kind, word }: Token) => kind === 'word' && !STOP_WORDS.has(word);
  return tokens.slice(start, to).every(isNoun) ? to - 1 : undefined;
}

/** Words of requests that no number answers: each counts as several words that a target does not know. */
export const ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'who whom whose discovered discover discoverer biography invent joke poem song story essay book translate recipe cook dinner lunch buy sell shop movie film music band concert ' +
    'wrote invented born history news weather forecast horoscope lottery restaurant hotel flight travel ticket game team ' +
    'marry love friend mother father girlfriend boyfriend instagram facebook twitter website password login email phone ' +
    'download install hack hello hi thank sorry meaning definition define synonym lyric star celebrity dance ' +
    'instruction secret prompt summarize summary season release review tutorial walkthrough python javascript css'
  ).split(' '),
);
