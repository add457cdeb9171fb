import { describe, expect, test } from 'vitest';
import { EXPRESSION_FACE, EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import type { KernelFace } from '../../src/kernels/face.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { kernelSlugs, loadKernel } from '../../src/kernels/load-node.ts';
import { type KernelPositions, readPositions } from '../../src/kernels/positions.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { coldInstance } from '../suites/run-solver.ts';

const FACES: ReadonlyMap<string, KernelFace> = new Map([
  ...SOLVERS.map(({ id, kernel }) => [id, kernel] as const),
  [EXPRESSION_KERNEL, EXPRESSION_FACE] as const,
]);

/** All names by kind: "parameter steps", "history column heat". */
function namesOfFace({ parameters, views, statistics, columns }: KernelFace): Set<string> {
  return new Set([
    ...parameters.map((name) => `parameter ${name}`),
    ...views.map((name) => `view ${name}`),
    ...statistics.map((name) => `statistic ${name}`),
    ...Object.entries(columns).flatMap(([record, names]) => names.map((name) => `${record} column ${name}`)),
  ]);
}

function namesOfKernel({ parameters, views, statistics, columns }: KernelPositions): Set<string> {
  const names = ([record, members]: readonly [string, object]) => [record, Object.keys(members)] as const;
  return namesOfFace({
    parameters: [...parameters.keys()],
    views: [...views.keys()],
    statistics: [...statistics.keys()],
    columns: Object.fromEntries(Object.entries(columns).map(names)),
  });
}

/** Names that only one of the two has. */
function differences(face: KernelFace, positions: KernelPositions): string[] {
  const [ofFace, ofKernel] = [namesOfFace(face), namesOfKernel(positions)];
  return [
    ...[...ofFace].filter((name) => !ofKernel.has(name)).map((name) => `face only: ${name}`),
    ...[...ofKernel].filter((name) => !ofFace.has(name)).map((name) => `kernel only: ${name}`),
  ];
}

test('every built kernel has a face', async () => {
  expect([...FACES.keys()].sort()).toEqual([...(await kernelSlugs())].sort());
});

describe.each([...FACES])('kernel %s', (slug, face) => {
  test('shares all its names with its face', async () => {
    const { positions } = await coldInstance(slug);
    expect(differences(face, positions)).toEqual([]);
    expect(namesOfKernel(positions).size).toBeGreaterThan(4);
  });

  test('counts the positions of each kind from 0, without a gap', async () => {
    const { parameters, views, statistics, columns } = (await coldInstance(slug)).positions;
    const records = Object.values(columns).map((positions) => Object.values(positions));
    for (const positions of [[...parameters.values()], [...views.values()], [...statistics.values()], ...records]) {
      expect(positions.toSorted((a, b) => a - b)).toEqual(positions.map((_, i) => i));
    }
  });
});

test('a name that face and kernel do not share is found, on either side and of each kind', async () => {
  const { positions } = await coldInstance('heat');
  const face = FACES.get('heat');
  if (!face) throw new Error('heat has no face.');
  const planted: KernelFace = {
    parameters: [...face.parameters, 'nx'],
    views: face.views.filter((name) => name !== 'frames'),
    statistics: ['builds'],
    columns: { history: (face.columns.history ?? []).map((name) => (name === 'heat' ? 'warmth' : name)) },
  };
  expect(differences(planted, positions)).toEqual([
    'face only: parameter nx',
    'face only: statistic builds',
    'face only: history column warmth',
    'kernel only: view frames',
    'kernel only: statistic faultProgram',
    'kernel only: statistic faultX',
    'kernel only: statistic faultY',
    'kernel only: statistic faultT',
    'kernel only: history column heat',
  ]);
});

test('instances of one module share the positions that the first has read', async () => {
  const module = await compileKernel(await loadKernel('heat'));
  expect(instantiate(module).positions).toBe(instantiate(module).positions);
});

test('a position outside the control block, or no integer, is rejected', () => {
  const exportsWith = (value: unknown) => ({ Parameter: { steps: { value } } });
  expect(readPositions('k', exportsWith(63)).parameters.get('steps')).toBe(63);
  for (const value of [64, -1, 0.5, Number.NaN, 1n, '1', undefined]) {
    expect(() => readPositions('k', exportsWith(value)), String(value)).toThrow(/k exports Parameter\.steps = /);
  }
  expect(() => readPositions('k', { View: { __proto__x: { value: 0 } } })).toThrow(/View\.__proto__x/);
});
