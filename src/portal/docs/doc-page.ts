// Files of the documentation, which the build renders (scripts/portal/docs) and the page loads.

import { loadJson } from '../kit/load-json.ts';
import type { MathNode } from '../kit/math-node.ts';

export interface DocPage {
  readonly title: string;
  readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  readonly body: readonly (MathNode | string)[];
}

export interface DocIndex {
  readonly groups: readonly {
    readonly name: string;
    readonly pages: readonly { readonly path: string; readonly title: string }[];
  }[];
  /** Address of the file of a page, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

declare const __DOCS_FOLDER__: string;

/** @throws Error if the list cannot be fetched */
export const loadDocIndex = () => loadJson<DocIndex>(`${__DOCS_FOLDER__}index.json`);

/** @throws Error if the page cannot be fetched */
export const loadDocPage = (file: string) => loadJson<DocPage>(`${__DOCS_FOLDER__}${file}`);

/** Entries of the search: title, address, and the page or group that it belongs to. */
export type DocEntry = readonly [title: string, path: string, place: string];

/** @throws Error if the entries cannot be fetched */
export const loadDocEntries = () => loadJson<readonly DocEntry[]>(`${__DOCS_FOLDER__}search.json`);
