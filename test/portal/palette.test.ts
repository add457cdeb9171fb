// Ranking of the search over pages, solvers, routes and headings.

import { expect, test } from 'vitest';
import { indexed, rank } from '../../src/portal/palette/rank.ts';

const ENTRIES = [
  { title: 'Pulse', path: '/pulse', place: 'Page' },
  { title: 'Heat conduction in a rod or plate', path: '/solve/heat', place: 'Solver heat' },
  { title: 'Waves and fields', path: '/solve/wave', place: 'Solver wave' },
  { title: 'Receipts', path: '/docs/receipts', place: 'Docs: Reference' },
  { title: 'Self-contained receipts', path: '/docs/receipts#self-contained-receipts', place: 'Docs: Receipts' },
  { title: 'QUEUE_FULL', path: '/docs/errors#QUEUE_FULL', place: 'Docs: Errors' },
  { title: 'POST /api/svc/compute', path: '/reference?q=compute.run', place: 'Route compute.run' },
].map(indexed);

const first = (query: string) => rank(ENTRIES, query, 5)[0]?.path;

test.each([
  ['pulse', '/pulse'],
  ['heat', '/solve/heat'],
  ['conduction rod', '/solve/heat'],
  ['wav', '/solve/wave'],
  ['receipt', '/docs/receipts'],
  ['contained receipt', '/docs/receipts#self-contained-receipts'],
  ['queue full', '/docs/errors#QUEUE_FULL'],
  ['compute.run', '/reference?q=compute.run'],
  ['conductoin', '/solve/heat'],
  ['recipts', '/docs/receipts'],
])('%s finds %s first', (query, path) => {
  expect(first(query)).toBe(path);
});

test('every word must be found, and nothing is found for none', () => {
  expect(rank(ENTRIES, 'heat zebra', 5)).toEqual([]);
  expect(rank(ENTRIES, ' ', 5)).toEqual([]);
  expect(rank(ENTRIES, 'receipt', 1)).toHaveLength(1);
});
