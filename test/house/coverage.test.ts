import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { coverage } from '../../scripts/coverage.ts';

test('docs/coverage.md is what `node scripts/coverage.ts` writes', () => {
  expect(readFileSync(`${ROOT}/docs/coverage.md`, 'utf8')).toBe(coverage());
});
