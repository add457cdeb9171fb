// Shows what a computation or the node has refused at the fields that it names, until they are edited.

import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { errorNotice } from './error-notice.ts';
import { focusInvalidField } from './focus-invalid-field.ts';
import { Notice } from './notice.ts';

/** One sentence per field, with what was got and what is allowed. */
export type Faults = Readonly<Record<string, string>>;

/**
 * The sentences of an error by field.
 *
 * @param names  fields of the form
 * @param parts  of the request that hold fields: `parameters` for the path `parameters.limit`; none for `limit`
 * @param others  fields beside these parts
 */
export function faultsOf(
  error: unknown,
  names: readonly string[],
  parts: readonly string[] = [],
  others: readonly string[] = [],
): Faults {
  if (!(error instanceof DomainError)) return {};
  const faults: Record<string, string> = {};
  for (const { path, message } of error.details) {
    const [first = '', second = ''] = path.split(/[.[]/);
    const isInPart = parts.includes(first);
    const name = isInPart ? second : first;
    if ((isInPart || parts.length === 0 ? names : others).includes(name))
      // The sentence stands beside the field, so that its subject needs no part of the request.
      faults[name] ??= isInPart && message.startsWith(path) ? message.slice(first.length + 1) : message;
  }
  return faults;
}

interface Edited {
  readonly error: unknown;
  readonly names: readonly string[];
}

export interface Refusals {
  readonly faults: Faults;
  /** Forgets what was refused at a field whose text is now another one. */
  onEdit(name: string): void;
  /** Focuses the first field that is marked. */
  focus(): void;
  readonly form: { readonly current: HTMLFormElement | null };
}

interface RefusalOptions {
  readonly names: readonly string[];
  readonly parts?: readonly string[];
  readonly others?: readonly string[];
  /** False for what was refused while somebody types. */
  readonly isSubmitted?: boolean;
}

/** @param error  of the last call; each is shown, and focused, once */
export function useRefusals(error: unknown, { names, parts, others, isSubmitted = true }: RefusalOptions): Refusals {
  const form = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<Edited>({ error: undefined, names: [] });
  const forgotten = edited.error === error ? edited.names : [];
  const faults = Object.fromEntries(
    Object.entries(faultsOf(error, names, parts, others)).filter(([name]) => !forgotten.includes(name)),
  );
  const isRefused = Object.keys(faults).length > 0;
  const focus = () => {
    if (form.current) focusInvalidField(form.current);
  };
  useLayoutEffect(() => {
    if (isRefused && isSubmitted) focus();
  }, [error]);
  return { faults, form, focus, onEdit: (name) => setEdited({ error, names: [...forgotten, name] }) };
}

/** The notice of an error, with the way to the field that it is about. */
export function Refused({ error, refused }: { readonly error: unknown; readonly refused: Refusals }) {
  const isAtField = Object.keys(refused.faults).length > 0;
  const action = isAtField ? { label: 'Go to the field', run: refused.focus } : undefined;
  return h(Notice, { ...errorNotice(error), action });
}
