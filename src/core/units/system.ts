// Do some units belong to one system? Hours with 1/h do, and years with yr^-1/2; litres with kJ and K do not.
//
// A law that balances holds between the bare numbers if every unit in it is a product of powers of the same base units,
// whatever these are: if there are sizes s_b of the bases with factor = prod s_b^exponent for each unit. In logarithms
// that is a system of linear equations, and the question is whether it has a solution.

import { log } from '../elementary.ts';
import type { Dimension } from './dimension.ts';

interface Sized {
  readonly factor: number;
  readonly dimension: Dimension;
}

export function isOneSystem(units: readonly Sized[]): boolean {
  const open = units.map(({ factor, dimension: { numerators, denominator } }) => [
    ...numerators.map((n) => n / denominator),
    log(factor),
  ]);
  const columns = (open[0]?.length ?? 1) - 1;
  for (let column = 0; column < columns; column++) {
    const at = indexOfLargest(open, column);
    const pivot = open[at]?.[column] ?? 0;
    if (Math.abs(pivot) < NEARLY_ZERO) continue;
    const [row = []] = open.splice(at, 1);
    for (const [i, other] of open.entries()) {
      const share = (other[column] ?? 0) / pivot;
      open[i] = other.map((x, j) => (j === column ? 0 : x - share * (row[j] ?? 0)));
    }
  }
  return open.every((row) => Math.abs(row[columns] ?? 0) < NEARLY_ZERO);
}

/** Exponents are fractions of small numbers, and no two sizes in use are nearer than the Julian year to 365 days. */
const NEARLY_ZERO = 1e-9;

function indexOfLargest(rows: readonly (readonly number[])[], column: number): number {
  const sizes = rows.map((row) => Math.abs(row[column] ?? 0));
  return sizes.indexOf(Math.max(...sizes));
}
