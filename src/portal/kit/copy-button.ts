// Copies a text and says so for a moment.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const SAID_MS = 1_500;

interface Props {
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: Props) {
  const [said, setSaid] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed'),
    );
  return h(
    'button',
    { type: 'button', class: 'copy', onClick: copy },
    h('span', { class: said === undefined ? '' : 'is-hidden' }, label),
    h('span', { class: 'copy-said', 'aria-live': 'polite' }, said ?? ''),
  );
}
