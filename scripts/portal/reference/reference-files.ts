// The API reference as files of the portal: a JSON file for each operation, the list of operations, and a plain HTML page
// for readers without scripts.

import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { element } from '../../../src/portal/kit/math-node.ts';
import {
  type FieldRow,
  type OperationPage,
  PLACE_WORDS,
  pathOfOperation,
  type ReferenceIndex,
} from '../../../src/portal/reference/operation-page.ts';
import { toCurl } from '../../../src/portal/reference/snippets.ts';
import type { DocNode } from '../docs/markdown.ts';
import { plainPage } from '../plain-page.ts';
import type { Reference } from './operation-pages.ts';

export interface ReferenceFiles {
  /** Address of the folder of the JSON files; its name changes with the contents. */
  readonly folder: string;
  readonly plugin: Plugin;
  /** HTML pages by name, from the portal's index page. */
  htmlPages(index: string): ReadonlyMap<string, string>;
}

const TITLE = 'API reference';
/** Of a service with its defaults; a page without scripts does not know its own. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:8787';

export function referenceFiles({ index, pages }: Reference): ReferenceFiles {
  const contents = new Map([
    ['index.json', JSON.stringify(index)],
    ...[...pages].map(([name, page]) => [`${name}.json`, JSON.stringify(page)] as const),
  ]);
  const text = JSON.stringify([...contents]);
  const folder = `assets/reference-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}/`;
  return {
    folder: `/${folder}`,
    plugin: {
      name: 'reference-files',
      generateBundle() {
        for (const [name, source] of contents) this.emitFile({ type: 'asset', fileName: `${folder}${name}`, source });
      },
    },
    htmlPages: (start) =>
      new Map([
        ['reference.html', plainPage(start, { title: TITLE, body: listNodes(index) }, { href: '/', text: 'Home' })],
        ...[...pages].map(
          ([name, page]) =>
            [
              `reference/${name}.html`,
              plainPage(start, { title: name, body: operationNodes(page) }, { href: '/reference', text: TITLE }),
            ] as const,
        ),
      ]),
  };
}

function listNodes({ groups }: ReferenceIndex): DocNode[] {
  const lead = 'Every operation of this service over HTTP, with its fields, its errors and how to call it.';
  return [
    element('p', null, lead),
    ...groups.flatMap(({ title, operations }) => [
      element('h2', null, title),
      element(
        'ul',
        null,
        operations.map(({ name, method, path, summary }) =>
          element(
            'li',
            null,
            element('a', { href: pathOfOperation(name) }, name),
            ' ',
            element('code', null, `${method} ${path}`),
            ` ${summary}`,
          ),
        ),
      ),
    ]),
  ];
}

function operationNodes({ link, description, sections, call, input, answer, errors }: OperationPage): DocNode[] {
  return [
    element('p', null, link.summary),
    element('p', null, element('code', null, `${link.method} ${link.path}`)),
    ...(description === undefined ? [] : [element('p', null, description)]),
    ...sections.flatMap(({ place, rows }) => [
      element('h2', null, PLACE_WORDS[place]),
      element('dl', null, rows.flatMap(rowNodes)),
    ]),
    element('h2', null, 'Example'),
    element('pre', null, toCurl(call, input, DEFAULT_ORIGIN)),
    ...(answer.recorded === undefined ? [] : [element('h2', null, 'Answer'), element('pre', null, answer.recorded)]),
    element('h2', null, 'Errors'),
    element('p', null, errors.map(({ code }) => code).join(', ')),
  ];
}

const rowNodes = ({ name, type, isRequired, limits = '', defaultValue, meaning = '' }: FieldRow) => [
  element('dt', null, element('code', null, name)),
  element(
    'dd',
    null,
    [type, limits, isRequired ? 'required' : '', defaultValue === undefined ? '' : `default ${defaultValue}`]
      .filter((text) => text !== '')
      .join(', '),
    meaning === '' ? '' : `. ${meaning}`,
  ),
];
