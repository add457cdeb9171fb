// Cards of a machine's contracts, linked to their pages.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, pluralise } from '../kit/format.ts';
import { contractPath } from './breadcrumbs.ts';
import { Countdown } from './countdown.ts';
import { listContracts } from './machine-api.ts';
import type { ContractRecord, MachineRecord } from './records.ts';
import { StatusChip } from './status-chip.ts';

interface Props {
  readonly machine: MachineRecord;
  readonly initial: readonly ContractRecord[];
}

export function ContractCards({ machine, initial }: Props) {
  const { slug, head, status } = machine;
  const [contracts, setContracts] = useState(initial);
  const [isWhole, setWhole] = useState(false);
  const loadedSeq = useRef(head.seq);
  useEffect(() => {
    if (loadedSeq.current === head.seq) return undefined;
    loadedSeq.current = head.seq;
    const controller = new AbortController();
    // On an error the shown contracts stay until the next change.
    listContracts(slug, controller.signal).then(setContracts, () => {});
    return () => controller.abort();
  }, [slug, head.seq]);
  const sorted = sortByStatus(contracts);
  const shown = isWhole ? sorted : sorted.slice(0, FIRST_CARDS);
  return h(
    'section',
    { class: 'machine-contracts', 'aria-labelledby': 'contracts-title' },
    h(
      'div',
      { class: 'section-head' },
      h('h2', { id: 'contracts-title' }, 'Contracts'),
      status === 'archived'
        ? null
        : h('a', { href: `/templates?machine=${encodeURIComponent(slug)}`, 'data-page': '' }, 'Deploy a contract'),
    ),
    contracts.length === 0
      ? h(
          'p',
          { class: 'quiet-text' },
          'No contracts yet. A contract reacts to events and timers and records each transition in the chain.',
        )
      : h(
          'ul',
          { class: 'cards' },
          shown.map((contract) => h(Card, { key: contract.id, slug, contract, isArchived: status === 'archived' })),
        ),
    shown.length === sorted.length
      ? null
      : h(
          'button',
          { type: 'button', class: 'more', onClick: () => setWhole(true) },
          `Show all ${formatCount(sorted.length)} contracts`,
        ),
  );
}

/** More would push the history of the machine out of sight. */
const FIRST_CARDS = 12;

const STATUS_ORDER: Readonly<Record<ContractRecord['status'], number>> = {
  failed: 0,
  paused: 1,
  active: 2,
  frozen: 3,
  completed: 4,
};

/** Contracts that need attention first, finished ones last. */
const sortByStatus = (contracts: readonly ContractRecord[]) =>
  contracts.toSorted((a, b) => STATUS_ORDER[a.status] - STATUS_ORDER[b.status]);

interface CardProps {
  readonly slug: string;
  readonly contract: ContractRecord;
  /** True if the machine is archived. */
  readonly isArchived: boolean;
}

function Card({ slug, contract, isArchived }: CardProps) {
  const { id, name, currentState, status, fire_count, next_fire } = contract;
  return h(
    'li',
    { class: status === 'failed' ? 'card is-failed' : 'card' },
    h(
      'div',
      { class: 'card-head' },
      h('a', { class: 'card-link', href: contractPath(slug, id), 'data-page': '' }, name),
      status === 'active' ? null : h(StatusChip, { status }),
    ),
    h('p', { class: 'card-state' }, h('span', { class: 'state-pill' }, currentState)),
    h(
      'p',
      { class: 'card-more' },
      h('span', null, pluralise(fire_count, 'fire')),
      next_fire === null ? null : h('span', null, 'next ', h(Countdown, { tick: next_fire, isBrief: true })),
      next_fire === null && status === 'active' && !isArchived ? h('span', null, 'waiting for an event') : null,
    ),
  );
}
