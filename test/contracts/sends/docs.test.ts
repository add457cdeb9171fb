// docs/contracts-machines.md: its definition has no faults, and its scenarios are met and try everything.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { readScenarios, runScenarios } from '../../../src/contracts/authoring/trial.ts';
import { environment } from '../authoring/authoring-fixture.ts';

const PAGE = readFileSync(new URL('../../../docs/contracts-machines.md', import.meta.url), 'utf8');
const blocks = /^```json\n(.*?)^```$/gms;
const [definition = '', scenarios = ''] = [...PAGE.matchAll(blocks)].map(([, text = '']) => text);

test('the definition has no faults, and its scenarios are met and try everything', () => {
  const { contract, faults, warnings } = checkDraft(JSON.parse(definition));
  expect([faults, warnings]).toEqual([[], []]);
  if (contract === undefined) return;
  const { results, coverage } = runScenarios(contract, readScenarios(JSON.parse(scenarios)), environment);
  expect(results.flatMap((one) => [...one.faults, ...one.steps.flatMap(({ mismatches }) => mismatches)])).toEqual([]);
  expect([coverage.transitions, coverage.guards]).toEqual([
    { covered: 3, total: 3 },
    { covered: 4, total: 4 },
  ]);
});
