// In which state of its life a machine or a contract is, in a word.

import { h } from 'preact';

type Status = 'active' | 'paused' | 'archived' | 'frozen' | 'completed' | 'failed';

export function StatusChip({ status }: { readonly status: Status }) {
  return h('span', { class: `chip chip-${status}`, 'data-status': status }, status);
}
