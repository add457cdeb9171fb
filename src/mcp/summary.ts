// The text of a tool answer: sentences that a model can quote, at most LIMITS.toolSummaryCharacters long.

import { LIMITS } from '../core/limits.ts';
import { shortText } from '../core/plain-text.ts';
import { isRecord } from '../core/record.ts';
import type { Operation } from '../operations/operation.ts';

const MAX_SENTENCE_CHARACTERS = 500;
const MAX_FACT_CHARACTERS = 200;
const MAX_ITEM_CHARACTERS = 65;
const MORE = ' … (more with detail "full")';

/**
 * As many sentences as fit; the first that does not is cut between words.
 *
 * @param last  shown in any case, such as the link to the receipt
 */
export function summaryText(sentences: readonly string[], last?: string): string {
  const end = last === undefined ? '' : ` ${last}`;
  const room = LIMITS.toolSummaryCharacters - end.length - MORE.length;
  const text = sentences.map((sentence) => shortText(sentence, MAX_SENTENCE_CHARACTERS)).join(' ');
  if (text.length <= room) return `${text}${end}`;
  // There is a space, since one sentence alone has room.
  return `${text.slice(0, text.lastIndexOf(' ', room))}${MORE}${end}`;
}

/** Sentences about the answer of an operation. */
export function sentencesOf(
  { brief, summary }: Pick<Operation, 'brief' | 'summary'>,
  answer: unknown,
): readonly string[] {
  return brief === undefined ? factSentences(summary, answer) : brief.sentences(answer as never);
}

/** For operations without sentences of their own: what it does, then every fact by its path, those of the top first. */
function factSentences(summary: string, answer: unknown): string[] {
  if (!isRecord(answer)) return [summary];
  const facts: string[] = [];
  let level: readonly (readonly [path: string, value: unknown])[] = Object.entries(answer);
  while (level.length > 0) {
    const inner: [string, unknown][] = [];
    for (const [path, value] of level) {
      if (path === 'ok') continue;
      if (Array.isArray(value)) facts.push(listFact(path, value));
      else if (isRecord(value))
        inner.push(...Object.entries(value).map(([key, one]) => [`${path}.${key}`, one] as [string, unknown]));
      else facts.push(`${path}: ${shortText(String(value), MAX_FACT_CHARACTERS)};`);
    }
    level = inner;
  }
  return [summary, ...facts];
}

/** The first items of a list, each by the facts that name it. */
function listFact(path: string, items: readonly unknown[]): string {
  const shown = items
    .slice(0, 3)
    .map((item) => shortText(isRecord(item) ? nameOf(item) : String(item), MAX_ITEM_CHARACTERS));
  return `${path}: ${items.length}${shown.length === 0 ? '' : ` (${shown.join(', ')}${items.length > shown.length ? ', …' : ''})`};`;
}

const nameOf = (item: Readonly<Record<string, unknown>>) =>
  Object.values(item)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 3)
    .join(' ');
