// Recorded answers of the API reference: what a running node has answered, with long lists and texts cut.
//
// test/portal/recorded records them (`vitest run test/portal/recorded -u`) and asks a node again in every run of the tests.

import { readFileSync } from 'node:fs';
import { isRecord } from '../../../src/core/record.ts';
import { toJson } from '../../../src/portal/reference/literal.ts';

export interface RecordedAnswer {
  /** Of the call, complete. */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON text; `…` stands for what is cut. */
  readonly answer: string;
}

export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;

export const RECORDED_FILE = new URL('recorded-answers.json', import.meta.url);

/** By name of the operation. */
export const readRecordedAnswers = (): RecordedAnswers =>
  JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as RecordedAnswers;

const MAX_ENTRIES = 2;
/** A hash is shown whole. */
const MAX_TEXT = 64;
const SECRET = /^(svc_[a-z]+_|whsec_|phi'')/;
/** A private-use character, which no answer has. */
const MARK = '\ue000';

/** Text of an answer, cut for readers; nothing of a key or an equation stands in it. */
export function answerText(answer: unknown): string {
  const text = toJson(cut(answer));
  return text.replaceAll(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1');
}

/** The value of such a text, without what was cut. */
export function parseAnswer(text: string): unknown {
  return JSON.parse(text.replaceAll(/,?\s*… [\d,]+ more/g, ''));
}

/** The input of a call without its secrets: they end in a zero, which nothing accepts. */
export const withoutSecrets = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const secret = typeof value === 'string' ? SECRET.exec(value) : null;
      return [name, secret ? `${secret[0]}0` : value];
    }),
  );

function cut(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) {
    const rest = value.length - MAX_ENTRIES;
    const shown = value.slice(0, MAX_ENTRIES).map(cut);
    return rest > 0 ? [...shown, `${MARK}… ${rest.toLocaleString('en')} more`] : shown;
  }
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one)]));
  return value;
}

/** Keys, tokens and equations keep their beginning alone. */
function shortText(text: string): string {
  const secret = SECRET.exec(text);
  if (secret) return `${secret[0]}…`;
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
