// The parts of a form: what it shows, what it folds, and under which title.
//
// Physics comes first. Fields without a default are chosen by the solver or add data of one's own: a long form folds
// them, but never one that the form was opened with, or that a choice has brought into use.

import { fieldHelp } from './field-help.ts';
import { type Draft, defaultDraft, isChanged } from './fields.ts';
import type { FieldDescription, SolverDescription } from './solver-description.ts';
import { toggleOptions } from './toggle.ts';

export interface GuidedField {
  readonly field: FieldDescription;
  readonly help: string;
}

interface FieldGroups {
  readonly main: readonly GuidedField[];
  readonly optional: readonly GuidedField[];
  readonly numerics: readonly GuidedField[];
  readonly unused: readonly GuidedField[];
}

/** Fields of a form that folds nothing but numerics and what is unused. */
const MAX_OPEN = 10;

/** @param opened  the draft that the form was opened with; what it fills stays in sight */
export function fieldGroups(solver: SolverDescription, draft: Draft, opened: Draft): FieldGroups {
  const defaults = defaultDraft(solver);
  const all = solver.fields.map((field) => {
    const { text: help, isUsed } = fieldHelp(field, solver, draft);
    return { field, help, isUsed };
  });
  const used = all.filter(({ isUsed }) => isUsed);
  const physics = used.filter(({ field }) => !field.isNumerics);
  const isFoldable = ({ field }: GuidedField) =>
    isEmptyByDefault(field) &&
    field.isShown !== true &&
    !isChanged(field, opened[field.name]) &&
    fieldHelp(field, solver, defaults).isUsed;
  const optional = physics.length > MAX_OPEN ? physics.filter(isFoldable) : [];
  const main = physics.filter((one) => !optional.includes(one));
  const named = new Set(solver.fields.flatMap(({ usedWhen = [] }) => usedWhen.flatMap(Object.keys)));
  const doesSteer = ({ field }: GuidedField) =>
    named.has(field.name) && (field.kind === 'choice' || toggleOptions(field) !== undefined);
  return {
    // What decides which fields there are comes first.
    main: [...main.filter(doesSteer), ...main.filter((one) => !doesSteer(one))],
    optional,
    numerics: used.filter(({ field }) => field.isNumerics),
    unused: all.filter(({ isUsed }) => !isUsed),
  };
}

/** Defaults that add nothing; `same` is that of sides which are as the others. */
const NOTHING = new Set<FieldDescription['defaultValue']>([undefined, '', '[]', 'same']);

const isEmptyByDefault = ({ kind, defaultValue }: FieldDescription) => kind !== 'switch' && NOTHING.has(defaultValue);

/** How many fields of a group differ from their defaults. */
export const changedCount = (group: readonly GuidedField[], draft: Draft): number =>
  group.filter(({ field }) => isChanged(field, draft[field.name])).length;
