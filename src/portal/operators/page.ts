// Routes the operator pages: the registry and single operators.

import { h } from 'preact';
import '../style/cards.css';
import '../style/operators.css';
import { usePageFocus } from '../kit/use-page-focus.ts';
import { currentRoute } from '../router.ts';
import { OperatorView } from './operator-view.ts';
import { RegistryBrowser } from './registry-browser.ts';

export function OperatorsPage() {
  const { path } = currentRoute.value;
  const id = (path.split('/')[2] ?? '').toUpperCase();
  usePageFocus(id);
  return id === '' ? h(RegistryBrowser, null) : h(OperatorView, { key: id, id });
}
