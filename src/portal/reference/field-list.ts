// Fields of a request or an answer; those of objects in them are folded.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { formatUnit } from '../kit/format.ts';
import { CodeWords } from './code-words.ts';
import { type FieldRow, VARIANT } from './operation-page.ts';

interface Props {
  readonly rows: readonly FieldRow[];
  /** Of an answer, where a field that may be missing is the exception. */
  readonly isAnswer?: boolean;
}

export const FieldList = ({ rows, isAnswer = false }: Props) =>
  h(
    'ul',
    { class: 'field-list' },
    rows.map((row) => h('li', { key: row.name }, h(Field, { row, isAnswer }))),
  );

function Field({ row, isAnswer }: { readonly row: FieldRow; readonly isAnswer: boolean }) {
  const { name, type, limits, pattern, unit, defaultValue, meaning, fields } = row;
  return [
    h(
      'p',
      { class: 'field-head' },
      h('code', { class: 'field-name' }, name),
      ' ',
      h('span', { class: 'field-type' }, type),
      unit === undefined ? null : h('span', { class: 'field-type' }, ` in ${formatUnit(unit)}`),
      presenceOf(row, isAnswer),
    ),
    meaning === undefined ? null : h('p', null, h(CodeWords, { text: meaning })),
    limits === undefined && pattern === undefined && defaultValue === undefined
      ? null
      : h(
          'p',
          { class: 'field-limits' },
          limits === undefined ? null : h('span', null, limits),
          pattern === undefined ? null : h('span', null, 'pattern ', h('code', null, pattern)),
          defaultValue === undefined ? null : h('span', null, 'default ', h('code', null, defaultValue)),
        ),
    fields === undefined ? null : h(Nested, { name, fields, isAnswer }),
  ];
}

/** Required for a request; for an answer, that it may be missing. */
function presenceOf({ isRequired, type }: FieldRow, isAnswer: boolean) {
  if (isAnswer)
    return isRequired === true || type === VARIANT ? null : h('span', { class: 'field-type' }, ', optional');
  return isRequired ? h('span', { class: 'field-required' }, ' required') : null;
}

interface NestedProps {
  readonly name: string;
  readonly fields: readonly FieldRow[];
  readonly isAnswer: boolean;
}

/** Its rows are made when it is first opened. */
function Nested({ name, fields, isAnswer }: NestedProps) {
  const [isOpen, setOpen] = useState(false);
  return h(
    'details',
    {
      class: 'field-nested',
      onToggle: (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open),
    },
    h('summary', null, `${fields.length} ${fields.length === 1 ? 'field' : 'fields'} of ${name}`),
    isOpen ? h(FieldList, { rows: fields, isAnswer }) : null,
  );
}
