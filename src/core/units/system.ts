// Tests whether units form a coherent system: hours with 1/h do, and years with yr^-1/2; litres with kJ and K do not.
//
// A balanced law holds between the bare numbers if every unit in it is a product of powers of the same base units:
// if sizes s_b of the bases exist with factor = prod s_b^exponent for each unit. In logarithms this is a system of
// linear equations; the units are coherent if it has a solution.

import { log } from '../elementary.ts';
import type { Dimension } from './dimension.ts';

interface ScaledUnit {
  readonly factor: number;
  readonly dimension: Dimension;
}

export function isCoherentSystem(units: readonly ScaledUnit[]): boolean {
  const rows = units.map(({ factor, dimension: { numerators, denominator } }) => [
    ...numerators.map((n) => n / denominator),
    log(factor),
  ]);
  const columns = (rows[0]?.length ?? 1) - 1;
  for (let column = 0; column < columns; column++) {
    const pivotRow = indexOfLargest(rows, column);
    const pivot = rows[pivotRow]?.[column] ?? 0;
    if (Math.abs(pivot) < NEARLY_ZERO) continue;
    const [row = []] = rows.splice(pivotRow, 1);
    for (const [i, other] of rows.entries()) {
      const factor = (other[column] ?? 0) / pivot;
      rows[i] = other.map((x, j) => (j === column ? 0 : x - factor * (row[j] ?? 0)));
    }
  }
  return rows.every((row) => Math.abs(row[columns] ?? 0) < NEARLY_ZERO);
}

/** Exponents are fractions of small numbers, and no two sizes are closer than the Julian year and 365 days. */
const NEARLY_ZERO = 1e-9;

function indexOfLargest(rows: readonly (readonly number[])[], column: number): number {
  const sizes = rows.map((row) => Math.abs(row[column] ?? 0));
  return sizes.indexOf(Math.max(...sizes));
}
