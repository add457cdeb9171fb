// The Schrödinger kernel compared with scipy's eigh_tridiagonal (LAPACK dstebz): the same matrix, one thread each, in
// turn.
//
//   node bench/schrodinger.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy on the PATH. scipy uses its
// default tolerance, eps max|T|; the kernel uses 1e-12 of the energy, which is tighter on every grid here. The kernel
// time includes sampling the potential and, with vectors, the expectation values.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { SchrodingerFace } from '../src/solvers/schrodinger/face.ts';
import { KIND } from '../src/solvers/schrodinger/potential.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

interface Case {
  readonly nodes: number;
  readonly states: number;
  readonly wantsVectors: boolean;
}

const CASES: readonly Case[] = [
  { nodes: 2000, states: 6, wantsVectors: false },
  { nodes: 8000, states: 6, wantsVectors: false },
  { nodes: 2000, states: 20, wantsVectors: false },
  { nodes: 2000, states: 6, wantsVectors: true },
  { nodes: 8000, states: 20, wantsVectors: true },
];

function kernelRun({ nodes, states, wantsVectors }: Case): KernelRun<SchrodingerFace> {
  return {
    parameters: {
      potential: KIND.polynomial,
      nodes,
      states,
      xmin: -10,
      xmax: 10,
      kinetic: 0.5,
      c1: 0.5,
      tol: 1e-12,
      needsVectors: Number(wantsVectors),
    },
    steps: nodes + 80 * states,
    outputs: ['energies'],
    statistics: ['sweeps'],
  };
}

const runKernel = await startKernel('schrodinger');
const rounds = Number(process.argv[2] ?? 7);
const peer = startPythonPeer('schrodinger.py');
printHead('oscillator', 'kernel ms', 'scipy stebz ms', 'kernel / peer', 'sweeps', 'max energy difference');
for (const testCase of CASES) {
  const { nodes, states, wantsVectors } = testCase;
  const run = kernelRun(testCase);
  const { kernel, other } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run)),
    other: () => peer.time(nodes, states, Number(wantsVectors)),
  });
  const { views, statistics } = kernel.result;
  const differences = Array.from(views.energies ?? [], (energy, n) =>
    Math.abs(energy - (other.result[n] ?? Number.NaN)),
  );
  printRow(
    `N = ${nodes}, k = ${states}${wantsVectors ? ', with vectors' : ''}`,
    fixed(kernel.time * 1e3, 2),
    fixed(other.time * 1e3, 2),
    fixed(kernel.time / other.time, 3),
    String(statistics.sweeps),
    scientific(Math.max(...differences), 1),
  );
}
peer.stop();
