// Counts that are certified and single zeros, compared with mpmath (nzeros, zetazero), in turn.
//
//   node bench/zeta.ts [rounds]
//
// CPU time of the kernel alone and of mpmath, the minimum over interleaved rounds. mpmath counts by the argument at t
// alone; the kernel separates every zero of the window, and N(t) comes with a short one. Needs python3 with mpmath and
// numpy.

import { planOf } from '../src/solvers/zeta/plan.ts';
import { inputs } from '../src/solvers/zeta/problem.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = [
  { words: ['count', 1_000], input: { t_max: 1_000 } },
  { words: ['count', 10_000], input: { t_max: 10_000 } },
  { words: ['count', 80_000], input: { t_max: 80_000 } },
  { words: ['count', 80_000], input: { t_min: 79_999, t_max: 80_000 } },
  { words: ['count', 1_000_000], input: { t_min: 999_999, t_max: 1_000_000 } },
  { words: ['zero', 649], input: { task: 'zero_k', k: 649 } },
  { words: ['zero', 10_142], input: { task: 'zero_k', k: 10_142 } },
  { words: ['zero', 1_000_000], input: { task: 'zero_k', k: 1_000_000 } },
] as const;

const runKernel = await startKernel('zeta');
const peer = startPythonPeer('zeta.py', ['mpmath', 'numpy']);
const rounds = Number(process.argv[2] ?? 3);
printHead('task', 'kernel ms', 'mpmath ms', 'kernel / peer', 'evaluations', 'difference');
for (const { words, input } of CASES) {
  const parsed = inputs.parse(input);
  const [run] = planOf(parsed).runs;
  if (!run) throw new Error('The plan has no run.');
  const { kernel, mpmath } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => answerOf(parsed)),
    mpmath: () => peer.time(...words),
  });
  function answerOf(asked: typeof parsed): { readonly value: number; readonly evaluations: number } {
    if (!run) return { value: Number.NaN, evaluations: 0 };
    const { views, statistics } = runKernel(run);
    const { zeros = new Float64Array() } = views;
    const { baseGram = 0, evaluations = 0 } = statistics;
    const rows = Array.from({ length: zeros.length / 3 }, (_, i) => zeros.subarray(3 * i, 3 * i + 3));
    const value =
      asked.task === 'zero_k'
        ? rows[asked.k - baseGram - 2]?.[1]
        : baseGram + 1 + rows.filter(([low = 0, , high = 0]) => (low + high) / 2 <= asked.t_max).length;
    return { value: value ?? Number.NaN, evaluations };
  }
  printRow(
    'task' in input || !('t_min' in input) ? words.join(' ') : `${words.join(' ')} from ${input.t_min}`,
    fixed(kernel.time * 1e3, 2),
    fixed(mpmath.time * 1e3, 1),
    fixed(kernel.time / mpmath.time, 4),
    String(kernel.result.evaluations),
    scientific(Math.abs(kernel.result.value - (mpmath.result[0] ?? Number.NaN)), 1),
  );
}
peer.stop();
