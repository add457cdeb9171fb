// Cook's membrane compared with CalculiX: the same four-node elements on the same mesh, and the same answer.
//
//   node bench/fea.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. The kernel solves three meshes (its ± needs them); CalculiX solves the
// finest alone, with reading its file and writing its result, without which it does not run. Needs ccx on the PATH
// (Debian calculix-ccx). CalculiX expands plane elements to bricks, so its answer differs in the fourth digit.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KernelOutput } from '../src/kernels/abi.ts';
import type { FeaFace } from '../src/solvers/fea/face.ts';
import { inputs } from '../src/solvers/fea/inputs.ts';
import { planOf } from '../src/solvers/fea/plan.ts';
import { solutionOf } from '../src/solvers/fea/solution.ts';
import { startKernel } from './harness/kernel.ts';
import { programPeer } from './harness/peer.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const [given = '3'] = process.argv.slice(2);
const runKernel = await startKernel('fea');
const folder = mkdtempSync(join(tmpdir(), 'svc-fea-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** The membrane on n by n elements in the format of Abaqus. @returns the path without its extension */
function deck(n: number): string {
  const node = (i: number, j: number) => i * (n + 1) + j + 1;
  const lines = ['*NODE'];
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= n; j++) {
      const xi = i / n;
      lines.push(`${node(i, j)}, ${48 * xi}, ${44 * xi + (j / n) * (44 - 28 * xi)}, 0`);
    }
  lines.push('*ELEMENT, TYPE=CPS4, ELSET=ALL');
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      lines.push([i * n + j + 1, node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)].join(', '));
  lines.push('*MATERIAL, NAME=M', '*ELASTIC', `1, ${1 / 3}`, '*SOLID SECTION, ELSET=ALL, MATERIAL=M', '1');
  lines.push('*BOUNDARY', ...Array.from({ length: n + 1 }, (_, j) => `${node(0, j)}, 1, 2`));
  lines.push('*STEP', '*STATIC', '*CLOAD');
  for (let j = 0; j <= n; j++) lines.push(`${node(n, j)}, 2, ${(j === 0 || j === n ? 0.5 : 1) / n}`);
  lines.push('*NSET, NSET=TIP', `${node(n, n / 2)}`, '*NODE PRINT, NSET=TIP', 'U', '*END STEP');
  const path = join(folder, `cook-${n}`);
  writeFileSync(`${path}.inp`, `${lines.join('\n')}\n`);
  return path;
}

/** The deflection that CalculiX has written. */
function deflection(path: string): number {
  const [, , uy] = /^\s+\d+\s+(\S+)\s+(\S+)\s+\S+\s*$/m.exec(readFileSync(`${path}.dat`, 'utf8')) ?? [];
  return Number(uy);
}

printHead('Cook, elements', 'fea ms', 'ccx ms (wall)', 'fea / ccx', 'fea m', 'ccx m', 'target');
for (const n of [32, 64, 128]) {
  const input = inputs.parse({ problem: 'cook', element: 'full', nx: n, ny: n });
  const [run] = planOf(input).runs;
  if (!run) throw new Error('The plan has no run.');
  const path = deck(n);
  const ccx = programPeer(
    'sh',
    () => ['-c', `s=$(date +%s%N); ccx -i ${path} >/dev/null; e=$(date +%s%N); echo wall $(( (e - s) / 1000 ))`],
    (printed) => ({ time: Number(/wall (\d+)/.exec(printed)?.[1]) / 1e6, result: [deflection(path)] }),
    [0],
  );
  const { own, peer } = await fastestOf(Number(given), {
    own: () => timeBatch(() => runKernel(run)),
    peer: () => ccx.time(path),
  });
  const { value } = solutionOf([own.result as KernelOutput<FeaFace>], input);
  printRow(
    `${n} × ${n}`,
    fixed(own.time * 1e3, 1),
    fixed(peer.time * 1e3, 1),
    fixed(own.time / peer.time, 3),
    fixed(value, 5),
    fixed(peer.result[0] ?? Number.NaN, 5),
    n === 128 ? '≤ 0.33' : '',
  );
  ccx.stop();
}
