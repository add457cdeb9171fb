// Whole answers of tumor, with their ± and witness, compared with the method of lines in scipy (LSODA, banded Jacobian):
// the exact wave and a compact start, on the coarsest of a row of grids whose value is at least as near to the truth.
//
//   node bench/tumor.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. An answer here is plan, runs on four grids, and collection; the peer is
// one integration without any ±, or two on N and N/2 intervals, extrapolated as the answer is. Needs python3 with numpy and scipy.

import { inputs } from '../src/solvers/tumor/inputs.ts';
import { planOf } from '../src/solvers/tumor/plan.ts';
import { tumor } from '../src/solvers/tumor/solver.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const common = { geometry: 'planar', D_grey: 1, rho: 1 } as const;
/**
 * The speeds without errors of cells: in closed form, and by LSODA at 10⁻¹⁰ on cells of 0.2, 0.1, 0.05 and 0.025, extrapolated
 * twice: 1.967599936 and 1.967599933.
 */
const CASES = [
  {
    name: 'wave',
    input: { ...common, L: 60, t_end: 10, t_from: 5, initial_u: '1/(1+exp((x-20)/sqrt(6)))^2' },
    truth: 5 / Math.sqrt(6),
    grids: [
      [500, 0.05],
      [2000, 0.0125],
    ],
  },
  {
    name: 'compact',
    input: { ...common, L: 130, t_end: 50, t_from: 40, u0: 'ramp', r0: 5, peak: 1 },
    truth: 1.967599933,
    grids: [
      [1300, 0.03],
      [2600, 0.02],
    ],
  },
] as const;

const runKernel = await startKernel('tumor');
const rounds = Number(process.argv[2] ?? 5);
const peer = startPythonPeer('tumor.py');

/** Cells from which the answer's is chosen: the first whose error is not above the peer's. */
const GRIDS = [96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 2304, 2560, 3072] as const;

printHead('case', 'answer on', 'answer ms', 'LSODA ms', 'answer / LSODA', 'error', 'its ±', 'error of LSODA', 'target');
for (const { name, input, truth, grids } of CASES)
  for (const [peerCells, longest] of grids)
    for (const isExtrapolated of [false, true]) {
      const speedOf = async (cells: number) => (await peer.time(name, cells, 1e-7)).result[0] ?? Number.NaN;
      const of = async (cells: number) => [
        await speedOf(cells),
        isExtrapolated ? await speedOf(cells / 2) : Number.NaN,
      ];
      const [fine = Number.NaN, coarse = Number.NaN] = await of(peerCells);
      const peerError = Math.abs((isExtrapolated ? fine + (fine - coarse) / 3 : fine) - truth);
      const answerOn = (nx: number) => {
        const parsed = inputs.parse({ ...input, nx, dt: (longest * peerCells) / nx });
        return tumor.collect(
          planOf(parsed).runs.map((run) => runKernel(run)),
          parsed,
        );
      };
      const nx = GRIDS.find((cells) => Math.abs(answerOn(cells).value - truth) <= peerError) ?? 3072;
      const { answer, whole, half } = await fastestOf(rounds, {
        answer: () => timeBatch(() => answerOn(nx)),
        whole: () => peer.time(name, peerCells, 1e-7),
        half: () => peer.time(name, peerCells / 2, 1e-7),
      });
      const time = whole.time + (isExtrapolated ? half.time : 0);
      printRow(
        `${name}, ${peerCells}${isExtrapolated ? ` and ${peerCells / 2}` : ''} intervals`,
        `${nx} cells`,
        fixed(answer.time * 1e3, 2),
        fixed(time * 1e3, 1),
        fixed(answer.time / time, 3),
        scientific(Math.abs(answer.result.value - truth), 1),
        scientific(answer.result.uncertainty, 1),
        scientific(peerError, 1),
        '≤ 0.2',
      );
    }
peer.stop();
