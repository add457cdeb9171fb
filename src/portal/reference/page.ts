// API reference: every route of this node, read from its OpenAPI document, with a form to try it.

import { h } from 'preact';
import '../style/reference.css';
import { useEffect, useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { currentRoute } from '../router.ts';
import { openApi } from '../session.ts';
import { EndpointCard } from './endpoint-card.ts';
import { type Endpoint, endpointsOf, type OpenApi } from './openapi-document.ts';

export function ReferencePage() {
  const [endpoints, setEndpoints] = useState<readonly Endpoint[] | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const asked = new URLSearchParams(currentRoute.value.search).get('q') ?? '';
  const [filter, setFilter] = useState(asked);
  useEffect(() => setFilter(asked), [asked]);
  const load = () => {
    setError(undefined);
    openApi('openapi.read', {})
      .then((response) => response.json())
      .then((document: OpenApi) => setEndpoints(endpointsOf(document)))
      .catch(setError);
  };
  useEffect(load, []);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (endpoints ?? []).filter(({ id, method, path, summary }) => {
    const text = `${id} ${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const tags = [...new Set(matches.map(({ tag }) => tag))];
  return h(
    'div',
    { class: 'page narrow' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'API'),
      h(
        'p',
        { class: 'lead' },
        'Every route of this node, from its ',
        h('a', { href: '/openapi.json' }, 'OpenAPI document'),
        '. Open a route to try it.',
      ),
    ),
    h('label', { class: 'filter-label', for: 'filter' }, 'Filter routes'),
    h('input', {
      id: 'filter',
      type: 'search',
      placeholder: 'replay, POST, heat …',
      value: filter,
      onInput: (event: Event) => setFilter((event.target as HTMLInputElement).value),
    }),
    h(
      'div',
      { class: 'endpoints', 'aria-busy': endpoints === undefined && error === undefined },
      error === undefined ? null : h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: load } }),
      endpoints !== undefined && matches.length === 0
        ? h(Notice, { kind: 'empty', title: 'No matching route.', text: 'Try fewer or different words.' })
        : null,
      tags.map((tag) =>
        h(
          'section',
          { key: tag, 'aria-labelledby': `tag-${tag}` },
          h('h2', { id: `tag-${tag}` }, tag),
          matches
            .filter((endpoint) => endpoint.tag === tag)
            .map((endpoint) => h(EndpointCard, { key: endpoint.id, endpoint })),
        ),
      ),
    ),
  );
}
