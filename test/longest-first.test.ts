// The order of test files in a run without records of earlier ones.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/compile-kernel.ts';
import { runTool } from '../scripts/gates/gate.ts';
import { makeProject } from './house/project-fixture.ts';
import { LONGEST } from './longest-first.ts';

test('every listed file or folder exists', () => {
  expect(LONGEST.filter((part) => !existsSync(join(ROOT, part)))).toEqual([]);
});

test('a run starts with the listed files, in the order of the list', async () => {
  const [longest = '', second = ''] = LONGEST;
  const other = 'test/other.test.ts';
  /** @param size  in characters: Vitest's own order is the largest file first */
  const recorder = (name: string, size: number) =>
    `import { appendFileSync } from 'node:fs'; import { test } from 'vitest';
     test('a', () => appendFileSync('order.txt', '${name} ')); // ${'-'.repeat(size)}`;
  // Without a cache of its own it would see, and change, the records of this project.
  const root = makeProject({
    'vitest.config.ts': `import LongestFirst from '${join(ROOT, 'test/longest-first.ts')}';
      export default { cacheDir: 'cache', test: { maxWorkers: 1, isolate: false, sequence: { sequencer: LongestFirst } } };`,
    [other]: recorder(other, 10_000),
    [second]: recorder(second, 1_000),
    [longest]: recorder(longest, 0),
  });
  expect((await runTool(root, 'vitest', ['run'])).code).toBe(0);
  expect(readFileSync(join(root, 'order.txt'), 'utf8')).toBe(`${longest} ${second} ${other} `);
});
