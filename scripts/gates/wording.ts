// Machine-checked wording rules: file headers, names of bounds, width of prose, links between pages.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf, type Gate } from './gate.ts';

const SOURCES = ['{src,scripts,test,bench,migrations,assembly}/**/*.ts'];
const PAGES = ['README.md', 'docs/**/*.md'];
const MAX_COLUMNS = 120;
/** Other people's programs, and their documents. */
const isForeign = (file: string) => file.includes('judges/');
/** Lists written by a script may be wide. */
const isGenerated = (page: string) => page.includes('Written by `node scripts/');

/** A header says what a file is, starting with a noun or a verb. */
const QUESTION_HEADER = /^\/\/ (?:What|Who|Where|How|Whether|That)\s/;
const BOUND_NAME = /\b(?:MOST|LEAST|LONGEST|SHORTEST|HIGHEST|LOWEST|LARGEST|SMALLEST)_[A-Z0-9_]+/g;

export const wording: Gate = {
  name: 'wording',
  async run(root) {
    const sources = filesOf(root, SOURCES).filter((file) => !isForeign(file));
    const pages = filesOf(root, PAGES);
    const read = (file: string) => readFileSync(join(root, file), 'utf8');
    const faults = [
      ...sources.flatMap((file) => sourceFaults(file, read(file))),
      ...pages.flatMap((file) => pageFaults(root, file, read(file))),
    ];
    return { counted: sources.length + pages.length, unit: 'sources and pages', faults };
  },
};

function sourceFaults(file: string, text: string): string[] {
  const bounds = [...text.matchAll(BOUND_NAME)].map(([name]) => `${file} names a bound ${name}; use MAX_ or MIN_`);
  if (!QUESTION_HEADER.test(text)) return bounds;
  return [`${file} has a header that starts like a question; start with a noun or a verb`, ...bounds];
}

function pageFaults(root: string, file: string, text: string): string[] {
  const long = (isGenerated(text) ? [] : proseLines(text))
    .filter(({ line }) => [...line].length > MAX_COLUMNS)
    .map(({ number }) => `${file}:${number} is longer than ${MAX_COLUMNS} columns`);
  // Links that start with a slash are pages of the portal: test/portal/docs.test.ts.
  const links = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => !existsSync(join(root, dirname(file), link)));
  return [...long, ...broken.map((link) => `${file} links to ${link}, which does not exist`)];
}

/** Lines outside code, tables, headings and images; a list of links keeps its line break. */
function proseLines(text: string): { readonly line: string; readonly number: number }[] {
  let isCode = false;
  return text.split('\n').flatMap((line, i) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const isProse = !isCode && !/^\s*(?:\||#|```|!\[)/.test(line) && !line.endsWith('\\');
    return isProse ? [{ line, number: i + 1 }] : [];
  });
}
