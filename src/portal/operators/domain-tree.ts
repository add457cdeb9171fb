// Domains and their operators as a tree of links (WAI-ARIA Authoring Practices, navigation treeview): one tab stop,
// arrow keys inside, letters for type-ahead. One domain is open at a time; the URL says which.

import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { DomainListing, DomainSummary } from './registry.ts';

interface TreeProps {
  /** Domains with at least one operator. */
  readonly domains: readonly DomainSummary[];
  /** Prefix of the open domain; empty if all are closed. */
  readonly open: string;
  readonly listing: DomainListing | undefined;
}

export function DomainTree({ domains, open, listing }: TreeProps) {
  const tree = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(domains.some(({ prefix }) => prefix === open) ? open : domains[0]?.prefix);
  const item = (name: string) => ({
    role: 'treeitem',
    'data-item': name,
    'data-page': '',
    tabIndex: name === active ? 0 : -1,
    onFocus: () => setActive(name),
  });
  return h(
    'ul',
    { role: 'tree', class: 'tree', ref: tree, 'aria-labelledby': 'domains-title', onKeyDown: onKeyDown },
    domains.map(({ prefix, name, operators }) => {
      const isOpen = prefix === open;
      const rows = isOpen && listing?.prefix === prefix ? listing.rows : [];
      return h(
        'li',
        { key: prefix, role: 'none' },
        h(
          'a',
          {
            ...item(prefix),
            class: 'tree-domain',
            href: isOpen ? '/operators' : `/operators?domain=${encodeURIComponent(prefix)}`,
            'aria-level': 1,
            'aria-expanded': isOpen,
            'aria-current': isOpen ? 'true' : undefined,
            ...(rows.length > 0 ? { 'aria-owns': `tree-${prefix}` } : {}),
          },
          h('span', { class: 'tree-mark', 'aria-hidden': true }, isOpen ? '▾' : '▸'),
          h('span', { class: 'tree-name' }, name),
          h('span', { class: 'tree-count' }, String(operators)),
        ),
        rows.length === 0
          ? null
          : h(
              'ul',
              { role: 'group', id: `tree-${prefix}`, class: 'tree-group' },
              rows.map(({ id, name: title }) =>
                h(
                  'li',
                  { key: id, role: 'none' },
                  h('a', { ...item(id), class: 'tree-operator', href: `/operators/${id}`, 'aria-level': 2 }, title),
                ),
              ),
            ),
      );
    }),
  );
}

function onKeyDown(event: KeyboardEvent): void {
  const tree = event.currentTarget as HTMLElement;
  const items = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const current = items[at];
  if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = targetItem(event.key, items, at);
  if (next === undefined) return;
  event.preventDefault();
  // A click on its link opens or closes a domain, so that the URL changes too.
  if (next === current) current.click();
  else next.focus();
}

/** Item that a key moves to; the current item if the key opens or closes it; undefined for other keys. */
function targetItem(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const current = items[at];
  const expanded = current?.getAttribute('aria-expanded');
  const isChild = current?.getAttribute('aria-level') === '2';
  if (key === 'ArrowDown') return items[at + 1];
  if (key === 'ArrowUp') return items[at - 1];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'ArrowRight') return expanded === 'false' ? current : expanded === 'true' ? items[at + 1] : undefined;
  if (key === 'ArrowLeft') {
    if (expanded === 'true') return current;
    return isChild ? items.slice(0, at).findLast((item) => item.getAttribute('aria-level') === '1') : undefined;
  }
  if (key === ' ') return current;
  if (!/^\p{L}$/u.test(key)) return undefined;
  const startsWithKey = (item: HTMLElement) =>
    item.querySelector('.tree-name')?.textContent?.toLowerCase().startsWith(key.toLowerCase()) === true;
  return items.slice(at + 1).find(startsWithKey) ?? items.slice(0, at).find(startsWithKey);
}
