// The compiled form of a unified run: all algebraic values of a table row, or the slopes of a system.

import { expectedWords } from '../../expressions/compiled/expected-words.ts';
import { moduleOf } from '../../expressions/compiled/module-cache.ts';
import type { Shape, ShapeProgram } from '../../expressions/compiled/shape.ts';
import type { Accelerate, KernelRun } from '../../kernels/abi.ts';
import type { ParameterName } from '../../kernels/face.ts';
import type { UnifiedFace } from './face.ts';

/** Right-hand sides of a run with adaptive steps on a typical problem, besides those of the guard. */
const TYPICAL_EVALUATIONS = 6_000;
const RUNGE_KUTTA = 0;

/** What decides the form of a run. */
type RunInput = Pick<KernelRun, 'parameters' | 'inputs'>;

export const accelerateUnified: Accelerate = ({ slug }, run) => {
  const shape = slug === 'unified' ? shapeOf(run) : undefined;
  if (shape === undefined) return undefined;
  const words = shape.programs.reduce((sum, { start, end }) => sum + expectedWords(shape.code, start, end), 0);
  return moduleOf(shape, words * timesOf(run));
};

/** What is compiled of a run. */
export function shapeOf(run: RunInput): Shape | undefined {
  const { code, pool, table } = run.inputs ?? {};
  if (!(code instanceof Int32Array && pool instanceof Float64Array && table instanceof Int32Array)) return undefined;
  const rangeOf = (from: number, count: number, to: 'slot' | 'out') =>
    Array.from({ length: count }, (_, i): ShapeProgram => {
      const [start = 0, poolBase = 0, slot = 0] = table.subarray(3 * (from + i));
      const end = table[3 * (from + i + 1)] ?? code.length;
      return { start, end, poolBase, target: { to, index: to === 'slot' ? slot : i } };
    });
  const algebraic = parameterOf(run, 'algebraic');
  const slotCount = parameterOf(run, 'slots');
  if (isTable(run)) return { code, pool, slotCount, programs: rangeOf(0, algebraic, 'slot'), form: 'rows' };
  const required = rangeOf(parameterOf(run, 'fixed'), parameterOf(run, 'needed'), 'slot');
  const slopes = rangeOf(algebraic, parameterOf(run, 'states'), 'out');
  return { code, pool, slotCount, programs: [...required, ...slopes], form: 'system' };
}

/** Expected number of rows, or of right-hand sides. */
function timesOf(run: RunInput): number {
  if (isTable(run)) return parameterOf(run, 'rows');
  const isFixed = parameterOf(run, 'method') === RUNGE_KUTTA;
  const steps = (parameterOf(run, 'tEnd') - parameterOf(run, 't0')) / parameterOf(run, 'step');
  return parameterOf(run, 'checks') + (isFixed ? 4 * steps : TYPICAL_EVALUATIONS);
}

const isTable = (run: RunInput) => parameterOf(run, 'kind') === 0;

const parameterOf = ({ parameters }: RunInput, name: ParameterName<UnifiedFace>) => parameters[name] ?? 0;
