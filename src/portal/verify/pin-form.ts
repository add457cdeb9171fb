// Form that pins the keys that a reader trusts, for a verifier that knows none by itself.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import type { Pins } from './engine.ts';

interface Props {
  readonly pins: Pins;
  /** Called after a key was pinned or removed. */
  readonly onChange: () => void;
}

export function PinForm({ pins, onChange }: Props) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const pin = (event: Event) => {
    event.preventDefault();
    try {
      pins.add(text);
      setText('');
      setFault('');
      onChange();
    } catch (error) {
      setFault(errorNotice(error).text ?? '');
    }
  };
  return h(
    'section',
    { class: 'pins', 'aria-labelledby': 'pins-title' },
    h('h2', { id: 'pins-title' }, 'Keys that you trust'),
    h(
      'form',
      { class: 'pin-form', onSubmit: pin },
      h('label', { for: 'pin' }, 'Fingerprint of a key'),
      h('input', {
        id: 'pin',
        type: 'text',
        value: text,
        spellcheck: false,
        autocomplete: 'off',
        'aria-invalid': fault === '' ? undefined : true,
        'aria-describedby': 'pin-help',
        onInput: (event: Event) => setText((event.target as HTMLInputElement).value),
      }),
      h('button', { type: 'submit' }, 'Trust this key'),
      h(
        'p',
        { class: 'field-help', id: 'pin-help', 'aria-live': 'polite' },
        fault === ''
          ? 'Or drop the key set (JWKS) of the signer above. Get either from the signer, never from whoever gave you the receipt.'
          : h('strong', { class: 'field-fault' }, fault),
      ),
    ),
    pins.fingerprints.length === 0
      ? null
      : h(
          'ul',
          { class: 'pin-list' },
          pins.fingerprints.map((fingerprint) => h(Pin, { key: fingerprint, fingerprint, pins, onChange })),
        ),
  );
}

function Pin({ fingerprint, pins, onChange }: Props & { readonly fingerprint: string }) {
  const remove = () => {
    pins.remove(fingerprint);
    onChange();
  };
  return h(
    'li',
    null,
    h('code', null, fingerprint),
    h(
      'button',
      { type: 'button', class: 'quiet', 'aria-label': `Remove key ${fingerprint}`, onClick: remove },
      'Remove',
    ),
  );
}
