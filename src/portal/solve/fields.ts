// From what stands in a form to what a solver takes, and from a field's description to what a person needs of it now.

import { show } from '../../core/validation.ts';
import { asBound, asSentence, capitalised, inShort } from '../kit/format.ts';
import { typedNumber } from '../kit/typed-number.ts';
import type { FieldDescription, SolverDescription } from './description.ts';

/** What stands in the form: text, or the state of a switch. An empty text leaves the choice to the solver. */
export type Draft = Readonly<Record<string, string | boolean>>;

export interface Reading {
  /** What differs from the defaults, as the solver's own fields. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One sentence for each field that cannot be read. */
  readonly faults: Readonly<Record<string, string>>;
}

export function standardDraft(solver: SolverDescription): Draft {
  return Object.fromEntries(
    solver.fields.map(({ name, kind, standard }) => [
      name,
      kind === 'switch' ? standard === true : standard === undefined ? '' : String(standard),
    ]),
  );
}

export function readDraft(solver: SolverDescription, draft: Draft): Reading {
  const input: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of solver.fields) {
    const given = draft[field.name] ?? '';
    const read = typeof given === 'boolean' ? { value: given } : readField(field, given.trim());
    if ('fault' in read) faults[field.name] = read.fault;
    else if (read.value !== undefined && (read.value !== field.standard || isSaidAnyhow(field, draft)))
      input[field.name] = read.value;
  }
  return { input, faults };
}

/** Beside operators nobody means the standard example, unless it stands there. */
const isSaidAnyhow = ({ rows }: FieldDescription, { operators }: Draft) =>
  rows !== undefined && typeof operators === 'string' && namesIn(operators) !== undefined;

function namesIn(text: string): string[] | undefined {
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}

function readField(field: FieldDescription, text: string): { readonly value: unknown } | { readonly fault: string } {
  const { name, kind, choices } = field;
  if (text === '') return { value: undefined };
  if (kind === 'list') return { value: namesIn(text) };
  if (kind === 'choice' && !choices?.includes(text))
    return { fault: `${name} is ${show(text)}; choose from the list.` };
  if (kind !== 'number' && kind !== 'integer') return { value: text };
  const isWhole = kind === 'integer';
  const expected = `${isWhole ? 'a whole number' : 'a number'}${rangeWords(field)}`;
  const read = typedNumber(text, { name, isWhole, expected });
  if ('fault' in read || isAllowed(field, read.value)) return read;
  return { fault: `${name} is ${show(read.value)}; ${expected} is expected.` };
}

const isAllowed = ({ kind, least, most, isOpen }: FieldDescription, value: number) =>
  Number.isFinite(value) &&
  (kind === 'number' || Number.isInteger(value)) &&
  (least === undefined || (isOpen ? value > least : value >= least)) &&
  (most === undefined || (isOpen ? value < most : value <= most));

/** ` from 8 to 128`; nothing where every number is allowed. */
function rangeWords({ least, most }: FieldDescription): string {
  return `${least === undefined ? '' : ` from ${least}`}${most === undefined ? '' : ` to ${most}`}`;
}

/** `8 – 128`, or nothing where there is no choice of numbers. */
export function rangeOf({ least, most }: FieldDescription): string {
  return least === undefined || most === undefined ? '' : `${asBound(least)} – ${asBound(most)}`;
}

/** What a number is when nothing is typed; of a text that is empty nothing is said. */
export function standardOf({ standard, kind }: FieldDescription): string {
  if (kind !== 'number' && kind !== 'integer') return '';
  return standard === undefined ? 'Chosen for you when empty.' : `Default ${inShort(Number(standard), 17)}.`;
}

export interface Guidance {
  readonly text: string;
  /** False if the field plays no part under the current choices. */
  readonly isUsed: boolean;
}

/**
 * A description may hold clauses for single choices: `finite_well: depth; double_well: height of the barrier`. Those of
 * other choices are left out, and a field that has only such clauses is not used.
 */
export function guidanceOf(field: FieldDescription, solver: SolverDescription, draft: Draft): Guidance {
  const choices = new Set(solver.fields.flatMap((one) => one.choices ?? []));
  const chosen = new Set(solver.fields.flatMap((one) => (one.choices ? [String(draft[one.name])] : [])));
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
  const shown = used.length > 0 ? used.map(({ text }) => text).join('; ') : field.help;
  const isChoice = choices.has(/^[\w-]*/.exec(shown)?.[0] ?? '');
  return {
    text: asSentence(isChoice ? shown : capitalised(shown)),
    isUsed: used.length > 0 || field.kind === 'choice',
  };
}
