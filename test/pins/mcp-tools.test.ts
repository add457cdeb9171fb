// The published tools: their names, their order and their bytes (mcp-tools.json). A red pin asks whether the change was
// meant; `vitest run test/pins -u` accepts it, as it does for every pin of this folder.

import { describe, expect, test } from 'vitest';
import { createToolRegistry, TOOL_PROFILES } from '../../src/mcp/tools.ts';
import { solverOperation } from '../../src/operations/compute/solve.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { LARGE_SOLVERS } from '../mcp/solver-fixture.ts';

const tools = createToolRegistry(OPERATIONS);
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/**
 * Bytes. A model's context is paid for by every user in every call: 60 kB for the 57 tools of the specification. Most
 * of them are solvers, so one of usual size gets 1.2 kB.
 */
const BUDGET = { all: 60_000, core: 20_000, tool: 3_000, largestSolver: 2_000, solver: 1_200 };
/** Tools of the specification: solvers and others. */
const SPECIFIED = { all: 57, solvers: 33 };

test('names, order and bytes', async () => {
  const rows = tools.list('all').map((row) => [row.name, sizeOf(row)]);
  expect(rows.length).toBeGreaterThan(20);
  await expect(`${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`).toMatchFileSnapshot('mcp-tools.json');
});

test('every list keeps within its budget', () => {
  expect(sizeOf(tools.list('core'))).toBeLessThanOrEqual(BUDGET.core);
  for (const profile of TOOL_PROFILES) expect(sizeOf(tools.list(profile)), profile).toBeLessThanOrEqual(BUDGET.all);
  for (const row of tools.list('all')) expect(sizeOf(row), row.name).toBeLessThanOrEqual(BUDGET.tool);
});

describe('with forty solvers of twenty inputs', () => {
  const isSolver = ({ solver }: { readonly solver?: string }) => solver !== undefined;
  const others = OPERATIONS.filter((operation) => !isSolver(operation));
  const list = createToolRegistry([...others, ...LARGE_SOLVERS.map(solverOperation)]).list('all');
  const names = new Set(LARGE_SOLVERS.map(({ id }) => `svc_${id}`));
  const solvers = list.filter(({ name }) => names.has(name));
  const rest = list.filter(({ name }) => !names.has(name));

  test('all tools of the specification take at most 60 kB', () => {
    expect(solvers).toHaveLength(40);
    // The tools that are still to come, each as large as those of today are on average.
    const missing = SPECIFIED.all - SPECIFIED.solvers - rest.length;
    const total = sizeOf(list) + missing * (sizeOf(rest) / rest.length);
    expect(Math.round(total)).toBeLessThanOrEqual(BUDGET.all);
  });

  test('a solver of usual size keeps within the budget of a solver', () => {
    for (const row of solvers) expect(sizeOf(row), row.name).toBeLessThanOrEqual(BUDGET.solver);
    for (const { mcp } of OPERATIONS.filter(isSolver)) {
      const row = tools.find(mcp?.tool ?? '')?.listing;
      expect(sizeOf(row), mcp?.tool).toBeLessThanOrEqual(BUDGET.largestSolver);
    }
  });
});

test('a name stands once, in the form that clients accept', () => {
  expect(new Set(tools.names).size).toBe(tools.names.length);
  for (const name of tools.names) expect(name).toMatch(/^svc_[a-z_]{2,50}$/);
});
