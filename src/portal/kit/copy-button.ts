// Button that copies a text and briefly confirms it.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const MESSAGE_MS = 1_500;

interface Props {
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: Props) {
  const [message, setMessage] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => setMessage(undefined), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setMessage('Copied'),
      () => setMessage('Copy failed'),
    );
  return h(
    'button',
    { type: 'button', class: 'copy', onClick: copy },
    h('span', { class: message === undefined ? '' : 'is-hidden' }, label),
    h('span', { class: 'copy-message', 'aria-live': 'polite' }, message ?? ''),
  );
}
