// docs/architecture.md lists exactly the folders that exist, and every solver's room has the files that it names.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

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

/** Rows of a table of the page, by their first cell, without a slash: the other cells. */
function tableOf(page: string, heading: string): ReadonlyMap<string, readonly string[]> {
  const [, text = ''] = page.split(`| ${heading} |`);
  const [table = ''] = text.split('\n\n');
  const rows = [...table.matchAll(/^\| `([\w.-]+)\/?` \|(.*)\|$/gm)];
  return new Map(rows.map(([, name = '', cells = '']) => [name, cells.split('|').map((cell) => cell.trim())]));
}

/** Files that the page names for every room and that a room does not have. */
function missingFiles(page: string, room: readonly string[]): string[] {
  return [...tableOf(page, 'file').keys()].filter((name) => !room.includes(name));
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

describe('solvers', () => {
  const rooms = foldersIn('src/solvers').filter((name) => name !== 'parts');

  test('there is one room per solver', () => {
    expect(rooms.sort()).toEqual(SOLVERS.map(({ id }) => id).sort());
  });

  test.each(rooms)('the room %s has every file that the page names', (room) => {
    expect(missingFiles(page, readdirSync(join(ROOT, 'src/solvers', room)))).toEqual([]);
  });

  test('a missing file is detected', () => {
    const room = ['face.ts', 'problem.ts', 'reference.ts', 'solution.ts', 'solver.ts'];
    expect(missingFiles(page, [...room, 'plan.ts'])).toEqual([]);
    expect(missingFiles(page, room)).toEqual(['plan.ts']);
  });

  test('the page lists every part', () => {
    const parts = readdirSync(join(ROOT, 'src/solvers/parts'));
    expect([...tableOf(page, 'part').keys()].sort()).toEqual(parts.sort());
  });
});

test('the page lists the folders of numerics, and which of them have no files yet', () => {
  const places = [...tableOf(page, 'place')];
  const withFiles = places.filter(([, cells]) => cells.at(-1) !== '–').map(([name]) => name);
  expect(withFiles.sort()).toEqual(foldersIn('assembly/numerics').sort());
});
