// Operators: found by word or by domain, and one of them read, tried and taken along. All of it stands in the address.

import { h } from 'preact';
import '../style/cards.css';
import '../style/operators.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { place } from '../route.ts';
import { Browse } from './browse.ts';
import { OperatorView } from './operator-view.ts';

export function OperatorsPage() {
  const { path } = place.value;
  const id = (path.split('/')[2] ?? '').toUpperCase();
  const isFirst = useRef(true);

  // As between two pages: who reads the screen hears of it, and sees its beginning.
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    document.getElementById('main')?.focus();
    scrollTo(0, 0);
  }, [id]);
  return id === '' ? h(Browse, null) : h(OperatorView, { key: id, id });
}
