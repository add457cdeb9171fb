// Definitions of laws as an untrusted receipt holds them, compared with those of the reading program.

import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { isRecord, type Untrusted } from '../untrusted.ts';
import { definitionSha256, type LawWords } from './law-words.ts';

/** One law of a receipt. Every field is a text of the sender. */
export interface ReceiptLaw {
  readonly id: string;
  readonly name: string | undefined;
  readonly equation: string | undefined;
  readonly where: readonly (readonly [string, string])[];
  readonly output: { readonly symbol: string | undefined; readonly unit: string | undefined };
  readonly inputs: ReadonlyMap<string, { readonly unit: string | undefined; readonly default: number | undefined }>;
  /** The reading program's law of the same id. */
  readonly known: LawWords | undefined;
  /**
   * `same`: this program has the same definition. `changed`: it has another one. `unknown`: it has none.
   * `absent`: the receipt holds no definition, or a part of one.
   */
  readonly comparison: 'same' | 'changed' | 'unknown' | 'absent';
}

/** No receipt has more. */
const MAX_LAWS = 42;

/** The laws without KO42, which changes no value. A receipt of an older version may hold only their ids. */
export function lawsOf(envelope: Untrusted, find: (id: string) => LawWords | undefined): readonly ReceiptLaw[] {
  const { definitions, operatorChain } = envelope;
  const held = Array.isArray(definitions) ? definitions.slice(0, MAX_LAWS).filter(isRecord) : [];
  const ids = Array.isArray(operatorChain)
    ? operatorChain.slice(0, MAX_LAWS).filter((id) => typeof id === 'string')
    : [];
  const listed = held.length > 0 ? held : ids.map((id) => ({ id }));
  return listed.filter(({ id }) => id !== PULSE_OPERATOR).map((one) => readLaw(one, find));
}

function readLaw(definition: Untrusted, find: (id: string) => LawWords | undefined): ReceiptLaw {
  const { name, equation, where, output, inputs } = definition;
  const id = textOf(definition.id) ?? 'without an id';
  const known = find(id);
  const { symbol, unit } = isRecord(output) ? output : {};
  const read = isRecord(inputs) ? Object.entries(inputs) : [];
  return {
    id,
    name: textOf(name),
    equation: textOf(equation),
    where: isRecord(where) ? Object.entries(where).map(([key, text]) => [key, String(text)] as const) : [],
    output: { symbol: textOf(symbol), unit: textOf(unit) },
    inputs: new Map(
      read.map(([key, input]) => {
        const fields = isRecord(input) ? input : {};
        const standard = typeof fields.default === 'number' ? fields.default : undefined;
        return [key, { unit: textOf(fields.unit), default: standard }];
      }),
    ),
    known,
    comparison: comparisonOf(definition, known),
  };
}

function comparisonOf(definition: Untrusted, known: LawWords | undefined): ReceiptLaw['comparison'] {
  const isPartial = textOf(definition.equation) === undefined || !hasUnits(definition);
  if (known === undefined) return 'unknown';
  if (definitionSha256(definition) === known.definition_sha256) return 'same';
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
