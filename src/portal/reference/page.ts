// API reference: the list of operations, and a page for each, as the build derived them from the operations.

import { h } from 'preact';
import '../style/docs.css';
import '../style/reference.css';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { PageList } from '../kit/page-list.ts';
import { scrollToHash } from '../kit/scroll-to-hash.ts';
import { usePageFocus } from '../kit/use-page-focus.ts';
import { useShown } from '../kit/use-shown.ts';
import { currentRoute, redirect } from '../router.ts';
import { movedTo } from './moved-to.ts';
import { OperationList } from './operation-list.ts';
import {
  loadOperationPage,
  loadReferenceIndex,
  type OperationPage,
  pathOfOperation,
  type ReferenceIndex,
} from './operation-page.ts';
import { OperationView } from './operation-view.ts';

const START = '/reference';

interface Shown {
  readonly path: string;
  readonly index: ReferenceIndex;
  /** Undefined on the list, and if there is no such operation. */
  readonly page: OperationPage | undefined;
}

export function ReferencePage() {
  const route = currentRoute.value;
  const { path, search } = route;
  const { shown, error, load } = useShown(path, loadShown);
  usePageFocus(path);
  useLayoutEffect(() => {
    if (shown === undefined) return;
    if (shown.page !== undefined) document.title = `${shown.page.link.name} · svc`;
    else if (path !== START) document.title = 'Page not found · svc';
    else document.title = 'API · svc';
  }, [shown]);
  useEffect(() => {
    if (shown === undefined || path !== START) return;
    const moved = movedTo(shown.index, { search, hash: location.hash });
    if (moved === undefined) scrollToHash();
    else redirect(moved);
  }, [shown, route]);

  if (error !== undefined)
    return h(
      'div',
      { class: 'page' },
      h('h1', { class: 'visually-hidden' }, 'API reference'),
      h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: load } }),
    );
  if (shown === undefined) return h('div', { class: 'page', 'aria-busy': 'true' });
  const { index, page } = shown;
  return h(
    'div',
    { class: 'page docs reference' },
    h(PageList, {
      key: 'list',
      groups: listedGroups(index),
      path: shown.path,
      label: 'API reference',
      folded: 'All operations',
      maxOpen: 1,
    }),
    page !== undefined
      ? h(OperationView, { key: shown.path, page })
      : shown.path === START
        ? h(OperationList, { key: START, index, asked: new URLSearchParams(search).get('q') ?? '' })
        : h(NotFound, { key: shown.path, path: shown.path }),
  );
}

async function loadShown(path: string): Promise<Shown> {
  const index = await loadReferenceIndex();
  const operation = index.groups
    .flatMap(({ operations }) => operations)
    .find(({ name }) => pathOfOperation(name) === path);
  return { path, index, page: operation && (await loadOperationPage(operation.name)) };
}

const listedGroups = ({ groups }: ReferenceIndex) => [
  { name: 'API reference', pages: [{ path: START, title: 'All operations' }] },
  ...groups.map(({ title, operations }) => ({
    name: title,
    pages: operations.map(({ name, method }) => ({ path: pathOfOperation(name), title: name, mark: method })),
  })),
];

const NotFound = ({ path }: { readonly path: string }) =>
  h(
    'div',
    { class: 'docs-text' },
    h('h1', null, 'Page not found'),
    h(Notice, {
      kind: 'empty',
      title: `There is no operation at ${path}.`,
      text: 'Choose one from the list of operations.',
    }),
  );
