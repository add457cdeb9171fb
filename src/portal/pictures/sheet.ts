// Values over two coordinates, as maps, cuts and files take them.

export interface Coordinate {
  readonly name: string;
  readonly unit: string;
  /** Rising and evenly spaced. */
  readonly data: ArrayLike<number>;
}

/** Values over two coordinates, row-major: rows along y, columns along x. */
export interface Sheet {
  readonly x: Coordinate;
  readonly y: Coordinate;
  readonly values: Coordinate;
}
