// Writes the README's table of solvers from their records.
//
//   node scripts/solver-table.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOLVERS } from '../src/solvers/index.ts';
import { ROOT } from './compile-kernel.ts';

const README = join(ROOT, 'README.md');
const HEAD = '| solver | computes | method |\n|---|---|---|\n';

/** The README with a row for every solver. @throws Error if it has no such table */
export function withSolverTable(readme: string): string {
  const start = readme.indexOf(HEAD);
  const end = readme.indexOf('\n\n', start);
  if (start === -1 || end === -1) throw new Error('README.md has no table "solver, computes, method".');
  const rows = SOLVERS.map(({ id, title, method }) => `| ${id} | ${title} | ${method.name} |`);
  return `${readme.slice(0, start)}${HEAD}${rows.join('\n')}${readme.slice(end)}`;
}

if (import.meta.main) writeFileSync(README, withSolverTable(readFileSync(README, 'utf8')));
