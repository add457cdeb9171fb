// Rows of a Markdown table on standard output; bench/run.ts writes them to RESULTS.md.

export function printHead(...columns: readonly string[]): void {
  printRow(...columns);
  console.log(`|${'---|'.repeat(columns.length)}`);
}

export function printRow(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

/** A number with this many digits after the point; "-" if its program is missing. */
export const fixed = (value: number, digits: number): string => (Number.isNaN(value) ? '-' : value.toFixed(digits));

/** As `fixed`, with an exponent. */
export const scientific = (value: number, digits: number): string =>
  Number.isNaN(value) ? '-' : value.toExponential(digits);
