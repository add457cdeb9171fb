// All machines: one is found by its name, made, or picked from those that are new, busy or the visitor's own.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { place, rename, visit } from '../route.ts';
import { key } from '../session.ts';
import { ActiveList, MachineCards } from './machine-cards.ts';
import {
  type ActiveMachine,
  readActive,
  readFailed,
  readFleet,
  readNewest,
  readOwnMachines,
  type Totals,
} from './node.ts';
import type { MachineRecord, OwnContractRecord } from './records.ts';
import { SpinUp } from './spin-up.ts';
import { inThousands, manyOf } from './tick-words.ts';
import { contractPath, machinePath } from './trail.ts';

const SLUG = /^[a-z0-9-]{3,63}$/;

interface Loaded {
  readonly newest: readonly MachineRecord[];
  readonly cursor: string | null;
  readonly active: readonly ActiveMachine[];
  readonly totals: Totals;
  readonly ownTotals: Totals | null;
  readonly own: readonly MachineRecord[] | undefined;
  readonly failed: readonly OwnContractRecord[];
}

async function readAll(): Promise<Loaded> {
  const [newest, active, fleet, own] = await Promise.all([
    readNewest(),
    readActive(),
    readFleet(),
    key.value === undefined ? undefined : readOwnMachines(),
  ]);
  const failed = (fleet.own?.contracts.failed ?? 0) === 0 ? [] : await readFailed();
  return {
    newest: newest.rows,
    cursor: newest.next_cursor,
    active,
    totals: fleet.public,
    ownTotals: fleet.own,
    own,
    failed,
  };
}

export function MachineList() {
  const { answer, error, again } = useAsked(`as ${key.value?.keyPrefix ?? 'nobody'}`, readAll);
  const [term, setTerm] = useState(new URLSearchParams(place.value.search).get('q') ?? '');
  useEffect(() => {
    document.title = 'Machines · svc';
  }, []);
  const type = (text: string) => {
    setTerm(text);
    rename(text.trim() === '' ? '/machines' : `/machines?${new URLSearchParams({ q: text.trim() })}`);
  };
  return h(
    'div',
    { class: 'page machines', 'aria-busy': answer === undefined && error === undefined },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Machines'),
      h(
        'p',
        { class: 'lead' },
        'A machine is a named audit chain that nobody can rewrite unseen, and a place where contracts run.',
      ),
    ),
    h(Find, { term, type }),
    h(
      'div',
      { class: 'machines-body' },
      h(
        'aside',
        { class: 'machines-aside', 'aria-label': 'New' },
        h(SpinUp, { onMade: again }),
        h(TemplatesHint, null),
      ),
      h(
        'div',
        { class: 'machines-lists' },
        error === undefined ? null : h(Notice, { ...noticeOf(error), action: { label: 'Try again', run: again } }),
        answer === undefined ? null : h(Lists, { loaded: answer, term: term.trim().toLowerCase() }),
      ),
    ),
  );
}

interface FindProps {
  readonly term: string;
  readonly type: (text: string) => void;
}

/** Enter opens the machine of exactly this name, in the lists or not. */
function Find({ term, type }: FindProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    const slug = term.trim().toLowerCase();
    if (SLUG.test(slug)) visit(machinePath(slug));
  };
  return h(
    'search',
    { class: 'machines-find' },
    h(
      'form',
      { onSubmit: submit, role: 'none' },
      h('label', { class: 'filter-label', for: 'machine-term' }, 'Find a machine'),
      h(
        'div',
        { class: 'input-row' },
        h('input', {
          id: 'machine-term',
          type: 'search',
          maxLength: 63,
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
          placeholder: 'boiler-house-3',
          'aria-describedby': 'machine-term-help',
          value: term,
          onInput: (event: Event) => type((event.target as HTMLInputElement).value),
        }),
        h('button', { type: 'submit', disabled: !SLUG.test(term.trim().toLowerCase()) }, 'Open'),
      ),
      h(
        'p',
        { class: 'field-help', id: 'machine-term-help' },
        'Typing narrows the lists below, as far as they are loaded; Open goes to the machine of exactly this name, private ones included if your key may read them.',
      ),
    ),
  );
}

