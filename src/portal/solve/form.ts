// Form of a solver, generated from its schema.

import { type ComponentChildren, h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { changedCount, fieldGroups, type GuidedField } from './field-groups.ts';
import { Field } from './field-view.ts';
import type { Draft, ParsedDraft } from './fields.ts';
import type { SolverDescription } from './solver-description.ts';

interface FormProps {
  readonly solver: SolverDescription;
  readonly draft: Draft;
  /** The draft that the form was opened with. */
  readonly opened: Draft;
  readonly faults: ParsedDraft['faults'];
  readonly onChange: (name: string, value: string | boolean) => void;
  /** Called when a part is folded; what it has filled moves out of it. */
  readonly onFold: () => void;
}

export function FieldList({ solver, draft, opened, faults, onChange, onFold }: FormProps) {
  const { main, optional, numerics, unused } = fieldGroups(solver, draft, opened);
  const input = ({ field, help }: GuidedField) =>
    h(Field, {
      key: field.name,
      field,
      help,
      value: draft[field.name] ?? '',
      fault: faults[field.name],
      onChange: (value: string | boolean) => onChange(field.name, value),
    });
  const folded = (key: string, title: string, group: readonly GuidedField[]) => {
    const changed = changedCount(group, draft);
    return h(
      Folded,
      {
        key,
        title: `${title}${changed === 0 ? '' : `, ${changed} changed`}`,
        hasFault: group.some(({ field }) => faults[field.name] !== undefined),
        onFold,
      },
      group.map(input),
    );
  };
  const count = (group: readonly GuidedField[], kind: string) =>
    group.length === 1 ? `1 ${kind} field` : `${group.length} ${kind} fields`;
  return [
    h('div', { class: 'fields' }, main.map(input)),
    optional.length === 0 ? null : folded('optional', count(optional, 'optional'), optional),
    numerics.length === 0 ? null : folded('numerics', 'Numerics', numerics),
    unused.length === 0 ? null : folded('unused', count(unused, 'unused'), unused),
  ];
}

interface FoldedProps {
  readonly title: string;
  readonly hasFault: boolean;
  readonly onFold: () => void;
  readonly children?: ComponentChildren;
}

/** Fields behind a title. A fault is never folded away, and nothing is folded while somebody mends it. */
function Folded({ title, hasFault, onFold, children }: FoldedProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (hasFault && details.current) details.current.open = true;
  }, [hasFault]);
  return h(
    'details',
    {
      class: 'folded',
      ref: details,
      onToggle: () => {
        if (details.current?.open === false) onFold();
      },
    },
    h('summary', null, title),
    h('div', { class: 'fields' }, children),
  );
}
