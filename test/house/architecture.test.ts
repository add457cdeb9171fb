// docs/architecture.md lists exactly the folders that exist.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';

const LAYERS = ['storage', 'services', 'operations'] as const;

const foldersIn = (path: string) =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Folders that the page's tree lists under src/, and those of its table of nouns. */
function documentedFolders(page: string): { readonly src: string[]; readonly nouns: string[] } {
  const [, tree = ''] = /^src\/\n((?: {2}.*\n)+)/m.exec(page) ?? [];
  const listed = tree.split('\n').flatMap((line) => line.slice(0, 25).match(/[a-z]+(?=\/)/g) ?? []);
  const nouns = [...page.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name = '']) => name);
  return { src: listed.sort(), nouns: nouns.sort() };
}

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

test('the tree lists every folder of src', () => {
  expect(documentedFolders(page).src).toEqual(foldersIn('src').sort());
});

test('the table lists every noun that has a folder in storage, services or operations', () => {
  const folders = new Set(LAYERS.flatMap((layer) => foldersIn(`src/${layer}`)));
  expect(documentedFolders(page).nouns).toEqual([...folders].sort());
});

test('a folder missing from the page is detected', () => {
  const incomplete = page.replace(/^ {2}chain\/.*\n/m, '').replace(/^\| `oracles` .*\n/m, '');
  expect(documentedFolders(incomplete).src).not.toContain('chain');
  expect(documentedFolders(incomplete).nouns).not.toContain('oracles');
});
