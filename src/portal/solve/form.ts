// Form of a solver, generated from its schema.

import { type ComponentChildren, h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { changedCount, fieldGroups, type GuidedField } from './field-groups.ts';
import { holds } from './field-help.ts';
import { Field } from './field-view.ts';
import type { Draft, ParsedDraft } from './fields.ts';
import { type SliderRange, sliderRange } from './slider.ts';
import type { FieldDescription, SolverDescription } from './solver-description.ts';
import { toggleOptions } from './toggle.ts';

interface FormProps {
  readonly solver: SolverDescription;
  readonly draft: Draft;
  /** The draft that the form was opened with. */
  readonly opened: Draft;
  readonly faults: ParsedDraft['faults'];
  /** Whether a run is so quick that inputs may be slid. */
  readonly isQuick: boolean;
  /** @param isMoving  true while a slider may go on */
  readonly onChange: (name: string, value: string | boolean, isMoving?: boolean) => void;
  /** Called when a part is folded; what it has filled moves out of it. */
  readonly onFold: () => void;
}

/** The first numbers of a form. */
const MAX_SLIDERS = 4;

export function FieldList({ solver, draft, opened, faults, isQuick, onChange, onFold }: FormProps) {
  const { main, optional, numerics, unused } = fieldGroups(solver, draft, opened);
  const ranges = new Map<string, SliderRange>();
  for (const { field } of main) {
    const text = draft[field.name];
    const value = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
    const range =
      toggleOptions(field) === undefined ? sliderRange(field, value, openedNumber(opened, field.name)) : undefined;
    if (range !== undefined && ranges.size < MAX_SLIDERS) ranges.set(field.name, range);
  }
  const input = ({ field, help }: GuidedField) =>
    h(Field, {
      key: field.name,
      field,
      help,
      value: draft[field.name] ?? '',
      fault: faults[field.name],
      drawing: drawingOf(field, draft),
      slider: isQuick ? ranges.get(field.name) : undefined,
      onChange: (value: string | boolean, isMoving?: boolean) => onChange(field.name, value, isMoving),
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

/** The drawing that the other inputs allow, and its lengths; a length that the solver chooses is 1. */
function drawingOf({ drawn = [] }: FieldDescription, draft: Draft) {
  const form = drawn.find(({ when }) => when === undefined || holds(when, draft));
  if (form === undefined) return undefined;
  const lengths = form.over.map((name) => Number(draft[name]));
  return { form, lengths: lengths.map((length) => (length > 0 && Number.isFinite(length) ? length : 1)) };
}

const openedNumber = (opened: Draft, name: string): number =>
  typeof opened[name] === 'string' && opened[name].trim() !== '' ? Number(opened[name]) : Number.NaN;

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
