// The kernel's integrators compared with scipy's, Boost.odeint's and CVODE: the same problem at the same error, one
// thread each.
//
//   node bench/unified.ts [rounds]
//
// CPU time of one run with full steps, the minimum over interleaved rounds. The service adds two runs with halved and
// quartered steps to estimate the error. Right sides are compiled expressions in the kernel, interpreted beside scipy
// (as Python's are), and C or C++ at -O2 in the compiled peers. Needs python3 with scipy, libboost-dev and
// libsundials-dev; a peer that is missing is omitted with a sentence.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { emitModule } from '../src/expressions/compiled/emit-module.ts';
import { IMPORTED_FUNCTIONS } from '../src/expressions/compiled/encoding.ts';
import type { CompiledModule, KernelRun } from '../src/kernels/abi.ts';
import { compileModule } from '../src/kernels/compiled.ts';
import { compileKernel, drive, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import { shapeOf } from '../src/solvers/unified/accelerate.ts';
import type { UnifiedFace } from '../src/solvers/unified/face.ts';
import { unified } from '../src/solvers/unified/solver.ts';
import { type LinePeer, startCompiledPeer } from './harness/compiled-peer.ts';

const BATCH_SECONDS = 0.1;

const ARENSTORF =
  "mu = 0.012277471; nu = 1 - mu; d1 = ((x + mu)^2 + y^2)^1.5; d2 = ((x - nu)^2 + y^2)^1.5; x' = vx; y' = vy; " +
  "vx' = x + 2*vy - nu*(x + mu)/d1 - mu*(x - nu)/d2; vy' = y - 2*vx - nu*y/d1 - mu*y/d2; " +
  'x(0) = 0.994; y(0) = 0; vx(0) = 0; vy(0) = -2.00158510637908252';
const LORENZ = "x' = 10*(y - x); y' = x*(28 - z) - y; z' = x*y - 8/3*z; x(0) = 1; y(0) = 1; z(0) = 1";
const ROBERTSON = "a' = -0.04*a + 1e4*b*c; b' = 0.04*a - 1e4*b*c - 3e7*b^2; c' = 3e7*b^2; a(0) = 1; b(0) = 0; c(0) = 0";

/** Eight pendulums with springs between neighbours. */
const CHAIN = Array.from({ length: 8 }, (_, i) => {
  const [left, right] = [i > 0 ? `q${i - 1}` : '0', i < 7 ? `q${i + 1}` : '0'];
  const force = `p${i}' = -sin(q${i}) + 2*(${left} - 2*q${i} + ${right})`;
  return `q${i}' = p${i}; ${force}; q${i}(0) = ${(0.3 * (i + 1)).toFixed(1)}; p${i}(0) = 0`;
}).join('; ');

interface Problem {
  readonly problem: string;
  readonly equations: string;
  readonly end: number;
  /** Value of the first state at the end: from mpmath, Radau at 1e-12 or Dormand–Prince at 1e-13. */
  readonly exact: number;
}

interface Case extends Problem {
  readonly method: 'dopri5' | 'rodas4' | 'auto';
  readonly rtol: number;
  readonly peer: string;
  readonly peerRtol: number;
}

const arenstorf: Problem = { problem: 'arenstorf', equations: ARENSTORF, end: 17.06521656015796, exact: 0.994 };
const lorenz: Problem = { problem: 'lorenz', equations: LORENZ, end: 10, exact: -4.902687541134646 };
const robertson: Problem = { problem: 'robertson', equations: ROBERTSON, end: 40, exact: 0.7158270687194062 };
const chain: Problem = { problem: 'chain', equations: CHAIN, end: 10, exact: -1.9670545487861 };

const CASES: readonly Case[] = [
  { ...arenstorf, method: 'dopri5', rtol: 1e-9, peer: 'RK45', peerRtol: 1e-9 },
  { ...arenstorf, method: 'dopri5', rtol: 1e-12, peer: 'DOP853', peerRtol: 1e-12 },
  { ...lorenz, method: 'dopri5', rtol: 1e-9, peer: 'RK45', peerRtol: 1e-9 },
  { ...lorenz, method: 'dopri5', rtol: 1e-12, peer: 'DOP853', peerRtol: 1e-12 },
  { ...robertson, method: 'rodas4', rtol: 1e-7, peer: 'Radau', peerRtol: 1e-5 },
  { ...robertson, method: 'rodas4', rtol: 1e-7, peer: 'LSODA', peerRtol: 1e-7 },
];

/** Beside peers whose right side is compiled. */
const COMPILED_CASES: readonly (Problem & { readonly method: 'dopri5' | 'rodas4'; readonly rtol: number })[] = [
  { ...lorenz, method: 'dopri5', rtol: 1e-9 },
  { ...chain, method: 'dopri5', rtol: 1e-9 },
  { ...arenstorf, method: 'dopri5', rtol: 1e-9 },
  { ...robertson, method: 'rodas4', rtol: 1e-7 },
];

interface Timing {
  /** CPU seconds of one run. */
  readonly seconds: number;
  readonly evaluations: number;
  readonly end: number;
}

/** Starts a Python process that runs each case written to its standard input. */
function startPeer() {
  const script = fileURLToPath(new URL('peers/unified.py', import.meta.url));
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const child = spawn('python3', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async time({ problem, peer, peerRtol }: Case): Promise<Timing> {
      child.stdin.write(`${problem} ${peer} ${peerRtol}\n`);
      const line = await lines.next();
      if (line.done) throw new Error('The Python peer exited.');
      const [seconds = Number.NaN, runs = Number.NaN, evaluations = Number.NaN, end = Number.NaN] = line.value
        .split(' ')
        .map(Number);
      return { seconds: seconds / runs, evaluations, end };
    },
    stop: () => child.stdin.end(),
  };
}

const instance = instantiate(await compileKernel(await loadKernel('unified')));

/** The solver's run with full steps. */
function fullStepRun({ equations, end, method, rtol }: Omit<Case, 'peer' | 'peerRtol'>): KernelRun<UnifiedFace> {
  const [run] = unified.plan(unified.inputs.parse({ equations, t_end: end, method, rtol, points: 2 })).runs;
  if (!run) throw new Error('the plan has no run');
  return run;
}

function timeKernel(run: KernelRun<UnifiedFace>, compiled?: CompiledModule): Timing {
  let runs = 0;
  let seconds = 0;
  let evaluations = 0;
  let end = Number.NaN;
  const before = process.cpuUsage();
  while (seconds < BATCH_SECONDS) {
    const chunks = drive(instance, run, () => performance.now(), compiled);
    let next = chunks.next();
    while (!next.done) next = chunks.next();
    evaluations = next.value.statistics.evaluations ?? 0;
    // The slots at the end are t, then the states.
    end = next.value.views.end?.[1] ?? Number.NaN;
    runs++;
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1e6;
  }
  return { seconds: seconds / runs, evaluations, end };
}

const rounds = Number(process.argv[2] ?? 5);
const peer = startPeer();
console.log('| problem | kernel | scipy | kernel ms | scipy ms | kernel / peer | ns per evaluation | errors |');
console.log('|---|---|---|---|---|---|---|---|');
for (const testCase of CASES) {
  const run = fullStepRun(testCase);
  let fastest = { kernel: Number.POSITIVE_INFINITY, peer: Number.POSITIVE_INFINITY };
  let [kernel, other]: (Timing | undefined)[] = [];
  for (let round = 0; round < rounds; round++) {
    kernel = timeKernel(run);
    other = await peer.time(testCase);
    fastest = { kernel: Math.min(fastest.kernel, kernel.seconds), peer: Math.min(fastest.peer, other.seconds) };
  }
  if (!kernel || !other) continue;
  const error = (end: number) => Math.abs(end - testCase.exact).toExponential(0);
  console.log(
    `| ${testCase.problem} | ${testCase.method} ${testCase.rtol}, ${kernel.evaluations} | ${testCase.peer} ${testCase.peerRtol}, ${other.evaluations} | ` +
      `${(fastest.kernel * 1e3).toFixed(2)} | ${(fastest.peer * 1e3).toFixed(1)} | ${(fastest.kernel / fastest.peer).toFixed(4)} | ` +
      `${((fastest.kernel * 1e9) / kernel.evaluations).toFixed(0)} | ${error(kernel.end)}, ${error(other.end)} |`,
  );
}
peer.stop();

const SUNDIALS = ['cvode', 'nvecserial', 'sunmatrixdense', 'sunlinsoldense'].map((name) => `-lsundials_${name}`);

/** CPU seconds of one run, the fastest of batches as short as those of the peers. */
function fastestRun(run: KernelRun, module?: CompiledModule): number {
  let best = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < 40; batch++) {
    const before = process.cpuUsage();
    let [runs, seconds] = [0, 0];
    while (seconds < 0.004) {
      const chunks = drive(instance, run, () => performance.now(), module);
      while (!chunks.next().done);
      runs++;
      const { user, system } = process.cpuUsage(before);
      seconds = (user + system) / 1e6;
    }
    best = Math.min(best, seconds / runs);
  }
  return best;
}

