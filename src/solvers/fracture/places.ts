// Places of the points along an axis: the middles of cells.

export const placesOf = (cells: number, spacing: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => (i + 0.5) * spacing);
