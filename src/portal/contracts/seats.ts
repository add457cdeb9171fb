// The parties that the visitor acts for: contracts and instances on all machines, each of which opens in place, since who
// is no member of a private machine has no page of it.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiOutput } from '../../client/client.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { memo } from '../kit/memo.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { contractPath } from '../machines/breadcrumbs.ts';
import { Countdown } from '../machines/countdown.ts';
import { getMachine } from '../machines/machine-api.ts';
import { StatusChip } from '../machines/status-chip.ts';
import { callApiAsMember, callApiAsVisitor, currentKey } from '../session.ts';
import { InstanceDetails } from './instances.ts';
import { BoundParties, ProposalCard } from './parties.ts';

type Seat = ApiOutput<'seat.list'>['rows'][number];

const listSeats = (isActive: boolean, cursor: string | undefined) =>
  callApiAsMember('seat.list', { limit: 50, cursor, ...(isActive ? { status: 'active' as const } : {}) });

export function Seats() {
  const [isActive, setActive] = useState(true);
  const [more, setMore] = useState<{ readonly of: string; readonly rows: readonly Seat[]; next: string | null }>();
  const [error, setError] = useState<unknown>(undefined);
  const of = `${currentKey.value?.keyPrefix} ${isActive}`;
  const first = useQuery(of, () => listSeats(isActive, undefined));
  const later = more?.of === of ? more : undefined;
  const rows = [...(first.data?.rows ?? []), ...(later?.rows ?? [])];
  const next = later === undefined ? (first.data?.next_cursor ?? null) : later.next;
  useEffect(() => setError(undefined), [of]);
  const load = () => {
    listSeats(isActive, next ?? undefined).then(
      (page) => setMore({ of, rows: [...(later?.rows ?? []), ...page.rows], next: page.next_cursor }),
      setError,
    );
  };
  const failure = error ?? first.error;
  return h(
    'section',
    { class: 'machine-group history seats', 'aria-labelledby': 'seats-title', 'aria-busy': first.isLoading },
    h('h2', { id: 'seats-title' }, 'Where you are a party'),
    h(
      'label',
      null,
      h('input', { type: 'checkbox', checked: isActive, onChange: () => setActive(!isActive) }),
      ' Active ones only',
    ),
    rows.length === 0 && first.data !== undefined
      ? h('p', { class: 'quiet-text' }, 'No contract binds your account.')
      : h(
          'ol',
          { class: 'rows' },
          rows.map((seat) => h(SeatRow, { key: seatName(seat), seat })),
        ),
    failure === undefined ? null : h(Notice, errorNotice(failure)),
    next === null ? null : h('button', { type: 'button', class: 'more', onClick: load }, 'Show more'),
  );
}

const seatName = ({ contract, instance, key }: Seat) => `${contract} ${instance ?? ''} ${key ?? ''}`;

const SeatRow = memo(({ seat }: { readonly seat: Seat }) => {
  const [isOpen, setOpen] = useState(false);
  const { slug, name, instance, party, status, currentState, next_fire } = seat;
  return h(
    'li',
    { class: `row${isOpen ? ' is-open' : ''}`, 'data-seat': `${slug} ${instance ?? ''}` },
    h(
      'button',
      { type: 'button', class: 'row-line', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
      h('span', { class: 'row-mark', 'aria-hidden': true }, isOpen ? '▾' : '▸'),
      h('span', { class: 'row-type' }, party),
      h(StatusChip, { status }),
      h(
        'span',
        { class: 'row-summary' },
        [instance, name].filter((text) => text !== null).join(' of '),
        h('span', { class: 'row-aside' }, ` on ${slug} · ${currentState}`),
        next_fire === null
          ? null
          : h('span', { class: 'row-aside' }, ' · next ', h(Countdown, { tick: next_fire, isBrief: true })),
      ),
    ),
    isOpen ? h(instance === null ? ContractSeat : InstanceSeat, { seat }) : null,
  );
});

function InstanceSeat({ seat: { slug, contract: id, instance, updated_svcond } }: { readonly seat: Seat }) {
  const key = instance ?? '';
  const { data, error } = useQuery(`${id} ${key} ${updated_svcond}`, (_, signal) =>
    callApiAsVisitor('contract.instance', { slug, id, key }, signal),
  );
  if (error !== undefined) return h(Notice, errorNotice(error));
  return data === undefined ? null : h(InstanceDetails, { slug, id, instance: data.instance });
}

/** Its parties and what is proposed to them, and its page for whoever may see the machine. */
function ContractSeat({ seat: { slug, contract: id, updated_svcond } }: { readonly seat: Seat }) {
  const [decisions, setDecisions] = useState(0);
  const { data, error } = useQuery(`${id} ${updated_svcond} ${decisions}`, (_, signal) =>
    callApiAsVisitor('contract.parties', { slug, id }, signal),
  );
  const machine = useQuery(slug, (_, signal) => getMachine(slug, signal));
  if (error !== undefined) return h(Notice, errorNotice(error));
  if (data === undefined) return null;
  const { you, proposals } = data;
  const onDecided = () => setDecisions(decisions + 1);
  return h(
    'div',
    { class: 'row-open parties' },
    h(BoundParties, { view: data }),
    proposals.map((proposal) => h(ProposalCard, { key: proposal.no, slug, id, proposal, you, onDecided })),
    machine.data === undefined
      ? null
      : h('a', { href: contractPath(slug, id), 'data-page': '' }, 'Page of the contract'),
  );
}
