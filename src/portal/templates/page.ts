// Routes the template pages: the list and single templates.

import { h } from 'preact';
import '../style/cards.css';
import '../style/machines.css';
import { LazyPage } from '../kit/lazy-page.ts';
import { usePageFocus } from '../kit/use-page-focus.ts';
import { currentRoute } from '../router.ts';
import { TemplateList } from './template-list.ts';

export function TemplatesPage() {
  const { path } = currentRoute.value;
  const id = decodeURIComponent(path.split('/')[2] ?? '');
  usePageFocus(id);
  if (id === '') return h(TemplateList, null);
  return h(LazyPage, { key: id, load: async () => (await import('./deploy-page.ts')).DeployPage });
}
