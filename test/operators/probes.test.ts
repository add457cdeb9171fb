// Probes of the laws: inputs that a person of the field would type are answered, obvious nonsense is refused.
//
// The numbers in probes/*.json were written from id, name, equation, symbols and units alone, without the ranges. Where
// a probe fails, the law's ranges or requirements are mended, not the probe. further-probes.json is by another author, for
// every fifth law; three of its ordinary rows were wrong (two beyond a stated validity, one without a steady state).

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { bindChain } from '../../src/operators/bind.ts';
import { planChain } from '../../src/operators/chain.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { runPlan } from '../../src/solvers/run.ts';

interface Probe {
  /** Symbols; the numbers of each row are theirs, in the units that the law declares. */
  readonly inputs: readonly string[];
  readonly ordinary: readonly (readonly number[])[];
  readonly nonsense?: readonly number[];
  /** What is nonsense about it. */
  readonly why?: string;
}

const ORDINARY = 3;
/** The first link of every chain. */
const PULSE = findOperator('KO42');
const FOLDER = new URL('./probes/', import.meta.url);
const image = await loadKernel(EXPRESSION_KERNEL);
const runner = new LocalRunner();

function probesOf(file: string): Record<string, Probe> {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
}

/** Value and ±, or the refusal in its own words. */
async function answer(id: string, symbols: readonly string[], row: readonly number[]): Promise<string> {
  const inputs = Object.fromEntries(symbols.map((symbol, i) => [symbol, row[i] ?? Number.NaN]));
  try {
    const bound = bindChain([PULSE, findOperator(id)], { inputs, consts: {}, units: {}, uncertainties: {} });
    if (bound.kind === 'gate') return `refused: ${bound.gate.reason}`;
    const work = planChain(bound.chain);
    const { outputs } = await runPlan({ ...work, estimateNs: 0, estimateBytes: 0 }, image, runner);
    const result = work.collect(outputs).results.at(-1);
    return `${result?.value} ± ${result?.uncertainty}`;
  } catch (error) {
    if (error instanceof DomainError) return `refused: ${error.message}`;
    throw error;
  }
}

const NUMBERS = /^-?\d\S* ± \d\S*$/;

test('every domain has a file', () => {
  const prefixes = new Set([...OPERATORS.values()].map(({ prefix }) => prefix));
  expect(readdirSync(FOLDER).sort()).toEqual([...prefixes].map((prefix) => `${prefix}.json`).sort());
});

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const probes = probesOf(file);

  test('probes every law of its domain', () => {
    const prefix = file.replace('.json', '');
    const ids = [...OPERATORS.values()].filter((operator) => operator.prefix === prefix).map(({ id }) => id);
    expect(Object.keys(probes).sort()).toEqual(ids.sort());
  });

  test.each(Object.entries(probes))('%s', async (id, { inputs, ordinary, nonsense, why }) => {
    expect([...inputs].sort()).toEqual(Object.keys(findOperator(id).inputs).sort());
    expect(new Set(ordinary.map((row) => row.join())).size).toBe(ORDINARY);
    for (const row of ordinary) {
      expect(row.length).toBe(inputs.length);
      expect.soft(await answer(id, inputs, row), `ordinary: ${row.join(', ')}`).toMatch(NUMBERS);
    }
    expect(nonsense === undefined).toBe(why === undefined);
    if (nonsense === undefined) return;
    expect(nonsense.length).toBe(inputs.length);
    expect.soft(await answer(id, inputs, nonsense), `nonsense: ${why}`).toMatch(/^refused: /);
  });
});

describe('another author', () => {
  const further: Record<string, Pick<Probe, 'inputs' | 'ordinary'> & { readonly nonsense?: Probe['ordinary'] }> =
    JSON.parse(readFileSync(new URL('./further-probes.json', import.meta.url), 'utf8'));

  test('probes every fifth law', () => {
    expect(Object.keys(further).length).toBeGreaterThanOrEqual(70);
    expect(new Set(Object.keys(further).map((id) => findOperator(id).prefix)).size).toBeGreaterThanOrEqual(14);
  });

  test.each(Object.entries(further))('%s', async (id, { inputs, ordinary, nonsense = [] }) => {
    for (const row of ordinary)
      expect.soft(await answer(id, inputs, row), `ordinary: ${row.join(', ')}`).toMatch(NUMBERS);
    for (const row of nonsense)
      expect.soft(await answer(id, inputs, row), `nonsense: ${row.join(', ')}`).toMatch(/^refused: /);
  });
});
