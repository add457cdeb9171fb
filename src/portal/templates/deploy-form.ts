// Form that deploys a template: parameters, name and machine.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { namesOf } from '../../contracts/check.ts';
import { BINDING_EXPECTED, parseBindings } from '../../core/binding-text.ts';
import { focusInvalidField } from '../kit/focus-invalid-field.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { Refused, useRefusals } from '../kit/use-refusals.ts';
import { contractPath } from '../machines/breadcrumbs.ts';
import { KeyRequired } from '../machines/key-required.ts';
import { listOwnMachines } from '../machines/machine-api.ts';
import type { Template } from '../machines/records.ts';
import { CreatedSecrets, createOwnMachine } from '../machines/spin-up.ts';
import { navigate } from '../router.ts';
import { callApiAsMember, currentKey } from '../session.ts';
import type { Draft, ParsedDraft } from './draft.ts';
import { ParameterField } from './parameter-field.ts';

interface Props {
  readonly template: Template;
  /** Machine from which the visitor came; empty if none. */
  readonly machine: string;
  readonly draft: Draft;
  readonly parsed: ParsedDraft;
  readonly onDraft: (draft: Draft) => void;
}

export function DeployForm({ template, machine, draft, parsed, onDraft }: Props) {
  const { id, title, definition } = template;
  const [name, setName] = useState('');
  const [slug, setSlug] = useState(machine);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const apiKey = currentKey.value;
  const machines = useQuery(apiKey === undefined ? undefined : apiKey.keyPrefix, listOwnMachines);
  const choices = (machines.data ?? []).filter(
    ({ role, status }) => (role === 'admin' || role === 'owner') && status !== 'archived',
  );
  // Empty: one is created.
  const target = slug === '' ? (choices[0]?.slug ?? '') : slug;
  const isLoading = apiKey !== undefined && machines.isLoading;
  const { faults, generalFaults, parameters } = parsed;
  const [bound, setBound] = useState<Readonly<Record<string, string>>>({});
  const [isSubmitted, setSubmitted] = useState(false);
  // Those with bind are bound in each instance.
  const entriesOfParties = Object.entries(definition.parties ?? {}).filter(([, { bind }]) => bind === undefined);
  const read = entriesOfParties.map(([party]) => [party, parseBindings(bound[party] ?? '')] as const);
  const unread = read.filter(([, value]) => value === undefined).map(([party]) => party);
  const bindings = Object.fromEntries(read.flatMap(([party, value]) => (value === undefined ? [] : [[party, value]])));
  const refused = useRefusals(error, {
    names: [...Object.keys(definition.parameters ?? {}), ...Object.keys(definition.parties ?? {})],
    parts: ['parameters', 'bindings'],
    others: ['name'],
  });
  const refusedName = refused.faults.name;
  const submit = async (event: Event) => {
    event.preventDefault();
    setSubmitted(true);
    if (parsed.compiled === undefined || unread.length > 0) {
      focusInvalidField(event.target as HTMLFormElement);
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      const chosenName = name.trim() === '' ? {} : { name: name.trim() };
      const bound = entriesOfParties.length === 0 ? {} : { bindings };
      const place = target === '' ? await createOwnMachine(title) : target;
      const request = { templateId: id, slug: place, parameters, ...chosenName, ...bound };
      const { contract } = await callApiAsMember('template.deploy', request);
      navigate(contractPath(place, contract.id));
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const entries = Object.entries(definition.parameters ?? {});
  return h(
    'form',
    { ref: refused.form, class: 'deploy-form', onSubmit: submit, noValidate: true, 'aria-label': 'Deploy' },
    entries.length === 0
      ? h('p', { class: 'quiet-text' }, 'This template has no parameters.')
      : h(
          'div',
          { class: 'fields' },
          entries.map(([parameterName, parameter]) =>
            h(ParameterField, {
              key: parameterName,
              name: parameterName,
              parameter,
              usedBy: definition.transitions
                .filter((transition) => namesOf(transition).includes(parameterName))
                .map((transition) => transition.id),
              text: draft[parameterName] ?? '',
              fault: faults[parameterName] ?? refused.faults[parameterName],
              onText: (text: string) => {
                refused.onEdit(parameterName);
                onDraft({ ...draft, [parameterName]: text });
              },
            }),
          ),
        ),
    generalFaults.length === 0
      ? null
      : h(Notice, { kind: 'error', title: 'These values are inconsistent.', points: generalFaults }),
    h(
      'div',
      { class: 'panel deploy-target' },
      h('h2', null, 'Deploy'),
      apiKey === undefined && machine !== ''
        ? h(KeyRequired, { action: 'Deploying' })
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
                'aria-invalid': refusedName === undefined ? undefined : true,
                'aria-describedby': refusedName === undefined ? undefined : 'deploy-name-help',
                onInput: (event: Event) => {
                  refused.onEdit('name');
                  setName((event.target as HTMLInputElement).value);
                },
              }),
              refusedName === undefined
                ? null
                : h('strong', { class: 'field-fault', id: 'deploy-name-help' }, refusedName),
            ),
            entriesOfParties.map(([party, { count, description }]) =>
              h(PartyField, {
                key: party,
                name: party,
                count,
                description,
                text: bound[party] ?? '',
                fault:
                  unread.includes(party) && (isSubmitted || (bound[party] ?? '') !== '')
                    ? `${BINDING_EXPECTED}.`
                    : refused.faults[party],
                onText: (text: string) => {
                  refused.onEdit(party);
                  setBound({ ...bound, [party]: text });
                },
              }),
            ),
            isLoading
              ? h('p', { key: 'machine', class: 'quiet-text' }, 'Loading your machines …')
              : target === ''
                ? h(NewMachine, { key: 'machine' })
                : h(MachineChoice, {
                    key: 'machine',
                    choices: choices.map((choice) => choice.slug),
                    slug: target,
                    onSlug: setSlug,
                  }),
            h(
              'button',
              { key: 'deploy', type: 'submit', class: 'primary', disabled: isBusy || isLoading },
              isBusy ? 'Deploying …' : target === '' ? 'Deploy on a new machine' : 'Deploy',
            ),
          ],
      h('div', { 'aria-live': 'polite' }, error === undefined ? null : h(Refused, { error, refused })),
      // Its contract, whose page would show them, was refused.
      error === undefined ? null : h(CreatedSecrets, { slug: target }),
    ),
  );
}

