// What stands in the form of a template, and what it means: parameters, and what is wrong with them. Of what can be read at
// all it is said in the words that the node would use, since the same compiler reads them.

import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import type { Definition, Parameter, Scalar, Scalars } from '../../contracts/definition.ts';
import { DomainError } from '../../core/errors.ts';
import { typedNumber } from '../kit/typed-number.ts';

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
  const faults: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(definition.parameters ?? {})) {
    const text = (draft[name] ?? '').trim();
    const read = text === '' ? { value: parameter.default } : readScalar(name, text, parameter);
    if ('fault' in read) faults[name] = read.fault;
    else if (read.value !== parameter.default) given[name] = read.value;
  }
  try {
    // Defaults stand in for what cannot be read, so that only what else is wrong is named beside it.
    const compiled = compileContract(definition, given);
    return { parameters: given, faults, others: [], compiled: Object.keys(faults).length === 0 ? compiled : undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const others: string[] = [];
    for (const { path, message } of error.details) {
      const name = path.replace(/^parameters\./, '');
      if (Object.hasOwn(definition.parameters ?? {}, name)) faults[name] ??= message;
      else others.push(message);
    }
    return { parameters: given, faults, others, compiled: undefined };
  }
}

type ReadScalar = { readonly value: Scalar } | { readonly fault: string };

function readScalar(name: string, text: string, { type }: Parameter): ReadScalar {
  if (type === 'boolean') return { value: text === 'true' };
  if (type !== 'number' && type !== 'integer' && type !== 'ticks') return { value: text };
  return typedNumber(text, { name, isWhole: type !== 'number' });
}
