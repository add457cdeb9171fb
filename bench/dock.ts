// The dock kernel compared with a Lennard-Jones loop in C at -O3 (an evaluation with its share of the minimisation, over all
// pairs), and with AutoDock Vina (a whole search: rigid ligand, same box and exhaustiveness, one thread).
//
//   node bench/dock.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs a C compiler, and vina.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputs } from '../src/solvers/dock/inputs.ts';
import { planOf } from '../src/solvers/dock/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { programPeer, startCompiledPeer } from './harness/peer.ts';
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

const record = (serial: number, type: string, x: number, y: number, z: number) => {
  const place = [x, y, z].map((one) => one.toFixed(3).padStart(8)).join('');
  return `ATOM  ${String(serial).padStart(5)}  ${type.padEnd(3)} REC A   1    ${place}  1.00  0.00     0.000 ${type}`;
};

/** Atoms 2.7 Å apart inside a ball of 11 Å, without those of a pocket at its rim. */
function pocket(): string {
  const types = ['C', 'OA', 'C', 'N', 'C', 'A', 'S'];
  const rows: string[] = [];
  for (let i = -4; i <= 4; i++)
    for (let j = -4; j <= 4; j++)
      for (let k = -4; k <= 4; k++) {
        const [x, y, z] = [2.7 * i + 0.3 * (j % 2), 2.7 * j + 0.3 * (k % 3), 2.7 * k];
        const isInside = x * x + y * y + z * z < 121 && (x - 8) * (x - 8) + y * y + z * z > 40;
        if (isInside) rows.push(record(rows.length + 1, types[rows.length % types.length] ?? 'C', x, y, z));
      }
  return `${rows.join('\n')}\n`;
}

/** A phenol with a methyl group. */
function cresol(): string {
  const ring = [0, 1, 2, 3, 4, 5].map((k) => {
    const angle = (k * Math.PI) / 3;
    return record(k + 1, 'A', 8 + 1.39 * Math.cos(angle), 1.39 * Math.sin(angle), 0);
  });
  const rest = [record(7, 'OA', 10.76, 0, 0), record(8, 'HD', 11.1, 0.9, 0), record(9, 'C', 5.1, 0, 0)];
  return ['ROOT', ...ring, ...rest, 'ENDROOT', 'TORSDOF 0', ''].join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'svc-dock-'));
writeFileSync(join(folder, 'r.pdbqt'), pocket());
writeFileSync(join(folder, 'l.pdbqt'), cresol());
const box = { center_x: 8, center_y: 0, center_z: 0, size_x: 18, size_y: 18, size_z: 18 } as const;
const options = Object.entries(box).map(([name, value]) => `--${name} ${value}`);
const search = `cd ${folder} && vina --receptor r.pdbqt --ligand l.pdbqt ${options.join(' ')} --cpu 1 --seed 1`;
const program = programPeer(
  'bash',
  ([exhaustiveness = 8]) => ['-c', `${search} --exhaustiveness ${exhaustiveness} --verbosity 1; times`],
  (printed) => {
    // User seconds of the children, and the energy of the first mode.
    const [, minutes = 'NaN', seconds = 'NaN'] = /(\d+)m([\d.]+)s \S+\s*$/.exec(printed) ?? [];
    const [, energy = 'NaN'] = /^\s+1\s+(-?[\d.]+)/m.exec(printed) ?? [];
    return { time: 60 * Number(minutes) + Number(seconds), result: [Number(energy)] };
  },
);
console.log();
printHead(
  'rigid search',
  'evaluations',
  'kernel s, both searches',
  'vina s',
  'kernel / vina',
  'kernel kcal/mol',
  'vina',
);
for (const exhaustiveness of [1, 8]) {
  const input = inputs.parse({ receptor_file: pocket(), ligand_file: cresol(), ...box, exhaustiveness });
  const { runs } = planOf(input);
  const { kernel, peer } = await fastestOf(Math.min(2, rounds), {
    kernel: () => timeBatch(() => runs.map((run) => runKernel(run).statistics)),
    peer: () => program.time(exhaustiveness),
  });
  const energies = kernel.result.map(({ energy = Number.NaN }) => energy);
  const evaluations = kernel.result.reduce((sum, one) => sum + (one.evaluations ?? 0), 0);
  printRow(
    `exhaustiveness ${exhaustiveness}`,
    scientific(evaluations, 1),
    fixed(kernel.time, 2),
    fixed(peer.time, 2),
    fixed(kernel.time / peer.time, 2),
    fixed(Math.min(...energies), 3),
    fixed(peer.result[0] ?? Number.NaN, 3),
  );
}
rmSync(folder, { recursive: true });
