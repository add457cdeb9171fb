// The kernel's integrators compared with scipy's: the same problem, tolerances that give the same error, one thread
// each.
//
//   node bench/unified.ts [rounds]
//
// CPU time of one run with full steps, the minimum over interleaved rounds. The service adds two runs with halved and
// quartered steps to estimate the error. The right-hand sides are interpreted by the kernel and by Python. Needs
// python3 with scipy.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KernelRun } from '../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import type { UnifiedFace } from '../src/solvers/unified/face.ts';
import { unified } from '../src/solvers/unified/solver.ts';

const BATCH_SECONDS = 0.1;

const ARENSTORF =
  "mu = 0.012277471; nu = 1 - mu; d1 = ((x + mu)^2 + y^2)^1.5; d2 = ((x - nu)^2 + y^2)^1.5; x' = vx; y' = vy; " +
  "vx' = x + 2*vy - nu*(x + mu)/d1 - mu*(x - nu)/d2; vy' = y - 2*vx - nu*y/d1 - mu*y/d2; " +
  'x(0) = 0.994; y(0) = 0; vx(0) = 0; vy(0) = -2.00158510637908252';
const LORENZ = "x' = 10*(y - x); y' = x*(28 - z) - y; z' = x*y - 8/3*z; x(0) = 1; y(0) = 1; z(0) = 1";
const ROBERTSON = "a' = -0.04*a + 1e4*b*c; b' = 0.04*a - 1e4*b*c - 3e7*b^2; c' = 3e7*b^2; a(0) = 1; b(0) = 0; c(0) = 0";

interface Case {
  readonly problem: string;
  readonly equations: string;
  readonly end: number;
  readonly method: 'dopri5' | 'rodas4' | 'auto';
  readonly rtol: number;
  readonly peer: string;
  readonly peerRtol: number;
  /** Exact value of the first state at the end; otherwise from mpmath or Radau at 1e-12. */
  readonly exact: number;
}

const arenstorf = { problem: 'arenstorf', equations: ARENSTORF, end: 17.06521656015796, exact: 0.994 };
const lorenz = { problem: 'lorenz', equations: LORENZ, end: 10, exact: -4.902687541134646 };
const robertson = { problem: 'robertson', equations: ROBERTSON, end: 40, exact: 0.7158270687194062 };

const CASES: readonly Case[] = [
  { ...arenstorf, method: 'dopri5', rtol: 1e-9, peer: 'RK45', peerRtol: 1e-9 },
  { ...arenstorf, method: 'dopri5', rtol: 1e-12, peer: 'DOP853', peerRtol: 1e-12 },
  { ...lorenz, method: 'dopri5', rtol: 1e-9, peer: 'RK45', peerRtol: 1e-9 },
  { ...lorenz, method: 'dopri5', rtol: 1e-12, peer: 'DOP853', peerRtol: 1e-12 },
  { ...robertson, method: 'rodas4', rtol: 1e-7, peer: 'Radau', peerRtol: 1e-5 },
  { ...robertson, method: 'rodas4', rtol: 1e-7, peer: 'LSODA', peerRtol: 1e-7 },
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
function fullStepRun({ equations, end, method, rtol }: Case): KernelRun<UnifiedFace> {
  const [run] = unified.plan(unified.inputs.parse({ equations, t_end: end, method, rtol, points: 2 })).runs;
  if (!run) throw new Error('the plan has no run');
  return run;
}

function timeKernel(run: KernelRun<UnifiedFace>): Timing {
  let runs = 0;
  let seconds = 0;
  let evaluations = 0;
  let end = Number.NaN;
  const before = process.cpuUsage();
  while (seconds < BATCH_SECONDS) {
    const chunks = drive(instance, run, () => performance.now());
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
