// The page of all error codes, from the one table of them.

import { ERROR_WORDS } from '../../../src/core/error-words.ts';
import { ERROR_FORMS, type ErrorCode, type ErrorForm } from '../../../src/core/errors.ts';
import { element } from '../../../src/portal/kit/math-node.ts';
import type { DocNode, Heading, Rendered, Slugs } from './markdown.ts';

/** Groups by status, in the order of the table. */
const GROUPS: readonly (readonly [title: string, from: number, to: number])[] = [
  ['Requests and keys (400 – 405)', 400, 405],
  ['Time, order and size (408 – 415)', 408, 415],
  ['Contents (422)', 422, 422],
  ['Limits (429 – 499)', 429, 499],
  ['The service (500 – 507)', 500, 507],
];

const EXIT_WORDS: Readonly<Record<ErrorForm['exit'], string>> = {
  1: '1, failure',
  2: '2, usage',
  3: '3, authentication',
  4: '4, rejected',
  124: '124, timeout',
};

export function errorsPage(slugs: Slugs): Rendered {
  const codes = Object.entries(ERROR_FORMS) as [ErrorCode, ErrorForm][];
  const headings: Heading[] = [];
  const sections = GROUPS.flatMap(([title, from, to]): DocNode[] => {
    const id = slugs.take(title);
    headings.push({ id, level: 2, text: title });
    const members = codes.filter(([, { status }]) => status >= from && status <= to);
    return [element('h2', { id }, title), ...members.flatMap(([code, form]) => errorNodes(code, form, headings))];
  });
  if (headings.length !== GROUPS.length + codes.length) throw new Error('An error code belongs to no group.');
  return { title: 'Errors', headings, body: [...introduction(codes.length), ...sections] };
}

const introduction = (count: number): DocNode[] => [
  element(
    'p',
    { class: 'lead' },
    `Every error of the HTTP API, the tools for agents, the command line and the library has one of ${count} codes.`,
  ),
  element(
    'p',
    null,
    'An answer with an error is ',
    element('code', null, '{"ok": false, "error": "…", "code": "…", "request_id": "…"}'),
    '. The code is stable; the sentence names what was given and what was expected. ',
    element('code', null, 'details'),
    ' lists errors of single fields, each with its path.',
  ),
];

function errorNodes(code: ErrorCode, { status, exit, isShown }: ErrorForm, headings: Heading[]): DocNode[] {
  const { meaning, remedy } = ERROR_WORDS[code];
  headings.push({ id: code, level: 3, text: code });
  return [
    element('h3', { id: code }, element('code', null, code)),
    element('p', null, meaning),
    element('p', null, element('strong', null, 'What to do: '), remedy),
    element(
      'p',
      { class: 'error-form' },
      `HTTP ${status} · exit code ${EXIT_WORDS[exit]}${isShown ? '' : ' · the message stays in the log of the node'}`,
    ),
  ];
}
