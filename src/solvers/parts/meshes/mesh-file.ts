// The contents of a mesh file, before they are checked.

export interface MeshFile {
  /** x, y, z by the number that the file gives a node. */
  readonly nodes: ReadonlyMap<number, readonly [number, number, number]>;
  /** Four nodes by the number that the file gives an element. */
  readonly quads: ReadonlyMap<number, readonly number[]>;
  /** Named pairs of nodes. */
  readonly lines: ReadonlyMap<string, readonly (readonly [number, number])[]>;
  /** Named nodes; the boundary edges between them are a side. */
  readonly nodeSets: ReadonlyMap<string, ReadonlySet<number>>;
  readonly notes: readonly string[];
}
