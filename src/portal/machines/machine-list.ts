// Machine list: search, creation, the visitor's machines, and the most active and newest ones.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, pluralise } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { currentRoute, navigate, replaceUrl } from '../router.ts';
import { currentKey } from '../session.ts';
import { contractPath, machinePath } from './breadcrumbs.ts';
import {
  getFleetTotals,
  listActiveMachines,
  listFailedContracts,
  listNewestMachines,
  listOwnMachines,
} from './machine-api.ts';
import { ActiveMachineList, MachineCards } from './machine-cards.ts';
import type { ActiveMachine, MachineRecord, OwnContractRecord, Totals } from './records.ts';
import { SpinUp } from './spin-up.ts';

const SLUG = /^[a-z0-9-]{3,63}$/;

interface MachineLists {
  readonly newest: readonly MachineRecord[];
  readonly cursor: string | null;
  readonly active: readonly ActiveMachine[];
  readonly totals: Totals;
  readonly ownTotals: Totals | null;
  readonly own: readonly MachineRecord[] | undefined;
  readonly failed: readonly OwnContractRecord[];
}

async function loadAll(): Promise<MachineLists> {
  const [newest, active, fleet, own] = await Promise.all([
    listNewestMachines(),
    listActiveMachines(),
    getFleetTotals(),
    currentKey.value === undefined ? undefined : listOwnMachines(),
  ]);
  const failed = (fleet.own?.contracts.failed ?? 0) === 0 ? [] : await listFailedContracts();
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
  const { data, error, refetch } = useQuery(currentKey.value?.keyPrefix ?? 'no key', loadAll);
  const [term, setTerm] = useState(new URLSearchParams(currentRoute.value.search).get('q') ?? '');
  useEffect(() => {
    document.title = 'Machines · svc';
  }, []);
  const onTermInput = (text: string) => {
    setTerm(text);
    replaceUrl(text.trim() === '' ? '/machines' : `/machines?${new URLSearchParams({ q: text.trim() })}`);
  };
  return h(
    'div',
    { class: 'page machines', 'aria-busy': data === undefined && error === undefined },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Machines'),
      h('p', { class: 'lead' }, 'A machine is a named, tamper-evident audit chain on which contracts run.'),
    ),
    h(MachineSearch, { term, onTermInput }),
    h(
      'div',
      { class: 'two-columns' },
      h(
        'aside',
        { class: 'machines-aside', 'aria-label': 'Create' },
        h(SpinUp, { onCreated: refetch }),
        h(TemplatesHint, null),
      ),
      h(
        'div',
        { class: 'machines-lists' },
        error === undefined ? null : h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: refetch } }),
        data === undefined ? null : h(MachineGroups, { lists: data, term: term.trim().toLowerCase() }),
      ),
    ),
  );
}

interface MachineSearchProps {
  readonly term: string;
  readonly onTermInput: (text: string) => void;
}

/** Enter opens the machine with exactly this name, listed or not. */
function MachineSearch({ term, onTermInput }: MachineSearchProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    const slug = term.trim().toLowerCase();
    if (SLUG.test(slug)) navigate(machinePath(slug));
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
          onInput: (event: Event) => onTermInput((event.target as HTMLInputElement).value),
        }),
        h('button', { type: 'submit', disabled: !SLUG.test(term.trim().toLowerCase()) }, 'Open'),
      ),
      h(
        'p',
        { class: 'field-help', id: 'machine-term-help' },
        'Typing filters the lists below. Open goes to the machine with exactly this name, private or not.',
      ),
    ),
  );
}

