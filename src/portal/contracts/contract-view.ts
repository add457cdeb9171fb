// Details of a contract: state diagram, next timers, manual control, values, transitions and history.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { callsOf } from '../../contracts/calls/check.ts';
import type { Scalars } from '../../contracts/definition.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { dateTimeText } from '../kit/date-text.ts';
import { formatCount, groupHex, pluralise } from '../kit/format.ts';
import type { LiveSource } from '../machines/live-machine.ts';
import { LiveStatus } from '../machines/machine-view.ts';
import type { ContractRecord, ContractView, MachineRecord } from '../machines/records.ts';
import { CreatedSecrets } from '../machines/spin-up.ts';
import { StatusChip } from '../machines/status-chip.ts';
import { tickDate } from '../machines/tick-format.ts';
import { Actions } from './actions.ts';
import { scalarText, withDefaults } from './definition-text.ts';
import { Diagram } from './diagram.ts';
import { FailureReasons } from './failure-reasons.ts';
import { History } from './history.ts';
import { Instances } from './instances.ts';
import { NextFires } from './next-fires.ts';
import { Parties } from './parties.ts';
import { SendEvent } from './send-event.ts';
import { TransitionTable } from './transition-table.ts';
import { Versions } from './versions.ts';
import { WaitingActivities } from './waiting-activities.ts';

interface Props {
  readonly machine: MachineRecord;
  readonly view: ContractView;
  readonly source: LiveSource;
  readonly onContract: (contract: ContractRecord) => void;
}

export function ContractDetails({ machine, view, source, onContract }: Props) {
  const { contract, definition, transitions } = view;
  const { slug } = machine;
  const [highlighted, setHighlighted] = useState<string | undefined>(undefined);
  const parameters = withDefaults(definition, contract.parameters);
  const [last] = transitions;
  const isActive = machine.status === 'active' && contract.status === 'active';
  const hasInstances = definition.key !== undefined;
  return [
    h(
      'header',
      { class: 'machine-head' },
      h('h1', null, contract.name),
      h(
        'p',
        { class: 'machine-kind' },
        h(StatusChip, { status: contract.status }),
        contract.template_id === null
          ? null
          : h(
              'a',
              { class: 'chip', href: `/templates/${encodeURIComponent(contract.template_id)}`, 'data-page': '' },
              contract.template_id,
            ),
        h('span', null, `version ${contract.current_version_no}`),
        h('span', null, pluralise(contract.fire_count, 'fire')),
        h(LiveStatus, { source }),
      ),
      definition.description === undefined ? null : h('p', { class: 'lead' }, definition.description),
      machine.status === 'active'
        ? null
        : h('p', { class: 'lead' }, `The machine is ${machine.status}; its contracts do not fire.`),
      contract.status === 'failed' ? h(FailureReasons, { machine, contract }) : null,
    ),
    h(CreatedSecrets, { slug }),
    h(
      'div',
      { class: 'two-columns contract-body' },
      h(
        'section',
        { class: 'panel diagram-panel', 'aria-labelledby': 'diagram-title' },
        h(
          'div',
          { class: 'section-head' },
          h('h2', { id: 'diagram-title' }, 'States'),
          hasInstances
            ? null
            : h(
                'p',
                { class: 'state-now', role: 'status' },
                'current ',
                h('span', { class: 'state-pill', 'data-state': contract.currentState }, contract.currentState),
              ),
        ),
        h(Diagram, {
          definition,
          current: hasInstances ? undefined : contract.currentState,
          last,
          highlighted,
          isActive: isActive && !hasInstances,
        }),
      ),
      h(
        'div',
        { class: 'contract-side' },
        h(
          'div',
          { class: 'contract-controls' },
          h(NextFires, { slug, contract, isActive }),
          callsOf(definition).length === 0
            ? null
            : h(WaitingActivities, { slug, id: contract.id, seq: machine.head.seq }),
          h(SendEvent, {
            slug,
            id: contract.id,
            definition,
            current: isActive && !hasInstances ? contract.currentState : undefined,
            isOpen: machine.status !== 'archived',
          }),
          h(Actions, { slug, contract, hasInstances, machineStatus: machine.status, onContract }),
          definition.parties === undefined ? null : h(Parties, { slug, contract, seq: machine.head.seq, onContract }),
        ),
        h(
          'div',
          { class: 'contract-facts' },
          h(Values, {
            title: 'Context',
            id: 'context',
            values: hasInstances ? {} : contract.context,
            declared: definition.context ?? {},
          }),
          h(Values, {
            title: 'Collections',
            id: 'collections',
            values: Object.fromEntries(
              Object.entries(hasInstances ? {} : (contract.collections ?? {})).map(([name, entries]) => [
                name,
                JSON.stringify(entries),
              ]),
            ),
            declared: definition.collections ?? {},
          }),
          h(Values, {
            title: 'Parameters',
            id: 'parameters',
            values: parameters,
            declared: definition.parameters ?? {},
          }),
          h(Versions, { slug, id: contract.id, current: contract.current_version_no }),
          h(DefinitionSection, { view }),
        ),
      ),
      h(
        'div',
        { class: 'contract-history' },
        hasInstances ? h(Instances, { slug, contract, definition }) : null,
        h(TransitionTable, {
          definition,
          parameters,
          current: isActive && !hasInstances ? contract.currentState : undefined,
          onHighlight: setHighlighted,
        }),
        h(History, { slug, id: contract.id, fires: transitions, count: contract.fire_count }),
      ),
    ),
  ];
}

/** Recomputes the hash of the shown definition in the browser. */
function DefinitionSection({ view }: { readonly view: ContractView }) {
  const { contract, definition } = view;
  const isValid = useMemo(() => sha256Hex(canonicalJson(definition)) === contract.definition_hash, [view]);
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'hash-title' },
    h('h2', { id: 'hash-title' }, 'Definition'),
    h(
      'dl',
      { class: 'stacked-facts' },
      h(
        'div',
        null,
        h('dt', null, 'hash'),
        h('dd', null, h('code', null, groupHex(contract.definition_hash))),
        h(
          'dd',
          { class: 'identity-check', 'data-ok': isValid },
          isValid
            ? '✓ Matches the shown definition (computed in this browser).'
            : '✗ Does not match the shown definition.',
        ),
      ),
      h(
        'div',
        null,
        h('dt', null, 'deployed'),
        h(
          'dd',
          null,
          `${dateTimeText(tickDate(contract.created_svcond))}, tick ${formatCount(contract.created_svcond)}`,
        ),
      ),
    ),
  );
}

interface ValuesProps {
  readonly title: string;
  readonly id: string;
  readonly values: Scalars;
  readonly declared: Readonly<
    Record<string, { readonly unit?: string | undefined; readonly description?: string | undefined }>
  >;
}

function Values({ title, id, values, declared }: ValuesProps) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    h(
      'dl',
      { class: 'facts values' },
      entries.map(([name, value]) => {
        const { unit, description } = Object.hasOwn(declared, name) ? (declared[name] ?? {}) : {};
        return h(
          'div',
          { key: name, title: description },
          h('dt', null, name),
          h('dd', { 'data-value-of': name }, scalarText(value, unit)),
        );
      }),
    ),
  );
}
