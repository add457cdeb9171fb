// Parses the form of a template into parameters. Compiles them as the node does, so that the messages are the same.

import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import { isMoney } from '../../contracts/data/types.ts';
import type { Definition, Parameter, Scalar, Scalars } from '../../contracts/definition.ts';
import { DomainError } from '../../core/errors.ts';
import { parseNumber } from '../kit/parse-number.ts';
import { durationWords, typedDuration } from './typed-duration.ts';

/** Texts by parameter, as typed; an empty text selects the default. */
export type Draft = Readonly<Record<string, string>>;

export interface ParsedDraft {
  /** Parameters that differ from their defaults. */
  readonly parameters: Scalars;
  readonly faults: Readonly<Record<string, string>>;
  /** Faults that do not concern a single parameter. */
  readonly generalFaults: readonly string[];
  readonly compiled: CompiledContract | undefined;
}

export function draftOf({ parameters = {} }: Definition): Draft {
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, defaultText(parameter)]));
}

/** The default as people write it. */
export const defaultText = ({ type, default: value }: Parameter): string =>
  type === 'duration' ? durationWords(String(value)) : String(value);

export function parseDraft(definition: Definition, draft: Draft): ParsedDraft {
  const given: Record<string, Scalar> = {};
  const faults: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(definition.parameters ?? {})) {
    const text = (draft[name] ?? '').trim();
    const parsed = text === '' ? { value: parameter.default } : parseScalar(name, text, parameter);
    if ('fault' in parsed) faults[name] = parsed.fault;
    else if (parsed.value !== parameter.default) given[name] = parsed.value;
  }
  try {
    // Invalid texts are replaced by their defaults, so that the compiler reports only other faults.
    const compiled = compileContract(definition, given);
    return {
      parameters: given,
      faults,
      generalFaults: [],
      compiled: Object.keys(faults).length === 0 ? compiled : undefined,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const generalFaults: string[] = [];
    for (const { path, message } of error.details) {
      const name = path.replace(/^parameters\./, '');
      if (Object.hasOwn(definition.parameters ?? {}, name)) faults[name] ??= message;
      else generalFaults.push(message);
    }
    return { parameters: given, faults, generalFaults, compiled: undefined };
  }
}

type ParsedScalar = { readonly value: Scalar } | { readonly fault: string };

function parseScalar(name: string, text: string, { type }: Parameter): ParsedScalar {
  if (type === 'boolean') return { value: text === 'true' };
  if (type === 'duration') return { value: typedDuration(text) };
  if (type !== 'number' && type !== 'integer' && type !== 'ticks' && !isMoney(type)) return { value: text };
  return parseNumber(text, { name, isWhole: type !== 'number' });
}
