// The form of a template: its parameters, a name, and the machine that it goes to.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { namesOf } from '../../contracts/check.ts';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { showFault } from '../kit/show-fault.ts';
import { KeyNeeded } from '../machines/key-needed.ts';
import { readOwnMachines, write } from '../machines/node.ts';
import type { ContractRecord, Template } from '../machines/records.ts';
import { contractPath } from '../machines/trail.ts';
import { visit } from '../route.ts';
import { key } from '../session.ts';
import type { Draft, Reading } from './draft.ts';
import { ParameterField } from './parameter-field.ts';

interface Props {
  readonly template: Template;
  /** Where the visitor came from; empty for nowhere. */
  readonly machine: string;
  readonly draft: Draft;
  readonly reading: Reading;
  readonly onDraft: (draft: Draft) => void;
}

export function DeployForm({ template, machine, draft, reading, onDraft }: Props) {
  const { id, title, definition } = template;
  const [name, setName] = useState('');
  const [slug, setSlug] = useState(machine);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const mine = key.value;
  const own = useAsked(mine === undefined ? undefined : mine.keyPrefix, readOwnMachines);
  const choices = (own.answer ?? []).filter(
    ({ role, status }) => (role === 'admin' || role === 'owner') && status !== 'archived',
  );
  const target = slug === '' ? (choices[0]?.slug ?? '') : slug;
  const { faults, others, parameters } = reading;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (reading.compiled === undefined) {
      showFault(event.target as HTMLFormElement);
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      const body = { slug: target, parameters, ...(name.trim() === '' ? {} : { name: name.trim() }) };
      const path = `/api/contracts/templates/${encodeURIComponent(id)}/deploy`;
      const { contract } = await write<{ readonly contract: ContractRecord }>(path, body);
      visit(contractPath(target, contract.id));
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const entries = Object.entries(definition.parameters ?? {});
  return h(
    'form',
    { class: 'deploy-form', onSubmit: submit, noValidate: true, 'aria-label': 'Deploy' },
    entries.length === 0
      ? h('p', { class: 'quiet-text' }, 'It has no parameters: it is deployed as it is.')
      : h(
          'div',
          { class: 'fields' },
          entries.map(([parameter, one]) =>
            h(ParameterField, {
              key: parameter,
              name: parameter,
              parameter: one,
              usedBy: definition.transitions.filter((each) => namesOf(each).includes(parameter)).map((each) => each.id),
              text: draft[parameter] ?? '',
              fault: faults[parameter],
              onText: (text: string) => onDraft({ ...draft, [parameter]: text }),
            }),
          ),
        ),
    others.length === 0
      ? null
      : h(Notice, { kind: 'error', title: 'These values do not go together.', points: others }),
    h(
      'div',
      { class: 'panel deploy-target' },
      h('h2', null, 'Deploy'),
      mine === undefined
        ? h(KeyNeeded, { what: 'Deploying' })
        : [
            h(
              'label',
              { key: 'name', class: 'stack-field' },
              'Name',
              h('input', {
                maxLength: 120,
                autocomplete: 'off',
                placeholder: title,
                value: name,
                onInput: (event: Event) => setName((event.target as HTMLInputElement).value),
              }),
            ),
            h(MachineChoice, {
              key: 'machine',
              choices: choices.map((one) => one.slug),
              slug: target,
              onSlug: setSlug,
              isBusy: own.isBusy,
            }),
            h(
              'button',
              { key: 'deploy', type: 'submit', class: 'primary', disabled: isBusy || target === '' },
              isBusy ? 'Deploying …' : 'Deploy',
            ),
          ],
      h('div', { 'aria-live': 'polite' }, error === undefined ? null : h(Notice, noticeOf(error))),
    ),
  );
}

interface ChoiceProps {
  readonly choices: readonly string[];
  readonly slug: string;
  readonly onSlug: (slug: string) => void;
  readonly isBusy: boolean;
}

/** Of the machines that the key may deploy on; one that came with the address is offered as well, and the node decides. */
function MachineChoice({ choices, slug, onSlug, isBusy }: ChoiceProps) {
  const all = slug === '' || choices.includes(slug) ? choices : [slug, ...choices];
  if (all.length === 0) {
    return isBusy
      ? h('p', { class: 'quiet-text' }, 'Looking for your machines …')
      : h(
          'p',
          { class: 'quiet-text' },
          'Your key may deploy on no machine. ',
          h('a', { href: '/machines', 'data-page': '' }, 'Spin one up'),
          ' and use its key.',
        );
  }
  return h(
    'label',
    { class: 'stack-field' },
    'Machine',
    h(
      'select',
      {
        id: 'deploy-machine',
        value: slug,
        onInput: (event: Event) => onSlug((event.target as HTMLSelectElement).value),
      },
      all.map((one) => h('option', { key: one, value: one, selected: one === slug }, one)),
    ),
  );
}
