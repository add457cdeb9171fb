// The example of calendar time in docs/contracts.md: a sound definition whose scenario comes true.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import type { Scenario } from '../../../src/contracts/simulate.ts';
import { run } from './time-fixture.ts';

const page = readFileSync(new URL('../../../docs/contracts.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## Calendar time\n');
const [text = ''] = section.split('\n## ');
const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => JSON.parse(block));

test('the definition has no faults, and every step of its scenario is met', () => {
  expect(blocks).toHaveLength(2);
  const [definition, scenario] = blocks as [object, Scenario];
  expect(definitionFaults(Definition.parse(definition))).toEqual([]);
  const reports = run(definition, scenario);
  expect(reports.map(({ mismatches }) => mismatches)).toEqual(scenario.steps.map(() => []));
});
