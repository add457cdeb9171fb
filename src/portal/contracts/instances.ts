// Instances of a contract with a key: their keys, states and next timers, by page; each opens to its values and history.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Definition } from '../../contracts/definition.ts';
import { shortDateTimeText } from '../kit/date-text.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, pluralise } from '../kit/format.ts';
import { memo } from '../kit/memo.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { Countdown } from '../machines/countdown.ts';
import { listInstanceFires, listInstances } from '../machines/machine-api.ts';
import type { ContractRecord, InstanceRecord } from '../machines/records.ts';
import { StatusChip } from '../machines/status-chip.ts';
import { tickDate } from '../machines/tick-format.ts';
import { currentKey } from '../session.ts';
import { scalarText } from './definition-text.ts';
import { Fire } from './history.ts';
import { InstanceParties } from './instance-parties.ts';

interface Props {
  readonly slug: string;
  readonly contract: ContractRecord;
  readonly definition: Definition;
}

const STATUSES = ['active', 'completed', 'failed'] as const;

export function Instances({ slug, contract, definition }: Props) {
  const { id, instances, fire_count, updated_svcond } = contract;
  const [status, setStatus] = useState('');
  const [state, setState] = useState('');
  const [more, setMore] = useState<{
    readonly of: string;
    readonly rows: readonly InstanceRecord[];
    next: string | null;
  }>();
  const [error, setError] = useState<unknown>(undefined);
  const filter = { status: STATUSES.find((one) => one === status), state: state === '' ? undefined : state };
  const of = `${id} ${status} ${state} ${fire_count} ${instances?.active} ${updated_svcond}`;
  const first = useQuery(of, (_, signal) => listInstances(slug, id, filter, undefined, signal));
  const later = more?.of === of ? more : undefined;
  const rows = [...(first.data?.rows ?? []), ...(later?.rows ?? [])];
  const next = later === undefined ? (first.data?.next_cursor ?? null) : later.next;
  useEffect(() => setError(undefined), [of]);
  const load = () => {
    if (next === null) return;
    listInstances(slug, id, filter, next).then(
      (page) => setMore({ of, rows: [...(later?.rows ?? []), ...page.rows], next: page.next_cursor }),
      setError,
    );
  };
  const failure = error ?? first.error;
  const { active = 0, finished = 0 } = instances ?? {};
  return h(
    'section',
    { class: 'history instances', 'aria-labelledby': 'instances-title' },
    h('h2', { id: 'instances-title' }, 'Instances'),
    h(
      'p',
      { class: 'quiet-text' },
      `One for each ${keyName(definition)}: ${formatCount(active)} active, ${formatCount(finished)} finished.`,
    ),
    h(
      'div',
      { class: 'button-row' },
      h(Choice, { label: 'Status', value: status, choices: STATUSES, onChoice: setStatus }),
      h(Choice, { label: 'State', value: state, choices: Object.keys(definition.states), onChoice: setState }),
    ),
    rows.length === 0 && first.data !== undefined
      ? h('p', { class: 'quiet-text' }, noneText(status !== '' || state !== '', next !== null))
      : h(
          'ol',
          { class: 'rows' },
          rows.map((instance) => h(Instance, { key: instance.key, slug, id, instance })),
        ),
    failure === undefined ? null : h(Notice, errorNotice(failure)),
    next === null ? null : h('button', { type: 'button', class: 'more', onClick: load }, 'Show more instances'),
  );
}

/** @param hasMore  a page by two filters looks at some instances only, and may have none of them */
const noneText = (isFiltered: boolean, hasMore: boolean) =>
  hasMore ? 'None like that among the first.' : isFiltered ? 'None like that.' : 'None yet.';

/** `event.order_id` as people say it. */
const keyName = ({ key = '' }: Definition) => key.replace(/^event\./, '').replaceAll('_', ' ');

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChoice: (value: string) => void;
}

function Choice({ label, value, choices, onChoice }: ChoiceProps) {
  return h(
    'label',
    null,
    `${label} `,
    h(
      'select',
      { value, onInput: (event: Event) => onChoice((event.target as HTMLSelectElement).value) },
      h('option', { value: '' }, 'all'),
      choices.map((choice) => h('option', { key: choice, value: choice }, choice)),
    ),
  );
}

interface InstanceProps {
  readonly slug: string;
  readonly id: string;
  readonly instance: InstanceRecord;
}

const Instance = memo(({ slug, id, instance }: InstanceProps) => {
  const [isOpen, setOpen] = useState(false);
  const { key, currentState, status, fire_count, next_fire, updated_svcond, quorums = [] } = instance;
  const updated = tickDate(updated_svcond);
  return h(
    'li',
    { class: `row${isOpen ? ' is-open' : ''}`, 'data-instance': key },
    h(
      'button',
      { type: 'button', class: 'row-line', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
      h('span', { class: 'row-mark', 'aria-hidden': true }, isOpen ? '▾' : '▸'),
      h('span', { class: 'row-type' }, key),
      h(StatusChip, { status }),
      h(
        'span',
        { class: 'row-summary' },
        currentState,
        h('span', { class: 'row-aside' }, ` ${pluralise(fire_count, 'fire')}`),
        quorums.map(({ transition, count, needed }) =>
          h('span', { key: transition, class: 'row-aside' }, ` · ${transition} ${count} of ${needed}`),
        ),
        next_fire === null
          ? null
          : h('span', { class: 'row-aside' }, ' · next ', h(Countdown, { tick: next_fire, isBrief: true })),
      ),
      h('time', { class: 'row-time', dateTime: updated.toISOString() }, shortDateTimeText(updated, new Date())),
    ),
    isOpen ? h(InstanceDetails, { slug, id, instance }) : null,
  );
});

/** Values, parties and history of an instance. */
export function InstanceDetails({ slug, id, instance }: InstanceProps) {
  const { key, context, collections = {}, version_no, fire_count, updated_svcond } = instance;
  const canRead = currentKey.value !== undefined;
  const { data, error } = useQuery(canRead ? `${key} ${fire_count} ${updated_svcond}` : undefined, () =>
    listInstanceFires(slug, id, key),
  );
  const values = [
    ...Object.entries(context).map(([name, value]) => [name, scalarText(value, undefined)] as const),
    ...Object.entries(collections).map(([name, entries]) => [name, JSON.stringify(entries)] as const),
    ['version', String(version_no)] as const,
  ];
  return h(
    'div',
    { class: 'row-open' },
    h(
      'dl',
      { class: 'facts values' },
      values.map(([name, text]) => h('div', { key: name }, h('dt', null, name), h('dd', null, text))),
    ),
    h(InstanceParties, { slug, id, instance: key, at: `${fire_count} ${updated_svcond}` }),
    error === undefined ? null : h(Notice, errorNotice(error)),
    data === undefined
      ? canRead
        ? null
        : h('p', { class: 'quiet-text' }, 'Enter a key to see its history.')
      : h(
          'ol',
          { class: 'rows' },
          data.rows.map(({ instance: _, ...fire }) => h(Fire, { key: fire.seq, slug, fire })),
        ),
  );
}
