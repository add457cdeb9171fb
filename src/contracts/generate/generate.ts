// Generates a contract from English text by a grammar: the same text always gives the same bytes.
//
// The grammar covers periods, delays, times of day, aggregates, events, sequences, actions and guards. It reports the parts
// of the text that it does not understand, and the share of the words that it does.

import type { Definition } from '../definition.ts';
import { buildDefinition } from './build-definition.ts';
import { identifier } from './names.ts';
import { parseText } from './parse-text.ts';

export interface Generated {
  /** Undefined if the text contains no rule. */
  readonly definition: Definition | undefined;
  /** A sentence for each rule. */
  readonly explanation: readonly string[];
  /** The parts that were not understood, or cannot be combined: the definition is not what the text asks for. */
  readonly unparsed: readonly string[];
  /** How to rephrase the unparsed parts. */
  readonly advice: string;
  /** Share of the words that were understood, rounded to hundredths; 0 without a rule. */
  readonly confidence: number;
}

const MAX_NAME_WORDS = 4;
const MAX_NAME_LENGTH = 48;

export function generate(text: string): Generated {
  const { rules, unparsed, advice, understood, words } = parseText(text);
  const built =
    rules.length === 0 ? undefined : buildDefinition(rules, nameOf(text), text.replaceAll(/\s+/g, ' ').trim());
  if (built === undefined) return { definition: undefined, explanation: [], unparsed, advice, confidence: 0 };
  const droppedShare = built.unparsed.length / (built.unparsed.length + rules.length);
  const confidence = Math.round((understood / Math.max(1, words)) * (1 - droppedShare) * 100) / 100;
  return {
    definition: built.definition,
    explanation: built.explanation,
    unparsed: [...unparsed, ...built.unparsed],
    advice,
    confidence,
  };
}

/** The contract's name, from the first words of the text. */
function nameOf(text: string): string {
  const nameWords = text.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? [];
  const name = nameWords
    .slice(0, MAX_NAME_WORDS)
    .map(identifier)
    .join('_')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/_+$/, '');
  return name === '' ? 'contract' : name;
}
