// The published tools: their names, their order and their bytes. A red pin asks whether the change was meant.

import { expect, test } from 'vitest';
import { openToolBox, TOOL_PROFILES } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/index.ts';

const tools = openToolBox(OPERATIONS);
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The context of a model is paid for by every user in every call: 60 kB for the 57 tools of the specification. */
const BUDGET = { all: 60_000, core: 20_000, tool: 3_000 };
const SPECIFIED = 57;

test('names, order and bytes', () => {
  const rows = tools.rows('all').map((row) => `${row.name} ${sizeOf(row)}`);
  expect(rows).toEqual([
    'svc_pulse 289',
    'svc_compute 1188',
    'svc_find_operator 505',
    'svc_verify 1068',
    'svc_api_catalog 705',
    'svc_http 769',
    'svc_field_status 297',
    'svc_list_operators 425',
    'svc_science_domains 303',
    'svc_domain_match 542',
    'svc_evolve 2470',
    'svc_heat 1875',
    'svc_schrodinger 2944',
    'svc_unified 2979',
    'svc_spin_up 457',
    'svc_observer 403',
    'svc_contract_templates 373',
    'svc_contract_generate 433',
    'svc_contract_list 507',
    'svc_contract_deploy 763',
    'svc_contract_get 558',
    'svc_contract_fire 606',
  ]);
});

test('every list keeps within its budget', () => {
  expect(sizeOf(tools.rows('core'))).toBeLessThanOrEqual(BUDGET.core);
  for (const profile of TOOL_PROFILES) expect(sizeOf(tools.rows(profile)), profile).toBeLessThanOrEqual(BUDGET.all);
  for (const row of tools.rows('all')) expect(sizeOf(row), row.name).toBeLessThanOrEqual(BUDGET.tool);
  // What the tools still to come may take together.
  const left = BUDGET.all - sizeOf(tools.rows('all'));
  const missing = SPECIFIED - tools.names.length;
  expect(left / Math.max(1, missing)).toBeGreaterThan(missing === 0 ? -1 : 700);
});

test('a name stands once, in the form that clients accept', () => {
  expect(new Set(tools.names).size).toBe(tools.names.length);
  for (const name of tools.names) expect(name).toMatch(/^svc_[a-z_]{2,50}$/);
});
