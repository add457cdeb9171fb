// Lines of each solver that stand in its own files: kernel, record and face, tests, bench. What solvers share counts for none.
//
//   node scripts/solver-lines.ts

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './compile-kernel.ts';
import { solverFiles } from './new-solver.ts';

/** Files of one solver by part. */
const PARTS: Readonly<Record<string, (slug: string) => readonly string[]>> = {
  kernel: (slug) => [`assembly/solvers/${slug}.ts`, `assembly/solvers/${slug}/**/*.ts`],
  face: (slug) => [`src/solvers/${slug}/**/*.ts`],
  test: (slug) => [
    ...[`${slug}.test.ts`, `${slug}-*.ts`, `${slug}/**/*.ts`].map((pattern) => `test/solvers/${pattern}`),
    ...[`${slug}.test.ts`, `${slug}-*.ts`, `${slug}.py`, `${slug}_*.py`].map((pattern) => `test/coverage/${pattern}`),
  ],
  bench: (slug) => [`bench/${slug}.ts`],
};

export interface SolverLines {
  readonly slug: string;
  readonly parts: Readonly<Record<string, number>>;
  readonly sum: number;
}

const linesIn = (text: string) => text.split('\n').length - 1;

/** Of one solver of this checkout. */
export function solverLines(slug: string): SolverLines {
  const parts = Object.entries(PARTS).map(([part, patterns]) => {
    const files = [...new Set(patterns(slug).flatMap((pattern) => globSync(pattern, { cwd: ROOT })))];
    return [part, files.reduce((sum, path) => sum + linesIn(readFileSync(join(ROOT, path), 'utf8')), 0)] as const;
  });
  return { slug, parts: Object.fromEntries(parts), sum: parts.reduce((sum, [, lines]) => sum + lines, 0) };
}

/** Of all solvers of this checkout, the shortest first. */
export function allSolverLines(): SolverLines[] {
  const slugs = globSync('src/solvers/*/solver.ts', { cwd: ROOT }).map((path) => path.split('/').at(-2) ?? '');
  return slugs.map(solverLines).sort((a, b) => a.sum - b.sum);
}

/** What `new-solver.ts` writes: the smallest solver that passes every test and gate. */
export const newSolverLines = (): number =>
  Object.values(solverFiles('fresh', 'Fresh')).reduce((sum, text) => sum + linesIn(text), 0);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = Object.keys(PARTS);
  console.log(`| solver | ${names.join(' | ')} | sum |\n|---|${names.map(() => '---|').join('')}---|`);
  for (const { slug, parts, sum } of allSolverLines())
    console.log(`| ${slug} | ${names.map((name) => parts[name]).join(' | ')} | ${sum} |`);
  console.log(`\nWritten by new-solver.ts: ${newSolverLines()}`);
}
