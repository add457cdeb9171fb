// The kernel of flow compared with icoFoam (PISO with central differences): the cavity of 64 by 64 cells at Re 100, from
// rest to t = 30.
//
//   node bench/flow.ts [rounds]
//
// CPU time, the minimum over interleaved rounds; that of icoFoam is its ExecutionTime, without the mesh. Errors are of
// the smallest u on the vertical through the middle, against Botella & Peyret (1998). Needs icoFoam and blockMesh on the
// PATH; without them the peer is omitted.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KernelRun } from '../src/kernels/abi.ts';
import type { FlowFace } from '../src/solvers/flow/face.ts';
import { extremeOf, verticalProfile } from '../src/solvers/flow/fields.ts';
import { problemOf } from '../src/solvers/flow/problem.ts';
import { flow } from '../src/solvers/flow/solver.ts';
import { startKernel } from './harness/kernel.ts';
import { peerPath } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { timeBatch } from './harness/timing.ts';

const N = 64;
const U_MIN = -0.2140424;
const CASES = [
  ['cubic', 600],
  ['cubic', 300],
  ['linear', 600],
  ['maccormack', 600],
] as const;

/** Debian keeps the settings of OpenFOAM here, and sets no variable. */
const env = { WM_PROJECT_DIR: '/usr/share/openfoam', ...process.env };

const runKernel = await startKernel('flow');

interface Timed {
  time: number;
  uMin: number;
}

/** Seconds of CPU time, and the smallest u; NaN if the programs are missing. */
function timeFoam(): Timed {
  const folder = mkdtempSync(join(tmpdir(), 'svc-flow-'));
  try {
    cpSync(peerPath('flow-cavity'), folder, { recursive: true });
    spawnSync('blockMesh', ['-case', folder], { env });
    const { stdout, error } = spawnSync('icoFoam', ['-case', folder], { env, encoding: 'utf8', maxBuffer: 1e9 });
    if (error) return { time: Number.NaN, uMin: Number.NaN };
    const times = [...stdout.matchAll(/ExecutionTime = (\S+) s/g)];
    const vectors = [...readFileSync(join(folder, '30/U'), 'utf8').matchAll(/^\((\S+) \S+ \S+\)$/gm)].map(([, u]) =>
      Number(u),
    );
    // The middle lies between two columns of cells.
    const middle = Array.from(
      { length: N },
      (_, j) => (at(vectors, j * N + N / 2 - 1) + at(vectors, j * N + N / 2)) / 2,
    );
    const places = Float64Array.from({ length: N + 2 }, (_, j) => j);
    const uMin = extremeOf({ places, values: Float64Array.from([0, ...middle, 1]) }, 1);
    return { time: Number(times.at(-1)?.[1] ?? Number.NaN), uMin };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}

const rounds = Number(process.argv[2] ?? 2);
const foam: Timed = { time: Number.POSITIVE_INFINITY, uMin: Number.NaN };
const own = CASES.map(() => ({ time: Number.POSITIVE_INFINITY, uMin: Number.NaN }));
const inputs = CASES.map(([scheme, steps]) => flow.inputs.parse({ N, steps, dt: 30 / steps, scheme }));
for (let round = 0; round < rounds; round++) {
  const { time, uMin } = timeFoam();
  foam.uMin = uMin;
  foam.time = Math.min(foam.time, time);
  for (const [k, input] of inputs.entries()) {
    const run = flow.plan(input).runs[0] as KernelRun<FlowFace>;
    const { time: seconds, result } = timeBatch(() => runKernel(run).views);
    const level = problemOf(input).levels[0];
    const velocity = { level, u: result.u ?? new Float64Array(), v: result.v ?? new Float64Array() };
    const mine = own[k];
    if (mine === undefined) continue;
    mine.time = Math.min(mine.time, seconds);
    mine.uMin = extremeOf(verticalProfile(velocity, 1), 1);
  }
}
printHead(
  'interpolation',
  'steps',
  'kernel s',
  'icoFoam s',
  'icoFoam / kernel',
  'error',
  'error of icoFoam',
  'ns per cell and step',
  'target',
);
for (const [k, [scheme, steps]] of CASES.entries()) {
  const { time, uMin } = own[k] ?? { time: Number.NaN, uMin: Number.NaN };
  printRow(
    scheme,
    String(steps),
    fixed(time, 3),
    fixed(foam.time, 2),
    fixed(foam.time / time, 1),
    scientific(Math.abs(uMin - U_MIN), 1),
    scientific(Math.abs(foam.uMin - U_MIN), 1),
    fixed((time * 1e9) / (steps * N * N), 0),
    '≥ 10',
  );
}
