// List of the pages of a section in groups, beside the open page or folded above it.

import { h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { mediaQuery } from './media-query.ts';

/** Windows with room for the list beside the page. */
const hasColumn = mediaQuery('(min-width: 62.01rem)');

interface ListedPage {
  readonly path: string;
  readonly title: string;
  /** Short word before the title. */
  readonly mark?: string;
}

interface Props {
  readonly groups: readonly { readonly name: string; readonly pages: readonly ListedPage[] }[];
  /** Of the open page. */
  readonly path: string;
  /** Of the navigation. */
  readonly label: string;
  /** Words of the list where it is folded. */
  readonly folded: string;
  /** Groups with more pages are folded unless the open page is in them. */
  readonly maxOpen: number;
}

export function PageList({ groups, path, label, folded, maxOpen }: Props) {
  const list = useRef<HTMLDetailsElement>(null);
  const isFolding = !hasColumn.value;
  useLayoutEffect(() => {
    if (list.current) list.current.open = !isFolding;
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (isFolding || !list.current || !link) return;
    const { offsetTop, offsetHeight } = link;
    const { scrollTop, clientHeight } = list.current;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop - clientHeight / 2;
  }, [path, isFolding]);
  return h(
    'details',
    { class: 'docs-list', ref: list },
    h('summary', null, folded),
    h(
      'nav',
      { 'aria-label': label },
      groups.map(({ name, pages }) => {
        const isOpen = pages.some((page) => page.path === path);
        const links = h(
          'ul',
          null,
          pages.map((page) => h('li', { key: page.path }, h(PageLink, { page, isCurrent: page.path === path }))),
        );
        return pages.length <= maxOpen
          ? [h('p', { key: `${name} name`, class: 'docs-list-group' }, name), links]
          : h(
              'details',
              { key: `${name} ${isOpen}`, open: isOpen },
              h('summary', { class: 'docs-list-group' }, `${name} (${pages.length})`),
              links,
            );
      }),
    ),
  );
}

const PageLink = ({ page, isCurrent }: { readonly page: ListedPage; readonly isCurrent: boolean }) =>
  h(
    'a',
    { href: page.path, 'data-page': '', 'aria-current': isCurrent ? 'page' : undefined },
    page.mark === undefined ? null : [h('span', { class: 'docs-list-mark' }, page.mark), ' '],
    page.title,
  );
