// Places of the buses in the picture: distances on the page as the numbers of branches between them, by stress majorisation.
//
// Gansner, Koren & North, Graph Drawing by Stress Majorization (Graph Drawing 2004), in the local form: each bus in turn
// moves to the mean of where the others want it. Arithmetic and square roots alone, so the same everywhere.

const SWEEPS = 60;

/** Neighbours of each node, each once. */
function neighboursOf(n: number, edges: readonly (readonly [number, number])[]): number[][] {
  const sets = Array.from({ length: n }, () => new Set<number>());
  for (const [a, b] of edges) {
    sets[a]?.add(b);
    sets[b]?.add(a);
  }
  return sets.map((set) => [...set]);
}

function distancesFrom(start: number, neighbours: readonly (readonly number[])[], far: number): Float64Array {
  const distances = new Float64Array(neighbours.length).fill(far);
  distances[start] = 0;
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] ?? 0;
    for (const other of neighbours[node] ?? []) {
      if (distances[other] !== far) continue;
      distances[other] = (distances[node] ?? 0) + 1;
      queue.push(other);
    }
  }
  return distances;
}

const argmax = (values: Float64Array): number =>
  values.reduce((best, value, i) => (value > (values[best] ?? 0) ? i : best), 0);

/** @returns f64[n, 2] */
export function layoutOf(n: number, edges: readonly (readonly [number, number])[]): Float64Array {
  const neighbours = neighboursOf(n, edges);
  // Parts that are not joined lie a little further apart than the widest part.
  const unreached = n + 1;
  const raw = Array.from({ length: n }, (_, i) => distancesFrom(i, neighbours, unreached));
  const width = raw.reduce((most, row) => row.reduce((max, d) => (d < unreached && d > max ? d : max), most), 1);
  const apart = Math.max(2, width / 2);
  const distances = raw.map((row) => row.map((d) => (d === unreached ? apart : d)));
  // The start: distances to two far buses along x, to a third against both along y.
  const a = argmax(distances[0] ?? new Float64Array());
  const b = argmax(distances[a] ?? new Float64Array());
  const [toA, toB] = [distances[a] ?? new Float64Array(), distances[b] ?? new Float64Array()];
  const c = argmax(toA.map((d, i) => Math.min(d, toB[i] ?? 0)));
  const toC = distances[c] ?? new Float64Array();
  const positions = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    positions[2 * i] = ((toA[i] ?? 0) - (toB[i] ?? 0)) / 2;
    // A little apart, so that no two coincide.
    positions[2 * i + 1] = (toC[i] ?? 0) - ((toA[i] ?? 0) + (toB[i] ?? 0)) / 2 + ((i * 7) % 13) / 40 + i / (50 * n);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) for (let i = 0; i < n; i++) settle(i, positions, distances[i] ?? toA);
  return positions;
}

function settle(i: number, positions: Float64Array, distances: Float64Array): void {
  const [x, y] = [positions[2 * i] ?? 0, positions[2 * i + 1] ?? 0];
  let [sumX, sumY, weights] = [0, 0, 0];
  for (let j = 0; j < distances.length; j++) {
    if (j === i) continue;
    const d = distances[j] ?? 1;
    const weight = 1 / (d * d);
    const [otherX, otherY] = [positions[2 * j] ?? 0, positions[2 * j + 1] ?? 0];
    const [dx, dy] = [x - otherX, y - otherY];
    const length = Math.sqrt(dx * dx + dy * dy);
    const factor = length > 1e-9 ? d / length : 0;
    sumX += weight * (otherX + dx * factor);
    sumY += weight * (otherY + dy * factor);
    weights += weight;
  }
  if (weights === 0) return;
  positions[2 * i] = sumX / weights;
  positions[2 * i + 1] = sumY / weights;
}