interface PartyProps {
  readonly name: string;
  readonly count: { readonly min: number; readonly max: number } | undefined;
  readonly description: string | undefined;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
}

/** Who acts for a party. */
function PartyField({ name, count, description, text, fault, onText }: PartyProps) {
  const number = count === undefined ? 'one' : `${count.min} to ${count.max}`;
  const id = `party-${name}`;
  return h(
    'div',
    { class: `stack-field${fault === undefined ? '' : ' is-wrong'}` },
    h('label', { for: id }, `Party ${name}`, h('span', { class: 'field-range' }, ` ${number}`)),
    h('input', {
      id,
      autocomplete: 'off',
      spellcheck: false,
      placeholder: 'ZID or Ed25519 public key',
      'aria-describedby': `${id}-help`,
      'aria-invalid': fault === undefined ? undefined : true,
      value: text,
      onInput: (event: Event) => onText((event.target as HTMLInputElement).value),
    }),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
      description ?? null,
    ),
  );
}

/** Says what a deployment without a machine creates. */
function NewMachine() {
  return h(
    'p',
    { class: 'quiet-text' },
    'A contract runs on a machine, which keeps its history. No account needed: a new private machine comes with an identity and a key. This tab then uses the key, and the next page shows the secrets once. ',
    h('a', { href: '/keys', 'data-page': '' }, 'I have a key'),
  );
}

interface ChoiceProps {
  readonly choices: readonly string[];
  readonly slug: string;
  readonly onSlug: (slug: string) => void;
}

/** Offers the machines on which the key may deploy, and the machine from the URL; the node checks the rights. */
function MachineChoice({ choices, slug, onSlug }: ChoiceProps) {
  const options = choices.includes(slug) ? choices : [slug, ...choices];
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
      options.map((option) => h('option', { key: option, value: option, selected: option === slug }, option)),
    ),
  );
}
