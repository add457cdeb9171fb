// Reads and writes the control block of an instance: f64 done, reserved, parameters[64], statistics[64].

import type { KernelRun } from './abi.ts';

/** Positions in f64, and lengths; assembly/kernel.ts lays the block out. */
export const CONTROL = { done: 0, parameters: 2, statistics: 66, end: 130, maxParameters: 64, maxStatistics: 64 };

export class ControlBlock {
  readonly #memory: WebAssembly.Memory;
  readonly #address: number;
  #values: Float64Array;

  constructor(memory: WebAssembly.Memory, address: number) {
    this.#memory = memory;
    this.#address = address;
    this.#values = new Float64Array(memory.buffer, address, CONTROL.end);
  }

  /** A kernel that grows its memory detaches earlier views of it. */
  #current(): Float64Array {
    const { buffer } = this.#memory;
    if (this.#values.buffer !== buffer) this.#values = new Float64Array(buffer, this.#address, CONTROL.end);
    return this.#values;
  }

  /**
   * Writes the parameters of a run; the others are 0.
   *
   * @param positionOf  throws for a name that the kernel does not have
   */
  writeParameters(parameters: KernelRun['parameters'], positionOf: (name: string) => number): void {
    const values = this.#current();
    values.fill(0, CONTROL.parameters, CONTROL.parameters + CONTROL.maxParameters);
    for (const name of Object.keys(parameters)) values[CONTROL.parameters + positionOf(name)] = parameters[name] ?? 0;
  }

  /** Steps done, as the kernel counts them. */
  done(): number {
    return this.#current()[CONTROL.done] ?? 0;
  }

  statistic(position: number): number {
    return this.#current()[CONTROL.statistics + position] ?? Number.NaN;
  }
}
