// Help of a field beside the other inputs, and whether they use it.

import type { Condition } from '../../solvers/solver-form.ts';
import { capitalise, withFullStop } from '../kit/format.ts';
import type { Draft } from './fields.ts';
import type { FieldDescription, SolverDescription } from './solver-description.ts';

interface FieldHelp {
  readonly text: string;
  /** False if the current inputs do not use the field. */
  readonly isUsed: boolean;
}

/**
 * Help for the current choices. A description may have one clause per choice: `finite_well: depth; double_well: height
 * of the barrier`. Clauses of other choices are omitted; a field without any remaining clause is unused.
 */
export function fieldHelp(field: FieldDescription, solver: SolverDescription, draft: Draft): FieldHelp {
  const choices = new Set(solver.fields.flatMap((other) => other.choices ?? []));
  const chosen = new Set(solver.fields.flatMap((other) => (other.choices ? [String(draft[other.name])] : [])));
  const clauses: { names: readonly string[]; text: string }[] = [];
  for (const part of field.help.split('; ')) {
    const [, before = '', after = ''] = /^([\w-]+(?:, [\w-]+)*): (.*)$/.exec(part) ?? [];
    const names = before.split(', ');
    const last = clauses.at(-1);
    if (names.every((name) => choices.has(name))) clauses.push({ names, text: after });
    else if (last) last.text += `; ${part}`;
    else clauses.push({ names: [], text: part });
  }
  const used = clauses.filter(({ names }) => names.length === 0 || names.some((name) => chosen.has(name)));
  const help = used.length > 0 ? used.map(({ text }) => text).join('; ') : field.help;
  const isChoice = choices.has(/^[\w-]*/.exec(help)?.[0] ?? '');
  // A choice whose clauses say what its own words mean is no less used where they say nothing of the word chosen.
  const isOwn = clauses.some(({ names }) => names.some((name) => field.choices?.includes(name)));
  return {
    text: withFullStop(isChoice ? help : capitalise(help)),
    // Conditions know more than clauses, which cannot name a choice that is left to the solver.
    isUsed: field.usedWhen?.some((condition) => holds(condition, draft)) ?? (used.length > 0 || isOwn),
  };
}

export function holds(condition: Condition, draft: Draft): boolean {
  return Object.entries(condition).every(([name, values = []]) => {
    const given = typeof draft[name] === 'string' ? draft[name].trim() : draft[name];
    const isEmpty = given === undefined || given === '';
    const is = (value: unknown) => {
      if (value === null) return isEmpty;
      return typeof value === 'number' ? !isEmpty && Number(given) === value : value === given;
    };
    if (values === 'given') return !isEmpty;
    return 'not' in values ? !values.not.some(is) : values.some(is);
  });
}
