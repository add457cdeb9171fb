// The bound of rounding of a number of a flow: what each balance misses, times how the number changes with it.
//
// The residual of a balance is computed again here; its own rounding, and that of the given numbers, is at most some
// roundings of the sizes of its terms. The kernel gives the sensitivities, solutions of the transposed equations. First order:
// the residuals are of the size of rounding, so their squares do not count.

import { KIND, type Problem } from './problem.ts';

const UNIT_ROUNDOFF = 2 ** -53;
/** Roundings of a term: its literals, two-port or susceptance, products and the sum. */
const ROUNDINGS = 24;

/** Bounds of the chosen flow, the lowest angle or voltage, the power of the references and the largest loading. */
export interface Bounds {
  readonly flow: number;
  readonly lowest: number;
  readonly reference: number;
  readonly loaded: number;
  /** The largest residual of a balance, and the largest term of one. */
  readonly mismatch: number;
  readonly scale: number;
}

/** By unknown: what the balance misses, and the sum of the sizes of its terms. */
interface Balances {
  readonly residual: Float64Array;
  readonly sizes: Float64Array;
}

function boundsOf({ residual, sizes }: Balances, sensitivities: Float64Array, own: readonly number[]): Bounds {
  const n = residual.length;
  const bound = (k: number) => {
    let sum = ROUNDINGS * UNIT_ROUNDOFF * (own[k] ?? 0);
    for (let i = 0; i < n; i++) {
      const error = Math.abs(residual[i] ?? 0) + ROUNDINGS * UNIT_ROUNDOFF * (sizes[i] ?? 0);
      sum += Math.abs(sensitivities[k * n + i] ?? 0) * error;
    }
    return sum;
  };
  const mismatch = residual.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = sizes.reduce((most, value) => Math.max(most, value), 1);
  return { flow: bound(0), lowest: bound(1), reference: bound(2), loaded: bound(3), mismatch, scale };
}

export interface Chosen {
  readonly flow: number;
  readonly lowest: number;
  readonly loaded: number;
}

export function directBounds(
  { nodes, lines }: Problem,
  angles: Float64Array,
  flows: Float64Array,
  sensitivities: Float64Array,
  chosen: Chosen,
): Bounds {
  const residual = Float64Array.from(nodes, ({ p, conductance }) => p - conductance);
  const sizes = Float64Array.from(nodes, ({ size, conductance }) => size + Math.abs(conductance));
  let references = 0;
  const sizeOf = (l: number): number => {
    const line = lines[l];
    if (!line?.isOn) return 0;
    const sum = Math.abs(angles[line.from] ?? 0) + Math.abs(angles[line.to] ?? 0) + Math.abs(line.shift);
    return sum / Math.abs(line.reactance * line.tap);
  };
  for (const [l, { from, to, isOn }] of lines.entries()) {
    if (!isOn) continue;
    const flow = flows[l] ?? 0;
    residual[from] = (residual[from] ?? 0) - flow;
    residual[to] = (residual[to] ?? 0) + flow;
    const size = sizeOf(l);
    for (const bus of [from, to]) {
      sizes[bus] = (sizes[bus] ?? 0) + size;
      if (nodes[bus]?.kind === KIND.reference) references += size;
    }
  }
  for (const [i, { kind }] of nodes.entries())
    if (kind >= KIND.reference) {
      references += kind === KIND.reference ? (sizes[i] ?? 0) : 0;
      residual[i] = 0;
      sizes[i] = 0;
    }
  const own = [sizeOf(chosen.flow), Math.abs(angles[chosen.lowest] ?? 0), references, sizeOf(chosen.loaded)];
  return boundsOf({ residual, sizes }, sensitivities, own);
}

/** @param voltages  f64[buses, 2]. @param limits  f64[buses]: at which limit of reactive power a bus is */
export function alternatingBounds(
  { nodes, lines }: Problem,
  voltages: Float64Array,
  limits: Float64Array,
  sensitivities: Float64Array,
  chosen: Chosen,
): Bounds {
  const n = nodes.length;
  const currents = new Float64Array(2 * n);
  const sizes = new Float64Array(2 * n);
  const at = (i: number) => [voltages[2 * i] ?? 0, voltages[2 * i + 1] ?? 0] as const;
  const magnitude = (i: number) => {
    const [e, f] = at(i);
    return Math.sqrt(e * e + f * f);
  };
  const grow = (values: Float64Array, i: number, value: number) => {
    values[i] = (values[i] ?? 0) + value;
  };
  const addCurrent = (i: number, j: number, g: number, b: number) => {
    const [e, f] = at(j);
    grow(currents, 2 * i, g * e - b * f);
    grow(currents, 2 * i + 1, g * f + b * e);
    const size = (Math.abs(g) + Math.abs(b)) * magnitude(i) * magnitude(j);
    grow(sizes, 2 * i, size);
    grow(sizes, 2 * i + 1, size);
  };
  const lineSizes = new Float64Array(lines.length);
  for (const [l, { from, to, resistance, reactance, charging, tap, cosine, sine, isOn }] of lines.entries()) {
    if (!isOn) continue;
    const square = resistance * resistance + reactance * reactance;
    const [g, b] = [resistance / square, -reactance / square];
    const own = b + charging / 2;
    addCurrent(from, from, g / (tap * tap), own / (tap * tap));
    addCurrent(to, to, g, own);
    addCurrent(from, to, -(g * cosine - b * sine) / tap, -(g * sine + b * cosine) / tap);
    addCurrent(to, from, -(g * cosine + b * sine) / tap, -(b * cosine - g * sine) / tap);
    const largest = Math.max(magnitude(from) / tap, magnitude(to));
    lineSizes[l] = 2 * (Math.abs(g) + Math.abs(b) + Math.abs(own)) * largest * largest;
  }
  const residual = new Float64Array(2 * n);
  let references = 0;
  for (const [i, node] of nodes.entries()) {
    addCurrent(i, i, node.conductance, node.susceptance);
    if (node.kind >= KIND.reference) {
      references += node.kind === KIND.reference ? (sizes[2 * i] ?? 0) + node.size : 0;
      sizes[2 * i] = 0;
      sizes[2 * i + 1] = 0;
      continue;
    }
    const [e, f] = at(i);
    const [re, im] = [currents[2 * i] ?? 0, currents[2 * i + 1] ?? 0];
    const limit = limits[i] ?? 0;
    grow(sizes, 2 * i, node.size);
    residual[2 * i] = e * re + f * im - node.p;
    if (node.kind === KIND.generator && limit === 0) {
      residual[2 * i + 1] = e * e + f * f - node.voltage * node.voltage;
      sizes[2 * i + 1] = 2 * node.voltage * node.voltage;
    } else {
      const q = limit > 0 ? node.qHigh : limit < 0 ? node.qLow : node.q;
      residual[2 * i + 1] = f * re - e * im - q;
      grow(sizes, 2 * i + 1, node.size + Math.abs(q));
    }
  }
  const own = [lineSizes[chosen.flow] ?? 0, magnitude(chosen.lowest), references, lineSizes[chosen.loaded] ?? 0];
  return boundsOf({ residual, sizes }, sensitivities, own);
}
