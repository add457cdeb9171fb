// The whole experiment in the address: the solver in the path, every changed field in the query.

import type { SolverDescription } from './description.ts';
import { type Draft, standardDraft } from './fields.ts';

/** Fields of the query that the solver knows; others are left out, and what is not valid is shown as it came. */
export function draftFrom(solver: SolverDescription, search: string): Draft {
  const query = new URLSearchParams(search);
  const draft: Record<string, string | boolean> = { ...standardDraft(solver) };
  for (const { name, kind } of solver.fields) {
    const text = query.get(name);
    if (text !== null) draft[name] = kind === 'switch' ? text === 'true' : text;
  }
  return draft;
}

export function addressOf(solver: SolverDescription, draft: Draft): string {
  const standard = standardDraft(solver);
  const query = new URLSearchParams();
  for (const { name } of solver.fields) {
    const value = draft[name];
    if (value !== undefined && value !== standard[name]) query.set(name, String(value));
  }
  const text = query.toString();
  return `/solve/${solver.id}${text === '' ? '' : `?${text}`}`;
}
