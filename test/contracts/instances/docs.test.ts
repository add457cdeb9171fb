// docs/contracts-instances.md: its definition has no faults, its scenarios are met, its commands print what it shows.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { readScenarios, runScenarios } from '../../../src/contracts/authoring/trial.ts';
import { environment } from '../authoring/authoring-fixture.ts';

const PAGE = readFileSync(new URL('../../../docs/contracts-instances.md', import.meta.url), 'utf8');
const SVC = new URL('../../../bin/svc.js', import.meta.url).pathname;
const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
const [definition = '', scenarios = ''] = blocksOf('json');

const folder = mkdtempSync(join(tmpdir(), 'svc-order-instances-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has a definition, scenarios, commands and what they print', () => {
  expect(['json', 'sh', 'text'].map((language) => blocksOf(language).length)).toEqual([2, 1, 1]);
});

test('the definition has no faults, and its scenarios are met and try everything', () => {
  const { contract, faults, warnings } = checkDraft(JSON.parse(definition));
  expect([faults, warnings]).toEqual([[], []]);
  if (contract === undefined) return;
  const { results, coverage } = runScenarios(contract, readScenarios(JSON.parse(scenarios)), environment);
  expect(results.flatMap(({ faults, steps }) => [...faults, ...steps.flatMap(({ mismatches }) => mismatches)])).toEqual(
    [],
  );
  expect([coverage.transitions, coverage.guards]).toEqual([
    { covered: 3, total: 3 },
    { covered: 4, total: 4 },
  ]);
});

test('the commands print what the page shows', () => {
  writeFileSync(join(folder, 'orders.json'), definition);
  writeFileSync(join(folder, 'orders.scenarios.json'), scenarios);
  const [commands = ''] = blocksOf('sh');
  const script = `set -e\nsvc() { "${process.execPath}" "${SVC}" "$@"; }\n${commands}`;
  const { SVC_URL: _, SVC_KEY: __, ...env } = process.env;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8', cwd: folder, env });
  expect(printed).toContain('3 of 3 transitions, 4 of 4 outcomes of guards');
  expect(printed).toContain(blocksOf('text')[0]);
});
