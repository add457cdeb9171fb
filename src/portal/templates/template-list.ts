// All templates by category, filtered while typing. Links keep the machine from which the visitor came.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { pluralise } from '../kit/format.ts';
import { hasWords } from '../kit/has-words.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { listTemplates } from '../machines/machine-api.ts';
import type { TemplateSummary } from '../machines/records.ts';
import { currentRoute, replaceUrl } from '../router.ts';

export function TemplateList() {
  const parameters = new URLSearchParams(currentRoute.value.search);
  const machine = parameters.get('machine') ?? '';
  const [term, setTerm] = useState(parameters.get('q') ?? '');
  const { data, error, refetch } = useQuery('all', listTemplates);
  useEffect(() => {
    document.title = 'Templates · svc';
  }, []);
  const onTermInput = (text: string) => {
    setTerm(text);
    const query = new URLSearchParams({
      ...(text.trim() === '' ? {} : { q: text.trim() }),
      ...(machine === '' ? {} : { machine }),
    }).toString();
    replaceUrl(query === '' ? '/templates' : `/templates?${query}`);
  };
  const matches = data?.filter((template) =>
    hasWords([template.id, template.title, template.category, template.description], term),
  );
  return h(
    'div',
    { class: 'page templates', 'aria-busy': data === undefined && error === undefined },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Templates'),
      h(
        'p',
        { class: 'lead' },
        'Ready-made, tested contracts. Set the parameters, preview the behaviour and deploy one',
        machine === '' ? ' on your machine.' : [' on ', h('code', { key: 'machine' }, machine), '.'],
      ),
    ),
    h(
      'search',
      { class: 'machines-find' },
      h('label', { class: 'filter-label', for: 'template-term' }, 'Find a template'),
      h('input', {
        id: 'template-term',
        type: 'search',
        maxLength: 80,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'limit, approval, escrow, breaker …',
        value: term,
        onInput: (event: Event) => onTermInput((event.target as HTMLInputElement).value),
      }),
    ),
    error === undefined ? null : h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: refetch } }),
    matches === undefined
      ? null
      : [
          h('p', { key: 'count', class: 'quiet-text', role: 'status' }, pluralise(matches.length, 'template')),
          matches.length === 0
            ? h(Notice, {
                key: 'none',
                kind: 'empty',
                title: `No template matches ${term}.`,
                text: 'Try fewer or different words.',
              })
            : h(Categories, { key: 'matches', templates: matches, machine }),
        ],
  );
}

interface CategoriesProps {
  readonly templates: readonly TemplateSummary[];
  readonly machine: string;
}

function Categories({ templates, machine }: CategoriesProps) {
  const names = [...new Set(templates.map(({ category }) => category))].sort();
  const query = machine === '' ? '' : `?machine=${encodeURIComponent(machine)}`;
  return h(
    'div',
    { class: 'template-groups' },
    names.map((category) =>
      h(
        'section',
        { key: category, class: 'machine-group', 'aria-label': category },
        h('h2', null, category),
        h(
          'ul',
          { class: 'cards' },
          templates
            .filter((template) => template.category === category)
            .map(({ id, title, description, states, transitions }) =>
              h(
                'li',
                { key: id, class: 'card' },
                h(
                  'div',
                  { class: 'card-head' },
                  h(
                    'a',
                    { class: 'card-link', href: `/templates/${encodeURIComponent(id)}${query}`, 'data-page': '' },
                    title,
                  ),
                ),
                h('p', { class: 'card-text' }, description),
                h(
                  'p',
                  { class: 'card-more' },
                  h('span', null, pluralise(states, 'state')),
                  h('span', null, pluralise(transitions, 'transition')),
                ),
              ),
            ),
        ),
      ),
    ),
  );
}
