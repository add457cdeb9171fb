// Presets of solvers by name: problems to start from, as their forms list them.

import { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { quoteValue } from '../core/validation.ts';
import { SOLVERS } from './index.ts';

export interface Preset {
  /** `heat/a-brick-wall-in-winter`: the solver, and the words of the title. */
  readonly name: string;
  readonly solver: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const wordsOf = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export const PRESETS: readonly Preset[] = SOLVERS.flatMap(({ id, form }) =>
  (form?.examples ?? []).map(({ title, input }) => ({
    name: `${id}/${wordsOf(title)}`,
    solver: id,
    title,
    input: input as Preset['input'],
  })),
);

/** @throws DomainError NOT_FOUND with a near name */
export function findPreset(name: string): Preset {
  const found = PRESETS.find((preset) => preset.name === name);
  if (found) return found;
  const names = PRESETS.map((preset) => preset.name);
  throw new DomainError('NOT_FOUND', `There is no preset ${quoteValue(name)}.${didYouMean(name, names)}`);
}
