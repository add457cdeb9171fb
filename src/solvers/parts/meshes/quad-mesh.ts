// Meshes of quadrilaterals: their boundary, uniform refinement, and a numbering with a narrow profile.

/** Edges that lie on a circle, so that the middles of a refinement do too. */
export interface Arc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** i32[n, 2]: nodes. */
  readonly edges: Int32Array;
}

export interface QuadMesh {
  /** f64[nodes, 2] */
  readonly points: Float64Array;
  /** i32[elements, 4], anticlockwise. */
  readonly quads: Int32Array;
  /** Named parts of the boundary: i32[n, 2], nodes with the inside to the left. */
  readonly sides: ReadonlyMap<string, Int32Array>;
  readonly arcs: readonly Arc[];
}

/** A refined mesh; its nodes are those of the coarser one, the middles of its edges, and those of its elements. */
export interface RefinedMesh extends QuadMesh {
  /** i32[n, 2]: the edges of the coarser mesh. */
  readonly edges: Int32Array;
}

export const nodeCountOf = ({ points }: QuadMesh): number => points.length / 2;
export const elementCountOf = ({ quads }: QuadMesh): number => quads.length / 4;

/** A number for an edge, the same in both directions. */
const edgeKey = (a: number, b: number): number => Math.min(a, b) * 4_194_304 + Math.max(a, b);

/** Calls back with the corners of each edge of each element, anticlockwise. */
function forEachEdge(quads: Int32Array, visit: (a: number, b: number, element: number) => void): void {
  for (let i = 0; i < quads.length; i++) {
    const corner = i % 4;
    visit(quads[i] ?? 0, quads[corner === 3 ? i - 3 : i + 1] ?? 0, (i - corner) / 4);
  }
}

/** The edges that one element has alone, i32[n, 2], with the inside to the left. */
export function boundaryOf({ quads }: Pick<QuadMesh, 'quads'>): Int32Array {
  const counts = new Map<number, number>();
  forEachEdge(quads, (a, b) => counts.set(edgeKey(a, b), (counts.get(edgeKey(a, b)) ?? 0) + 1));
  const boundary: number[] = [];
  forEachEdge(quads, (a, b) => {
    if (counts.get(edgeKey(a, b)) === 1) boundary.push(a, b);
  });
  return Int32Array.from(boundary);
}

/** All edges once, in the order of the elements, i32[n, 2]. */
export function edgesOf({ quads }: Pick<QuadMesh, 'quads'>): Int32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  forEachEdge(quads, (a, b) => {
    if (seen.has(edgeKey(a, b))) return;
    seen.add(edgeKey(a, b));
    edges.push(a, b);
  });
  return Int32Array.from(edges);
}

/** Four elements for each. Middles of edges on an arc are moved onto its circle. */
export function refined(mesh: QuadMesh): RefinedMesh {
  const { points, quads, sides, arcs } = mesh;
  const nodes = nodeCountOf(mesh);
  const edges = edgesOf(mesh);
  const elements = elementCountOf(mesh);
  const middles = new Map<number, number>();
  const fine = new Float64Array(points.length + edges.length + 2 * elements);
  fine.set(points);
  for (let i = 0; i < edges.length; i += 2) {
    const [a = 0, b = 0] = edges.subarray(i, i + 2);
    const node = nodes + i / 2;
    middles.set(edgeKey(a, b), node);
    for (let d = 0; d < 2; d++) fine[2 * node + d] = 0.5 * ((points[2 * a + d] ?? 0) + (points[2 * b + d] ?? 0));
  }
  const middleOf = (a: number, b: number) => middles.get(edgeKey(a, b)) ?? 0;
  const split = (pairs: Int32Array): Int32Array => {
    const halves = new Int32Array(2 * pairs.length);
    for (let i = 0; i < pairs.length; i += 2) {
      const [a = 0, b = 0] = pairs.subarray(i, i + 2);
      const middle = middleOf(a, b);
      halves.set([a, middle, middle, b], 2 * i);
    }
    return halves;
  };
  for (const arc of arcs) {
    for (let i = 0; i < arc.edges.length; i += 2)
      moveOnto(arc, fine, middleOf(arc.edges[i] ?? 0, arc.edges[i + 1] ?? 0));
  }
  const children = new Int32Array(4 * quads.length);
  for (let e = 0; e < elements; e++) {
    const corners = quads.subarray(4 * e, 4 * e + 4);
    const [a = 0, b = 0, c = 0, d = 0] = corners;
    const centre = nodes + edges.length / 2 + e;
    const [ab, bc, cd, da] = [middleOf(a, b), middleOf(b, c), middleOf(c, d), middleOf(d, a)];
    // From the middles, which may lie on arcs.
    for (let k = 0; k < 2; k++)
      fine[2 * centre + k] = 0.25 * [ab, bc, cd, da].reduce((sum, node) => sum + (fine[2 * node + k] ?? 0), 0);
    children.set([a, ab, centre, da, ab, b, bc, centre, centre, bc, c, cd, da, centre, cd, d], 16 * e);
  }
  return {
    points: fine,
    quads: children,
    edges,
    sides: new Map([...sides].map(([name, pairs]) => [name, split(pairs)])),
    arcs: arcs.map((arc) => ({ ...arc, edges: split(arc.edges) })),
  };
}

