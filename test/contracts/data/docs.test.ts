// docs/contracts-data.md: its definition has no faults, its scenario has the expected outcome, its shell command the hash.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { DATA_FUNCTIONS } from '../../../src/contracts/data/functions.ts';
import { ROUNDINGS } from '../../../src/contracts/data/money.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { type Scenario, simulate } from '../../../src/contracts/simulate.ts';
import { environment, faultsOf } from './data-fixture.ts';

const PAGE = readFileSync(new URL('../../../docs/contracts-data.md', import.meta.url), 'utf8');
const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
const [definition, scenario] = blocksOf('json').map((text) => JSON.parse(text) as object);

test('has a definition, a scenario and a command', () => {
  expect(blocksOf('json')).toHaveLength(2);
  expect(blocksOf('sh')).toHaveLength(1);
});

test('the definition has no faults', () => expect(faultsOf(definition ?? {})).toEqual([]));

test('the scenario has its outcome', () => {
  const reports = simulate(compileContract(Definition.parse(definition)), scenario as Scenario, environment);
  expect(reports.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  expect(reports[3]?.refused.join()).toContain('seals is full');
  expect(reports[4]?.refused.join()).toContain('The condition is false');
});

test('the command prints the seal of the scenario', () => {
  const [command = ''] = blocksOf('sh');
  const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  const [first] = (scenario as Scenario).steps;
  expect(printed.trim().split(' ')[0]).toBe(first?.payload?.seal);
});

test('every function and every rounding is described', () => {
  for (const name of DATA_FUNCTIONS.keys()) expect(PAGE).toContain(`${name}(`);
  for (const name of ROUNDINGS) expect(PAGE).toContain(`"${name}"`);
});
