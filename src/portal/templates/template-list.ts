// All templates by category, narrowed while one types. The machine that one came from goes along in the links.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { readTemplates } from '../machines/node.ts';
import type { TemplateSummary } from '../machines/records.ts';
import { manyOf } from '../machines/tick-words.ts';
import { place, rename } from '../route.ts';

export function TemplateList() {
  const said = new URLSearchParams(place.value.search);
  const machine = said.get('machine') ?? '';
  const [term, setTerm] = useState(said.get('q') ?? '');
  const { answer, error, again } = useAsked('all', readTemplates);
  useEffect(() => {
    document.title = 'Templates · svc';
  }, []);
  const type = (text: string) => {
    setTerm(text);
    const query = new URLSearchParams({
      ...(text.trim() === '' ? {} : { q: text.trim() }),
      ...(machine === '' ? {} : { machine }),
    }).toString();
    rename(query === '' ? '/templates' : `/templates?${query}`);
  };
  const found = answer?.filter((one) => isMeant(one, term));
  return h(
    'div',
    { class: 'page templates', 'aria-busy': answer === undefined && error === undefined },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Templates'),
      h(
        'p',
        { class: 'lead' },
        'Contracts that are written and tested: states, timers, windows and what they do. Fill one in, see what it will do, deploy it',
        machine === '' ? ' on a machine of yours.' : [' on ', h('code', { key: 'machine' }, machine), '.'],
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
        onInput: (event: Event) => type((event.target as HTMLInputElement).value),
      }),
    ),
    error === undefined ? null : h(Notice, { ...noticeOf(error), action: { label: 'Try again', run: again } }),
    found === undefined
      ? null
      : [
          h('p', { key: 'count', class: 'quiet-text', role: 'status' }, manyOf(found.length, 'template')),
          found.length === 0
            ? h(Notice, {
                key: 'none',
                kind: 'empty',
                title: `No template says anything of ${term}.`,
                text: 'Fewer or other words may find one.',
              })
            : h(Categories, { key: 'found', templates: found, machine }),
        ],
  );
}

/** Every word occurs somewhere in it. */
function isMeant({ id, title, category, description }: TemplateSummary, term: string): boolean {
  const text = `${id} ${title} ${category} ${description}`.toLowerCase();
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
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
            .filter((one) => one.category === category)
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
                  h('span', null, manyOf(states, 'state')),
                  h('span', null, manyOf(transitions, 'transition')),
                ),
              ),
            ),
        ),
      ),
    ),
  );
}
