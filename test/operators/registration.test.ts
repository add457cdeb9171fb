// Definition hashes and the kept list: what a hash depends on, and which definitions the project ever registered.

import { expect, test } from 'vitest';
import { appendDefinitions, printRegistered } from '../../scripts/gates/registered.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { definitionSha256 } from '../../src/operators/definition-hash.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import REGISTERED from '../../src/operators/registered.json' with { type: 'json' };
import { registration } from '../../src/operators/registered.ts';
import { registrationOf, WITHDRAWN } from '../../src/operators/registration.ts';

const qm5 = definitionOf(findOperator('QM5'));
const hash = definitionSha256(qm5) ?? '';
const constants = Object.fromEntries(
  Object.entries(qm5.constants ?? {}).map(([name, one]) => [name, { ...one, value: one.value * 2 }]),
);

test('a hash is that of the canonical JSON of what the number depends on', () => {
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(definitionSha256(JSON.parse(JSON.stringify(qm5)))).toBe(hash);
  expect(definitionSha256({ ...qm5, where: {} })).toBe(hash);
});

test('names and notes stay outside the hash', () => {
  const reworded = Object.entries(qm5.constants ?? {}).map(([name, one]) => [name, { ...one, note: 'reworded' }]);
  expect(definitionSha256({ ...qm5, name: 'Reworded', constants: Object.fromEntries(reworded) })).toBe(hash);
});

test.each([
  ['id', { id: 'QM6' }],
  ['equation', { equation: `${qm5.equation} + 0` }],
  ['where', { where: { a: '1' } }],
  ['symbol of the output', { output: { ...qm5.output, symbol: 'F' } }],
  ['unit of the output', { output: { ...qm5.output, unit: 'eV' } }],
  ['unit of an input', { inputs: { ...qm5.inputs, m: { ...qm5.inputs.m, unit: 'g' } } }],
  ['range of an input', { inputs: { ...qm5.inputs, m: { ...qm5.inputs.m, max: 7 } } }],
  ['default of an input', { inputs: { ...qm5.inputs, m: { ...qm5.inputs.m, default: 7 } } }],
  ['missing input', { inputs: {} }],
  ['value of a constant', { constants }],
  ['form of the inputs', { inputs: 'none' }],
])('another %s is another hash, and not registered', (_, change) => {
  const changed = { ...qm5, ...change };
  expect(definitionSha256(changed)).not.toBe(hash);
  expect(registration(changed)).toBe('not registered');
});

test('what canonical JSON cannot hold has no hash', () => {
  expect(definitionSha256(undefined)).toBeUndefined();
  expect(definitionSha256({ ...qm5, equation: '\ud800' })).toBeUndefined();
  expect(definitionSha256({ ...qm5, constants: { hbar: { value: Number.NaN, unit: '1' } } })).toBeUndefined();
  expect(registration(null)).toBe('not registered');
  expect(registration({ ...qm5, id: '__proto__' })).toBe('not registered');
});

test('every definition of today is registered', () => {
  expect(OPERATORS.size).toBeGreaterThan(376);
  for (const operator of OPERATORS.values())
    expect(registration(definitionOf(operator)), operator.id).toBe('registered');
});

test('a definition that the project held earlier is changed since; a foreign one is not registered', () => {
  const other = { ...qm5, equation: 'En = 1' };
  const later = { QM5: [hash, definitionSha256(other) ?? ''] };
  expect(registrationOf(qm5, later)).toBe('changed since');
  expect(registrationOf(other, later)).toBe('registered');
  expect(registrationOf(qm5, { QM5: [hash, WITHDRAWN] })).toBe('changed since');
  expect(registrationOf(qm5, { QM4: [hash] })).toBe('not registered');
  expect(registrationOf({ ...qm5, id: WITHDRAWN }, { QM5: [WITHDRAWN] })).toBe('not registered');
});

test('appending keeps every earlier hash, also of a law that is withdrawn or comes back', () => {
  const operator = findOperator('QM5');
  const changed = { ...operator, equation: 'En = 1' };
  const first = appendDefinitions({}, [operator]);
  const second = appendDefinitions(first, [changed]);
  expect(second).toEqual({ QM5: [hash, expect.stringMatching(/^[0-9a-f]{64}$/)] });
  expect(appendDefinitions(second, [changed])).toEqual(second);
  const withdrawn = appendDefinitions(second, []);
  expect(withdrawn.QM5).toEqual([...(second.QM5 ?? []), WITHDRAWN]);
  expect(appendDefinitions(withdrawn, []).QM5).toEqual(withdrawn.QM5);
  expect(appendDefinitions(withdrawn, [operator]).QM5).toEqual([...(withdrawn.QM5 ?? []), hash]);
  expect(JSON.parse(printRegistered(withdrawn))).toEqual(withdrawn);
});

test('the list begins as it began, in registry order', () => {
  const entries = Object.entries(REGISTERED as Record<string, readonly string[]>);
  expect(entries.length).toBeGreaterThanOrEqual(377);
  expect(Object.keys(REGISTERED).slice(0, OPERATORS.size)).toEqual([...OPERATORS.keys()]);
  // The first hash of QM5, CM9 and KO42 for ever.
  const first = ['QM5', 'CM9', 'KO42'].map((id) => REGISTERED[id as keyof typeof REGISTERED][0]?.slice(0, 16));
  expect(first).toEqual(['c9521ed8f9bc89a5', 'c193cd5c9449b03e', '83914d2e79474289']);
});
