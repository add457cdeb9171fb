// All golden cases of all solvers, read from the golden files.

import { readFileSync } from 'node:fs';
import { SOLVERS } from '../../src/solvers/index.ts';

interface GoldenCase {
  readonly solver: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly sha256: string;
}

interface GoldenFile {
  readonly cases: Readonly<Record<string, Pick<GoldenCase, 'input' | 'sha256'>>>;
}

export const GOLDEN_CASES: readonly GoldenCase[] = SOLVERS.flatMap(({ id }) => {
  const { cases } = JSON.parse(readFileSync(new URL(`../golden/${id}.json`, import.meta.url), 'utf8')) as GoldenFile;
  return Object.entries(cases).map(([name, { input, sha256 }]) => ({ solver: id, name, input, sha256 }));
});
