// Backtracking and clause learning compared with MiniSat (its default: clause learning after simplification), in turn.
//
//   node bench/sat.ts [rounds] [folder of DIMACS files]
//
// CPU time, the minimum over interleaved rounds; MiniSat's is what it prints, with reading and simplification, so
// formulas of a few milliseconds count for little. Last, the CPU time of a second of the budget. Needs minisat on the PATH. Without a folder, formulas are generated.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { KernelOutput, KernelRun } from '../src/kernels/abi.ts';
import { parseDimacs } from '../src/solvers/sat/dimacs.ts';
import type { SatFace } from '../src/solvers/sat/face.ts';
import { planOf } from '../src/solvers/sat/plan.ts';
import { inputs, WORK_PER_SECOND } from '../src/solvers/sat/problem.ts';
import { startKernel } from './harness/kernel.ts';
import { programPeer } from './harness/peer.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const METHODS = ['dpll', 'cdcl'] as const;
/** Below this, MiniSat's time is mostly its start. */
const LONG_S = 0.02;
/** What takes MiniSat longer is not compared. */
const LIMIT_S = 20;

const ANSWERS: Readonly<Record<number, string>> = { 10: 'yes', 20: 'no' };

const GENERATED = [
  ...[200, 225, 250].flatMap((n) => [1, 2].map((seed) => ({ problem: 'random', n, ratio: 4.4, seed }))),
  ...[7, 8].map((n) => ({ problem: 'pigeonhole', n })),
  { problem: 'mycielski', n: 5 },
  { problem: 'queens', n: 16 },
  { problem: 'waerden', n: 35 },
  { problem: 'parity', n: 30 },
] as const;

const [given = '3', folder = generated()] = process.argv.slice(2);
const rounds = Number(given);
const runKernel = await startKernel('sat');
const minisat = programPeer(
  'minisat',
  ([path]) => ['-verb=1', `-cpu-lim=${LIMIT_S}`, String(path)],
  (printed) => ({
    time: Number(/CPU time\s*: ([\d.]+)/.exec(printed)?.[1]),
    result: [/^UNSATISFIABLE/m.test(printed) ? 20 : /^SATISFIABLE/m.test(printed) ? 10 : 0],
  }),
  [0, 10, 20],
);

/** The formulas as files, since the peer reads files. */
function generated(): string {
  const target = mkdtempSync(join(tmpdir(), 'svc-sat-'));
  process.on('exit', () => rmSync(target, { recursive: true }));
  for (const input of GENERATED) {
    const { parameters, inputs: views } = runOf(input);
    const clauses = Array.from(views?.literals ?? [], (literal) => (literal === 0 ? '0\n' : `${literal} `)).join('');
    const name = Object.values(input).join('-');
    writeFileSync(join(target, `${name}.cnf`), `p cnf ${parameters.variables} ${parameters.clauses}\n${clauses}`);
  }
  return target;
}

function runOf(input: object): KernelRun<SatFace> {
  const [run] = planOf(inputs.parse({ max_decisions: 1e9, time_limit: 25, ...input })).runs;
  if (!run) throw new Error('The plan has no run.');
  return run;
}

/** Times below a millisecond are taken as one: the system counts MiniSat's in larger steps. */
const ratioOf = (time: number, peer: number) => Math.max(time, 1e-3) / Math.max(peer, 1e-3);
const answerOf = ({ statistics: { status = 0, work = 0 } }: KernelOutput<SatFace>) => ({ status, work });
/** CPU seconds of a second of the budget, of runs long enough to be timed. */
const budgetSeconds: number[] = [];
const ratios = { dpll: [] as number[], cdcl: [] as number[] };
const longRatios = { dpll: [] as number[], cdcl: [] as number[] };
const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

printHead('formula', 'variables', 'answer', 'dpll ms', 'cdcl ms', 'minisat ms', 'dpll / minisat', 'cdcl / minisat');
for (const file of readdirSync(folder).sort()) {
  const path = join(folder, file);
  const dimacs = readFileSync(path, 'utf8');
  const { variables } = parseDimacs(dimacs);
  const [dpllRun, cdclRun] = METHODS.map((method) => runOf({ dimacs, method }));
  if (!dpllRun || !cdclRun) throw new Error('A method is missing.');
  const { dpll, cdcl, peer } = await fastestOf(rounds, {
    dpll: () => timeBatch(() => answerOf(runKernel(dpllRun))),
    cdcl: () => timeBatch(() => answerOf(runKernel(cdclRun))),
    peer: () => minisat.time(path),
  });
  const times = { dpll, cdcl };
  for (const method of METHODS) {
    const { time, result } = times[method];
    const { status, work } = result;
    if (time >= LONG_S) budgetSeconds.push((time * WORK_PER_SECOND) / work);
    if (status !== 0 && peer.result[0] !== 0 && status !== peer.result[0])
      throw new Error(`${method} answers ${status} for ${file}.`);
    if (status === 0 || peer.result[0] === 0) continue;
    const ratio = ratioOf(time, peer.time);
    ratios[method].push(ratio);
    if (peer.time >= LONG_S) longRatios[method].push(ratio);
  }
  const shown = (time: number, result: number) => (result === 0 ? 'unknown' : fixed(time * 1e3, 1));
  printRow(
    basename(file, '.cnf'),
    String(variables),
    ANSWERS[peer.result[0] || cdcl.result.status || dpll.result.status] ?? 'unknown',
    shown(dpll.time, dpll.result.status),
    shown(cdcl.time, cdcl.result.status),
    fixed(peer.time * 1e3, 1),
    fixed(ratioOf(dpll.time, peer.time), 2),
    fixed(ratioOf(cdcl.time, peer.time), 2),
  );
}
for (const method of METHODS)
  console.log(
    `\n${method} / minisat, geometric mean over ${ratios[method].length} answered: ${fixed(geometricMean(ratios[method]), 2)}; ` +
      `over the ${longRatios[method].length} that take minisat ${LONG_S * 1e3} ms or more: ${fixed(geometricMean(longRatios[method]), 2)}`,
  );
console.log(
  `\nCPU time of a second of the budget over ${budgetSeconds.length} runs of ${LONG_S * 1e3} ms or more: ` +
    `${fixed(Math.min(...budgetSeconds), 2)} to ${fixed(Math.max(...budgetSeconds), 2)} s`,
);
minisat.stop();
