// Rows of long lists are rendered again for what changed in them, and for nothing else.

import { h, type VNode } from 'preact';
import { expect, test } from 'vitest';
import { memo } from '../../src/portal/kit/memo.ts';

interface Props {
  readonly row: { readonly seq: number };
  readonly verdict?: string | undefined;
}

test('a row with the same record and verdict stays as it is; another one of either is rendered', () => {
  const rendered: Props[] = [];
  const Row = memo((props: Props) => {
    rendered.push(props);
    return h('li', null, props.row.seq);
  });
  const row = { seq: 7 };
  const shown = new Row({ row, verdict: undefined });
  shown.props = { row, verdict: undefined };
  const { type, props } = shown.render() as VNode<Props>;
  (type as (props: Props) => unknown)(props);
  expect(rendered).toEqual([{ row, verdict: undefined }]);
  expect(shown.shouldComponentUpdate({ row, verdict: undefined })).toBe(false);
  expect(shown.shouldComponentUpdate({ row: { seq: 7 }, verdict: undefined })).toBe(true);
  expect(shown.shouldComponentUpdate({ row, verdict: 'good' })).toBe(true);
  expect(shown.shouldComponentUpdate({ row })).toBe(true);
});
