// Runs compared: a table of what differs, and their pictures over each other or side by side.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Solution } from '../../solvers/definition.ts';
import '../style/runs.css';
import { formatRounded, withUnit } from '../kit/format.ts';
import { measuredText } from '../kit/measured-value.ts';
import { usePictures } from '../solve/use-pictures.ts';
import { type ComparedRun, inputDifferences, runNames } from './compared-run.ts';
import { overlays } from './overlay.ts';

interface Props {
  /** Two or more. */
  readonly runs: readonly ComparedRun[];
  readonly onRemove: (id: string) => void;
  /** Id of the run on the screen, which is not removed. */
  readonly current?: string | undefined;
}

export function RunComparison({ runs, onRemove, current }: Props) {
  const differences = inputDifferences(runs);
  const names = runNames(runs);
  const [first] = runs;
  const row = (title: string, cells: readonly string[]) =>
    h(
      'tr',
      { key: title },
      h('th', { scope: 'row' }, title),
      cells.map((cell, k) => h('td', { key: runs[k]?.id }, cell)),
    );
  return h(
    'div',
    { class: 'run-comparison' },
    h(
      'div',
      { class: 'number-table', role: 'region', 'aria-label': 'Runs compared', tabIndex: 0 },
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            h('td', null),
            runs.map(({ id, href }, k) =>
              h(
                'th',
                { key: id, scope: 'col' },
                href === undefined ? names[k] : h('a', { href, 'data-page': '' }, names[k]),
                ' ',
                id === current
                  ? h('span', { class: 'run-current' }, 'this result')
                  : h(
                      'button',
                      { type: 'button', class: 'quiet run-remove', onClick: () => onRemove(id) },
                      'Remove',
                      h('span', { class: 'visually-hidden' }, ` ${names[k]}`),
                    ),
              ),
            ),
          ),
        ),
        h(
          'tbody',
          null,
          row(
            'value',
            runs.map((run) => measuredText(run)),
          ),
          row(
            'against the first',
            runs.map((run) => (first === undefined ? '' : ratioText(run, first))),
          ),
          differences.map(({ name, texts }) => row(name, texts)),
          runs.some(({ isEqual }) => isEqual !== undefined)
            ? row(
                'computed here again',
                runs.map(({ isEqual }) => (isEqual === undefined ? '' : isEqual ? 'bits equal' : 'bits differ')),
              )
            : null,
        ),
      ),
    ),
    differences.length === 0
      ? h('p', { class: 'run-note' }, 'All inputs are the same, so all results are the same bits.')
      : null,
    h(Pictures, { runs, names }),
  );
}

function ratioText({ value, unit }: ComparedRun, first: ComparedRun): string {
  if (unit !== first.unit) return '';
  if (value === first.value) return 'equal';
  const difference = withUnit(`${value > first.value ? '+' : ''}${formatRounded(value - first.value, 4)}`, unit);
  return first.value === 0 ? difference : `${difference}, × ${formatRounded(value / first.value, 4)}`;
}

function Pictures({ runs, names }: { readonly runs: readonly ComparedRun[]; readonly names: readonly string[] }) {
  const { pictures } = usePictures();
  const drawn = runs.flatMap(({ solution }) => solution ?? []);
  const charts = useMemo(
    () => (drawn.length === runs.length ? overlays(drawn, names) : []),
    [names.join('|'), ...drawn],
  );
  if (pictures === undefined || drawn.length < runs.length) return null;
  const maps = runs.map(({ id, solution }, k) => ({ id, name: names[k], solution: solution && withMaps(solution) }));
  return [
    h(
      'div',
      { key: 'charts', class: 'charts' },
      charts.map(({ title, x, ys }) =>
        h(pictures.Chart, { key: `${title} ${names.join()}`, title, x, ys, isSparse: true }),
      ),
    ),
    maps.every(({ solution }) => solution?.plots.length === 1)
      ? h(
          'div',
          { key: 'maps', class: 'run-maps' },
          maps.map(({ id, name, solution }) =>
            h(
              'section',
              { key: id },
              h('h3', null, name),
              solution === undefined ? null : h(pictures.Picture, { solution }),
            ),
          ),
        )
      : null,
  ];
}

/** The first picture that no chart can hold. */
const withMaps = (solution: Solution): Solution => ({
  ...solution,
  plots: solution.plots.filter(({ kind }) => kind !== 'line' && kind !== 'table').slice(0, 1),
});
