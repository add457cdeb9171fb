// The documentation as files of the portal: a JSON file for each page, the list of pages, the entries of the search, and
// a plain HTML page for readers without scripts.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Plugin } from 'vite';
import type { DocEntry, DocIndex, DocPage } from '../../../src/portal/docs/doc-page.ts';
import { element } from '../../../src/portal/kit/math-node.ts';
import { SOLVERS } from '../../../src/solvers/index.ts';
import { SUBJECTS } from '../../../src/solvers/subject.ts';
import { ROOT } from '../../compile-kernel.ts';
import { plainPage } from '../plain-page.ts';
import { errorsPage } from './errors-page.ts';
import { ERRORS_PAGE, type ListedPage, listedGroups, SOLVERS_PAGE } from './groups.ts';
import { type DocNode, type Heading, type Rendered, renderMarkdown, Slugs, textOf } from './markdown.ts';
import { solverPage } from './solver-page.ts';
import { type SolverSample, solverSamples } from './solver-samples.ts';

export interface Docs {
  /** By path, in the order of the list. */
  readonly pages: ReadonlyMap<string, Rendered>;
  readonly groups: DocIndex['groups'];
  /** Every link, and the page that it is on; addresses of pages and headings as they are after rendering. */
  readonly links: readonly { readonly from: string; readonly href: string }[];
  /** Links of Markdown files that lead to no page, as `file: link`. */
  readonly deadLinks: readonly string[];
}

/** Files that the build reads, for its fingerprint. */
export const DOC_SOURCES = ['docs/**/*.md', 'bench/RESULTS.md', 'scripts/portal/docs/*.ts'];

