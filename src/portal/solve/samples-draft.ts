// The form of samples: texts as typed, and the request that they state.

import type { ParsedNumber } from '../kit/parse-number.ts';
import type { SweepInput } from './sweep-draft.ts';

/** An input that is drawn, with the text of its standard deviation. */
export interface DrawnDraft {
  readonly name: string;
  readonly sigma: string;
}

export interface SamplesDraft {
  readonly drawn: readonly DrawnDraft[];
  readonly count: string;
  readonly seed: string;
}

/** The fields of a request. */
export interface SamplesFields {
  readonly uncertainties: Readonly<Record<string, number>>;
  readonly samples: { readonly count: number; readonly seed: number };
}

/** One per cent of the number in the form. */
export function drawnDraft({ name, value }: SweepInput): DrawnDraft {
  const size = value === undefined || value === 0 ? 1 : Math.abs(value);
  return { name, sigma: String(Number((size / 100).toPrecision(6))) };
}

/** @param sigmas  given in the form, by input; without any, the first input is drawn */
export function samplesDraft(inputs: readonly SweepInput[], sigmas: Readonly<Record<string, number>>): SamplesDraft {
  const given = inputs.filter(({ name }) => Object.hasOwn(sigmas, name));
  const drawn =
    given.length > 0
      ? given.map(({ name }) => ({ name, sigma: String(sigmas[name]) }))
      : inputs.slice(0, 1).map(drawnDraft);
  return { drawn, count: '200', seed: '1' };
}

/** @param parse  reads a number or says why it is none */
export function parseSamples(
  { drawn, count, seed }: SamplesDraft,
  parse: (text: string, name: string) => ParsedNumber,
): SamplesFields | { readonly fault: string } {
  const uncertainties: Record<string, number> = {};
  for (const { name, sigma } of drawn) {
    const parsed = parse(sigma, `± of ${name}`);
    if ('fault' in parsed) return parsed;
    uncertainties[name] = parsed.value;
  }
  const [total, start] = [parse(count, 'samples'), parse(seed, 'seed')];
  if ('fault' in total) return total;
  if ('fault' in start) return start;
  return { uncertainties, samples: { count: total.value, seed: start.value } };
}
