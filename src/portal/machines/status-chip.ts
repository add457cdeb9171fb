// Chip with the status of a machine or contract.

import { h } from 'preact';

type Status = 'active' | 'paused' | 'archived' | 'frozen' | 'completed' | 'failed';

export function StatusChip({ status }: { readonly status: Status }) {
  return h('span', { class: `chip chip-${status}`, 'data-status': status }, status);
}
