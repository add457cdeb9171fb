// The targets of a sentence: a solver or a law, with the fields that it takes. One form of both, made from their
// records, so that a new solver or law needs no line here.

import type { z } from 'zod';
import type { Dimension } from '../core/units/dimension.ts';
import type { Operator } from '../operators/operator.ts';
import { unitOf } from '../operators/unit-table.ts';
import { GENERIC_WORDS, STOP_WORDS, tokenize, transliterate } from '../operators/words.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import type { SolverWords } from '../solvers/solver-words.ts';

export type FieldKind = 'number' | 'choice' | 'switch' | 'other';

export interface TargetField {
  readonly key: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly unit: string;
  /** Missing where the unit is a label: people, sigma^-3. */
  readonly dimension?: Dimension;
  readonly min: number;
  readonly max: number;
  readonly isInteger: boolean;
  readonly isRequired: boolean;
  readonly isNumerics: boolean;
  readonly defaultValue?: unknown;
  /** Names as in formulas, folded. */
  readonly names: readonly string[];
  /** In words. */
  readonly phrases: readonly string[];
  readonly inverse: readonly string[];
  /** Phrases of each value of a choice. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** Choices under which it counts; without any, always. */
  readonly onlyFor: readonly Condition[];
}

export interface Condition {
  readonly choice: string;
  readonly values: readonly string[];
  /** The default of the choice. */
  readonly fallback: string | undefined;
}

export interface Target {
  readonly kind: 'solver' | 'law';
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** Of its value; missing where the unit is a label. */
  readonly dimension?: Dimension;
  readonly fields: readonly TargetField[];
  readonly words?: SolverWords;
  /** Laws that the solver computes anyway. */
  readonly chain: readonly string[];
  /** Words that are at home in its record. */
  readonly known: ReadonlySet<string>;
}

/** Names are compared without underscores; their case counts. */
export const foldedName = (text: string) => transliterate(text).replaceAll('_', '');

/** Units that are labels of a solver's own numbers, although a unit has the same letters. */
const LABELS: ReadonlySet<string> = new Set(['t', 'T', 'c', 'E', 'state', '1']);

function dimensionOf(unit: string, isSolver: boolean): Dimension | undefined {
  if (unit !== '1' && isSolver && LABELS.has(unit)) return undefined;
  try {
    return unitOf(unit === '$' ? 'USD' : unit).dimension;
  } catch {
    return undefined;
  }
}

const contentWords = (text: string) =>
  tokenize(text).filter((word) => word.length > 2 && !STOP_WORDS.has(word) && !GENERIC_WORDS.has(word));

export function solverTarget(solver: SolverDefinition): Target {
  const { id, title, summary, domain, unit, form, words, inputs, operatorChain, method } = solver;
  const shape = inputs.shape as Readonly<Record<string, z.ZodType>>;
  const fields = Object.entries(shape).map(([key, schema]) =>
    solverField(key, schema as z.ZodType, {
      label: form?.labels[key] ?? '',
      isNumerics: form?.numerics.includes(key) === true,
      words,
      conditions: conditionsOf((schema as z.ZodType).description ?? '', shape),
    }),
  );
  const texts = [
    title,
    summary,
    domain,
    method.name,
    ...(form?.examples ?? []).map((example) => example.title),
    ...Object.entries(inputs.shape).map(([, schema]) => (schema as z.ZodType).description ?? ''),
    ...fields.flatMap((field) => [field.label, ...field.phrases, ...field.inverse, ...Object.keys(field.choices)]),
    ...fields.flatMap((field) => Object.values(field.choices).flat()),
    ...(words?.names ?? []),
    ...(words?.topics ?? []),
    ...(words?.hints ?? []),
  ];
  const dimension = dimensionOf(unit, true);
  return {
    kind: 'solver',
    id,
    title,
    unit,
    ...(dimension === undefined ? {} : { dimension }),
    fields,
    ...(words === undefined ? {} : { words }),
    chain: operatorChain,
    known: new Set(texts.flatMap(contentWords)),
  };
}

interface FieldContext {
  readonly label: string;
  readonly isNumerics: boolean;
  readonly words: SolverWords | undefined;
  readonly conditions: readonly Condition[];
}

