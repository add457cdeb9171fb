// The runs of a chain of laws over all points of a sweep: one for each operator, over the rows of all points, then the
// samples of the points whose ± the first order does not cover.

import { INFO, type KernelOutput, type KernelRun } from '../../kernels/abi.ts';
import type { BoundChain } from '../../operators/bind.ts';
import { sampleCount } from '../../operators/distribution.ts';
import { compileOperator } from '../../operators/evaluate.ts';
import { SweptChain, type SweptVariable } from '../../operators/swept-chain.ts';
import type { Solution } from '../../solvers/definition.ts';
import { ESTIMATED_BYTES, NS_PER_INSTRUCTION } from '../chain-computation.ts';
import type { Computation } from '../computation.ts';
import { isConverged } from '../convergence.ts';
import type { PointSet } from './axes.ts';
import { assertFewSamples, rowsBetween } from './block.ts';
import { rowOf } from './law-row.ts';
import { orRefusal, type PointRuns, type Row } from './sweep-computation.ts';

export interface SweptCase {
  /** Of any point. */
  readonly chain: BoundChain;
  readonly swept: readonly SweptVariable[];
  readonly points: PointSet;
  /** To the unit that was asked for. */
  readonly convert: ((value: number) => number) | undefined;
  /** @throws DomainError  the refusal of the point */
  readonly pointAt: (index: number) => Computation;
}

/** The second evaluation of an operator at a point, and its budget. */
const NS_PER_POINT = 2_000;

export function sweptRuns(own: SweptCase): PointRuns {
  let planned: SweptPoints | undefined;
  const points = (): SweptPoints => {
    planned ??= new SweptPoints(own);
    return planned;
  };
  return {
    plan: () => points().plan(),
    rowAt: (index, outputs) => points().rowAt(index, outputs),
    solutionAt: (index, outputs) => {
      const solution = points().solutionAt(index, outputs);
      const { value, uncertainty } = points().rowAt(index, outputs);
      if (solution.value !== value || solution.uncertainty !== uncertainty)
        throw new Error(`Point ${index} has another value alone than among others.`);
      return solution;
    },
  };
}

/** What the outputs say about the points. */
interface Found {
  /** Of the runs of the operators. */
  readonly outputs: readonly KernelOutput[];
  readonly rows: Rows;
  /** Runs of samples, and where those of each point begin among them; a list with one more. */
  readonly samples: readonly KernelRun[];
  readonly starts: readonly number[];
}

/** The rows of the points that are decided together, in columns; for others, their chain must decide. */
class Rows {
  readonly #values: Float64Array;
  readonly #uncertainties: Float64Array;
  readonly #states: Uint8Array;

  constructor(count: number) {
    this.#values = new Float64Array(count);
    this.#uncertainties = new Float64Array(count);
    this.#states = new Uint8Array(count);
  }

  set(index: number, { value, uncertainty, isConverged }: Row): void {
    this.#values[index] = value;
    this.#uncertainties[index] = uncertainty;
    this.#states[index] = isConverged ? CONVERGED : UNCONVERGED;
  }

  has(index: number): boolean {
    return this.#states[index] !== UNDECIDED;
  }

  at(index: number): Row | undefined {
    if (!this.has(index)) return undefined;
    const [value, uncertainty] = [this.#values[index] as number, this.#uncertainties[index] as number];
    return { value, uncertainty, isConverged: this.#states[index] === CONVERGED };
  }
}

const [UNDECIDED, CONVERGED, UNCONVERGED] = [0, 1, 2];

class SweptPoints {
  readonly #own: SweptCase;
  readonly #chain: SweptChain;
  readonly #stages: number;
  #found: Found | undefined;

  constructor(own: SweptCase) {
    const { chain, swept, points } = own;
    this.#own = own;
    this.#stages = chain.operators.length;
    this.#chain = new SweptChain(chain, swept, points);
  }

  plan() {
    const { chain, points } = this.#own;
    const words = chain.operators.reduce((sum, one) => sum + compileOperator(one.definition).program.code.length, 0);
    const slots = chain.operators.reduce((sum, one) => sum + compileOperator(one.definition).program.slots.length, 0);
    const { rowCount } = this.#chain;
    return {
      runs: this.#chain.runs(),
      ...(sampleCount(chain) === 0
        ? {}
        : { further: (before: readonly KernelOutput[]) => this.#foundIn(before).samples }),
      estimateNs: rowCount * words * NS_PER_INSTRUCTION,
      collectNs: points.count * this.#stages * NS_PER_POINT,
      estimateBytes: ESTIMATED_BYTES + 8 * rowCount * (slots + this.#stages),
    };
  }

  rowAt(index: number, outputs: readonly KernelOutput[]): Row {
    const found = this.#foundIn(outputs).rows.at(index);
    if (found !== undefined) return found;
    const solution = this.solutionAt(index, outputs);
    const { value, uncertainty } = solution;
    return { value, uncertainty, isConverged: isConverged(solution) };
  }

  solutionAt(index: number, outputs: readonly KernelOutput[]): Solution {
    const computation = this.#own.pointAt(index);
    if (this.#isEmpty(index)) throw new Error(`The laws take point ${index}, which has no rows.`);
    const { starts } = this.#foundIn(outputs);
    const samples = outputs.slice(this.#stages + (starts[index] ?? 0), this.#stages + (starts[index + 1] ?? 0));
    return computation.collect([...this.#sliced(index, outputs), ...samples]);
  }

  #isEmpty(index: number): boolean {
    return this.#chain.starts[index] === this.#chain.starts[index + 1];
  }

  /** The outputs of the operators at one point. */
  #sliced(index: number, outputs: readonly KernelOutput[]): readonly KernelOutput[] {
    const [from, to] = [this.#chain.starts[index] as number, this.#chain.starts[index + 1] as number];
    return outputs.slice(0, this.#stages).map((output) => rowsBetween(output, from, to));
  }

  /** Once for equal outputs: the plan of the samples and all rows need the same. */
  #foundIn(outputs: readonly KernelOutput[]): Found {
    const known = this.#found;
    if (known?.outputs.every((output, at) => output === outputs[at])) return known;
    const own = outputs.slice(0, this.#stages);
    if (own.length < this.#stages) throw new Error('The laws were not run.');
    const rows = this.#decided(own);
    const samples: KernelRun[] = [];
    const starts = [0];
    for (let index = 0; index < this.#own.points.count; index++) {
      if (!rows.has(index) && !this.#isEmpty(index)) samples.push(...this.#samplesAt(index, own));
      starts.push(samples.length);
    }
    assertFewSamples(samples);
    this.#found = { outputs: own, rows, samples, starts };
    return this.#found;
  }

  #decided(outputs: readonly KernelOutput[]): Rows {
    const values = outputs.flatMap(({ info, views }) => (info === INFO.ok && views.values ? [views.values] : []));
    const rows = new Rows(this.#own.points.count);
    if (values.length < this.#stages) return rows;
    const { convert } = this.#own;
    this.#chain.eachValue(values, (index, found) => rows.set(index, rowOf(found, convert)));
    return rows;
  }

  /** None of a point that is refused, with which its row will answer. */
  #samplesAt(index: number, outputs: readonly KernelOutput[]): readonly KernelRun[] {
    if (sampleCount(this.#own.chain) === 0) return [];
    const runs = orRefusal(() => this.#own.pointAt(index).plan().further?.(this.#sliced(index, outputs)) ?? []);
    return Array.isArray(runs) ? runs : [];
  }
}
