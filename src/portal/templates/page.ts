// Templates: found by words or by category, and one of them filled in and deployed.

import { h } from 'preact';
import '../style/cards.css';
import '../style/machines.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Later } from '../kit/later.ts';
import { place } from '../route.ts';
import { TemplateList } from './template-list.ts';

export function TemplatesPage() {
  const { path } = place.value;
  const id = decodeURIComponent(path.split('/')[2] ?? '');
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    document.getElementById('main')?.focus();
    scrollTo(0, 0);
  }, [id]);
  if (id === '') return h(TemplateList, null);
  return h(Later, { key: id, load: async () => (await import('./deploy-page.ts')).DeployPage });
}
