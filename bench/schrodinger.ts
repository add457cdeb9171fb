// The Schrödinger kernel compared with scipy's eigh_tridiagonal (LAPACK dstebz): the same matrix, one thread each, in
// turn.
//
//   node bench/schrodinger.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy on the PATH. scipy uses its
// default tolerance, eps max|T|; the kernel uses 1e-12 of the energy, which is tighter on every grid here. The kernel
// time includes sampling the potential and, with vectors, the expectation values.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KernelRun } from '../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import type { SchrodingerFace } from '../src/solvers/schrodinger/face.ts';
import { KIND } from '../src/solvers/schrodinger/potential.ts';

const BATCH_SECONDS = 0.1;

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

interface Timing {
  /** CPU seconds of one run. */
  readonly seconds: number;
  readonly energies: readonly number[];
}

/** Starts a Python process that runs each case written to its standard input. */
function startPeer() {
  const script = fileURLToPath(new URL('peers/schrodinger.py', import.meta.url));
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const child = spawn('python3', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async time({ nodes, states, wantsVectors }: Case): Promise<Timing> {
      child.stdin.write(`${nodes} ${states} ${Number(wantsVectors)}\n`);
      const line = await lines.next();
      if (line.done) throw new Error('The Python peer exited.');
      const [seconds = Number.NaN, runs = Number.NaN, ...energies] = line.value.split(' ').map(Number);
      return { seconds: seconds / runs, energies };
    },
    stop: () => child.stdin.end(),
  };
}

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

const instance = instantiate(await compileKernel(await loadKernel('schrodinger')));

function timeKernel(run: KernelRun<SchrodingerFace>): Timing & { readonly sweeps: number } {
  let energies: readonly number[] = [];
  let sweeps = 0;
  let runs = 0;
  let seconds = 0;
  const before = process.cpuUsage();
  while (seconds < BATCH_SECONDS) {
    const chunks = drive(instance, run, () => performance.now());
    let next = chunks.next();
    while (!next.done) next = chunks.next();
    energies = [...(next.value.views.energies ?? [])];
    sweeps = next.value.statistics.sweeps ?? 0;
    runs++;
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1e6;
  }
  return { seconds: seconds / runs, energies, sweeps };
}

const rounds = Number(process.argv[2] ?? 7);
const peer = startPeer();
console.log('| oscillator | kernel ms | scipy stebz ms | kernel / peer | sweeps | max energy difference |');
console.log('|---|---|---|---|---|---|');
for (const testCase of CASES) {
  const run = kernelRun(testCase);
  let fastest = { kernel: Number.POSITIVE_INFINITY, peer: Number.POSITIVE_INFINITY };
  let difference = Number.NaN;
  let sweeps = 0;
  for (let round = 0; round < rounds; round++) {
    const kernel = timeKernel(run);
    const other = await peer.time(testCase);
    fastest = { kernel: Math.min(fastest.kernel, kernel.seconds), peer: Math.min(fastest.peer, other.seconds) };
    difference = Math.max(...kernel.energies.map((energy, n) => Math.abs(energy - (other.energies[n] ?? Number.NaN))));
    sweeps = kernel.sweeps;
  }
  const label = `N = ${testCase.nodes}, k = ${testCase.states}${testCase.wantsVectors ? ', with vectors' : ''}`;
  console.log(
    `| ${label} | ${(fastest.kernel * 1e3).toFixed(2)} | ${(fastest.peer * 1e3).toFixed(2)} | ` +
      `${(fastest.kernel / fastest.peer).toFixed(3)} | ${sweeps} | ${difference.toExponential(1)} |`,
  );
}
peer.stop();
