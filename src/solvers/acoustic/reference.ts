// The same frequencies another way: in closed form for boxes and discs. Other outlines have enclosure.ts.

import type { Ends } from './mesh.ts';

/**
 * c/2 √Σ (n_d / L_d)² above 0 Hz, rising, as often as it occurs; n_d counts half-waves, and is a half more than a whole
 * number between a rigid and an open end.
 */
export function boxFrequencies(lengths: readonly number[], ends: Ends, speed: number, count: number): number[] {
  // The first `count` need no more than `count` half-waves along any axis.
  let squares = [0];
  lengths.forEach((length, d) => {
    const [first, last] = ends[d] ?? [false, false];
    const start = first !== last ? 0.5 : first ? 1 : 0;
    const next: number[] = [];
    for (const square of squares)
      for (let k = 0; k <= count; k++) next.push(square + ((start + k) / length) * ((start + k) / length));
    squares = next.sort((a, b) => a - b).slice(0, count + 1);
  });
  return squares
    .filter((square) => square > 0)
    .slice(0, count)
    .map((square) => 0.5 * speed * Math.sqrt(square));
}

/** J_n(x) for n = 0 … count − 1, by Miller's downward recurrence (Digital Library of Mathematical Functions, §10.74(iv)). */
function besselRow(x: number, count: number): readonly number[] {
  const first = 2 * Math.ceil(0.5 * (Math.max(count, x) + 30));
  const row: number[] = [];
  let [above, present, sum] = [0, 1e-280, 0];
  for (let n = first; n >= 0; n--) {
    // `present` is J_n up to a factor.
    if (n < count) row[n] = present;
    if (n % 2 === 0) sum += n === 0 ? present : 2 * present;
    [above, present] = [present, ((2 * n) / x) * present - above];
  }
  return row.map((value) => value / sum);
}

/** The zero between two places with values of opposite sign, by the Illinois form of false position. */
function zeroBetween(f: (x: number) => number, from: number, to: number): number {
  let [low, high, below, above] = [from, to, f(from), f(to)];
  for (let i = 0; i < 60 && high - low > 0; i++) {
    const x = high - (above * (high - low)) / (above - below);
    const value = f(x);
    if (value === 0 || !(x > low && x < high)) return x;
    if (value * above < 0) [low, high, below, above] = [high, x, above, value];
    else [high, above, below] = [x, value, 0.5 * below];
    if (low > high) [low, high, below, above] = [high, low, above, below];
  }
  return 0.5 * (low + high);
}

/** Step of the search for zeros, which lie further apart. */
const STEP = 0.2;

/**
 * c z/(π d) of a disc of diameter d, rising, twice for n > 0: z are the zeros of J_n′ between rigid walls, of J_n within an
 * open one.
 */
export function discFrequencies(diameter: number, isOpen: boolean, speed: number, count: number): number[] {
  // z of order n lie above n, and those of all orders below z number about z²/4.
  const top = 2 * Math.sqrt(count + 1) + 6;
  const orders = Math.ceil(top);
  const values = (x: number) => {
    const row = besselRow(x, orders + 2);
    return Array.from({ length: orders }, (_, n) =>
      isOpen ? (row[n] ?? 0) : n === 0 ? -(row[1] ?? 0) : 0.5 * ((row[n - 1] ?? 0) - (row[n + 1] ?? 0)),
    );
  };
  const zeros: number[] = [];
  let before = values(STEP);
  for (let x = STEP; x < top; x += STEP) {
    const behind = values(x + STEP);
    for (let n = 0; n < orders; n++) {
      if (!((before[n] ?? 0) * (behind[n] ?? 0) < 0)) continue;
      const zero = zeroBetween((at) => values(at)[n] ?? 0, x, x + STEP);
      zeros.push(...Array.from({ length: n === 0 ? 1 : 2 }, () => zero));
    }
    before = behind;
  }
  return zeros
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((zero) => (speed * zero) / (Math.PI * diameter));
}
