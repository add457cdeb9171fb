// Critical loads of a column compared with scipy: the same Hermite elements, so equal accuracy; one thread each, in turn.
//
//   node bench/buckling.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy on the PATH. The kernel's time includes
// assembly, shapes and the count by inertia; that of scipy is the eigenvalues and vectors alone.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { BucklingFace } from '../src/solvers/buckling/face.ts';
import { inputs } from '../src/solvers/buckling/inputs.ts';
import { planOf } from '../src/solvers/buckling/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const [given = '7'] = process.argv.slice(2);
const runKernel = await startKernel('buckling');
const peer = startPythonPeer('buckling.py');
printHead('column', 'kernel ms', 'scipy ms', 'kernel / scipy', 'error of ours', 'error of scipy', 'target');
for (const kind of ['eigh', 'eigsh'])
  for (const elements of [16, 64, 128]) {
    const modes = 4;
    const [run] = planOf(inputs.parse({ EI: '1', length: 1, elements, modes })).runs;
    if (!run) throw new Error('The plan has no run.');
    const { own, other } = await fastestOf(Number(given), {
      own: () => timeBatch(() => runKernel(run as KernelRun<BucklingFace>)),
      other: () => peer.time(elements, modes, Number(kind === 'eigsh')),
    });
    const errorOf = (load: number | undefined) => scientific(Math.abs((load ?? Number.NaN) / Math.PI ** 2 - 1), 1);
    printRow(
      `${kind}, ${elements} elements, ${modes} loads`,
      fixed(own.time * 1e3, 3),
      fixed(other.time * 1e3, 3),
      fixed(own.time / other.time, 3),
      errorOf(own.result.views.loads?.[0]),
      errorOf(other.result[0]),
      kind === 'eigh' && elements === 64 ? '≤ 0.2' : '',
    );
  }
peer.stop();
