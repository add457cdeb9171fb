// The OWASP API Security Top 10 (2023): docs/security.md names a defence and a test for each risk, and each test fails
// if the defence is taken out. owasp.slow.test.ts takes out one at a time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { HOLES, outcomesOf } from './holes/owasp.ts';

test('the table of docs/security.md names each risk and its test', () => {
  const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| API'));
  expect(rows.map((row) => /^\| (API\d+):/.exec(row)?.[1])).toEqual(HOLES.map(({ risk }) => risk));
  for (const [index, { risk, test: named }] of HOLES.entries()) expect(rows[index], risk).toContain(named.file);
});

test('without the defences every one of the tests fails', { timeout: 180_000 }, async () => {
  const outcomes = await outcomesOf(HOLES);
  for (const { risk, test: named } of HOLES) expect([risk, outcomes.get(named.name)]).toEqual([risk, 'failed']);
});
