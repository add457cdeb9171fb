// Sweeps and unknowns of laws as tools: their text, the outline of their rows, and a receipt that verifies.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient } from './rpc-client.ts';

const service = await startService();
const mcp = new RpcClient(service.running.url);
const key = service.keys.write;

type Structure = Record<string, unknown> & { complete: { href: string } };

async function compute(given: Record<string, unknown>) {
  const { content, structuredContent, isError } = await mcp.call('svc_compute', given, { key });
  return { text: content[0]?.text ?? '', structure: structuredContent as Structure, isError };
}

async function expectVerified({ complete }: Structure): Promise<void> {
  const { structuredContent } = await mcp.call('svc_verify', { receipt: complete.href }, { key });
  expect(structuredContent).toMatchObject({ valid: true, kind: 'computation' });
}

test('a sweep of ten thousand points is a text with its ends, and an outline instead of the rows', async () => {
  const sweep = { v: { from: 1, to: 9, count: 10_000 } };
  const { text, structure } = await compute({ domain: 'CM9', inputs: { m: 2 }, sweep });
  expect(text.length).toBeLessThanOrEqual(LIMITS.toolSummaryCharacters);
  expect(text).toMatch(/^Sweep of 10,000 rows over v: 1 to 9 m\/s.* First v = 1 m\/s: 1 ± .* Last v = 9 m\/s: 81 ± /);
  expect(structure.table).toMatchObject({
    columns: ['v', 'value', 'uncertainty'],
    shape: [10_000, 3],
    outline: { first: [1, 1, expect.any(Number)], last: [9, 81, expect.any(Number)] },
  });
  expect(structure.table).not.toHaveProperty('rows');
  await expectVerified(structure);
});

test('an unknown is named with its value, its ± and the number of its roots', async () => {
  const given = { domain: 'CM9', inputs: { m: 2, K: 100 }, uncertainties: { K: 1 }, solve_for: 'v' };
  const { text, structure } = await compute(given);
  expect(structure).toMatchObject({ solve_for: 'v', value: 10, unit: 'm/s', all_roots: true });
  expect(text).toMatch(/^v = 10 m\/s/);
  expect(text).toContain('All roots in its range: root 1 of 1 = 10 m/s');
  await expectVerified(structure);
});

test('an unknown is found at every point of a sweep', async () => {
  const { text, structure } = await compute({
    domain: 'CM9',
    inputs: { m: 2 },
    solve_for: 'v',
    sweep: { K: [4, -1, 16] },
  });
  expect(text).toMatch(/^Sweep of 3 rows over K: 4, -1, 16 J\..* Refused rows: 1 \(ROOT_NOT_FOUND\)/);
  expect(structure.table).toMatchObject({ refused: [{ from: 1, to: 1, code: 'ROOT_NOT_FOUND' }] });
  expect((structure.table as { rows: unknown[][] }).rows.map(([, value]) => value)).toEqual([2, null, 4]);
  await expectVerified(structure);
});

test('an unknown without a root is a tool error that says where it was looked for', async () => {
  const { text, isError } = await compute({ domain: 'CM9', inputs: { m: 2, K: -1 }, solve_for: 'v' });
  expect(isError).toBe(true);
  expect(text).toMatch(/^ROOT_NOT_FOUND: .* from 0 up to .* for v that gives K = -1 J/);
});
