// All operations in groups, with a filter.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../kit/notice.ts';
import { type OperationLink, pathOfOperation, type ReferenceIndex } from './operation-page.ts';

interface Props {
  readonly index: ReferenceIndex;
  /** Words of the address. */
  readonly asked: string;
}

export function OperationList({ index, asked }: Props) {
  const [filter, setFilter] = useState(asked);
  useEffect(() => setFilter(asked), [asked]);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, method, path, summary }: OperationLink) => {
    const text = `${name} ${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups = index.groups
    .map(({ id, title, operations }) => ({ id, title, operations: operations.filter(matches) }))
    .filter(({ operations }) => operations.length > 0);
  const total = index.groups.reduce((sum, { operations }) => sum + operations.length, 0);
  return h(
    'div',
    { class: 'reference-list' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'API reference'),
      h(
        'p',
        { class: 'lead' },
        `${total} operations over HTTP. Each page has the fields, the errors, a form to try it, and how to call it from curl, Python, TypeScript and as a tool for agents. All of it as one file: `,
        h('a', { href: '/openapi.json' }, 'OpenAPI document'),
        '.',
      ),
    ),
    h('label', { class: 'filter-label', for: 'filter' }, 'Filter operations'),
    h('input', {
      id: 'filter',
      type: 'search',
      placeholder: 'replay, POST, heat …',
      value: filter,
      onInput: (event: Event) => setFilter((event.target as HTMLInputElement).value),
    }),
    h(
      'div',
      { class: 'endpoints' },
      groups.length === 0
        ? h(Notice, { kind: 'empty', title: 'No matching operation.', text: 'Try fewer or different words.' })
        : null,
      groups.map(({ id, title, operations }) =>
        h(
          'section',
          { key: id, 'aria-labelledby': id },
          h('h2', { id }, title),
          h(
            'ul',
            null,
            operations.map((operation) => h('li', { key: operation.name }, h(OperationRow, { operation }))),
          ),
        ),
      ),
    ),
  );
}

const OperationRow = ({ operation: { name, method, path, summary, access } }: { readonly operation: OperationLink }) =>
  h(
    'a',
    { class: 'endpoint', href: pathOfOperation(name), 'data-page': '' },
    h('span', { class: 'endpoint-method' }, method),
    h('code', { class: 'endpoint-path' }, path),
    access === 'public' ? null : h('span', { class: 'endpoint-key' }, access),
    h('span', { class: 'endpoint-summary' }, summary),
  );