function MachineGroups({ lists, term }: { readonly lists: MachineLists; readonly term: string }) {
  const [more, setMore] = useState<readonly MachineRecord[]>([]);
  const [cursor, setCursor] = useState(lists.cursor);
  const [error, setError] = useState<unknown>(undefined);
  const matchesTerm = ({ slug, name }: { readonly slug: string; readonly name: string }) =>
    slug.includes(term) || name.toLowerCase().includes(term);
  const newest = [...lists.newest, ...more].filter(matchesTerm);
  const own = lists.own?.filter(matchesTerm);
  const active = lists.active.filter(matchesTerm);
  const load = () => {
    setError(undefined);
    listNewestMachines(cursor ?? undefined).then((page) => {
      setMore([...more, ...page.rows]);
      setCursor(page.next_cursor);
    }, setError);
  };
  const { machines, rows, contracts } = lists.totals;
  const running = contracts.active ?? 0;
  return [
    h(
      'p',
      { class: 'machines-totals' },
      machines === 0
        ? 'No public machines yet. Create the first one.'
        : `${pluralise(machines, 'public machine')} with ${pluralise(rows, 'row')}; ${pluralise(running, 'active contract')}.`,
    ),
    own === undefined
      ? null
      : h(
          MachineGroup,
          { id: 'own', title: 'Your machines' },
          lists.ownTotals === null ? null : h(ContractTotals, { contracts: lists.ownTotals.contracts }),
          h(FailedContracts, { contracts: lists.failed, machines: lists.own ?? [] }),
          own.length > 0
            ? h(MachineCards, { machines: own })
            : h(
                'p',
                { class: 'quiet-text' },
                term === '' ? 'Your key is not a member of any machine yet.' : `None of your machines matches ${term}.`,
              ),
        ),
    currentKey.value === undefined ? null : h(OwnSeats, { key: currentKey.value.keyPrefix }),
    active.length === 0
      ? null
      : h(MachineGroup, { id: 'active', title: 'Most active' }, h(ActiveMachineList, { machines: active })),
    h(
      MachineGroup,
      { id: 'newest', title: 'Newest' },
      newest.length > 0
        ? h(MachineCards, { machines: newest })
        : h(
            'p',
            { class: 'quiet-text' },
            term === '' ? 'No machines yet.' : `None of the newest machines matches ${term}.`,
          ),
      error === undefined ? null : h(Notice, errorNotice(error)),
      cursor === null ? null : h('button', { type: 'button', class: 'more', onClick: load }, 'Show older machines'),
    ),
  ];
}

/** Contracts and instances in which the visitor acts for a party; its script is that of contracts. */
function OwnSeats() {
  const { data, error, refetch } = useQuery('seats', async () => ({
    page: (await import('../contracts/seats.ts')).Seats,
  }));
  if (error !== undefined) return h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: refetch } });
  return data === undefined ? null : h(data.page, null);
}

/** The visitor's contracts by status, failed ones first. */
function ContractTotals({ contracts }: Pick<Totals, 'contracts'>) {
  const { failed = 0, paused = 0, active = 0 } = contracts;
  if (failed + paused + active === 0) return null;
  return h(
    'p',
    { class: 'machines-standing' },
    failed === 0 ? null : h('strong', { class: 'is-failed' }, `${pluralise(failed, 'contract')} failed, `),
    paused === 0 ? null : `${formatCount(paused)} paused, `,
    `${pluralise(active, 'active contract')}.`,
  );
}

const MAX_FAILED = 8;

interface FailedContractsProps {
  readonly contracts: readonly OwnContractRecord[];
  readonly machines: readonly MachineRecord[];
}

/** The visitor's failed contracts, with their machines. */
function FailedContracts({ contracts, machines }: FailedContractsProps) {
  if (contracts.length === 0) return null;
  const names = new Map(machines.map(({ slug, name }) => [slug, name]));
  const more = contracts.length - MAX_FAILED;
  return h(
    'ul',
    { class: 'failed-list', 'aria-label': 'Failed contracts' },
    contracts
      .slice(0, MAX_FAILED)
      .map(({ id, slug, name }) =>
        h(
          'li',
          { key: id },
          h('a', { href: contractPath(slug, id), 'data-page': '' }, name),
          ' on ',
          h('a', { href: machinePath(slug), 'data-page': '' }, names.get(slug) ?? slug),
        ),
      ),
    more > 0 ? h('li', null, `and ${formatCount(more)} more`) : null,
  );
}

interface GroupProps {
  readonly id: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

function MachineGroup({ id, title, children }: GroupProps) {
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
    h('h2', null, 'Deploy a contract'),
    h(
      'p',
      { class: 'quiet-text' },
      'Templates are ready-made, tested contracts. Set their parameters and deploy them on a machine.',
    ),
    h('a', { class: 'button', href: '/templates', 'data-page': '' }, 'Browse templates'),
  );
}
