// A contract from a text: what the grammar makes of it, which template comes near, and what it would do.

import { compileContract } from '../../contracts/compiled.ts';
import type { Definition } from '../../contracts/definition.ts';
import { generate } from '../../contracts/generate/generate.ts';
import { type Moment, timelineOf } from '../../contracts/generate/timeline.ts';
import type { World } from '../../contracts/reaction.ts';
import { DomainError } from '../../core/errors.ts';
import { show } from '../../core/validation.ts';
import { TEMPLATES, type Template } from '../../templates/load.ts';
import type { ContractService } from './contracts.ts';

export interface GeneratedContract {
  readonly definition: Definition;
  readonly explanation: readonly string[];
  readonly matched_template: string | null;
  readonly confidence: number;
  readonly unparsed: readonly string[];
  readonly mode: 'deterministic';
  readonly timeline: readonly Moment[];
}

export interface GeneratorOptions {
  readonly contracts: ContractService;
  readonly world: Omit<World, 'balance'>;
}

/** Below this share of understood words, a template is the better beginning. */
const LEAST_CONFIDENCE = 0.4;
const NEAREST = 3;
/** A template whose words make up so much of the text is named beside the definition. */
const LIKENESS = 0.3;

export class GeneratorService {
  readonly #options: GeneratorOptions;

  constructor(options: GeneratorOptions) {
    this.#options = options;
  }

  /** @throws DomainError CANNOT_GENERATE with the words in question, how to say them, and the nearest templates */
  generate(query: string): GeneratedContract {
    const { contracts, world } = this.#options;
    const { definition, explanation, unparsed, changing, advice, confidence } = generate(query);
    const ranked = rankedTemplates(query);
    if (definition === undefined || changing.length > 0 || confidence < LEAST_CONFIDENCE) {
      const nearest = ranked.slice(0, NEAREST).map(({ id, title }) => ({ id, title }));
      const lost = changing.map((part) => show(part)).join(', ');
      const why =
        changing.length > 0
          ? `This changes what is meant, and is not understood: ${lost}.`
          : `Too little of the text is understood (${confidence}; ${LEAST_CONFIDENCE} is needed).`;
      const near = `The nearest templates are ${nearest.map(({ id }) => id).join(', ')}.`;
      throw new DomainError('CANNOT_GENERATE', `${why} ${advice} ${near}`, {
        facts: { confidence, unparsed, changing, nearest },
      });
    }
    contracts.assertDeployable(definition);
    const [best] = ranked;
    return {
      definition,
      explanation,
      matched_template: best !== undefined && best.likeness >= LIKENESS ? best.id : null,
      confidence,
      unparsed,
      mode: 'deterministic',
      timeline: timelineOf(compileContract(definition), world),
    };
  }
}

interface Ranked {
  readonly id: string;
  readonly title: string;
  readonly likeness: number;
}

/** Templates by the share of the words of the text that they have, the likest first. */
function rankedTemplates(query: string): Ranked[] {
  const asked = wordsIn(query);
  return [...TEMPLATES.values()]
    .map(({ id, title, category, definition }) => {
      const known = wordsIn(textOf({ id, title, category, definition }));
      const shared = [...asked].filter((word) => known.has(word)).length;
      return { id, title, likeness: shared / Math.max(1, asked.size) };
    })
    .sort((a, b) => b.likeness - a.likeness || (a.id < b.id ? -1 : 1));
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

const SMALL = new Set(
  'the and when then for with from into that this every after before above below emit within'.split(' '),
);

function wordsIn(text: string): Set<string> {
  const found = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return new Set(found.filter((word) => !SMALL.has(word)).map((word) => word.replace(/s$/, '')));
}
