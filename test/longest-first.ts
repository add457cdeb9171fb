// Vitest sequencer for a run without records of earlier ones, as in CI: files that are known to take long start first,
// so that no worker is left with one of them when the others have finished. Vitest itself goes by the size of files.

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of paths, the longest first; test/slowest-files-reporter.ts shows the order at the end of a run. */
export const LONGEST: readonly string[] = [
  'test/attack/fuzz-http.test.ts',
  'test/services/fsck/edits.test.ts',
  'test/services/fsck/fsck.test.ts',
  'test/browser/pages.test.ts',
  'test/contracts/what-if/what-if.test.ts',
  'test/browser/operators.test.ts',
  'test/http/fuzz.test.ts',
  'test/cli/chain.test.ts',
  'test/http/replay.test.ts',
  'test/receipts/museum.test.ts',
  'test/attack/authorization.test.ts',
  'test/attack/many-keys.test.ts',
  'test/browser/',
  'test/python/',
  'test/cli/',
  'test/house/',
  'test/contracts/lifecycle/',
  'test/services/',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const hasRecord = ({ project, moduleId }: TestSpecification) =>
      this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`) !== undefined;
    if (files.some(hasRecord)) return sorted;
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = LONGEST.findIndex((part) => moduleId.includes(part));
  return found === -1 ? LONGEST.length : found;
}
