// Documentation: the list of pages, the open page, what is on it, and the pages before and after.

import { h } from 'preact';
import '../style/formula.css';
import '../style/operators.css';
import '../style/docs.css';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { PageList } from '../kit/page-list.ts';
import { scrollToHash } from '../kit/scroll-to-hash.ts';
import { usePageFocus } from '../kit/use-page-focus.ts';
import { useShown } from '../kit/use-shown.ts';
import { currentRoute } from '../router.ts';
import { DocContent, type Figures, loadFigures } from './content.ts';
import { type DocIndex, type DocPage, loadDocIndex, loadDocPage } from './doc-page.ts';

/** Groups with many pages are folded unless the open page is in them. */
const MAX_OPEN = 12;

interface Shown {
  readonly path: string;
  readonly index: DocIndex;
  /** Undefined if no page has this path. */
  readonly page: DocPage | undefined;
  readonly figures: Figures;
}

export function DocsPage() {
  const path = currentRoute.value.path.replace(/\/$/, '');
  const { shown, error, load } = useShown(path, loadShown);
  usePageFocus(path);
  // After the page is there, because the target of the address is part of it.
  useLayoutEffect(() => {
    if (shown === undefined) return;
    document.title = `${shown.page?.title ?? 'Page not found'} · svc`;
    scrollToHash();
  }, [shown]);
  // A link to another place of the open page.
  useEffect(scrollToHash, [currentRoute.value]);

  if (error !== undefined)
    return h(
      'div',
      { class: 'page' },
      h('h1', { class: 'visually-hidden' }, 'Documentation'),
      h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: load } }),
    );
  if (shown === undefined) return h('div', { class: 'page', 'aria-busy': 'true' });
  const { index, page } = shown;
  return h(
    'div',
    { class: 'page docs' },
    h(PageList, {
      key: 'list',
      groups: index.groups,
      path: shown.path,
      label: 'Documentation',
      folded: 'All pages',
      maxOpen: MAX_OPEN,
    }),
    page === undefined
      ? h(
          'div',
          { class: 'docs-text' },
          h('h1', null, 'Page not found'),
          h(Notice, {
            kind: 'empty',
            title: `The documentation has no page at ${shown.path}.`,
            text: 'Choose one from the list of pages.',
          }),
        )
      : h(
          'article',
          { key: shown.path, class: 'docs-text' },
          h('p', { class: 'docs-group' }, groupOf(index, shown.path)),
          h('h1', null, page.title),
          h(DocContent, { body: page.body, figures: shown.figures }),
          h(Neighbours, { index, path: shown.path }),
        ),
    page === undefined ? null : h(OnThisPage, { key: `${shown.path} places`, page }),
  );
}

async function loadShown(path: string): Promise<Shown> {
  const index = await loadDocIndex();
  const file = index.files[path];
  const page = file === undefined ? undefined : await loadDocPage(file);
  return { path, index, page, figures: await loadFigures(page?.body ?? []) };
}

const groupOf = ({ groups }: DocIndex, path: string) =>
  groups.find(({ pages }) => pages.some((page) => page.path === path))?.name;

interface NeighboursProps {
  readonly index: DocIndex;
  readonly path: string;
}

function OnThisPage({ page: { headings } }: { readonly page: DocPage }) {
  const places = headings.filter(({ level }) => level <= 3);
  if (places.length < 2) return h('div', { class: 'docs-places' });
  return h(
    'nav',
    { class: 'docs-places', 'aria-labelledby': 'docs-places-title' },
    h('p', { class: 'docs-list-group', id: 'docs-places-title' }, 'On this page'),
    h(
      'ul',
      null,
      places.map(({ id, level, text }) =>
        h('li', { key: id, class: `is-level-${level}` }, h('a', { href: `#${id}` }, text)),
      ),
    ),
  );
}

function Neighbours({ index, path }: NeighboursProps) {
  const pages = index.groups.flatMap((group) => group.pages);
  const at = pages.findIndex((page) => page.path === path);
  const link = (page: (typeof pages)[number] | undefined, word: string) =>
    page === undefined
      ? null
      : h(
          'a',
          { class: 'docs-neighbour', href: page.path, 'data-page': '' },
          h('span', null, word),
          h('strong', null, page.title),
        );
  return h(
    'nav',
    { class: 'docs-neighbours', 'aria-label': 'Pages before and after' },
    link(pages[at - 1], 'Previous'),
    link(pages[at + 1], 'Next'),
  );
}