function compiledModule(run: KernelRun): CompiledModule {
  const shape = shapeOf(run);
  const bytes = shape && emitModule(shape);
  if (bytes === undefined) throw new Error('The right side is not compiled.');
  return compileModule(bytes, IMPORTED_FUNCTIONS);
}

async function ask(other: LinePeer, problem: string, tolerance: number): Promise<Timing> {
  const line = await other.ask(`${problem} ${tolerance}`);
  const [seconds = Number.NaN, evaluations = Number.NaN, end = Number.NaN] = line.split(' ').map(Number);
  return { seconds, evaluations, end };
}

/** The fastest tolerance, in steps of 10^(1/4), from which on the peer's error is at most this. */
async function toleranceFor(other: LinePeer, { problem, exact }: Problem, error: number): Promise<number> {
  for (let exponent = -5; exponent >= -13; exponent -= 0.25) {
    const { end } = await ask(other, problem, 10 ** exponent);
    const { end: next } = await ask(other, problem, 10 ** (exponent - 0.25));
    // Twice in a row: an error may be small by chance.
    if (Math.abs(end - exact) <= error && Math.abs(next - exact) <= error) return 10 ** exponent;
  }
  throw new Error(`No tolerance gives ${problem} an error of ${error}.`);
}

console.log('');
console.log(
  '| problem | peer, tolerance at equal error | compiled ms | machine ms | peer ms | compiled / peer | errors |',
);
console.log('|---|---|---|---|---|---|---|');
const odeint = startCompiledPeer('odeint.cpp', []);
const cvode = startCompiledPeer('cvode.c', [...SUNDIALS, '-lm']);
for (const testCase of COMPILED_CASES) {
  const isStiff = testCase.method === 'rodas4';
  const other = isStiff ? cvode : odeint;
  if (other === undefined) continue;
  const run = fullStepRun(testCase);
  const module = compiledModule(run);
  const error = Math.abs(timeKernel(run, module).end - testCase.exact);
  const tolerance = await toleranceFor(other, testCase, error);
  const best = {
    compiled: Number.POSITIVE_INFINITY,
    machine: Number.POSITIVE_INFINITY,
    peer: Number.POSITIVE_INFINITY,
  };
  let end = Number.NaN;
  for (let round = 0; round < rounds; round++) {
    best.compiled = Math.min(best.compiled, fastestRun(run, module));
    best.machine = Math.min(best.machine, fastestRun(run));
    const timing = await ask(other, testCase.problem, tolerance);
    best.peer = Math.min(best.peer, timing.seconds);
    end = timing.end;
  }
  console.log(
    `| ${testCase.problem}, ${testCase.rtol} | ${isStiff ? 'CVODE' : 'Boost.odeint'} ${tolerance.toPrecision(2)} | ` +
      `${(best.compiled * 1e3).toFixed(3)} | ${(best.machine * 1e3).toFixed(3)} | ${(best.peer * 1e3).toFixed(3)} | ` +
      `${(best.compiled / best.peer).toFixed(2)} | ${error.toExponential(0)}, ` +
      `${Math.abs(end - testCase.exact).toExponential(0)} |`,
  );
}
odeint?.stop();
cvode?.stop();
