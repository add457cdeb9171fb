// The kernel's integrators compared with scipy's, Boost.odeint's and CVODE: the same problem at the same error, one
// thread each.
//
//   node bench/unified.ts [rounds]
//
// CPU time of the run of the value without its guard, the minimum over interleaved rounds. The service looks for
// features between the steps, and adds a run with other and shorter steps to estimate the error. Right sides are compiled expressions in the kernel, interpreted beside scipy
// (as Python's are), and C or C++ at -O2 in the compiled peers. Needs python3 with scipy, libboost-dev and
// libsundials-dev; a peer that is missing is omitted with a sentence.

import { emitModule } from '../src/expressions/compiled/emit-module.ts';
import { IMPORTED_FUNCTIONS } from '../src/expressions/compiled/encoding.ts';
import type { CompiledModule, KernelRun } from '../src/kernels/abi.ts';
import { compileModule } from '../src/kernels/compiled.ts';
import { shapeOf } from '../src/solvers/unified/accelerate.ts';
import type { UnifiedFace } from '../src/solvers/unified/face.ts';
import { unified } from '../src/solvers/unified/solver.ts';
import { startKernel } from './harness/kernel.ts';
import { type Peer, startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';

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

const runKernel = await startKernel('unified');

/** The solver's run of the value, without the guard, which the peers do not have. */
function valueRun({ equations, end, method, rtol }: Omit<Case, 'peer' | 'peerRtol'>): KernelRun<UnifiedFace> {
  const [run] = unified.plan(unified.inputs.parse({ equations, t_end: end, method, rtol, points: 2 })).runs;
  if (!run) throw new Error('the plan has no run');
  return {
    ...run,
    parameters: { ...run.parameters, checks: 0, breaks: 0 },
    inputs: { ...run.inputs, breaks: new Float64Array() },
  };
}

/** Evaluations of the right side, and the first state at the end, as peers print them. */
function solve(run: KernelRun<UnifiedFace>, module?: CompiledModule): readonly number[] {
  const { statistics, views } = runKernel(run, module);
  // The slots at the end are t, then the states.
  return [statistics.evaluations ?? 0, views.end?.[1] ?? Number.NaN];
}

const evaluationsOf = ({ result }: Timing<readonly number[]>) => result[0] ?? Number.NaN;
const errorOf = ({ result }: Timing<readonly number[]>, { exact }: Problem) =>
  Math.abs((result[1] ?? Number.NaN) - exact);

const rounds = Number(process.argv[2] ?? 5);
const scipy = startPythonPeer('unified.py');
printHead(...['problem', 'kernel', 'scipy', 'kernel ms', 'scipy ms', 'kernel / peer', 'ns per evaluation', 'errors']);
for (const testCase of CASES) {
  const { problem, method, rtol, peer, peerRtol } = testCase;
  const run = valueRun(testCase);
  const { kernel, other } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => solve(run)),
    other: () => scipy.time(problem, peer, peerRtol),
  });
  printRow(
    problem,
    `${method} ${rtol}, ${evaluationsOf(kernel)}`,
    `${peer} ${peerRtol}, ${fixed(evaluationsOf(other), 0)}`,
    fixed(kernel.time * 1e3, 2),
    fixed(other.time * 1e3, 1),
    fixed(kernel.time / other.time, 4),
    fixed((kernel.time * 1e9) / evaluationsOf(kernel), 0),
    `${scientific(errorOf(kernel, testCase), 0)}, ${scientific(errorOf(other, testCase), 0)}`,
  );
}
scipy.stop();

const SUNDIALS = ['cvode', 'nvecserial', 'sunmatrixdense', 'sunlinsoldense'].map((name) => `-lsundials_${name}`);

/** The fastest of batches as short as those of the compiled peers. */
function fastestBatch(run: KernelRun<UnifiedFace>, module?: CompiledModule): Timing<readonly number[]> {
  const batches = Array.from({ length: 40 }, () => timeBatch(() => solve(run, module), 0.004));
  return batches.reduce((best, batch) => (batch.time < best.time ? batch : best));
}

function compiledModule(run: KernelRun): CompiledModule {
  const shape = shapeOf(run);
  const bytes = shape && emitModule(shape);
  if (bytes === undefined) throw new Error('The right side is not compiled.');
  return compileModule(bytes, IMPORTED_FUNCTIONS);
}

/** The fastest tolerance, in steps of 10^(1/4), from which on the peer's error is at most this. */
async function toleranceFor(other: Peer, testCase: Problem, error: number): Promise<number> {
  const isWithin = async (tolerance: number) =>
    errorOf(await other.time(testCase.problem, tolerance), testCase) <= error;
  for (let exponent = -5; exponent >= -13; exponent -= 0.25) {
    // Twice in a row: an error may be small by chance.
    if ((await isWithin(10 ** exponent)) && (await isWithin(10 ** (exponent - 0.25)))) return 10 ** exponent;
  }
  throw new Error(`No tolerance gives ${testCase.problem} an error of ${error}.`);
}

console.log('');
printHead(
  ...['problem', 'peer, tolerance at equal error', 'compiled ms', 'machine ms', 'peer ms', 'compiled / peer', 'errors'],
);
const odeint = startCompiledPeer('odeint.cpp', []);
const cvode = startCompiledPeer('cvode.c', [...SUNDIALS, '-lm']);
for (const testCase of COMPILED_CASES) {
  const isStiff = testCase.method === 'rodas4';
  const peer = isStiff ? cvode : odeint;
  if (!peer.isPresent) continue;
  const run = valueRun(testCase);
  const module = compiledModule(run);
  const error = errorOf(
    timeBatch(() => solve(run, module)),
    testCase,
  );
  const tolerance = await toleranceFor(peer, testCase, error);
  const { compiled, machine, other } = await fastestOf(rounds, {
    compiled: () => fastestBatch(run, module),
    machine: () => fastestBatch(run),
    other: () => peer.time(testCase.problem, tolerance),
  });
  printRow(
    `${testCase.problem}, ${testCase.rtol}`,
    `${isStiff ? 'CVODE' : 'Boost.odeint'} ${tolerance.toPrecision(2)}`,
    fixed(compiled.time * 1e3, 3),
    fixed(machine.time * 1e3, 3),
    fixed(other.time * 1e3, 3),
    fixed(compiled.time / other.time, 2),
    `${scientific(error, 0)}, ${scientific(errorOf(other, testCase), 0)}`,
  );
}
odeint.stop();
cvode.stop();
