// The list of slowest files, from given times and from a run of Vitest.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/compile-kernel.ts';
import { runTool } from '../scripts/gates/gate.ts';
import { makeProject } from './house/project-fixture.ts';
import { slowestFiles } from './slowest-files-reporter.ts';

test('the forty slowest files are listed in order, with their times and numbers of tests', () => {
  const files = Array.from({ length: 42 }, (_, i) => ({
    file: `${i}.test.ts`,
    wallMs: 1000 * i + 40,
    cpuMs: i === 41 ? undefined : 500,
    tests: i,
  }));
  const [title, , first, second, ...rest] = slowestFiles(files);
  expect(title).toBe('slowest 40 of 42 files; all took 20.5 s of processor time');
  expect(first).toBe('     41.0          ?     41  41.test.ts');
  expect(second).toBe('     40.0        0.5     40  40.test.ts');
  expect(rest).toHaveLength(38);
  expect(rest.at(-1)).toContain('2.test.ts');
});

test('a run of Vitest prints the times and the number of tests of each file', async () => {
  const busy = 'let text = ""; for (let i = 0; i < 1e6; i++) text += i % 7; expect(text.length).toBe(1e6);';
  const root = makeProject({
    'vitest.config.ts': `export default { cacheDir: 'cache', test: { setupFiles: ['${join(ROOT, 'test/cpu-time-setup.ts')}'], isolate: false } };`,
    'two.test.ts': `import { expect, test } from 'vitest'; test('a', () => {}); test('b', () => { ${busy} });`,
    'failing.test.ts': `import { expect, test } from 'vitest'; test('c', () => { ${busy} expect(1).toBe(2); });`,
  });
  const reporter = join(ROOT, 'test/slowest-files-reporter.ts');
  const { stdout, code } = await runTool(root, 'vitest', ['run', `--reporter=${reporter}`]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^slowest 2 of 2 files; all took \d+\.\d s of processor/)]);
  const number = String.raw`\d+\.\d`;
  expect(stdout).toMatch(new RegExp(` +${number} +${number} +2  two\\.test\\.ts\n`));
  expect(stdout).toMatch(new RegExp(` +${number} +${number} +1  failing\\.test\\.ts\n`));
});
