// The contracts of a machine in short, each with the way to its page.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Countdown } from './countdown.ts';
import { readContracts } from './node.ts';
import type { ContractRecord, MachineRecord } from './records.ts';
import { StatusChip } from './status-chip.ts';
import { manyOf } from './tick-words.ts';
import { contractPath } from './trail.ts';

interface Props {
  readonly machine: MachineRecord;
  readonly first: readonly ContractRecord[];
}

export function ContractCards({ machine, first }: Props) {
  const { slug, head, status } = machine;
  const [contracts, setContracts] = useState(first);
  const asked = useRef(head.seq);
  useEffect(() => {
    if (asked.current === head.seq) return undefined;
    asked.current = head.seq;
    const controller = new AbortController();
    // What is in sight stays until the next change, should this one not be answered.
    readContracts(slug, controller.signal).then(setContracts, () => {});
    return () => controller.abort();
  }, [slug, head.seq]);
  return h(
    'section',
    { class: 'machine-contracts', 'aria-labelledby': 'contracts-title' },
    h(
      'div',
      { class: 'section-head' },
      h('h2', { id: 'contracts-title' }, 'Contracts'),
      status === 'archived'
        ? null
        : h('a', { href: `/templates?machine=${encodeURIComponent(slug)}`, 'data-page': '' }, 'Deploy one'),
    ),
    contracts.length === 0
      ? h(
          'p',
          { class: 'quiet-text' },
          'No contract runs here. One watches events and timers, and writes what it does into the chain.',
        )
      : h(
          'ul',
          { class: 'cards' },
          byNeed(contracts).map((contract) =>
            h(Card, { key: contract.id, slug, contract, isOver: status === 'archived' }),
          ),
        ),
  );
}

const NEED: Readonly<Record<ContractRecord['status'], number>> = {
  failed: 0,
  paused: 1,
  active: 2,
  frozen: 3,
  completed: 4,
};

/** Those that somebody must look after come first, those that are over last. */
const byNeed = (contracts: readonly ContractRecord[]) => contracts.toSorted((a, b) => NEED[a.status] - NEED[b.status]);

interface CardProps {
  readonly slug: string;
  readonly contract: ContractRecord;
  /** Nothing moves on the machine any more. */
  readonly isOver: boolean;
}

function Card({ slug, contract, isOver }: CardProps) {
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
      h('span', null, manyOf(fire_count, 'fire')),
      next_fire === null ? null : h('span', null, 'next ', h(Countdown, { tick: next_fire })),
      next_fire === null && status === 'active' && !isOver ? h('span', null, 'waits for an event') : null,
    ),
  );
}
