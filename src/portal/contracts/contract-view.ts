// A contract: where it stands, what moves it next, what it has done, and the ways to move it by hand.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Scalars } from '../../contracts/definition.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { inGroups } from '../kit/format.ts';
import type { Hearing } from '../machines/live.ts';
import { LiveMark } from '../machines/machine-view.ts';
import type { ContractRecord, ContractView, MachineRecord } from '../machines/records.ts';
import { StatusChip } from '../machines/status-chip.ts';
import { dateOfTick, inThousands, manyOf } from '../machines/tick-words.ts';
import { Actions } from './actions.ts';
import { Diagram } from './diagram.ts';
import { History } from './history.ts';
import { NextFires } from './next-fires.ts';
import { SendEvent } from './send-event.ts';
import { TransitionTable } from './transition-table.ts';
import { Versions } from './versions.ts';
import { WhyFailed } from './why-failed.ts';
import { parametersOf, scalarWords } from './words.ts';

interface Props {
  readonly machine: MachineRecord;
  readonly view: ContractView;
  readonly by: Hearing;
  readonly onContract: (contract: ContractRecord) => void;
}

export function Whole({ machine, view, by, onContract }: Props) {
  const { contract, definition, transitions } = view;
  const { slug } = machine;
  const [marked, setMarked] = useState<string | undefined>(undefined);
  const parameters = parametersOf(definition, contract.parameters);
  const [last] = transitions;
  const isAtWork = machine.status === 'active' && contract.status === 'active';
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
        h('span', null, manyOf(contract.fire_count, 'fire')),
        h(LiveMark, { by }),
      ),
      definition.description === undefined ? null : h('p', { class: 'lead' }, definition.description),
      machine.status === 'active'
        ? null
        : h('p', { class: 'lead' }, `The machine is ${machine.status}: its contracts do not fire.`),
      contract.status === 'failed' ? h(WhyFailed, { machine, contract }) : null,
    ),
    h(
      'div',
      { class: 'contract-body' },
      h(
        'section',
        { class: 'panel diagram-panel', 'aria-labelledby': 'diagram-title' },
        h(
          'div',
          { class: 'section-head' },
          h('h2', { id: 'diagram-title' }, 'States'),
          h(
            'p',
            { class: 'state-now', role: 'status' },
            'now ',
            h('span', { class: 'state-pill', 'data-state': contract.currentState }, contract.currentState),
          ),
        ),
        h(Diagram, { definition, current: contract.currentState, last, marked, isAtWork }),
      ),
      h(
        'div',
        { class: 'contract-side' },
        h(
          'div',
          { class: 'contract-moves' },
          h(NextFires, { slug, contract, isAtWork }),
          h(Actions, { slug, contract, machineStatus: machine.status, onContract }),
          h(SendEvent, { slug, definition, isOpen: machine.status !== 'archived' }),
        ),
        h(
          'div',
          { class: 'contract-facts' },
          h(Values, { title: 'Context', id: 'context', values: contract.context, declared: definition.context ?? {} }),
          h(Values, {
            title: 'Parameters',
            id: 'parameters',
            values: parameters,
            declared: definition.parameters ?? {},
          }),
          h(Versions, { slug, id: contract.id, current: contract.current_version_no }),
          h(Origin, { view }),
        ),
      ),
      h(
        'div',
        { class: 'contract-story' },
        h(TransitionTable, {
          definition,
          parameters,
          current: isAtWork ? contract.currentState : undefined,
          onMark: setMarked,
        }),
        h(History, { slug, id: contract.id, fires: transitions, count: contract.fire_count }),
      ),
    ),
  ];
}

/** The hash is worked out here from the definition that came along. */
function Origin({ view }: { readonly view: ContractView }) {
  const { contract, definition } = view;
  const isOwn = useMemo(() => sha256Hex(canonicalJson(definition)) === contract.definition_hash, [view]);
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
        h('dd', null, h('code', null, inGroups(contract.definition_hash))),
        h(
          'dd',
          { class: 'identity-check', 'data-ok': isOwn },
          isOwn ? '✓ The hash of what is shown, worked out here.' : '✗ Not the hash of what is shown.',
        ),
      ),
      h(
        'div',
        null,
        h('dt', null, 'deployed'),
        h(
          'dd',
          null,
          `${dateOfTick(contract.created_svcond).toLocaleString()}, tick ${inThousands(contract.created_svcond)}`,
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
          h('dd', { 'data-value-of': name }, scalarWords(value, unit)),
        );
      }),
    ),
  );
}
