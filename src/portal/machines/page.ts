// Machines: which of the pages of this room an address means.

import { h } from 'preact';
import '../style/cards.css';
import '../style/machines.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Later } from '../kit/later.ts';
import { place } from '../route.ts';
import { MachineList } from './machine-list.ts';
import { MachineView } from './machine-view.ts';

/** `/machines`, `/machines/{slug}`, `/machines/{slug}/contracts/{id}`. */
export function MachinesPage() {
  const { path } = place.value;
  const [, , slug = '', , id = ''] = path.split('/').map(decodeURIComponent);
  const isFirst = useRef(true);

  // As between two pages: who reads the screen hears of it, and sees its beginning.
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    document.getElementById('main')?.focus();
    scrollTo(0, 0);
  }, [path]);
  if (slug === '') return h(MachineList, null);
  if (id === '') return h(MachineView, { key: slug, slug });
  return h(Later, { key: path, load: async () => (await import('../contracts/page.ts')).ContractPage });
}
