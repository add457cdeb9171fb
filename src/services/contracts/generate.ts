// Generates a contract from text: its definition, the nearest template and a sample timeline.

import { compileContract } from '../../contracts/compiled.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import { generate } from '../../contracts/generate/generate.ts';
import { sampleTimeline } from '../../contracts/generate/timeline.ts';
import { DomainError } from '../../core/errors.ts';
import { quoteValue } from '../../core/validation.ts';
import { TEMPLATES, type Template } from '../../templates/load.ts';
import type { ContractService } from './contracts.ts';

export interface GeneratorOptions {
  readonly contracts: ContractService;
  readonly environment: Omit<Environment, 'balance'>;
}

const MAX_SUGGESTIONS = 3;
/** Minimum similarity at which a template is named beside the definition. */
const MIN_SIMILARITY = 0.3;

export class GeneratorService {
  readonly #options: GeneratorOptions;

  constructor(options: GeneratorOptions) {
    this.#options = options;
  }

  /**
   * @throws DomainError CANNOT_GENERATE with the words not understood, how to rephrase them, and the nearest templates
   */
  generate(query: string) {
    const { contracts, environment } = this.#options;
    const { definition, explanation, unparsed, advice, confidence } = generate(query);
    const ranked = rankedTemplates(query);
    if (definition === undefined || unparsed.length > 0) {
      const nearest = ranked.slice(0, MAX_SUGGESTIONS).map(({ id, title }) => ({ id, title }));
      const notUnderstood = unparsed.map((part) => quoteValue(part)).join(', ');
      const reason = unparsed.length > 0 ? `Not understood: ${notUnderstood}.` : 'The text has no rule.';
      const suggestion = `The nearest templates are ${nearest.map(({ id }) => id).join(', ')}.`;
      throw new DomainError('CANNOT_GENERATE', `${reason} ${advice} ${suggestion}`, {
        facts: { confidence, unparsed, changing: unparsed, nearest },
      });
    }
    contracts.assertDeployable(definition);
    const [best] = ranked;
    return {
      definition,
      explanation,
      matched_template: best !== undefined && best.similarity >= MIN_SIMILARITY ? best.id : null,
      confidence,
      unparsed,
      mode: 'deterministic' as const,
      timeline: sampleTimeline(compileContract(definition), environment),
    };
  }
}

interface Ranked {
  readonly id: string;
  readonly title: string;
  readonly similarity: number;
}

/** Ranks templates by the share of the words of the text that they contain, most similar first. */
function rankedTemplates(query: string): Ranked[] {
  const words = wordsIn(query);
  return [...TEMPLATES.values()]
    .map(({ id, title, category, definition }) => {
      const templateWords = wordsIn(textOf({ id, title, category, definition }));
      const shared = [...words].filter((word) => templateWords.has(word)).length;
      return { id, title, similarity: shared / Math.max(1, words.size) };
    })
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
}

function textOf({
  id,
  title,
  category,
  definition,
}: Pick<Template, 'id' | 'title' | 'category' | 'definition'>): string {
  const { description = '', events = {}, states, emits = [] } = definition;
  return [id, title, category, description, ...Object.keys(events), ...Object.keys(states), ...emits].join(' ');
}

const STOP_WORDS = new Set(
  'the and when then for with from into that this every after before above below emit within'.split(' '),
);

function wordsIn(text: string): Set<string> {
  const found = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return new Set(found.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/s$/, '')));
}
