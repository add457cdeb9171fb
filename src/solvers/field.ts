// An array of a result.

/** Row-major data with a name, a unit and a shape. */
export interface Field {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}
