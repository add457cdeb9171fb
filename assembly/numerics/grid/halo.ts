// Fields on an even grid of cell centers, each with a halo of two cells on every side, so that a stencil of order 2 or 4
// needs no branch at the sides.
//
// A field f64[rows, columns] is stored row by row at a stride that keeps column 0 of every row on 16 bytes. Vectors of
// two lanes may run one cell into the halo of an odd row: the halo is filled again before it is read. The halo holds the
// field beyond a side: its other end where it is periodic, its mirror image about the side where nothing flows through.
// The mirror image of a smooth field with zero slope at the side is smooth, so no order is lost there.
import { allocate } from '../../kernel';

/** Cells of the halo on each side. */
export const HALO: i32 = 2;

/** Bytes from a row to the next. */
export function haloStride(columns: i32): usize {
  return (<usize>(((columns + 1) & ~1) + 2 * HALO)) << 3;
}

/** Bytes of a field with its halo. */
export function haloBytes(rows: i32, columns: i32): usize {
  return <usize>(rows + 2 * HALO) * haloStride(columns);
}

/** A zeroed field. @returns the address of cell (0, 0), or 0 if the memory is exhausted */
export function allocateField(rows: i32, columns: i32): usize {
  const address = allocate(haloBytes(rows, columns));
  return address === 0 ? 0 : address + <usize>HALO * haloStride(columns) + <usize>HALO * 8;
}

/** Fills the halo. A single row is a line: the rows about it stay zero. */
export function fillHalo(field: usize, rows: i32, columns: i32, isPeriodic: bool): void {
  const stride = haloStride(columns);
  const last = (<usize>(columns - 1)) << 3;
  for (let j = 0; j < rows; j++) {
    const row = field + <usize>j * stride;
    const end = row + last;
    const left = isPeriodic ? end : row;
    const right = isPeriodic ? row : end;
    const inward: usize = isPeriodic ? 0 - <usize>8 : 8;
    store<f64>(row - 8, load<f64>(left));
    store<f64>(row - 16, load<f64>(left + inward));
    store<f64>(end + 8, load<f64>(right));
    store<f64>(end + 16, load<f64>(right - inward));
  }
  if (rows === 1) return;
  const first = field - <usize>HALO * 8;
  const final = first + <usize>(rows - 1) * stride;
  const below = isPeriodic ? final : first;
  const above = isPeriodic ? first : final;
  const inward: usize = isPeriodic ? 0 - stride : stride;
  memory.copy(first - stride, below, stride);
  memory.copy(first - 2 * stride, below + inward, stride);
  memory.copy(final + stride, above, stride);
  memory.copy(final + 2 * stride, above - inward, stride);
}
