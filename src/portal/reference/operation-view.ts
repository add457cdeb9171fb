// Page of an operation: what it does, how to call it, its fields, a form to try it, its answer and its errors.

import { type ComponentChildren, h } from 'preact';
import { CodeBlock } from '../kit/code-block.ts';
import { CodeWords } from './code-words.ts';
import { FieldList } from './field-list.ts';
import { toJson } from './literal.ts';
import { type Access, type ErrorRow, type OperationPage, PLACE_WORDS } from './operation-page.ts';
import { SnippetTabs } from './snippet-tabs.ts';
import { TryIt } from './try-it.ts';

const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  public: 'No key needed',
  key: 'Needs a key',
  admin: 'Needs an admin key',
};

export function OperationView({ page }: { readonly page: OperationPage }) {
  const { link, group, description, call, sections, answer, errors } = page;
  return h(
    'article',
    { class: 'operation' },
    h(
      'header',
      { class: 'operation-head' },
      h('p', { class: 'docs-group' }, group),
      h('h1', null, link.name),
      h('p', { class: 'lead' }, link.summary),
      h(
        'p',
        { class: 'operation-route' },
        h('span', { class: 'endpoint-method' }, link.method),
        ' ',
        h('code', null, link.path),
      ),
      h(
        'p',
        { class: 'operation-facts' },
        h('span', { class: 'endpoint-key' }, ACCESS_WORDS[link.access]),
        call.tool === undefined ? null : h('span', { class: 'endpoint-key' }, 'Tool ', h('code', null, call.tool.name)),
      ),
      description === undefined ? null : h('p', null, h(CodeWords, { text: description })),
    ),
    h('div', { class: 'operation-code' }, h(SnippetTabs, { page }), h(AnswerExample, { page })),
    h(
      'div',
      { class: 'operation-text' },
      sections.length === 0 ? h('p', null, 'It takes no fields.') : null,
      sections.map(({ place, rows }) => h(Section, { key: place, title: PLACE_WORDS[place] }, h(FieldList, { rows }))),
      h(Section, { title: 'Try it' }, h(TryIt, { page })),
      h(
        Section,
        { title: 'Answer' },
        h('p', { class: 'answer-kind' }, `Status ${answer.status}, `, listOfCode(answer.mediaTypes), '.'),
        answer.rows.length === 0 ? null : h(FieldList, { rows: answer.rows, isAnswer: true }),
      ),
      h(Section, { title: 'Errors' }, h(ErrorTable, { errors })),
    ),
  );
}

const Section = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return h('section', { 'aria-labelledby': id }, h('h2', { id }, title), children);
};

const listOfCode = (texts: readonly string[]) =>
  texts.flatMap((text, at) => [...(at === 0 ? [] : [' or ']), h('code', { key: text }, text)]);

function AnswerExample({ page: { answer } }: { readonly page: OperationPage }) {
  if (answer.recorded !== undefined)
    return h(AnswerCode, {
      title: 'Answer',
      code: answer.recorded,
      note: 'Recorded from a running node. Lists are cut after two entries, long texts and keys at “…”.',
    });
  if (answer.shape === undefined) return null;
  return h(AnswerCode, {
    title: 'Form of the answer',
    code: toJson(answer.shape),
    note: 'Made from the schema: required fields, with values that only fit it. Try it for a real answer.',
  });
}

interface CodeProps {
  readonly title: string;
  readonly code: string;
  readonly note: string;
}

const AnswerCode = ({ title, code, note }: CodeProps) =>
  h(
    'section',
    { class: 'answer-example', 'aria-labelledby': 'answer-example' },
    h('h2', { id: 'answer-example', class: 'code-title' }, title),
    h(CodeBlock, { code, label: title }),
    h('p', { class: 'code-note' }, note),
  );

function ErrorTable({ errors }: { readonly errors: readonly ErrorRow[] }) {
  const own = errors.filter(({ isCommon }) => !isCommon);
  const common = errors.filter(({ isCommon }) => isCommon);
  return [
    own.length === 0 ? null : h(ErrorList, { key: 'own', errors: own }),
    h(
      'details',
      { key: 'common', class: 'operation-common' },
      h(
        'summary',
        null,
        `${own.length === 0 ? 'Errors' : 'Further errors'} that most operations share (${common.length})`,
      ),
      h(ErrorList, { errors: common }),
    ),
  ];
}

const ErrorList = ({ errors }: { readonly errors: readonly ErrorRow[] }) =>
  h(
    'ul',
    { class: 'operation-errors' },
    errors.map(({ code, status, meaning }) =>
      h(
        'li',
        { key: code },
        h('a', { href: `/docs/errors#${code}`, 'data-page': '' }, h('code', null, code)),
        h('span', { class: 'endpoint-more' }, ` ${status}`),
        h('p', null, meaning),
      ),
    ),
  );
