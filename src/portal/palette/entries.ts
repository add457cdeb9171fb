// Entries of the search: pages, solvers, routes and the documentation, loaded once; newest machines with each opening.

import { loadRoutes } from '../../client/routes-browser.ts';
import { loadDocEntries } from '../docs/doc-page.ts';
import { listNewestMachines } from '../machines/machine-api.ts';
import { pathOfOperation } from '../reference/operation-page.ts';
import { loadSummaries } from '../solve/solver-description.ts';
import type { NamedPage } from './palette.ts';
import { type IndexedEntry, indexed } from './rank.ts';

let fixed: Promise<readonly IndexedEntry[]> | undefined;

/** A source that cannot be fetched is left out, and asked again with the next opening. */
export function loadEntries(pages: readonly NamedPage[]): Promise<readonly IndexedEntry[]> {
  fixed ??= Promise.all([loadSummaries(), loadDocEntries(), loadRoutes(location.origin)]).then(
    ([solvers, docs, routes]) =>
      [
        ...pages.map(({ name, path }) => ({ title: name, path, place: 'Page' })),
        ...solvers.map(({ id, title }) => ({ title, path: `/solve/${id}`, place: `Solver ${id}` })),
        ...docs.map(([title, path, place]) => ({ title, path, place: `Docs: ${place}` })),
        ...Object.entries(routes).map(([name, route]) => ({
          title: String(route),
          path: pathOfOperation(name),
          place: `Route ${name}`,
        })),
      ].map(indexed),
  );
  fixed.catch(() => {
    fixed = undefined;
  });
  return fixed;
}

/** None if the node does not answer: the search has enough without them. */
export const loadMachineEntries = (): Promise<readonly IndexedEntry[]> =>
  listNewestMachines().then(
    ({ rows }) => rows.map(({ slug }) => indexed({ title: slug, path: `/machines/${slug}`, place: 'Machine' })),
    () => [],
  );
