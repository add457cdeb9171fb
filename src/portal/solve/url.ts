// Encodes an experiment in the URL: the solver in the path, every changed field in the query.

import { type Draft, defaultDraft } from './fields.ts';
import type { SolverDescription } from './solver-description.ts';

/** Reads the solver's fields from the query; ignores unknown fields and keeps invalid values for display. */
export function draftFromSearch(solver: SolverDescription, search: string): Draft {
  const query = new URLSearchParams(search);
  const draft: Record<string, string | boolean> = { ...defaultDraft(solver) };
  for (const { name, kind } of solver.fields) {
    const text = query.get(name);
    if (text !== null) draft[name] = kind === 'switch' ? text === 'true' : text;
  }
  return draft;
}

export function urlOf(solver: SolverDescription, draft: Draft): string {
  const defaults = defaultDraft(solver);
  const query = new URLSearchParams();
  for (const { name } of solver.fields) {
    const value = draft[name];
    if (value !== undefined && value !== defaults[name]) query.set(name, String(value));
  }
  const text = query.toString();
  return `/solve/${solver.id}${text === '' ? '' : `?${text}`}`;
}

/** The draft that holds an input; lists as JSON. */
export function draftOf(solver: SolverDescription, input: Readonly<Record<string, unknown>>): Draft {
  const given = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return { ...defaultDraft(solver), ...Object.fromEntries(given) };
}
