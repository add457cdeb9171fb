// The dock kernel compared with a Lennard-Jones loop in C at -O3: a local minimisation by its evaluations, over all pairs.
//
//   node bench/dock.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs a C compiler.

import { inputs } from '../src/solvers/dock/inputs.ts';
import { planOf } from '../src/solvers/dock/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = {
  'two tetrahedra': {},
  'triangle on an icosahedron of 13': { receptor: 'ico13', ligand: 'triangle' },
  'two clusters of 13': { receptor: 'lj13', ligand: 'lj13' },
} as const;

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('dock');
const compiled = startCompiledPeer('dock.c', ['-O3', '-lm']);
printHead(
  'bodies',
  'evaluations',
  'search, ms',
  'kernel ns per pair',
  'C -O3 ns per pair',
  'kernel / C',
  'least energy',
);
for (const [name, given] of Object.entries(CASES)) {
  const [run] = planOf(inputs.parse(given)).runs;
  if (!run) throw new Error('The plan has no run.');
  const { receptor = new Float64Array(), ligand = new Float64Array() } = run.inputs ?? {};
  const pairs = (receptor.length * ligand.length) / 25;
  const places = (atoms: ArrayLike<number>) => Array.from(atoms).filter((_, k) => k % 5 < 3);
  const repeats = Math.ceil(2e6 / pairs);
  const words = [receptor.length / 5, ligand.length / 5, repeats, ...places(receptor), ...places(ligand)];
  const { kernel, peer } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run).statistics),
    peer: () => compiled.time(...words),
  });
  const { evaluations = Number.NaN, energy = Number.NaN } = kernel.result;
  const [own, other] = [(kernel.time * 1e9) / evaluations / pairs, (peer.time * 1e9) / repeats / pairs];
  printRow(
    name,
    scientific(evaluations, 1),
    fixed(kernel.time * 1e3, 2),
    fixed(own, 2),
    fixed(other, 2),
    fixed(own / other, 2),
    fixed(energy, 6),
  );
}
compiled.stop();
