// Message box: what happened, why, and the next step.

import { h } from 'preact';

export interface NoticeProps {
  readonly kind: 'error' | 'empty' | 'good';
  readonly title: string;
  readonly text?: string | undefined;
  /** Errors of individual fields. */
  readonly points?: readonly string[];
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

export function Notice({ kind, title, text, points = [], action }: NoticeProps) {
  return h(
    'div',
    { class: `notice notice-${kind}`, role: kind === 'error' ? 'alert' : 'status' },
    h('p', { class: 'notice-title' }, title),
    text === undefined ? null : h('p', null, text),
    points.length === 0
      ? null
      : h(
          'ul',
          null,
          points.map((point) => h('li', { key: point }, point)),
        ),
    action ? h('button', { type: 'button', onClick: action.run }, action.label) : null,
  );
}
