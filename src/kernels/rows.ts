// Reads row-major records of a view by the names of their columns.

export interface Rows<Column extends string = string> {
  /** Number of rows. */
  readonly count: number;
  /** NaN outside the rows. */
  at(row: number, column: Column): number;
  /** f64[count], a copy. */
  column(column: Column): Float64Array<ArrayBuffer>;
}

/** @param columns  positions of all columns of the record, from `KernelOutput.columns` */
export function rowsOf<Column extends string>(
  data: Float64Array,
  columns: Readonly<Record<Column, number>>,
): Rows<Column> {
  const width = Object.keys(columns).length;
  const count = width === 0 ? 0 : Math.floor(data.length / width);
  const at = (row: number, column: Column) => data[row * width + columns[column]] ?? Number.NaN;
  const column = (name: Column) => {
    const values = new Float64Array(count);
    for (let row = 0; row < count; row++) values[row] = at(row, name);
    return values;
  };
  return { count, at, column };
}