const MEASUREMENTS = 'bench/RESULTS.md';
const PARENT = { href: '/docs', text: 'Documentation' };
const SPACE_LINKS = /^\/(?!\/)[\w./#?=&%-]*$/;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** @throws Error for a Markdown file of docs/ that stands in no group */
export async function renderDocs(): Promise<Docs> {
  const samples = await solverSamples(SOLVERS);
  const files = new Set(readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(posixPath));
  const markdown = [...files].filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const guides = new Map(SOLVERS.map(({ id }) => [`docs/${id}.md`, id] as const));
  const byTitle = [...SOLVERS].sort((a, b) => (a.title < b.title ? -1 : 1));
  const solvers = byTitle.map(({ id, title }): ListedPage => ({ source: id, name: `solvers/${id}`, short: title }));
  const decisions = markdown
    .filter((file) => file.startsWith('docs/decisions/'))
    .map((file) => posix.basename(file, '.md'))
    .sort();
  const groups = listedGroups(solvers, decisions);
  const listed = groups.flatMap(({ pages }) => pages);
  const pathOfSource = new Map([
    ...listed.map(({ source, name }) => [source, pathOf(name)] as const),
    ...[...guides].map(([file, id]) => [file, pathOf(`solvers/${id}`)] as const),
  ]);
  const unlisted = markdown.filter((file) => !pathOfSource.has(file));
  if (unlisted.length > 0)
    throw new Error(`${unlisted.join(', ')} stand in no group of scripts/portal/docs/groups.ts.`);

  const deadLinks: string[] = [];
  const render = (file: string, slugs?: Slugs): Rendered =>
    renderMarkdown(read(file), (href) => resolveLink(href, file, pathOfSource, deadLinks), slugs);
  const measured = sectionsOf(render(MEASUREMENTS).body);
  const pages = new Map<string, Rendered>();
  for (const { source, name } of listed) pages.set(pathOf(name), renderPage(source));

  function renderPage(source: string): Rendered {
    const slugs = new Slugs();
    if (source === SOLVERS_PAGE) return solverList(samples);
    if (source === ERRORS_PAGE) return errorsPage(slugs);
    const solver = SOLVERS.find(({ id }) => id === source);
    if (solver === undefined) return render(source);
    const sample = samples[solver.id];
    if (sample === undefined) throw new Error(`${solver.id} has no sample.`);
    const file = `docs/${solver.id}.md`;
    return solverPage({
      solver,
      sample,
      guide: markdown.includes(file) ? render(file, slugs) : undefined,
      measurements: measured.get(solver.id) ?? [],
      slugs,
    });
  }

  return {
    pages,
    groups: groups.map(({ name, pages: members }) => ({
      name,
      pages: members.map((page) => {
        const path = pathOf(page.name);
        return { path, title: page.short ?? pages.get(path)?.title ?? path };
      }),
    })),
    links: [...pages].flatMap(([from, { body }]) => linksOf(body).map((href) => ({ from, href }))),
    deadLinks,
  };
}

const posixPath = (path: string) => path.replaceAll('\\', '/');
const pathOf = (name: string) => (name === '' ? '/docs' : `/docs/${name}`);

/** Links between files become links between pages; links to other places of the repository stay text. */
function resolveLink(
  href: string,
  file: string,
  pathOfSource: ReadonlyMap<string, string>,
  deadLinks: string[],
): string | undefined {
  if (/^https:\/\/[^\s]+$/.test(href) || /^#[\w%-]+$/.test(href)) return href;
  if (SPACE_LINKS.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const page = pathOfSource.get(posix.join(posix.dirname(file), path));
  if (page === undefined) {
    deadLinks.push(`${file}: ${href}`);
    return undefined;
  }
  return anchor === undefined ? page : `${page}#${anchor}`;
}

function linksOf(nodes: readonly DocNode[]): string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string'
      ? []
      : [...(node.name === 'a' ? [node.attributes.href ?? ''] : []), ...linksOf(node.content)],
  );
}

/** What stands below each heading of level 2, by its words. */
function sectionsOf(body: readonly DocNode[]): ReadonlyMap<string, readonly DocNode[]> {
  const sections = new Map<string, DocNode[]>();
  let current: DocNode[] | undefined;
  for (const node of body) {
    if (typeof node !== 'string' && node.name === 'h2') {
      current = [];
      sections.set(textOf(node), current);
    } else current?.push(withoutId(node));
  }
  return sections;
}

/** Headings of a part of another page are no places of this one. */
const withoutId = (node: DocNode): DocNode =>
  typeof node === 'string' || node.attributes.id === undefined
    ? node
    : { name: 'p', attributes: {}, content: [element('strong', null, node.content)] };

function solverList(samples: Readonly<Record<string, SolverSample>>): Rendered {
  const slugs = new Slugs();
  const headings: Heading[] = [];
  const sections = SUBJECTS.flatMap((subject): DocNode[] => {
    const members = SOLVERS.filter((solver) => solver.subject === subject);
    if (members.length === 0) return [];
    const id = slugs.take(subject);
    headings.push({ id, level: 2, text: subject });
    return [
      element('h2', { id }, subject),
      element(
        'ul',
        { class: 'solver-cards' },
        members.map((solver) =>
          element(
            'li',
            null,
            element('a', { href: pathOf(`solvers/${solver.id}`) }, solver.title),
            element('p', null, solver.summary),
            element('p', { class: 'error-form' }, `Checked by: ${samples[solver.id]?.witness ?? ''}`),
          ),
        ),
      ),
    ];
  });
  const lead = `${SOLVERS.length} solvers run the same WebAssembly on a node, in a browser and in a terminal.`;
  return { title: 'Solvers', headings, body: [element('p', { class: 'lead' }, lead), ...sections] };
}

export interface DocsFiles {
  /** Address of the folder of the JSON files; its name changes with the contents. */
  readonly folder: string;
  readonly plugin: Plugin;
  /** HTML pages by name, from the portal's index page. */
  htmlPages(index: string): ReadonlyMap<string, string>;
}

export function docsFiles({ pages, groups }: Docs): DocsFiles {
  const files: Record<string, string> = {};
  const contents = new Map<string, string>();
  for (const [path, page] of pages) {
    const name = `${path.slice('/docs'.length).replaceAll('/', '.').slice(1) || 'index-page'}.json`;
    files[path] = name;
    const { title, headings, body } = page;
    contents.set(name, JSON.stringify({ title, headings, body } satisfies DocPage));
  }
  contents.set('index.json', JSON.stringify({ groups, files } satisfies DocIndex));
  contents.set('search.json', JSON.stringify(entriesOf(pages, groups)));
  const text = JSON.stringify([...contents]);
  const folder = `assets/docs-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}/`;
  return {
    folder: `/${folder}`,
    plugin: {
      name: 'docs-files',
      generateBundle() {
        for (const [name, source] of contents) this.emitFile({ type: 'asset', fileName: `${folder}${name}`, source });
      },
    },
    htmlPages: (index) =>
      new Map([...pages].map(([path, page]) => [`${path.slice(1)}.html`, plainPage(index, page, PARENT)])),
  };
}

/** Pages first, then their headings. */
function entriesOf(pages: Docs['pages'], groups: Docs['groups']): DocEntry[] {
  const listed = groups.flatMap(({ name, pages: members }) => members.map((page) => ({ ...page, group: name })));
  return [
    ...listed.map(({ path, title, group }): DocEntry => [title, path, group]),
    ...listed.flatMap(({ path, title }) =>
      (pages.get(path)?.headings ?? []).map(({ id, text }): DocEntry => [text, `${path}#${id}`, title]),
    ),
  ];
}
