// Modes of rigid cavities compared with FreeFem++ (P2, ARPACK): eight of a rectangle of 1.0 x 0.7 m, also with scipy's eigsh on
// finite volumes; eight of a disc and five of an L.
//
//   node bench/acoustic.ts [rounds]
//
// Seconds of CPU, the minimum over interleaved rounds: of the kernel and of the correction of its modes in TypeScript; of
// FreeFem++ by its own clock, without its start; of eigsh with its assembly. Errors are relative, against the closed form, zeros of Bessel
// functions, or Dauge's benchmark. Peers that are missing are omitted with a sentence.

import type { KernelOutput } from '../src/kernels/abi.ts';
import type { AcousticFace } from '../src/solvers/acoustic/face.ts';
import { inputs } from '../src/solvers/acoustic/inputs.ts';
import { planOf } from '../src/solvers/acoustic/plan.ts';
import { boxFrequencies, discFrequencies } from '../src/solvers/acoustic/reference.ts';
import { solutionOf } from '../src/solvers/acoustic/solution.ts';
import { startKernel } from './harness/kernel.ts';
import { peerPath, programPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

/** Cells along x of the kernel, of the elements and of eigsh. */
const CASES = [
  [20, 20, 40],
  [28, 40, 80],
  [40, 80, 160],
] as const;
const MODES = 8;

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('acoustic');
const exact = boxFrequencies(
  [1, 0.7],
  [
    [false, false],
    [false, false],
  ],
  343,
  MODES,
);
const errors = (found: readonly number[], truth: readonly number[] = exact) =>
  truth.map((f, i) => Math.abs((found[i] ?? Number.NaN) / f - 1)).reduce((most, one) => Math.max(most, one), 0);

const freefem = programPeer(
  'FreeFem++',
  ([n = 0, cavity = 0]) => ['-nw', '-v', '0', peerPath('acoustic.edp'), String(n), String(cavity)],
  (printed) => ({
    time: Number(/seconds (\S+)/.exec(printed)?.[1]),
    result: [...printed.matchAll(/lambda (\S+)/g)]
      .map(([, lambda]) => (343 * Math.sqrt(Math.max(0, Number(lambda)))) / (2 * Math.PI))
      .slice(1),
  }),
);
const scipy = startPythonPeer('acoustic.py');

function solve(cells: number, shape: 'rectangle' | 'disc' | 'l_shape' = 'rectangle'): readonly number[] {
  const size = { rectangle: { lx: 1, ly: 0.7 }, disc: { lx: 1 }, l_shape: { lx: 2, ly: 2 } }[shape];
  const input = inputs.parse({ shape, ...size, modes: MODES, cells });
  const outputs = planOf(input).runs.map((run) => runKernel(run)) as KernelOutput<AcousticFace>[];
  return Array.from(solutionOf(outputs, input).series[1]?.data ?? []);
}

printHead(
  'cells: kernel, P2, eigsh',
  'acoustic ms',
  'FreeFem++ ms',
  'eigsh ms',
  'acoustic / FreeFem++',
  'error of acoustic',
  'of FreeFem++',
  'of eigsh',
  'target',
);
for (const [own, elements, volumes] of CASES) {
  const { kernel, fem, fv } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => solve(own)),
    fem: () => freefem.time(elements),
    fv: () => scipy.time(volumes),
  });
  printRow(
    `${own}, ${elements}, ${volumes}`,
    fixed(kernel.time * 1e3, 1),
    fixed(fem.time * 1e3, 1),
    fixed(fv.time * 1e3, 1),
    fixed(kernel.time / fem.time, 3),
    scientific(errors(kernel.result), 1),
    scientific(errors(fem.result), 1),
    scientific(errors(fv.result), 1),
    '< 1 at a smaller error',
  );
}

/** The kernel's cells and elements of the other cavities: along the diameter and the rim; along 2 m and 1 m. */
const CUT = [
  ['disc', 1, discFrequencies(1, false, 343, MODES), [24, 32], [48, 66], [96, 130]],
  [
    'l_shape',
    2,
    // Dauge's benchmark of the L-shaped domain.
    [1.47562182408, 3.53403136678, Math.PI ** 2, Math.PI ** 2, 11.3894793979].map(
      (lambda) => (343 * Math.sqrt(lambda)) / (2 * Math.PI),
    ),
    [24, 3],
    [48, 6],
    [96, 13],
  ],
] as const;
printHead(
  'cells: kernel, P2',
  'acoustic ms',
  'FreeFem++ ms',
  'acoustic / FreeFem++',
  'error of acoustic',
  'of FreeFem++',
  'target',
);
for (const [shape, cavity, truth, ...sizes] of CUT)
  for (const [own, elements] of sizes) {
    const { kernel, fem } = await fastestOf(rounds, {
      kernel: () => timeBatch(() => solve(own, shape)),
      fem: () => freefem.time(elements, cavity),
    });
    printRow(
      `${shape} ${own}, ${elements}`,
      fixed(kernel.time * 1e3, 1),
      fixed(fem.time * 1e3, 1),
      fixed(kernel.time / fem.time, 3),
      scientific(errors(kernel.result, truth), 1),
      scientific(errors(fem.result, truth), 1),
      '< 1 at equal error',
    );
  }
freefem.stop();
scipy.stop();
