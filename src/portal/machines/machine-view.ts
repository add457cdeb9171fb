// One machine: what it is called, how it stands, its contracts, and its chain as it grows.

import { h } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { key } from '../session.ts';
import { Audit } from './audit/audit.ts';
import { AuditPanel } from './audit/audit-panel.ts';
import { ContractCards } from './contract-cards.ts';
import { EventForm } from './event-form.ts';
import { Identity } from './identity.ts';
import { type Hearing, useLiveMachine } from './live.ts';
import { readContracts, readRows, readStats, type Stats } from './node.ts';
import type { ContractRecord, MachineRecord, Page, RowRecord } from './records.ts';
import { StatusChip } from './status-chip.ts';
import { PAGE_ROWS, Timeline } from './timeline.ts';
import { Trail } from './trail.ts';

export interface Beginning {
  readonly rows: Page<RowRecord>;
  readonly stats: Stats;
  readonly contracts: readonly ContractRecord[];
}

async function readBeginning(slug: string, signal: AbortSignal): Promise<Beginning> {
  const [rows, stats, contracts] = await Promise.all([
    readRows(slug, { limit: PAGE_ROWS }, signal),
    readStats(slug, signal),
    readContracts(slug, signal),
  ]);
  return { rows, stats, contracts };
}

export function MachineView({ slug }: { readonly slug: string }) {
  const { machine, error: gone, by, again: lookAgain } = useLiveMachine(slug);
  const { answer, error: failed, again } = useAsked(machine === undefined ? undefined : slug, readBeginning);
  useEffect(() => {
    document.title = `${machine?.name ?? slug} · svc`;
  }, [slug, machine?.name]);
  const error = gone ?? failed;
  const retry = () => {
    again();
    lookAgain();
  };
  return h(
    'div',
    { class: 'page machine', 'aria-busy': answer === undefined && error === undefined },
    h(Trail, { levels: [{ name: 'Machines', href: '/machines' }, { name: slug }] }),
    error === undefined
      ? null
      : h(Failure, { slug, error, isAlone: machine === undefined || answer === undefined, retry }),
    machine === undefined || answer === undefined ? null : h(Whole, { machine, beginning: answer, by }),
  );
}

interface FailureProps {
  readonly slug: string;
  readonly error: unknown;
  /** Nothing of the machine is shown below. */
  readonly isAlone: boolean;
  readonly retry: () => void;
}

/** A private machine answers strangers as if it were not there. */
function Failure({ slug, error, isAlone, retry }: FailureProps) {
  const isUnknown = error instanceof DomainError && error.code === 'NOT_FOUND';
  if (!isUnknown)
    return [
      isAlone ? h('h1', { key: 'title' }, slug) : null,
      h(Notice, { key: 'why', ...noticeOf(error), action: { label: 'Try again', run: retry } }),
    ];
  return [
    h('h1', null, slug),
    h(Notice, {
      kind: 'empty',
      title: `There is no machine ${slug} for you to see.`,
      text:
        key.value === undefined
          ? 'It may not exist, or be private; a private machine shows itself to the keys of its members. Keys are kept under Keys.'
          : 'It may not exist, or be private and your key is not a member of it.',
    }),
    h('p', null, h('a', { href: '/machines', 'data-page': '' }, 'All machines')),
  ];
}

interface WholeProps {
  readonly machine: MachineRecord;
  readonly beginning: Beginning;
  readonly by: Hearing;
}

function Whole({ machine, beginning, by }: WholeProps) {
  const newest = useRef(machine);
  newest.current = machine;
  const audit = useMemo(() => new Audit(() => newest.current), [machine.slug]);
  const { slug, name, status, is_public, description } = machine;
  return [
    h(
      'header',
      { class: 'machine-head' },
      h('h1', null, name),
      h(
        'p',
        { class: 'machine-kind' },
        h('code', { class: 'chip' }, slug),
        h(StatusChip, { status }),
        is_public ? null : h('span', { class: 'chip' }, 'private'),
        h(LiveMark, { by }),
      ),
      description === '' ? null : h('p', { class: 'lead' }, description),
    ),
    h(
      'div',
      { class: 'machine-body' },
      h(
        'div',
        { class: 'machine-main' },
        h(ContractCards, { machine, first: beginning.contracts }),
        h(
          'section',
          { class: 'machine-chain', 'aria-labelledby': 'chain-title' },
          h('h2', { id: 'chain-title' }, 'The chain'),
          h(AuditPanel, { audit, machine }),
          h(Timeline, { machine, beginning, audit }),
        ),
      ),
      h(
        'div',
        { class: 'machine-side' },
        h(Identity, { machine }),
        h(EventForm, { slug, isOpen: status !== 'archived' }),
      ),
    ),
  ];
}

const HEARINGS = {
  stream: ['live', 'New rows arrive as they are written.'],
  asking: ['live', 'This page asks for new rows every tick.'],
  nothing: ['no answer', 'The node does not answer; this page keeps asking.'],
} as const;

export function LiveMark({ by }: { readonly by: Hearing }) {
  const [words, title] = HEARINGS[by];
  return h(
    'span',
    { class: `live-mark live-${by}`, title },
    h('span', { class: 'live-dot', 'aria-hidden': true }),
    words,
  );
}
