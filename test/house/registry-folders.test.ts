// docs/adding-an-operator.md and docs/adding-a-template.md: one file adds a domain, one file adds a template.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { TEMPLATES } from '../../src/templates/load.ts';

const run = promisify(execFile);
const copy = mkdtempSync(join(tmpdir(), 'svc-registries-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** Removed from the copy, then added again with one operator. */
const DOMAIN = 'src/operators/domains/WM.json';
const others = [...OPERATORS.values()].filter(({ prefix }) => prefix !== 'WM');

const read = (name: string): Record<string, unknown> => JSON.parse(readFileSync(join(copy, name), 'utf8'));

function add(name: string, content: unknown): void {
  mkdirSync(dirname(join(copy, name)), { recursive: true });
  writeFileSync(join(copy, name), JSON.stringify(content));
}

beforeAll(() => {
  for (const name of ['src', 'package.json']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { prefix, operators } = read(DOMAIN) as { prefix: string; operators: object[] };
  rmSync(join(copy, DOMAIN));
  add(DOMAIN, { prefix, operators: [{ ...operators[0], id: 'WM99' }] });
  add('src/templates/a-new-category/slow-lane.json', {
    ...read('src/templates/api-and-traffic-control/rate-limiter.json'),
    id: 'slow-lane',
    category: 'A new category',
  });
});

/** Evaluates an expression over these operations in the copy. */
async function evaluate(expression: string): Promise<unknown> {
  const code = `
    import { operatorList, operatorRecord } from './src/operations/compute/operators.ts';
    import { listTemplates } from './src/operations/contracts/templates.ts';
    console.log(JSON.stringify(await ${expression}));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: copy });
  return JSON.parse(stdout);
}

test('the added domain is listed with its operator', async () => {
  expect(await evaluate('operatorList({})')).toMatchObject({ operators: others.length + 1 });
  expect(await evaluate("operatorList({ domain: 'WM' })")).toMatchObject({ operators: 1, rows: [{ id: 'WM99' }] });
  expect(await evaluate("operatorRecord('WM99')")).toMatchObject({ id: 'WM99', prefix: 'WM' });
});

test('the added template is listed', async () => {
  const { rows } = (await evaluate('listTemplates.handle({}, {})')) as { rows: { id: string; category: string }[] };
  expect(rows.map(({ id }) => id).sort()).toEqual([...TEMPLATES.keys(), 'slow-lane'].sort());
  expect(rows.find(({ id }) => id === 'slow-lane')?.category).toBe('A new category');
});
