// (1/π) ∫ exp(-r (1 - cos θ)) cos(n (θ - sin θ)) dθ over 0 <= θ <= π, for r > 0.
//
// Schläfli's integral for a Bessel function of whole order n on the path through its saddle point, where it is largest
// and does not oscillate: J_n(x) and I_n(x) are this with r² = n² ∓ x², times the integrand at the saddle. The
// integrand is periodic and entire, so the trapezoidal rule converges faster than any power (Trefethen & Weideman 2014,
// SIAM Review 56, 385-458).

import { log } from '../../../core/elementary.ts';
import { PI } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp } from '../exponential.ts';
import { cos, sineCosine } from '../trigonometric.ts';

/** -ln of the largest neglected term. */
const NEGLIGIBLE = 80;

export function saddleIntegral(n: number, r: DoubleDouble): DoubleDouble {
  const points = pointsFor(Math.max(n, r.high));
  const nodes = nodesOf(n, points);
  let sum = dd.scale(dd.ONE, -1);
  for (let j = 1; j <= points; j++) {
    const { rest, phase } = nodes.at(j);
    const depth = dd.multiply(r, rest);
    if (depth.high > NEGLIGIBLE) break;
    const value = dd.multiply(exp(dd.negative(depth)), phase);
    sum = dd.add(sum, j === points ? dd.scale(value, -1) : value);
  }
  return dd.divideByNumber(sum, points);
}

/** What does not depend on r: 1 - cos θ and cos n(θ - sin θ). */
interface Node {
  readonly rest: DoubleDouble;
  readonly phase: DoubleDouble;
}

/** The nodes of an order and a number of points, each made when it is first needed. */
class Nodes {
  readonly order: number;
  readonly points: number;
  readonly #step: DoubleDouble;
  readonly #nodes: Node[] = [];

  constructor(order: number, points: number) {
    this.order = order;
    this.points = points;
    this.#step = dd.divideByNumber(PI, points);
  }

  /** Nodes are asked for in order. @param j  from 1 */
  at(j: number): Node {
    const known = this.#nodes[j - 1];
    if (known !== undefined) return known;
    const theta = dd.multiplyByNumber(this.#step, j);
    const { sine, cosine } = sineCosine(theta);
    const rest = dd.addNumber(dd.negative(cosine), 1);
    const node = { rest, phase: cos(dd.multiplyByNumber(dd.subtract(theta, sine), this.order)) };
    this.#nodes[j - 1] = node;
    return node;
  }
}

/** Those that were used last: a sweep asks for few orders, and for the same number of points many times. */
const recent: Nodes[] = [];
const MAX_RECENT = 8;

function nodesOf(order: number, points: number): Nodes {
  for (const nodes of recent) if (nodes.order === order && nodes.points === points) return nodes;
  const fresh = new Nodes(order, points);
  recent.unshift(fresh);
  if (recent.length > MAX_RECENT) recent.pop();
  return fresh;
}

/**
 * Half the points of a period. The rule with N points errs by the coefficients N away from the middle one; these fall
 * at least like exp(-∫_0^N ln(1 + t/s) dt) where the order and r are at most s.
 */
function pointsFor(s: number): number {
  let count = 16;
  while ((s + count) * log(1 + count / s) - count < NEGLIGIBLE) count += 8;
  return count / 2;
}
