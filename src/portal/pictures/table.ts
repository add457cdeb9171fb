// Table of numbers, which scrolls within its frame.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { getArray } from '../../solvers/plot.ts';
import { formatShort } from '../kit/format.ts';
import { type PictureOf, withBrackets } from './picture.ts';

/** Rows shown at first, and added by the button; all rows of a long table at once would block the page. */
const PAGE = 100;
const DIGITS = 8;
/** Of a column that says how far another one is uncertain. */
const UNCERTAIN_DIGITS = 2;

export const TablePicture: PictureOf<'table'> = ({ plot: { title, columns, labels }, arrays }) => {
  const [shown, show] = useState(PAGE);
  const fields = columns.map((name) => getArray(arrays, name));
  const count = fields[0]?.data.length ?? 0;
  const rows = Array.from({ length: Math.min(count, shown) }, (_, row) => row);
  const more = Math.min(PAGE, count - rows.length);
  return h(
    'div',
    { class: 'picture' },
    h(
      'div',
      { class: 'number-table', role: 'region', 'aria-label': title, tabIndex: 0 },
      h(
        'table',
        null,
        h('caption', { class: 'chart-title' }, title),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            labels === undefined ? null : h('td', null),
            fields.map(({ name, unit }) => h('th', { key: name, scope: 'col' }, withBrackets(name, unit))),
          ),
        ),
        h(
          'tbody',
          null,
          rows.map((row) =>
            h(
              'tr',
              { key: row },
              labels === undefined ? null : h('th', { scope: 'row' }, labels[row]),
              fields.map(({ name, data }) =>
                h(
                  'td',
                  { key: name },
                  formatShort(data[row] ?? Number.NaN, name.startsWith('±') ? UNCERTAIN_DIGITS : DIGITS),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    more > 0
      ? h(
          'button',
          { type: 'button', class: 'quiet', onClick: () => show(shown + PAGE) },
          `Show ${more} more of ${count} rows`,
        )
      : null,
  );
};
