// Multi-line JSON field with an error message.

import { h } from 'preact';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
}

export function JsonField({ id, label, placeholder, value, fault, onChange }: Props) {
  return h(
    'div',
    { class: `field${fault === undefined ? '' : ' is-wrong'}` },
    h('label', { for: id }, label),
    h('textarea', {
      id,
      rows: 3,
      spellcheck: false,
      autocomplete: 'off',
      placeholder,
      'aria-describedby': `${id}-help`,
      'aria-invalid': fault === undefined ? undefined : true,
      value,
      onInput: (event: Event) => onChange((event.target as HTMLTextAreaElement).value),
    }),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? '' : h('strong', { class: 'field-fault' }, fault),
    ),
  );
}
