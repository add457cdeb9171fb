// An array of a result.

/** Row-major data with a name, a unit and a shape. */
export interface Field {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** Names of the fields that make a mesh, and of those on it; nodes have shape [n, 2], elements [m, corners]. */
export interface MeshFields {
  readonly nodes: string;
  readonly elements: string;
  readonly atNodes: readonly string[];
  readonly inElements: readonly string[];
}
