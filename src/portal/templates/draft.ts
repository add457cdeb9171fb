// What stands in the form of a template, and what it means: parameters, and what is wrong with them in the words that the
// node would use, since the same compiler reads them.

import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import type { Definition, Parameter, Scalar, Scalars } from '../../contracts/definition.ts';
import { DomainError } from '../../core/errors.ts';

/** Texts by parameter, as they were typed; an empty one leaves the default. */
export type Draft = Readonly<Record<string, string>>;

export interface Reading {
  /** Those that differ from their defaults. */
  readonly parameters: Scalars;
  readonly faults: Readonly<Record<string, string>>;
  /** What is wrong and belongs to no single parameter. */
  readonly others: readonly string[];
  readonly compiled: CompiledContract | undefined;
}

export function draftOf({ parameters = {} }: Definition): Draft {
  return Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, String(one.default)]));
}

export function readDraft(definition: Definition, draft: Draft): Reading {
  const given: Record<string, Scalar> = {};
  for (const [name, parameter] of Object.entries(definition.parameters ?? {})) {
    const text = (draft[name] ?? '').trim();
    const value = text === '' ? parameter.default : scalarIn(text, parameter);
    if (value !== parameter.default) given[name] = value;
  }
  try {
    return { parameters: given, faults: {}, others: [], compiled: compileContract(definition, given) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const faults: Record<string, string> = {};
    const others: string[] = [];
    for (const { path, message } of error.details) {
      const name = path.replace(/^parameters\./, '');
      if (Object.hasOwn(definition.parameters ?? {}, name)) faults[name] ??= message;
      else others.push(message);
    }
    return { parameters: given, faults, others, compiled: undefined };
  }
}

/** What cannot be read goes to the compiler as it is: it says what it wants instead. */
function scalarIn(text: string, { type }: Parameter): Scalar {
  if (type === 'boolean') return text === 'true';
  if (type !== 'number' && type !== 'integer' && type !== 'ticks') return text;
  const number = Number(text.replace(',', '.').replaceAll('−', '-'));
  return Number.isNaN(number) ? text : number;
}
