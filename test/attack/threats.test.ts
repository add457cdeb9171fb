// Every threat once met: the defence is in its place, and docs/security.md names the test that fails without it.
// threats.slow.test.ts takes out one defence at a time and runs that test.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { THREATS } from './holes/threats.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test.each(THREATS)('$threat: not as long as $file stands', ({ file, defence, planted, test: named }) => {
  expect(read(file).split(defence)).toHaveLength(2);
  expect(planted).not.toBe(defence);
  expect(read('docs/security.md')).toContain(`\`${named}\``);
});
