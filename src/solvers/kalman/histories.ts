// Histories of a run by row: states, standard deviations, gains and innovations, for series and plots.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { KalmanFace } from './face.ts';

/** Column `i` of f64[rows, width]. */
export const columnOf = (values: Float64Array, width: number, i: number): Float64Array =>
  Float64Array.from({ length: values.length / width }, (_, row) => values[row * width + i] ?? 0);

/** Square roots, 0 of what rounding made negative. */
export const rootsOf = (values: Float64Array): Float64Array => values.map((one) => Math.sqrt(Math.max(0, one)));

/** f64[rows, width] as f64[width, rows]. */
export function turned(values: Float64Array, width: number): Float64Array {
  const rows = values.length / width;
  const result = new Float64Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < width; i++) result[i * rows + row] = values[row * width + i] ?? 0;
  return result;
}

/** A view of an output; empty if it was not asked for. */
export const viewOf = ({ views }: KernelOutput<KalmanFace>, name: KalmanFace['views'][number]): Float64Array =>
  views[name] ?? new Float64Array();
