// Evaluates many short programs on one expression kernel. A row without a value gives NaN instead of an error.

import { DomainError } from '../../core/errors.ts';
import type { Program } from '../../expressions/bytecode.ts';
import { type Rescaling, rescalingDeviation } from '../../expressions/dimensions-rescaled.ts';
import { evaluateRows } from '../../expressions/evaluate.ts';
import { instantiate, type KernelInstance, type KernelModule } from '../../kernels/instance.ts';

export class Evaluator {
  readonly #instance: KernelInstance;

  /** @param module  the compiled expression kernel */
  constructor(module: KernelModule) {
    this.#instance = instantiate(module);
  }

  /**
   * One value a row; NaN where a sum has no whole bounds or too many terms, or the steps run out.
   *
   * @param rows  the slots of each row
   * @throws DomainError KERNEL_FAILED if the kernel traps, which is a defect of the kernel
   */
  values(program: Program, rows: readonly (readonly number[])[]): number[] {
    if (rows.length === 0) return [];
    try {
      return [...evaluateRows(this.#instance, program, Float64Array.from(rows.flat()), rows.length)];
    } catch (fault) {
      if (!(fault instanceof DomainError) || fault.code === 'KERNEL_FAILED') throw fault;
      if (rows.length === 1) return [Number.NaN];
      return rows.flatMap((row) => this.values(program, [row]));
    }
  }

  /** As `rescalingDeviation`; NaN where the law has no value. */
  rescalingDeviation(rescaling: Rescaling, row: readonly number[]): number {
    try {
      return rescalingDeviation(this.#instance, rescaling, row);
    } catch (fault) {
      if (!(fault instanceof DomainError) || fault.code === 'KERNEL_FAILED') throw fault;
      return Number.NaN;
    }
  }
}
