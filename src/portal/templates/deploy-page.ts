// One template: what it does, drawn and in words as it is filled in, and the way to put it to work.

import { h } from 'preact';
import '../style/contracts.css';
import { useEffect, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { Diagram } from '../contracts/diagram.ts';
import { TransitionTable } from '../contracts/transition-table.ts';
import { parametersOf } from '../contracts/words.ts';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { readTemplate } from '../machines/node.ts';
import type { Template } from '../machines/records.ts';
import { Trail } from '../machines/trail.ts';
import { place } from '../route.ts';
import { DeployForm } from './deploy-form.ts';
import { type Draft, draftOf, readDraft } from './draft.ts';

export function DeployPage() {
  const { path, search } = place.value;
  const id = decodeURIComponent(path.split('/')[2] ?? '');
  const machine = new URLSearchParams(search).get('machine') ?? '';
  const { answer, error, again } = useAsked(id, readTemplate);
  useEffect(() => {
    document.title = `${answer?.title ?? id} · svc`;
  }, [id, answer]);
  const isUnknown = error instanceof DomainError && error.code === 'NOT_FOUND';
  return h(
    'div',
    { class: 'page deploy', 'aria-busy': answer === undefined && error === undefined },
    h(Trail, { levels: [{ name: 'Templates', href: '/templates' }, { name: answer?.title ?? id }] }),
    error === undefined
      ? null
      : [
          h('h1', { key: 'title' }, id),
          h(Notice, {
            key: 'why',
            ...noticeOf(error),
            ...(isUnknown
              ? { kind: 'empty' as const, title: 'There is no such template.' }
              : { action: { label: 'Try again', run: again } }),
          }),
        ],
    answer === undefined ? null : h(Whole, { template: answer, machine }),
  );
}

function Whole({ template, machine }: { readonly template: Template; readonly machine: string }) {
  const { title, category, definition } = template;
  const [draft, setDraft] = useState<Draft>(() => draftOf(definition));
  const [marked, setMarked] = useState<string | undefined>(undefined);
  const reading = readDraft(definition, draft);
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
      { class: 'deploy-body' },
      h(DeployForm, { template, machine, draft, reading, onDraft: setDraft }),
      h(
        'div',
        { class: 'deploy-preview' },
        h(
          'section',
          { class: 'panel diagram-panel', 'aria-labelledby': 'diagram-title' },
          h('h2', { id: 'diagram-title' }, 'States'),
          h(Diagram, { definition, marked }),
        ),
        h(TransitionTable, {
          definition,
          parameters: parametersOf(definition, reading.parameters),
          onMark: setMarked,
        }),
      ),
    ),
  ];
}
