// Definitions of laws as an untrusted receipt holds them, compared with those of the reading program.

import { isRecord } from '../../core/record.ts';
import { definitionSha256 } from '../../operators/definition-hash.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import type { Registration } from '../../operators/registration.ts';
import type { Untrusted } from '../untrusted.ts';
import type { LawWords } from './law-words.ts';
import { previewValue } from './preview.ts';

/** One law of a receipt. Every field is a text of the sender. */
export interface ReceiptLaw {
  readonly id: string;
  readonly equation: string | undefined;
  readonly where: readonly (readonly [string, string])[];
  readonly output: { readonly symbol: string | undefined; readonly unit: string | undefined };
  readonly inputs: ReadonlyMap<string, { readonly unit: string | undefined; readonly default: number | undefined }>;
  /** The reading program's law of the same id. */
  readonly known: LawWords | undefined;
  /**
   * `same`: this program has the same definition. `earlier`: an earlier version had it. `changed`: this program has
   * another one. `unknown`: it has none. `absent`: the receipt holds no definition, or a part of one.
   */
  readonly comparison: 'same' | 'earlier' | 'changed' | 'unknown' | 'absent';
}

/** What the reading program knows about laws. */
export interface LawKnowledge {
  /** Its law of this id, if it has one. */
  law(id: string): LawWords | undefined;
  /** Whether the project ever registered this definition; unknown without it. */
  registration?(definition: Untrusted): Registration;
}

/** No receipt has more. */
const MAX_LAWS = 42;

/** The laws without KO42, which changes no value. A receipt of an older version may hold only their ids. */
export function lawsOf(envelope: Untrusted, knowledge: LawKnowledge): readonly ReceiptLaw[] {
  const { definitions, operatorChain } = envelope;
  const held = Array.isArray(definitions) ? definitions.slice(0, MAX_LAWS).filter(isRecord) : [];
  const ids = Array.isArray(operatorChain)
    ? operatorChain.slice(0, MAX_LAWS).filter((id) => typeof id === 'string')
    : [];
  const listed = held.length > 0 ? held : ids.map((id) => ({ id }));
  return listed.filter(({ id }) => id !== PULSE_OPERATOR).map((one) => readLaw(one, knowledge));
}

function readLaw(definition: Untrusted, knowledge: LawKnowledge): ReceiptLaw {
  const { equation, where, output, inputs } = definition;
  const id = textOf(definition.id) ?? 'without an id';
  const known = knowledge.law(id);
  const { symbol, unit } = isRecord(output) ? output : {};
  const read = isRecord(inputs) ? Object.entries(inputs) : [];
  return {
    id,
    equation: textOf(equation),
    where: isRecord(where)
      ? Object.entries(where).map(([key, text]) => [key, textOf(text) ?? previewValue(text)] as const)
      : [],
    output: { symbol: textOf(symbol), unit: textOf(unit) },
    inputs: new Map(
      read.map(([key, input]) => {
        const fields = isRecord(input) ? input : {};
        const standard = typeof fields.default === 'number' ? fields.default : undefined;
        return [key, { unit: textOf(fields.unit), default: standard }];
      }),
    ),
    known,
    comparison: comparisonOf(definition, known, knowledge),
  };
}

function comparisonOf(
  definition: Untrusted,
  known: LawWords | undefined,
  knowledge: LawKnowledge,
): ReceiptLaw['comparison'] {
  const isPartial = textOf(definition.equation) === undefined || !hasUnits(definition);
  if (known !== undefined && definitionSha256(definition) === known.definition_sha256) return 'same';
  if (knowledge.registration?.(definition) === 'changed since') return 'earlier';
  if (known === undefined) return 'unknown';
  return isPartial && (definition.equation === undefined || definition.equation === known.equation)
    ? 'absent'
    : 'changed';
}

function hasUnits({ inputs }: Untrusted): boolean {
  return isRecord(inputs) && Object.values(inputs).every((input) => isRecord(input) && typeof input.unit === 'string');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
