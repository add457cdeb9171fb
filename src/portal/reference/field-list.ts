// Fields of a request or an answer; those of objects in them are folded.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { formatUnit } from '../kit/format.ts';
import { CodeWords } from './code-words.ts';
import type { FieldRow } from './operation-page.ts';

export const FieldList = ({ rows }: { readonly rows: readonly FieldRow[] }) =>
  h(
    'ul',
    { class: 'field-list' },
    rows.map((row) => h('li', { key: row.name }, h(Field, { row }))),
  );

function Field({ row }: { readonly row: FieldRow }) {
  const { name, type, isRequired, limits, pattern, unit, defaultValue, meaning, fields } = row;
  return [
    h(
      'p',
      { class: 'field-head' },
      h('code', { class: 'field-name' }, name),
      ' ',
      h('span', { class: 'field-type' }, type),
      unit === undefined ? null : h('span', { class: 'field-type' }, ` in ${formatUnit(unit)}`),
      isRequired ? h('span', { class: 'field-required' }, ' required') : null,
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
    fields === undefined ? null : h(Nested, { name, fields }),
  ];
}

/** Its rows are made when it is first opened. */
function Nested({ name, fields }: { readonly name: string; readonly fields: readonly FieldRow[] }) {
  const [isOpen, setOpen] = useState(false);
  return h(
    'details',
    {
      class: 'field-nested',
      onToggle: (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open),
    },
    h('summary', null, `${fields.length} ${fields.length === 1 ? 'field' : 'fields'} of ${name}`),
    isOpen ? h(FieldList, { rows: fields }) : null,
  );
}
