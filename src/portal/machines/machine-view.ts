// Page of one machine: status, identity, contracts and its live chain.

import { h } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { currentKey } from '../session.ts';
import { AuditPanel } from './audit/audit-panel.ts';
import { ChainAudit } from './audit/chain-audit.ts';
import { Breadcrumbs } from './breadcrumbs.ts';
import { ContractCards } from './contract-cards.ts';
import { EventForm } from './event-form.ts';
import { Identity } from './identity.ts';
import { type LiveSource, useLiveMachine } from './live-machine.ts';
import type { MachineRecord } from './records.ts';
import { getSnapshot, type MachineSnapshot } from './snapshot.ts';
import { StatusChip } from './status-chip.ts';
import { Timeline } from './timeline.ts';

export function MachineView({ slug }: { readonly slug: string }) {
  const { machine, error: liveError, source, retry: reconnect } = useLiveMachine(slug);
  const { data, error: queryError, refetch } = useQuery(machine === undefined ? undefined : slug, getSnapshot);
  useEffect(() => {
    document.title = `${machine?.name ?? slug} · svc`;
  }, [slug, machine?.name]);
  const error = liveError ?? queryError;
  const retry = () => {
    refetch();
    reconnect();
  };
  return h(
    'div',
    { class: 'page machine', 'aria-busy': data === undefined && error === undefined },
    h(Breadcrumbs, { levels: [{ name: 'Machines', href: '/machines' }, { name: slug }] }),
    error === undefined
      ? null
      : h(Failure, { slug, error, hasTitle: machine === undefined || data === undefined, retry }),
    machine === undefined || data === undefined ? null : h(MachineDetails, { machine, snapshot: data, source }),
  );
}

interface FailureProps {
  readonly slug: string;
  readonly error: unknown;
  /** True if no machine with its own title is shown below. */
  readonly hasTitle: boolean;
  readonly retry: () => void;
}

/** For non-members, a private machine is indistinguishable from a missing one. */
function Failure({ slug, error, hasTitle, retry }: FailureProps) {
  const isUnknown = error instanceof DomainError && error.code === 'NOT_FOUND';
  if (!isUnknown)
    return [
      hasTitle ? h('h1', { key: 'title' }, slug) : null,
      h(Notice, { key: 'why', ...errorNotice(error), action: { label: 'Try again', run: retry } }),
    ];
  return [
    h('h1', null, slug),
    h(Notice, {
      kind: 'empty',
      title: `Machine ${slug} not found.`,
      text:
        currentKey.value === undefined
          ? 'It may not exist, or it may be private. Members can enter their key under Keys to see a private machine.'
          : 'It may not exist, or it may be private and your key is not a member.',
    }),
    h('p', null, h('a', { href: '/machines', 'data-page': '' }, 'All machines')),
  ];
}

interface MachineDetailsProps {
  readonly machine: MachineRecord;
  readonly snapshot: MachineSnapshot;
  readonly source: LiveSource;
}

function MachineDetails({ machine, snapshot, source }: MachineDetailsProps) {
  const latest = useRef(machine);
  latest.current = machine;
  const audit = useMemo(() => new ChainAudit(() => latest.current), [machine.slug]);
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
        h(LiveStatus, { source }),
      ),
      description === '' ? null : h('p', { class: 'lead' }, description),
    ),
    h(
      'div',
      { class: 'two-columns machine-body' },
      h(
        'div',
        { class: 'machine-main' },
        h(ContractCards, { machine, initial: snapshot.contracts }),
        h(
          'section',
          { class: 'machine-chain', 'aria-labelledby': 'chain-title' },
          h('h2', { id: 'chain-title' }, 'Chain'),
          h(AuditPanel, { audit, machine }),
          h(Timeline, { machine, snapshot, audit }),
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

const LIVE_TEXTS = {
  stream: ['live', 'New rows arrive as they are written.'],
  polling: ['live', 'This page polls for new rows every tick.'],
  offline: ['offline', 'The node does not respond; this page keeps trying.'],
} as const;

export function LiveStatus({ source }: { readonly source: LiveSource }) {
  const [text, title] = LIVE_TEXTS[source];
  return h(
    'span',
    { class: `live-mark live-${source}`, title },
    h('span', { class: 'live-dot', 'aria-hidden': true }),
    text,
  );
}
