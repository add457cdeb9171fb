// Form that sends an event to a contract, with a field for each declared payload value.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { resultNamesOf } from '../../contracts/calls/check.ts';
import { type Definition, type ScalarType, sourcesOf } from '../../contracts/definition.ts';
import { focusInvalidField } from '../kit/focus-invalid-field.ts';
import { Refused, useRefusals } from '../kit/use-refusals.ts';
import { useRequest } from '../kit/use-request.ts';
import { eventResultText } from '../machines/event-form.ts';
import { callApiAsMember, currentKey } from '../session.ts';
import { parsePayload, textOf } from './event-payload.ts';

interface Props {
  readonly slug: string;
  /** Of the contract. */
  readonly id: string;
  readonly definition: Definition;
  /** The state, where there is one and events may leave it. */
  readonly current: string | undefined;
  readonly isOpen: boolean;
}

/** Names of the events that a transition from a state waits for. */
const heardIn = ({ transitions }: Definition, state: string) =>
  new Set(
    transitions
      .filter((transition) => sourcesOf(transition).includes(state))
      .flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : [])),
  );

export function SendEvent({ slug, id, definition, current, isOpen }: Props) {
  const events = definition.events ?? {};
  // What a key must sign is sent by its owner's tools, and what became of activities by the engine alone.
  const results = resultNamesOf(definition);
  const names = Object.keys(events).filter((event) => events[event]?.signed !== true && !results.has(event));
  const heard = current === undefined ? new Set() : heardIn(definition, current);
  const groups = [
    { label: `from ${current}`, options: names.filter((event) => heard.has(event)) },
    { label: 'other events', options: names.filter((event) => !heard.has(event)) },
  ].filter(({ options }) => options.length > 0);
  const [chosen, setName] = useState<string | undefined>(undefined);
  const name = chosen ?? groups[0]?.options[0] ?? '';
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const { isBusy, error, run } = useRequest();
  const [message, setMessage] = useState('');
  const declared = Object.hasOwn(events, name) ? events[name]?.payload : undefined;
  const refused = useRefusals(error, { names: Object.keys(declared ?? {}), parts: ['payload'] });
  if (names.length === 0 || !isOpen || currentKey.value === undefined) return null;
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  const fields = event?.payload ?? {};
  const { payload, faults } = parsePayload(fields, texts);
  const submit = (submitted: Event) => {
    submitted.preventDefault();
    if (Object.keys(faults).length > 0) {
      focusInvalidField(submitted.target as HTMLFormElement);
      return;
    }
    setMessage('');
    void run(async () => {
      const sent = Object.keys(fields).length === 0 ? { slug, name } : { slug, name, payload };
      // A party may send to its contract only.
      const answer =
        definition.parties === undefined
          ? await callApiAsMember('machine.event', sent)
          : await callApiAsMember('contract.event', { ...sent, id });
      setMessage(eventResultText(answer));
    });
  };
  return h(
    'section',
    { class: 'panel send-event', 'aria-labelledby': 'send-title' },
    h('h2', { id: 'send-title' }, 'Send an event'),
    h(
      'form',
      { ref: refused.form, class: 'stack', onSubmit: submit },
      h(
        'label',
        { class: 'stack-field' },
        'Event',
        h(
          'select',
          {
            id: 'send-name',
            value: name,
            onInput: (changed: Event) => setName((changed.target as HTMLSelectElement).value),
          },
          groups.length === 1
            ? optionsOf(names)
            : groups.map(({ label, options }) => h('optgroup', { key: label, label }, optionsOf(options))),
        ),
      ),
      event?.description === undefined ? null : h('p', { class: 'field-help' }, event.description),
      h(PayloadFields, {
        event: name,
        fields,
        texts,
        faults: { ...refused.faults, ...faults },
        onText: (field: string, text: string) => {
          refused.onEdit(field);
          // What is typed belongs to this event, also when the contract changes its state meanwhile.
          setName(name);
          setTexts({ ...texts, [field]: text });
        },
      }),
      h('button', { type: 'submit', class: 'primary', disabled: isBusy }, isBusy ? 'Sending …' : 'Send'),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Refused, { error, refused }),
      message === '' ? null : h('p', { class: 'quiet-text' }, message),
    ),
  );
}

const optionsOf = (names: readonly string[]) => names.map((name) => h('option', { key: name, value: name }, name));

interface FieldsProps {
  readonly event: string;
  readonly fields: Readonly<Record<string, ScalarType>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, string>>;
  readonly onText: (field: string, text: string) => void;
}

/** The fields of the payload of an event. */
export function PayloadFields({ event, fields, texts, faults, onText }: FieldsProps) {
  return Object.entries(fields).map(([field, type]) =>
    h(PayloadField, {
      key: `${event} ${field}`,
      name: field,
      type,
      text: textOf(texts, field) ?? '',
      fault: textOf(faults, field),
      onText: (text: string) => onText(field, text),
    }),
  );
}

interface FieldProps {
  readonly name: string;
  readonly type: ScalarType;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
}

function PayloadField({ name, type, text, fault, onText }: FieldProps) {
  const id = `send-field-${name}`;
  const shared = {
    id,
    value: text,
    'aria-describedby': `${id}-help`,
    'aria-invalid': fault === undefined ? undefined : true,
    onInput: (event: Event) => onText((event.target as HTMLInputElement | HTMLSelectElement).value),
  };
  const isNumber = type !== 'string' && type !== 'boolean';
  return h(
    'div',
    { class: `stack-field${fault === undefined ? '' : ' is-wrong'}` },
    h('label', { for: id }, name, h('span', { class: 'field-range' }, ` ${type}`)),
    h(
      'div',
      { class: 'field-control' },
      type === 'boolean'
        ? h('select', shared, h('option', { value: '' }, 'no'), h('option', { value: 'true' }, 'yes'))
        : h('input', {
            ...shared,
            name: `field-${name}`,
            required: isNumber,
            inputMode: isNumber ? 'decimal' : 'text',
            autocomplete: 'off',
            spellcheck: false,
          }),
    ),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
    ),
  );
}
