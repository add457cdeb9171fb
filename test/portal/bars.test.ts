// Bytes that the pages load: what their number of solvers costs, and what one solver's page needs.

import { rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlePortal, initialBytesOf, MAX_INITIAL_BYTES } from '../../scripts/build-portal.ts';
import { type PortalSolver, REGISTERED } from '../../scripts/portal/solver-files.ts';
import { loadRoutes } from '../../src/client/routes-node.ts';
import { dummySolvers } from './dummy-solvers.ts';

/** Solvers of the complete specification, and of a larger one. */
const [COMPLETE, LARGER] = [33, 40];
/** Compressed bytes that the larger number may cost. */
const MAX_GROWTH = 1_000;

type Portal = Rolldown.RolldownOutput;

const { solvers, folder } = dummySolvers(LARGER);
afterAll(() => rmSync(folder, { recursive: true }));

let today: Portal;
let complete: Portal;
let larger: Portal;
beforeAll(async () => {
  const routes = await loadRoutes();
  // The table of routes is part of the first page, and each solver has one.
  const build = (own: readonly PortalSolver[]) =>
    bundlePortal(own, {
      ...Object.fromEntries(Object.entries(routes).filter(([name]) => !name.endsWith('.solve'))),
      ...Object.fromEntries(own.map(({ definition: { id } }) => [`${id}.solve`, `POST /api/svc/${id}` as const])),
    });
  today = await build(REGISTERED);
  complete = await build(solvers.slice(0, COMPLETE));
  larger = await build(solvers);
});

/** Contents of the scripts, by file name. */
const scriptsOf = ({ output }: Portal) =>
  new Map(
    output
      .filter(({ fileName }) => fileName.endsWith('.js'))
      .map((one) => [one.fileName, one.type === 'chunk' ? one.code : String(one.source)]),
  );

/** Compressed bytes of the worker's scripts that match, and of the scripts that they import before they run. */
function workerBytes(portal: Portal, start: RegExp): number {
  const scripts = scriptsOf(portal);
  const reached = new Set([...scripts.keys()].filter((name) => start.test(name)));
  expect(reached.size).toBeGreaterThan(0);
  for (const name of reached)
    for (const [, imported] of (scripts.get(name) ?? '').matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      reached.add(`assets/${imported}`);
  return [...reached].reduce((sum, name) => sum + gzipSync(scripts.get(name) ?? '').length, 0);
}

const WORKER = /\/worker-/;

test('the first page loads at most 60 kB of script', () => {
  expect(MAX_INITIAL_BYTES).toBe(60_000);
  for (const portal of [today, complete, larger]) expect(initialBytesOf(portal)).toBeLessThan(MAX_INITIAL_BYTES);
});

test('40 solvers in place of 33 cost the first page and the worker at most 1 kB', () => {
  const names = (portal: Portal) => [...scriptsOf(portal).keys()].filter((name) => /\/solver-dummy\d+-/.test(name));
  expect([names(complete).length, names(larger).length]).toEqual([COMPLETE, LARGER]);
  const [before, after] = [complete, larger].map((portal) => [initialBytesOf(portal), workerBytes(portal, WORKER)]);
  const [pages = 0, worker = 0] = (after ?? []).map((bytes, i) => bytes - (before?.[i] ?? 0));
  console.log(
    `${LARGER} solvers for ${COMPLETE}: pages ${before?.[0]} + ${pages}, worker ${before?.[1]} + ${worker} bytes`,
  );
  expect(pages).toBeLessThan(MAX_GROWTH);
  expect(worker).toBeLessThan(MAX_GROWTH);
  // Compared with the solvers of today, which are far fewer, too.
  expect(initialBytesOf(larger) - initialBytesOf(today)).toBeLessThan(MAX_GROWTH);
});

test('the scripts of the first page name no solver', () => {
  const [entry] = larger.output.filter((one) => one.type === 'chunk' && one.isEntry);
  if (entry?.type !== 'chunk') throw new Error('The build has no entry.');
  const texts = [entry.fileName, ...entry.imports].map((name) => scriptsOf(larger).get(name) ?? '');
  expect(texts.join('').length).toBeGreaterThan(50_000);
  for (const { definition } of solvers) expect(texts.some((text) => text.includes(definition.title))).toBe(false);
});

test('a solver is described in a file of its own, and the list has one line of each', () => {
  const files = new Map(
    larger.output.flatMap((one) => (one.type === 'asset' ? [[one.fileName, String(one.source)] as const] : [])),
  );
  const [list = '', index = ''] = [...files].find(([name]) => name.endsWith('/index.json')) ?? [];
  const summaries = JSON.parse(index) as readonly Readonly<Record<string, unknown>>[];
  expect(summaries).toHaveLength(LARGER);
  for (const summary of summaries) {
    expect(Object.keys(summary)).toEqual(['id', 'title', 'domain', 'subject', 'summary']);
    const description = JSON.parse(files.get(list.replace('index', String(summary.id))) ?? '') as typeof summary;
    expect(description).toMatchObject(summary);
    expect(description.fields).not.toHaveLength(0);
  }
  expect(gzipSync(index).length).toBeLessThan(4_000);
});

test('the worker of a page of one solver is smaller than with all solvers and the verification', () => {
  const all = workerBytes(today, /\/(worker|solver|verification|compute|chain-checks)-/);
  const rows = REGISTERED.map(({ definition: { id } }) => [
    id,
    workerBytes(today, new RegExp(`/(worker|solver-${id})-`)),
  ]);
  console.log(`worker, compressed bytes: ${rows.map((row) => row.join(' ')).join(', ')}; everything ${all}`);
  const heat = Number(new Map(rows.map(([id, bytes]) => [id, bytes])).get('heat'));
  expect(heat).toBeLessThan(0.7 * all);
});
