// Card of one route: its fields, its responses and a form to try it.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { withFullStop } from '../kit/format.ts';
import { describeType, type Endpoint, type Parameter, type Schema } from './openapi-document.ts';
import { TryIt } from './try-it.ts';

export function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const { method, path, summary, needsKey } = endpoint;
  const [isOpen, setOpen] = useState(false);
  return h(
    'details',
    {
      class: 'endpoint',
      onToggle: (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open),
    },
    h(
      'summary',
      null,
      h('span', { class: 'endpoint-method' }, method),
      h('code', { class: 'endpoint-path' }, path),
      h('span', { class: 'endpoint-summary' }, summary),
      needsKey ? h('span', { class: 'endpoint-key' }, 'key') : null,
    ),
    isOpen ? h(Details, { endpoint }) : null,
  );
}

function Details({ endpoint }: { readonly endpoint: Endpoint }) {
  const { description, summary, parameters, body, responses } = endpoint;
  const rows = [
    ...parameters.map(({ name, schema, description: meaning, in: location, required }: Parameter) =>
      row(name, schema, meaning, `${location}${required ? ', required' : ''}`),
    ),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      row(name, schema, schema.description, body?.required?.includes(name) ? 'required' : ''),
    ),
  ];
  return h(
    'div',
    { class: 'endpoint-body' },
    description === summary ? null : h('p', null, description),
    rows.length === 0
      ? null
      : h(
          'div',
          { class: 'endpoint-table', tabIndex: 0, role: 'region', 'aria-label': `Fields of ${endpoint.id}` },
          h(
            'table',
            null,
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                ['Field', 'Type', 'Meaning'].map((head) => h('th', { key: head, scope: 'col' }, head)),
              ),
            ),
            h('tbody', null, rows),
          ),
        ),
    h(TryIt, { endpoint }),
    h(
      'details',
      { class: 'responses' },
      h('summary', null, 'Responses'),
      h(
        'dl',
        { class: 'facts' },
        responses.map(({ status, description: text }) =>
          h('div', { key: status }, h('dt', null, status), h('dd', null, text)),
        ),
      ),
    ),
  );
}

function row(name: string, schema: Schema | undefined, meaning: string | undefined, more: string) {
  const unit = schema?.unit === undefined || schema.unit === '1' ? '' : ` [${schema.unit}]`;
  const defaultText = schema?.default === undefined ? '' : ` Default ${String(schema.default)}.`;
  return h(
    'tr',
    { key: name },
    h('th', { scope: 'row' }, h('code', null, name), more === '' ? null : h('span', { class: 'endpoint-more' }, more)),
    h('td', null, `${describeType(schema)}${unit}`),
    h('td', null, `${withFullStop(meaning ?? schema?.description ?? '')}${defaultText}`),
  );
}
