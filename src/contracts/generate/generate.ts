// A contract from a text, by a grammar and nothing else: the same text gives the same bytes.
//
// What the grammar knows: cadences, delays, times of the day, aggregates, events, flows, actions and guards, in English. What
// it does not understand it says, and how much of the text it stands for.

import type { Definition } from '../definition.ts';
import { assemble } from './assemble.ts';
import { readText } from './clause.ts';
import { identifier } from './names.ts';

export interface Generated {
  /** Undefined where no rule was found. */
  readonly definition: Definition | undefined;
  /** A sentence for each thing that it does. */
  readonly explanation: readonly string[];
  readonly unparsed: readonly string[];
  /** Those parts of it without which the text means something else: the definition is not what was asked for. */
  readonly changing: readonly string[];
  /** How to say what was not understood. */
  readonly advice: string;
  /** The share of the words that were understood, in hundredths; 0 without a rule. */
  readonly confidence: number;
}

const NAME_WORDS = 4;

export function generate(text: string): Generated {
  const { rules, unparsed, changing, advice, understood, words } = readText(text);
  const made = rules.length === 0 ? undefined : assemble(rules, nameOf(text), text.replaceAll(/\s+/g, ' ').trim());
  if (made === undefined) return { definition: undefined, explanation: [], unparsed, changing, advice, confidence: 0 };
  const lost = made.unparsed.length / (made.unparsed.length + rules.length);
  const confidence = Math.round((understood / Math.max(1, words)) * (1 - lost) * 100) / 100;
  return {
    definition: made.definition,
    explanation: made.explanation,
    unparsed: [...unparsed, ...made.unparsed],
    // What cannot stand beside the rest was asked for all the same.
    changing: [...changing, ...made.unparsed],
    advice,
    confidence,
  };
}

/** The first words that could stand in a name. */
function nameOf(text: string): string {
  const found = text.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? [];
  const name = found.slice(0, NAME_WORDS).map(identifier).join('_').slice(0, 48).replace(/_+$/, '');
  return name === '' ? 'contract' : name;
}