function solverField(
  key: string,
  schema: z.ZodType,
  { label, isNumerics, words, conditions }: FieldContext,
): TargetField {
  const { type, unit, symbol, defaultValue, isOptional } = unwrapped(schema);
  const kind = kindOf(type);
  const own = kind === 'number' ? dimensionOf(unit, true) : undefined;
  const number = type as unknown as { minValue?: number | null; maxValue?: number | null; isInt?: boolean };
  const options = kind === 'choice' ? (type as unknown as { options: readonly string[] }).options : [];
  return {
    key,
    kind,
    label: label === '' ? key : label,
    unit,
    ...(own === undefined ? {} : { dimension: own }),
    min: number.minValue ?? Number.NEGATIVE_INFINITY,
    max: number.maxValue ?? Number.POSITIVE_INFINITY,
    isInteger: number.isInt === true,
    isRequired: !isOptional && defaultValue === undefined,
    isNumerics,
    ...(defaultValue === undefined ? {} : { defaultValue }),
    names: [...new Set([key, ...(symbol === undefined ? [] : [symbol])].map(foldedName))],
    phrases: [...(label === '' ? [] : [label]), ...(words?.inputs?.[key] ?? [])],
    inverse: words?.inverse?.[key] ?? [],
    choices: words?.choices?.[key] ?? Object.fromEntries(options.map((option) => [option, [option]])),
    onlyFor: conditions,
  };
}

/** "morse, poschl_teller: inverse range": the choices that a description names before a colon. */
function conditionsOf(description: string, shape: Readonly<Record<string, z.ZodType>>): Condition[] {
  const named = [...description.matchAll(/(?:^|; |\. )([\w-]+(?:, [\w-]+)*): /g)].flatMap(([, list = '']) =>
    list.split(', '),
  );
  if (named.length === 0) return [];
  return Object.entries(shape).flatMap(([choice, schema]): Condition[] => {
    const { type, defaultValue } = unwrapped(schema);
    if (kindOf(type) !== 'choice') return [];
    const values = named.filter((name) => (type as unknown as { options: readonly string[] }).options.includes(name));
    return values.length === 0
      ? []
      : [{ choice, values, fallback: typeof defaultValue === 'string' ? defaultValue : undefined }];
  });
}

function kindOf({ type }: z.ZodType): FieldKind {
  if (type === 'number') return 'number';
  if (type === 'enum') return 'choice';
  return type === 'boolean' ? 'switch' : 'other';
}

/** The schema inside of default and optional, with what they say. */
function unwrapped(schema: z.ZodType) {
  let type = schema;
  let unit: unknown;
  let symbol: unknown;
  let defaultValue: unknown;
  let isOptional = false;
  for (;;) {
    const meta = type.meta() ?? {};
    unit ??= meta.unit;
    symbol ??= meta.symbol;
    const { innerType, defaultValue: own } = type.def as { innerType?: z.ZodType; defaultValue?: unknown };
    if (type.type === 'default') defaultValue = own;
    if (type.type === 'optional') isOptional = true;
    if (innerType === undefined) break;
    type = innerType;
  }
  return {
    type,
    unit: typeof unit === 'string' ? unit : '1',
    symbol: typeof symbol === 'string' ? symbol : undefined,
    defaultValue,
    isOptional,
  };
}

export function lawTarget(law: Operator): Target {
  const fields = Object.entries(law.inputs).map(([key, input]): TargetField => {
    const dimension = dimensionOf(input.unit, false);
    return {
      key,
      kind: 'number',
      label: input.description,
      unit: input.unit,
      ...(dimension === undefined ? {} : { dimension }),
      min: input.min ?? Number.NEGATIVE_INFINITY,
      max: input.max ?? Number.POSITIVE_INFINITY,
      isInteger: input.integer === true,
      isRequired: input.default === undefined,
      isNumerics: false,
      ...(input.default === undefined ? {} : { defaultValue: input.default }),
      names: [key, ...(input.aliases ?? [])].map(foldedName),
      phrases: [input.description, ...contentWords(input.description)],
      inverse: [],
      choices: {},
      onlyFor: [],
    };
  });
  const { id, name, output } = law;
  const dimension = dimensionOf(output.unit, false);
  return {
    kind: 'law',
    id,
    title: name,
    unit: output.unit,
    ...(dimension === undefined ? {} : { dimension }),
    fields,
    chain: [],
    known: new Set(),
  };
}
