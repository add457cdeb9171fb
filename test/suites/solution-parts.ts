// Parts of a solution by name.

import type { Solution } from '../../src/solvers/definition.ts';

/** NaN if missing. */
export const quantityOf = ({ quantities }: Solution, name: string): number =>
  quantities.find((entry) => entry.name === name)?.value ?? Number.NaN;

/** The ± of a quantity; NaN if missing. */
export const uncertaintyOf = ({ quantities }: Solution, name: string): number =>
  quantities.find((entry) => entry.name === name)?.uncertainty ?? Number.NaN;

/** Of a series or field; empty if missing. */
export const numbersOf = ({ series, fields }: Solution, name: string): Float64Array =>
  [...series, ...fields].find((entry) => entry.name === name)?.data ?? new Float64Array(0);

/** What is not finite, by name; empty if nothing is. */
export function numberFaults({
  value,
  uncertainty,
  bound,
  functional,
  quantities,
  series,
  fields,
}: Solution): string[] {
  const numbers = [
    ...Object.entries({ value, uncertainty, bound, functional }),
    ...quantities.map((entry) => [entry.name, entry.value] as const),
    ...[...series, ...fields].flatMap(({ name, data }) => {
      const at = data.findIndex((x) => !Number.isFinite(x));
      return at === -1 ? [] : [[`${name}[${at}]`, data[at] ?? Number.NaN] as const];
    }),
  ];
  return numbers.flatMap(([name, number]) => (Number.isFinite(number) ? [] : [`${name} is ${number}`]));
}

/** What is not finite or not conserved, by name; empty if nothing is. */
export function faultsOf(solution: Solution): string[] {
  const broken = solution.invariants.filter(({ drift, bound }) => !(Math.abs(drift) <= bound));
  const drifts = broken.map(({ name, drift, bound }) => `invariant ${name} drifts by ${drift}, above ${bound}`);
  return [...numberFaults(solution), ...drifts];
}
