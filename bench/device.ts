// Poisson's equation in the unit square compared with scipy's conjugate gradients: the same matrix and tolerance, so equal
// accuracy; one thread each, in turn.
//
//   node bench/device.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy on the PATH. The kernel's time includes
// its levels and the copies of its arrays; that of scipy is the iteration alone.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { DeviceFace } from '../src/solvers/device/face.ts';
import { inputs } from '../src/solvers/device/inputs.ts';
import { planOf } from '../src/solvers/device/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const MIDDLE = 0.07367135328151382;
const TOLERANCE = 1e-10;
const [given = '5'] = process.argv.slice(2);
const runKernel = await startKernel('device');
const peer = startPythonPeer('device.py');
printHead('cells', 'kernel ms', 'scipy ms', 'kernel / scipy', 'iterations', 'of scipy', 'error', 'of scipy', 'target');
for (const cells of [64, 128, 256]) {
  const input = { mode: 'plane', top: '0', source: '1', nx: cells, ny: cells, tolerance: TOLERANCE };
  const [run] = planOf(inputs.parse(input)).runs;
  if (!run) throw new Error('The plan has no run.');
  const { own, other } = await fastestOf(Number(given), {
    own: () => timeBatch(() => runKernel(run as KernelRun<DeviceFace>)),
    other: () => peer.time(cells, TOLERANCE),
  });
  const { views, statistics } = own.result;
  const middle = views.potential?.[(cells / 2) * (cells + 1) + cells / 2] ?? Number.NaN;
  printRow(
    `${cells}²`,
    fixed(own.time * 1e3, 2),
    fixed(other.time * 1e3, 2),
    fixed(own.time / other.time, 3),
    String(statistics.iterations ?? 0),
    String(other.result[1] ?? 0),
    scientific(Math.abs(middle - MIDDLE), 1),
    scientific(Math.abs((other.result[0] ?? Number.NaN) - MIDDLE), 1),
    cells === 256 ? '≤ 0.2' : '',
  );
}
peer.stop();