function moveOnto({ x, y, radius }: Arc, points: Float64Array, node: number): void {
  const dx = (points[2 * node] ?? 0) - x;
  const dy = (points[2 * node + 1] ?? 0) - y;
  const factor = radius / Math.sqrt(dx * dx + dy * dy);
  points[2 * node] = x + factor * dx;
  points[2 * node + 1] = y + factor * dy;
}

/** For each node those that share an element with it, in rising order, without itself. */
function neighboursOf(mesh: QuadMesh): readonly (readonly number[])[] {
  const sets = Array.from({ length: nodeCountOf(mesh) }, () => new Set<number>());
  for (let e = 0; e < mesh.quads.length; e += 4) {
    const corners = mesh.quads.subarray(e, e + 4);
    for (const a of corners) for (const b of corners) if (a !== b) sets[a]?.add(b);
  }
  return sets.map((set) => [...set].sort((a, b) => a - b));
}

/**
 * The nodes in an order with a narrow profile: breadth first from a node at an end, reversed (Cuthill & McKee 1969; George
 * 1971).
 */
export function narrowOrder(mesh: QuadMesh): Int32Array {
  const neighbours = neighboursOf(mesh);
  const degree = (node: number) => neighbours[node]?.length ?? 0;
  const isPlaced = new Uint8Array(neighbours.length);
  const order: number[] = [];
  const breadthFirst = (start: number): readonly number[] => {
    const seen = new Set([start]);
    for (const node of seen)
      for (const other of [...(neighbours[node] ?? [])].sort((a, b) => degree(a) - degree(b) || a - b)) seen.add(other);
    return [...seen];
  };
  for (let seed = 0; seed < neighbours.length; seed++) {
    if (isPlaced[seed] === 1) continue;
    let start = seed;
    for (let turn = 0; turn < 3; turn++) start = breadthFirst(start).at(-1) ?? start;
    for (const node of breadthFirst(start)) {
      isPlaced[node] = 1;
      order.push(node);
    }
  }
  return Int32Array.from(order.reverse());
}

/** The same mesh with its nodes in another order. @param order  the old number of each new one */
export function renumbered({ points, quads, sides, arcs }: QuadMesh, order: Int32Array): QuadMesh {
  const place = new Int32Array(order.length);
  for (const [i, node] of order.entries()) place[node] = i;
  const moved = (nodes: Int32Array) => nodes.map((node) => place[node] ?? 0);
  const ordered = new Float64Array(points.length);
  for (const [i, node] of order.entries()) ordered.set(points.subarray(2 * node, 2 * node + 2), 2 * i);
  return {
    points: ordered,
    quads: moved(quads),
    sides: new Map([...sides].map(([name, pairs]) => [name, moved(pairs)])),
    arcs: arcs.map((arc) => ({ ...arc, edges: moved(arc.edges) })),
  };
}

/** Rows of the profile of a matrix with `perNode` unknowns a node: where each starts, i32[rows + 1]. */
export function profileOf(mesh: QuadMesh, perNode: number): Int32Array {
  const n = nodeCountOf(mesh);
  const first = Int32Array.from({ length: n }, (_, node) => node);
  for (let e = 0; e < mesh.quads.length; e += 4) {
    const corners = mesh.quads.subarray(e, e + 4);
    const least = Math.min(...corners);
    for (const node of corners) first[node] = Math.min(first[node] ?? 0, least);
  }
  const starts = new Int32Array(n * perNode + 1);
  for (let row = 0; row < n * perNode; row++) {
    const from = (first[Math.floor(row / perNode)] ?? 0) * perNode;
    starts[row + 1] = (starts[row] ?? 0) + row - from + 1;
  }
  return starts;
}

/** The boundary edges both of whose nodes pass a test. */
export function edgesWhere(
  { points }: QuadMesh,
  boundary: Int32Array,
  test: (x: number, y: number) => boolean,
): Int32Array {
  const chosen: number[] = [];
  const passes = (node: number) => test(points[2 * node] ?? 0, points[2 * node + 1] ?? 0);
  for (let i = 0; i < boundary.length; i += 2) {
    const [a = 0, b = 0] = boundary.subarray(i, i + 2);
    if (passes(a) && passes(b)) chosen.push(a, b);
  }
  return Int32Array.from(chosen);
}
