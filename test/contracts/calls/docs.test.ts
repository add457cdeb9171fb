// docs/contracts-activities.md: its definition has no faults, its scenarios are met and try everything, and its request is
// one that a definition may have.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check, simulate } from '../../../src/authoring.ts';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { readScenarios, runScenarios } from '../../../src/contracts/authoring/trial.ts';
import { findOperator, OPERATORS } from '../../../src/operators/load.ts';
import { callFaults } from '../../../src/protocol/contract-calls.ts';
import { environment } from '../authoring/authoring-fixture.ts';
import { rated } from './meter.ts';

const PAGE = readFileSync(new URL('../../../docs/contracts-activities.md', import.meta.url), 'utf8');
const blocks = (kind: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => JSON.parse(text));
const [definition, scenarios] = blocks('json');
const [request] = blocks('json transition');

test('the definition has no faults, and its scenarios are met and try everything', async () => {
  const { faults, warnings } = checkDraft(definition, { callFaults: (one) => callFaults(one, OPERATORS) });
  expect([faults, warnings]).toEqual([[], []]);
  const operators = [findOperator('CM9')];
  const { results, coverage } = await simulate(definition, scenarios, { operators });
  expect(results.flatMap((one) => [...one.faults, ...one.steps.flatMap(({ mismatches }) => mismatches)])).toEqual([]);
  expect([coverage.transitions, coverage.guards]).toEqual([
    { covered: 4, total: 4 },
    { covered: 2, total: 2 },
  ]);
});

test('the library names a missing input and another unit', () => {
  const wrong = structuredClone(definition);
  wrong.transitions[0].post[0].call = { ...wrong.transitions[0].post[0].call, inputs: { m: '1' }, unit: 'kJ' };
  const { faults } = check(wrong, { operators: [findOperator('CM9')] });
  expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(
    expect.arrayContaining([
      '/transitions/0/post/0/call/inputs/v MISSING',
      '/transitions/0/post/0/call/unit UNIT_MISMATCH',
    ]),
  );
});

test('the request stands in a definition without faults', () => {
  const { transitions } = rated();
  const { contract, faults } = checkDraft({ ...rated(), transitions: [request, ...transitions.slice(1)] });
  expect(faults).toEqual([]);
  if (contract === undefined) return;
  const answered = readScenarios([
    {
      name: 'asks',
      steps: [
        { send: 'ask', payload: { currency: 'EUR' }, expect: { called: ['GET https://rates.example/latest rated'] } },
        { send: 'rated', by: 'engine', payload: { rate: 2 }, expect: { context: { rate: 2 } } },
      ],
    },
  ]);
  const trial = runScenarios(contract, answered, environment);
  expect(trial.results.map(({ isMet }) => isMet)).toEqual([true]);
});
