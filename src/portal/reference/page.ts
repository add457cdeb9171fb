// The reference: every route of this node from its OpenAPI document, each of them ready to try.

import { h } from 'preact';
import '../style/reference.css';
import { useEffect, useState } from 'preact/hooks';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { ask } from '../session.ts';
import { type Endpoint, endpointsOf, type OpenApi } from './document.ts';
import { EndpointCard } from './endpoint-card.ts';

export function ReferencePage() {
  const [endpoints, setEndpoints] = useState<readonly Endpoint[] | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [filter, setFilter] = useState('');
  const load = () => {
    setError(undefined);
    ask('GET', '/openapi.json').then((document) => setEndpoints(endpointsOf(document as unknown as OpenApi)), setError);
  };
  useEffect(load, []);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = (endpoints ?? []).filter(({ id, method, path, summary }) => {
    const text = `${id} ${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const nouns = [...new Set(shown.map(({ noun }) => noun))];
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
        'Every route of this node, read from its ',
        h('a', { href: '/openapi.json' }, 'OpenAPI document'),
        '. Unfold one to try it.',
      ),
    ),
    h('label', { class: 'filter-label', for: 'filter' }, 'Find'),
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
      error === undefined ? null : h(Notice, { ...noticeOf(error), action: { label: 'Try again', run: load } }),
      endpoints !== undefined && shown.length === 0
        ? h(Notice, { kind: 'empty', title: 'No route fits.', text: 'Fewer or other words may.' })
        : null,
      nouns.map((noun) =>
        h(
          'section',
          { key: noun, 'aria-labelledby': `noun-${noun}` },
          h('h2', { id: `noun-${noun}` }, noun),
          shown.filter((one) => one.noun === noun).map((endpoint) => h(EndpointCard, { key: endpoint.id, endpoint })),
        ),
      ),
    ),
  );
}
