// The gauge kernel compared with the same heat bath in C at -O3: SU(2) and Z2, sweeps with the plaquette of each.
//
//   node bench/gauge.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs a C compiler.

import { inputs } from '../src/solvers/gauge/inputs.ts';
import { planOf } from '../src/solvers/gauge/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer } from './harness/peer.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = {
  'SU(2) 8^4, beta 2.3, heat bath': { L: 8, beta: 2.3, sweeps: 100 },
  'SU(2) 16^2, beta 2, heat bath': { dim: 2, L: 16, beta: 2, sweeps: 2000 },
  'U(1) 8^4, beta 1.1, heat bath; C: Metropolis, 4 hits': { group: 'u1', L: 8, beta: 1.1, sweeps: 100 },
  'Z2 12^3, beta 0.7, heat bath': { group: 'z2', dim: 3, L: 12, beta: 0.7, sweeps: 200 },
} as const;
const GROUPS = ['z2', 'u1', 'su2'];

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('gauge');
const compiled = startCompiledPeer('gauge.c', ['-O3', '-lm']);

printHead('lattice', 'kernel ns per link', 'C -O3 ns per link', 'kernel / C', 'plaquette of the kernel', 'of C');
for (const [name, given] of Object.entries(CASES)) {
  const input = inputs.parse({ ...given, thermalisation: 20, loops: 0 });
  const [run] = planOf(input).runs;
  if (!run) throw new Error('The plan has no run.');
  const updates = run.steps * input.dim * input.L ** input.dim;
  const mean = () => {
    const { history = new Float64Array() } = runKernel(run).views;
    const rows = history.length / 7;
    return (
      Array.from({ length: rows }, (_, i) => history[7 * i] ?? Number.NaN).reduce((sum, one) => sum + one, 0) / rows
    );
  };
  const words = [GROUPS.indexOf(input.group), input.dim, input.L, input.L, input.beta, 20, input.sweeps];
  const { kernel, peer } = await fastestOf(rounds, {
    kernel: () => timeBatch(mean),
    peer: () => compiled.time(...words, 7),
  });
  printRow(
    name,
    fixed((kernel.time * 1e9) / updates, 0),
    fixed((peer.time * 1e9) / updates, 0),
    fixed(kernel.time / peer.time, 2),
    fixed(kernel.result, 4),
    fixed(peer.result[0] ?? Number.NaN, 4),
  );
}
compiled.stop();