function Lists({ loaded, term }: { readonly loaded: Loaded; readonly term: string }) {
  const [more, setMore] = useState<readonly MachineRecord[]>([]);
  const [cursor, setCursor] = useState(loaded.cursor);
  const [error, setError] = useState<unknown>(undefined);
  const isMeant = ({ slug, name }: { readonly slug: string; readonly name: string }) =>
    slug.includes(term) || name.toLowerCase().includes(term);
  const newest = [...loaded.newest, ...more].filter(isMeant);
  const own = loaded.own?.filter(isMeant);
  const active = loaded.active.filter(isMeant);
  const load = () => {
    setError(undefined);
    readNewest(cursor ?? undefined).then((page) => {
      setMore([...more, ...page.rows]);
      setCursor(page.next_cursor);
    }, setError);
  };
  const { machines, rows, contracts } = loaded.totals;
  const running = contracts.active ?? 0;
  return [
    h(
      'p',
      { class: 'machines-totals' },
      machines === 0
        ? 'No public machine stands here yet. Make the first.'
        : `${manyOf(machines, 'public machine')} with ${manyOf(rows, 'row')}; ${manyOf(running, 'contract')} at work.`,
    ),
    own === undefined
      ? null
      : h(
          Group,
          { id: 'own', title: 'Yours' },
          loaded.ownTotals === null ? null : h(Standing, { contracts: loaded.ownTotals.contracts }),
          h(Failed, { contracts: loaded.failed, machines: loaded.own ?? [] }),
          own.length > 0
            ? h(MachineCards, { machines: own })
            : h(
                'p',
                { class: 'quiet-text' },
                term === '' ? 'Your key is a member of no machine yet.' : `None of yours is called ${term}.`,
              ),
        ),
    active.length === 0
      ? null
      : h(Group, { id: 'active', title: 'Busy just now' }, h(ActiveList, { machines: active })),
    h(
      Group,
      { id: 'newest', title: 'Newest' },
      newest.length > 0
        ? h(MachineCards, { machines: newest })
        : h(
            'p',
            { class: 'quiet-text' },
            term === '' ? 'There is none yet.' : `Among the newest none is called ${term}.`,
          ),
      error === undefined ? null : h(Notice, noticeOf(error)),
      cursor === null ? null : h('button', { type: 'button', class: 'more', onClick: load }, 'Show older ones'),
    ),
  ];
}

/** How the visitor's contracts stand, those that need somebody first. */
function Standing({ contracts }: Pick<Totals, 'contracts'>) {
  const { failed = 0, paused = 0, active = 0 } = contracts;
  if (failed + paused + active === 0) return null;
  return h(
    'p',
    { class: 'machines-standing' },
    failed === 0 ? null : h('strong', { class: 'is-failed' }, `${manyOf(failed, 'contract')} failed, `),
    paused === 0 ? null : `${inThousands(paused)} paused, `,
    `${inThousands(active)} at work.`,
  );
}

const MOST_FAILED = 8;

interface FailedProps {
  readonly contracts: readonly OwnContractRecord[];
  readonly machines: readonly MachineRecord[];
}

/** Which of the visitor's contracts failed, and where. */
function Failed({ contracts, machines }: FailedProps) {
  if (contracts.length === 0) return null;
  const names = new Map(machines.map(({ slug, name }) => [slug, name]));
  const more = contracts.length - MOST_FAILED;
  return h(
    'ul',
    { class: 'failed-list', 'aria-label': 'Failed contracts' },
    contracts
      .slice(0, MOST_FAILED)
      .map(({ id, slug, name }) =>
        h(
          'li',
          { key: id },
          h('a', { href: contractPath(slug, id), 'data-page': '' }, name),
          ' on ',
          h('a', { href: machinePath(slug), 'data-page': '' }, names.get(slug) ?? slug),
        ),
      ),
    more > 0 ? h('li', null, `and ${inThousands(more)} more, on these and other machines`) : null,
  );
}

interface GroupProps {
  readonly id: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

function Group({ id, title, children }: GroupProps) {
  return h(
    'section',
    { class: 'machine-group', 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    children,
  );
}

function TemplatesHint() {
  return h(
    'section',
    { class: 'panel hint-panel' },
    h('h2', null, 'Put a contract to work'),
    h(
      'p',
      { class: 'quiet-text' },
      'Templates are contracts that are written and tested. Fill in a few numbers and deploy one on a machine.',
    ),
    h('a', { class: 'button', href: '/templates', 'data-page': '' }, 'See the templates'),
  );
}
