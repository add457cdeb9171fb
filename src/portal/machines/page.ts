// Routes the machine pages: the list, single machines and their contracts.

import { h } from 'preact';
import '../style/cards.css';
import '../style/machines.css';
import { LazyPage } from '../kit/lazy-page.ts';
import { usePageFocus } from '../kit/use-page-focus.ts';
import { currentRoute } from '../router.ts';
import { MachineList } from './machine-list.ts';
import { MachineView } from './machine-view.ts';

/** `/machines`, `/machines/{slug}`, `/machines/{slug}/contracts/{id}`. */
export function MachinesPage() {
  const { path } = currentRoute.value;
  const [, , slug = '', , id = ''] = path.split('/').map(decodeURIComponent);
  usePageFocus(path);
  if (slug === '') return h(MachineList, null);
  if (id === '') return h(MachineView, { key: slug, slug });
  return h(LazyPage, { key: path, load: async () => (await import('../contracts/page.ts')).ContractPage });
}
