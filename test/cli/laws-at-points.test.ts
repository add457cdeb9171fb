// svc compute with many points or an unknown: in the process of the command, and from a node with a receipt.

import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../http/service-fixture.ts';
import { svc } from './run-svc.ts';

const service = await startService();
const folder = await mkdtemp(join(tmpdir(), 'svc-points-'));
const NODE = ['--url', service.running.url];
const env = { SVC_KEY: service.keys.write };
const UNKNOWN = ['compute', 'CM9', 'm=2kg', '--solve-for', 'v'];

test.each([
  ['here', []],
  ['by a node', NODE],
])('a sweep of a law %s has its rows as lines', async (_, where) => {
  const args = ['compute', 'CM9', 'm=2', '--sweep', 'v=10..40:4', '--csv', ...where];
  const { code, stdout } = await svc(args, env);
  expect(code).toBe(0);
  const [head, ...rows] = stdout.trimEnd().split('\n');
  expect(head).toBe('v [m/s],value [J],uncertainty [J],status');
  expect(rows.map((row) => row.split(',').slice(0, 2).map(Number))).toEqual([
    [10, 100],
    [20, 400],
    [30, 900],
    [40, 1600],
  ]);
});

test.each([
  ['here', []],
  ['by a node', NODE],
])('an unknown is found %s, with its ± and its roots', async (_, where) => {
  const { code, stdout } = await svc([...UNKNOWN, 'K=100±2J', ...where], env);
  expect(code).toBe(0);
  expect(stdout).toContain('10.00 ± 0.20 m/s');
  expect(stdout).toContain('v has 1 root, proved to be all in its range');
});

test.each([
  ['here', []],
  ['by a node', NODE],
])('an unknown is found at every point %s', async (_, where) => {
  const { code, stdout } = await svc([...UNKNOWN, '--sweep', 'K=-1,4,16', '--csv', ...where], env);
  expect(code).toBe(0);
  const rows = stdout.trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(',')).map(([K, v, , status]) => [K, v, status])).toEqual([
    ['-1', '', 'ROOT_NOT_FOUND'],
    ['4', '2', ''],
    ['16', '4', ''],
  ]);
});

test('the receipt of an unknown at many points is verified offline and replays', async () => {
  const output = join(folder, 'receipt.json');
  const sealed = await svc([...UNKNOWN, '--sweep', 'K=1..9:9', '--output', output, ...NODE], env);
  expect(sealed.code).toBe(0);
  expect(JSON.parse(await readFile(output, 'utf8'))).toMatchObject({ solve_for: 'v', table: { shape: [9, 3] } });
  const jwks = join(folder, 'jwks.json');
  await writeFile(jwks, await (await fetch(`${service.running.url}/api/.well-known/jwks.json`)).text());
  for (const command of ['verify', 'replay']) expect((await svc([command, output, '--jwks', jwks])).code).toBe(0);
});

test('an unknown that is given, and one that does not exist, are refused by name', async () => {
  const given = await svc([...UNKNOWN, 'K=1', 'v=1'], env);
  expect([given.code, given.stderr]).toEqual([2, expect.stringMatching(/\bv\b/)]);
  const unknown = await svc(['compute', 'CM9', 'm=2', 'K=1', '--solve-for', 'w'], env);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/\bw\b.*\bv\b/)]);
});
