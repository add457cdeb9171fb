// Writes a small working solver from scripts/solver-template, registers it, and writes its records.
//
//   node scripts/new-solver.ts <slug> "<Title>"

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './compile-kernel.ts';

const SLUG = /^[a-z][a-z0-9]{1,23}$/;
const TITLE = /^[\p{L}\p{N} \-–,.()']{3,60}$/u;
const TEMPLATE = join(ROOT, 'scripts/solver-template');
const INDEX = 'src/solvers/index.ts';

/** All files of a new solver, by path: those of the template, with its names in place of the marks. */
export function solverFiles(slug: string, title: string): Record<string, string> {
  const fill = (text: string) =>
    text
      .replaceAll('__slug__', slug)
      .replaceAll('__SLUG__', slug.toUpperCase())
      .replaceAll('__Slug__', slug.charAt(0).toUpperCase() + slug.slice(1))
      .replaceAll('__title__', title);
  const entries = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [fill(path.slice(TEMPLATE.length + 1).replace(/\.txt$/, '')), fill(readFileSync(path, 'utf8'))] as const;
  });
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The registry with the solver in it: one import and one element, each before the first that comes after it. */
export function register(index: string, slug: string): string {
  const line = `import { ${slug} } from './${slug}/solver.ts';`;
  const lines = index.split('\n');
  const solverImport = (one: string) => /^import \{ \w+ \} from '\.\/\w+\/solver\.ts';$/.test(one);
  const next = lines.findIndex((one) => solverImport(one) && one > line);
  lines.splice(next === -1 ? lines.findLastIndex(solverImport) + 1 : next, 0, line);
  return lines.join('\n').replace(/(SOLVERS: [^=]*= \[)([^\]]*)\]/, (_, head: string, list: string) => {
    const names = list.split(',').map((name) => name.trim());
    const all = [...names.filter((name) => name !== ''), slug].sort();
    return `${head}\n${all.map((name) => `  ${name},`).join('\n')}\n]`;
  });
}

function main(): void {
  const [slug = '', title = ''] = process.argv.slice(2);
  if (!SLUG.test(slug) || !TITLE.test(title)) {
    console.error('usage: node scripts/new-solver.ts <slug> "<Title>"');
    console.error("  slug: 2 to 24 of a-z 0-9, a letter first; title: 3 to 60 letters, digits, spaces and -–,.()'");
    process.exit(2);
  }
  const files = solverFiles(slug, title);
  const taken = [`src/solvers/${slug}`, ...Object.keys(files)].find((path) => existsSync(join(ROOT, path)));
  if (taken !== undefined) {
    console.error(`${taken} exists; nothing was written.`);
    process.exit(1);
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
  writeFileSync(join(ROOT, INDEX), register(readFileSync(join(ROOT, INDEX), 'utf8'), slug));
  console.log(`${INDEX} (one line)`);
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  // The formatter sets line breaks, quotes and the order of imports.
  run(join(ROOT, 'node_modules/.bin/biome'), 'check', '--write', ...Object.keys(files), INDEX);
  execFileSync(process.execPath, ['scripts/solver-records.ts', slug, 'first version'], { cwd: ROOT, stdio: 'inherit' });
}

if (import.meta.main) main();
