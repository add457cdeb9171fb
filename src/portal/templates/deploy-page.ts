// Page of one template: diagram, transitions and the form to deploy it.

import { h } from 'preact';
import '../style/contracts.css';
import { useEffect, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { withDefaults } from '../contracts/definition-text.ts';
import { Diagram } from '../contracts/diagram.ts';
import { TransitionTable } from '../contracts/transition-table.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { Breadcrumbs } from '../machines/breadcrumbs.ts';
import { getTemplate } from '../machines/machine-api.ts';
import type { Template } from '../machines/records.ts';
import { currentRoute } from '../router.ts';
import { DeployForm } from './deploy-form.ts';
import { type Draft, draftOf, parseDraft } from './draft.ts';
import { Simulator } from './simulator.ts';

export function DeployPage() {
  const { path, search } = currentRoute.value;
  const id = decodeURIComponent(path.split('/')[2] ?? '');
  const machine = new URLSearchParams(search).get('machine') ?? '';
  const { data, error, refetch } = useQuery(id, getTemplate);
  useEffect(() => {
    document.title = `${data?.title ?? id} · svc`;
  }, [id, data]);
  const isUnknown = error instanceof DomainError && error.code === 'NOT_FOUND';
  return h(
    'div',
    { class: 'page deploy', 'aria-busy': data === undefined && error === undefined },
    h(Breadcrumbs, { levels: [{ name: 'Templates', href: '/templates' }, { name: data?.title ?? id }] }),
    error === undefined
      ? null
      : [
          h('h1', { key: 'title' }, id),
          h(Notice, {
            key: 'why',
            ...errorNotice(error),
            ...(isUnknown
              ? { kind: 'empty' as const, title: 'Template not found.' }
              : { action: { label: 'Try again', run: refetch } }),
          }),
        ],
    data === undefined ? null : h(TemplateDetails, { template: data, machine }),
  );
}

function TemplateDetails({ template, machine }: { readonly template: Template; readonly machine: string }) {
  const { title, category, definition } = template;
  const [draft, setDraft] = useState<Draft>(() => draftOf(definition));
  const [highlighted, setHighlighted] = useState<string | undefined>(undefined);
  const parsed = parseDraft(definition, draft);
  return [
    h(
      'header',
      { class: 'machine-head' },
      h('h1', null, title),
      h('p', { class: 'machine-kind' }, h('span', { class: 'chip' }, category)),
      definition.description === undefined ? null : h('p', { class: 'lead' }, definition.description),
    ),
    h(
      'div',
      { class: 'two-columns deploy-body' },
      h(DeployForm, { template, machine, draft, parsed, onDraft: setDraft }),
      h(
        'div',
        { class: 'deploy-preview' },
        h(
          'section',
          { class: 'panel diagram-panel', 'aria-labelledby': 'diagram-title' },
          h('h2', { id: 'diagram-title' }, 'States'),
          h(Diagram, { definition, highlighted }),
        ),
        h(Simulator, { key: template.id, definition, parameters: parsed.parameters }),
        h(TransitionTable, {
          definition,
          parameters: withDefaults(definition, parsed.parameters),
          onHighlight: setHighlighted,
        }),
      ),
    ),
  ];
}
