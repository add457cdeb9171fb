// Domains and their operators as a tree of links (WAI-ARIA Authoring Practices, navigation treeview): one stop of the
// tabulator, arrow keys inside, letters jump. One domain is open at a time, and the address says which.

import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { DomainListing, DomainRow } from './registry.ts';

interface TreeProps {
  /** Each with at least one operator. */
  readonly domains: readonly DomainRow[];
  /** Its prefix; empty while all are closed. */
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
    { role: 'tree', class: 'tree', ref: tree, 'aria-labelledby': 'domains-title', onKeyDown: walk },
    domains.map((domain) => {
      const { prefix, name } = domain;
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
          h('span', { class: 'tree-count' }, countOf(domain)),
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

const countOf = ({ operators, budget, complete }: DomainRow) =>
  complete ? String(operators) : `${operators} of ${budget}`;

function walk(event: KeyboardEvent): void {
  const tree = event.currentTarget as HTMLElement;
  const items = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const here = items[at];
  if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = target(event.key, items, at);
  if (next === undefined) return;
  event.preventDefault();
  // A domain opens and closes by its own link, so that the address follows.
  if (next === here) here.click();
  else next.focus();
}

/** Where a key leads: to itself where it opens or closes; undefined if it means nothing here. */
function target(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const here = items[at];
  const expanded = here?.getAttribute('aria-expanded');
  const isChild = here?.getAttribute('aria-level') === '2';
  if (key === 'ArrowDown') return items[at + 1];
  if (key === 'ArrowUp') return items[at - 1];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'ArrowRight') return expanded === 'false' ? here : expanded === 'true' ? items[at + 1] : undefined;
  if (key === 'ArrowLeft') {
    if (expanded === 'true') return here;
    return isChild ? items.slice(0, at).findLast((one) => one.getAttribute('aria-level') === '1') : undefined;
  }
  if (key === ' ') return here;
  if (!/^\p{L}$/u.test(key)) return undefined;
  const begins = (one: HTMLElement) =>
    one.querySelector('.tree-name')?.textContent?.toLowerCase().startsWith(key.toLowerCase()) === true;
  return items.slice(at + 1).find(begins) ?? items.slice(0, at).find(begins);
}
