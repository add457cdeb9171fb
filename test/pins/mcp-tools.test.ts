// The published tools: their names, their order and their bytes. A red pin asks whether the change was meant.

import { expect, test } from 'vitest';
import { createToolRegistry, TOOL_PROFILES } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/index.ts';

const tools = createToolRegistry(OPERATIONS);
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The context of a model is paid for by every user in every call: 60 kB for the 57 tools of the specification. */
const BUDGET = { all: 60_000, core: 20_000, tool: 3_000 };
const SPECIFIED = 57;

test('names, order and bytes', () => {
  const rows = tools.list('all').map((row) => `${row.name} ${sizeOf(row)}`);
  expect(rows).toEqual([
    'svc_pulse 289',
    'svc_compute 1188',
    'svc_find_operator 588',
    'svc_verify 1052',
    'svc_api_catalog 698',
    'svc_http 762',
    'svc_field_status 294',
    'svc_list_operators 425',
    'svc_science_domains 299',
    'svc_domain_match 536',
    'svc_evolve 2470',
    'svc_heat 1875',
    'svc_schrodinger 2948',
    'svc_unified 2997',
    'svc_spin_up 456',
    'svc_observer 395',
    'svc_contract_templates 522',
    'svc_contract_generate 433',
    'svc_contract_list 496',
    'svc_contract_deploy 735',
    'svc_contract_get 547',
    'svc_contract_fire 595',
  ]);
});

test('every list keeps within its budget', () => {
  expect(sizeOf(tools.list('core'))).toBeLessThanOrEqual(BUDGET.core);
  for (const profile of TOOL_PROFILES) expect(sizeOf(tools.list(profile)), profile).toBeLessThanOrEqual(BUDGET.all);
  for (const row of tools.list('all')) expect(sizeOf(row), row.name).toBeLessThanOrEqual(BUDGET.tool);
  // What the tools still to come may take together.
  const left = BUDGET.all - sizeOf(tools.list('all'));
  const missing = SPECIFIED - tools.names.length;
  expect(left / Math.max(1, missing)).toBeGreaterThan(missing === 0 ? -1 : 700);
});

test('a name stands once, in the form that clients accept', () => {
  expect(new Set(tools.names).size).toBe(tools.names.length);
  for (const name of tools.names) expect(name).toMatch(/^svc_[a-z_]{2,50}$/);
});
