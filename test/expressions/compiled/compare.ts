// Runs of one program by the machine and by its compiled module, for comparisons bit by bit.

import { emitModule } from '../../../src/expressions/compiled/emit-module.ts';
import { IMPORTED_FUNCTIONS } from '../../../src/expressions/compiled/encoding.ts';
import { type Shape, shapeOfRows } from '../../../src/expressions/compiled/shape.ts';
import { rowsRun } from '../../../src/expressions/evaluate.ts';
import type { CompiledModule, KernelOutput } from '../../../src/kernels/abi.ts';
import { compileModule } from '../../../src/kernels/compiled.ts';
import { drive, type KernelInstance } from '../../../src/kernels/instance.ts';
import { randomProgram, randomRows } from './random-programs.ts';

export function moduleOfShape(shape: Shape): CompiledModule | undefined {
  const bytes = emitModule(shape);
  return bytes === undefined ? undefined : compileModule(bytes, IMPORTED_FUNCTIONS);
}

export function runToEnd(
  instance: KernelInstance,
  run: Parameters<typeof drive>[1],
  module?: CompiledModule,
): KernelOutput {
  const chunks = drive(instance, run, () => 0, module);
  let next = chunks.next();
  while (!next.done) next = chunks.next();
  return next.value;
}

export interface Comparison {
  readonly seed: number;
  readonly isCompiled: boolean;
  /** Rows that the run did; less than all where the machine failed. */
  readonly rows: number;
  readonly isSame: boolean;
  readonly machine: KernelOutput;
}

export function compareProgram(instance: KernelInstance, seed: number, rowCount: number): Comparison {
  const program = randomProgram(seed);
  const module = moduleOfShape(shapeOfRows(program.code, program.pool, program.slots.length));
  const run = rowsRun(program, randomRows(seed, rowCount), rowCount);
  const machine = runToEnd(instance, run);
  const compiled = runToEnd(instance, run, module);
  return {
    seed,
    isCompiled: module !== undefined,
    rows: machine.steps,
    isSame: bitsOf(machine) === bitsOf(compiled),
    machine,
  };
}

/** All bytes of an output, with the sign and payload of every NaN. */
export function bitsOf({ info, steps, views, statistics }: KernelOutput): string {
  const arrays = [
    ...Object.values(views),
    Float64Array.from(Object.values(statistics), (value) => value ?? Number.NaN),
  ];
  const words = arrays.map((array) => new BigUint64Array(array?.buffer as ArrayBuffer).join(' '));
  return JSON.stringify([info, steps, words]);
}
