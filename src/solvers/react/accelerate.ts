// The compiled form of a run with kinetics of one's own: the rates of many cells.

import { expectedWords } from '../../expressions/compiled/expected-words.ts';
import { moduleOf } from '../../expressions/compiled/module-cache.ts';
import type { Shape, ShapeProgram } from '../../expressions/compiled/shape.ts';
import type { Accelerate, KernelRun } from '../../kernels/abi.ts';
import { MODEL_NUMBER } from './face.ts';

/** Slots of a cell in the kernel: u, v, x, y, t and the rate of u. */
const SLOTS = 6;
const RATE_SLOT = 5;

export const accelerateReact: Accelerate = ({ slug }, run) => {
  const shape = slug === 'react' ? shapeOf(run) : undefined;
  if (shape === undefined) return undefined;
  const words = shape.programs.reduce((sum, { start, end }) => sum + expectedWords(shape.code, start, end), 0);
  const { columns = 0, rows = 0, isFourthOrder = 0 } = run.parameters;
  return moduleOf(shape, words * columns * rows * run.steps * (isFourthOrder === 1 ? 4 : 1));
};

/** What is compiled of a run: the rate of u, which goes to a slot, and that of v. */
function shapeOf({ parameters, inputs }: Pick<KernelRun, 'parameters' | 'inputs'>): Shape | undefined {
  const { code, pool, programs } = inputs ?? {};
  if (parameters.model !== MODEL_NUMBER.custom) return undefined;
  if (!(code instanceof Int32Array && pool instanceof Float64Array && programs instanceof Int32Array)) return undefined;
  const starts = [programs[0] ?? 0, programs[2] ?? 0, programs[4] ?? -1, programs[6] ?? -1];
  const rate = (index: 0 | 1): ShapeProgram => {
    const start = starts[index] ?? 0;
    const end = starts.find((next) => next > start) ?? code.length;
    const target = index === 0 ? ({ to: 'slot', index: RATE_SLOT } as const) : ({ to: 'out', index: 0 } as const);
    return { start, end, poolBase: programs[2 * index + 1] ?? 0, target };
  };
  return { code, pool, slotCount: SLOTS, programs: [rate(0), rate(1)], form: 'rows' };
}
