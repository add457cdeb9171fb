// An event that this contract listens to, with a field for each thing that it carries.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Definition, ScalarType } from '../../contracts/definition.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { showFault } from '../kit/show-fault.ts';
import { saidOf } from '../machines/event-form.ts';
import { chainOf, write } from '../machines/node.ts';
import { key } from '../session.ts';
import { ownText, readPayload } from './payload.ts';

interface Props {
  readonly slug: string;
  readonly definition: Definition;
  readonly isOpen: boolean;
}

export function SendEvent({ slug, definition, isOpen }: Props) {
  const events = definition.events ?? {};
  const names = Object.keys(events);
  const [name, setName] = useState(names[0] ?? '');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [said, setSaid] = useState('');
  if (names.length === 0 || !isOpen || key.value === undefined) return null;
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  const fields = event?.payload ?? {};
  const { payload, faults } = readPayload(fields, texts);
  const submit = async (submitted: Event) => {
    submitted.preventDefault();
    if (Object.keys(faults).length > 0) {
      showFault(submitted.target as HTMLFormElement);
      return;
    }
    setBusy(true);
    setError(undefined);
    setSaid('');
    try {
      const body = Object.keys(fields).length === 0 ? { name } : { name, payload };
      setSaid(saidOf(await write(`${chainOf(slug)}/event`, body)));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return h(
    'section',
    { class: 'panel send-event', 'aria-labelledby': 'send-title' },
    h('h2', { id: 'send-title' }, 'Send an event'),
    h(
      'form',
      { class: 'stack', onSubmit: submit },
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
          names.map((one) => h('option', { key: one, value: one }, one)),
        ),
      ),
      event?.description === undefined ? null : h('p', { class: 'field-help' }, event.description),
      Object.entries(fields).map(([field, type]) =>
        h(Field, {
          key: `${name} ${field}`,
          name: field,
          type,
          text: ownText(texts, field) ?? '',
          fault: ownText(faults, field),
          onText: (text: string) => setTexts({ ...texts, [field]: text }),
        }),
      ),
      h('button', { type: 'submit', disabled: isBusy }, isBusy ? 'Sending …' : 'Send'),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, noticeOf(error)),
      said === '' ? null : h('p', { class: 'quiet-text' }, said),
    ),
  );
}

interface FieldProps {
  readonly name: string;
  readonly type: ScalarType;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
}

function Field({ name, type, text, fault, onText }: FieldProps) {
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
