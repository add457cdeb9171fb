// Attack: requests whose plan takes seconds: meshes and outlines, sweeps of them, sweeps whose points are all refused. They
// are planned in workers, as far as a call may go; what is malformed is refused with its line, never with a 5xx.

import { afterEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { fea } from '../../src/solvers/fea/solver.ts';
import { heat } from '../../src/solvers/heat/solver.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const { verdicts } = service.running;
afterEach(() => void vi.restoreAllMocks());

const solve = (solver: string, json: Json) => service.call(`POST /api/svc/${solver}`, { as: 'demo', json });

/** A square of n × n elements with a side `1` below and a side `2` above; the counts may lie. */
function square(n: number, { nodes = (n + 1) ** 2, elements = n * (n + 2) } = {}): string {
  const id = (i: number, j: number) => j * (n + 1) + i + 1;
  const each = <Line>(rows: number, columns: number, line: (i: number, j: number) => Line) =>
    Array.from({ length: rows * columns }, (_, at) => line(at % columns, Math.floor(at / columns)));
  const points = each(n + 1, n + 1, (i, j) => `${id(i, j)} ${i} ${j} 0`);
  const sides = each(1, n, (i) => [
    `1 2 1 1 ${id(i, 0)} ${id(i + 1, 0)}`,
    `1 2 2 2 ${id(i, n)} ${id(i + 1, n)}`,
  ]).flat();
  const quads = each(n, n, (i, j) => `3 2 9 9 ${id(i, j)} ${id(i + 1, j)} ${id(i + 1, j + 1)} ${id(i, j + 1)}`);
  const numbered = [...sides, ...quads].map((line, at) => `${at + 1} ${line}`);
  return [
    ...['$MeshFormat', '2.2 0 8', '$EndMeshFormat', '$Nodes', `${nodes}`, ...points, '$EndNodes'],
    ...['$Elements', `${elements}`, ...numbered, '$EndElements', ''],
  ].join('\n');
}
const body = (mesh: string, more: Json = {}): Json => ({ mesh, supports: '1 fixed', loads: '2 ty=-1', ...more });
const E = (count: number) => ({ sweep: { E: { from: 1e9, to: 2e9, count } } });

test('a mesh, an outline and a sweep of a solver are planned in a worker, a small request is not', async () => {
  const here = [vi.spyOn(fea, 'plan'), vi.spyOn(heat, 'plan')];
  const inWorker = vi.spyOn(verdicts, 'planInWorker');
  const outline = { outline: '0 0; 3 0; 3 1; 0 1', supports: 'edge4 fixed', loads: 'edge2 ty=-1' };
  const long = [
    solve('fea', body(square(8))),
    solve('fea', outline),
    solve('heat', { sweep: { alpha: { from: 0.5, to: 1, count: 3 } } }),
  ];
  for (const { status, text } of await Promise.all(long)) expect(status, text).toBe(200);
  expect(inWorker).toHaveBeenCalledTimes(long.length);
  for (const plan of here) expect(plan).not.toHaveBeenCalled();
  expect((await solve('heat', {})).status).toBe(200);
  expect(inWorker).toHaveBeenCalledTimes(long.length);
});

test('a sweep of a mesh is planned until it needs too much, and estimated to its end', async () => {
  const answer = await solve('fea', body(square(40), E(LIMITS.sweep.runs)));
  expect(answer.json()).toMatchObject({ ok: false, code: 'BUDGET_EXCEEDED', estimate_seconds: expect.any(Number) });
  expect(answer.status).toBe(422);
  expect(Number(answer.json().estimate_seconds) * 1e9).toBeGreaterThan(LIMITS.kernel.budgetNs);
});

test('all points of a sweep with a malformed mesh of 380 kB are refused: 422 with the line, no crash', async () => {
  const answer = await solve('fea', body(square(90, { elements: 8_281 }), E(LIMITS.sweep.runs)));
  expect([answer.status, answer.json().code], answer.text.slice(0, 300)).toEqual([422, 'VALIDATION_FAILED']);
  expect(answer.json().error).toMatch(/^All 512 points of the sweep are refused, the first: mesh, line \d+/);
}, 120_000);

test.each([
  ['cut short', square(20).slice(0, 6_000)],
  ['a lying count of nodes', square(8, { nodes: 1e9 })],
  ['a lying count of elements', square(8, { elements: 3 })],
  ['NaN', square(8).replace('\n5 4 0 0', '\n5 NaN 0 0')],
  ['an infinite coordinate', square(8).replace('\n5 4 0 0', '\n5 1e999 0 0')],
  ['a coordinate of 1e308', square(8).replace('\n5 4 0 0', '\n5 1e308 0 0')],
  ['nodes in one place', square(8).replaceAll(/\n(\d+) \d+ \d+ 0(?=\n)/g, '\n$1 1 1 0')],
  ['one line of 450,000 numbers', `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n${'1 '.repeat(450_000)}`],
  ['450,000 empty lines', '\n'.repeat(450_000)],
  ['450,000 sections', '$A\n$EndA\n'.repeat(50_000)],
  ['too many elements', square(120)],
])('a mesh with %s is refused with a reason', async (_, mesh) => {
  const answer = await solve('fea', body(mesh));
  expect([answer.status, answer.json().code], answer.text.slice(0, 300)).toEqual([422, 'VALIDATION_FAILED']);
  expect(answer.json().error).toMatch(/^(mesh|The matrix|got)/);
});

test('10,000 points that a law refuses are tried in a worker, and named by the first', async () => {
  const inWorker = vi.spyOn(verdicts, 'computeInWorker');
  const sweep = { v: { from: -1e300, to: -1e290, count: 10_000 } };
  const json = { domain: 'CM', operators: ['CM9'], inputs: { m: 2 }, sweep };
  const answer = await service.call('POST /api/svc/compute', { as: 'demo', json });
  expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(answer.json().error).toContain('All 10000 points of the sweep are refused, the first: CM9.v is -1e+300');
  expect(inWorker).toHaveBeenCalledTimes(1);
});

test('a sweep whose first points are refused has the others, and a replay agrees', async () => {
  const sweep = { v: { from: -30, to: 9, count: 40 } };
  const json = { domain: 'CM', operators: ['CM9'], inputs: { m: 2 }, sweep, self_contained: true };
  const answer = await service.call('POST /api/svc/compute', { as: 'demo', json });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  expect(answer.json()).toMatchObject({ value: 81, table: { refused: [{ from: 0, to: 29 }] } });
  const replay = await service.call('POST /api/svc/replay', { body: answer.text });
  expect(replay.json()).toMatchObject({ equal: true });
});
