// The ensemble against the master equation of a few people, whose every state is counted.

import { describe, expect, test } from 'vitest';
import { epi } from '../../src/solvers/epi/solver.ts';
import { coldInstance, runInGroups } from '../suites/run-solver.ts';

interface Epidemic {
  readonly sizes: readonly number[];
  readonly contacts: readonly (readonly number[])[];
  readonly beta: number;
  readonly gamma: number;
  /** Of SEIR. */
  readonly sigma?: number;
  readonly mu?: number;
  readonly waning?: number;
  readonly window?: {
    readonly from: number;
    readonly to: number;
    readonly factor: number;
    readonly vaccination: number;
  };
  readonly days: number;
  readonly exposed?: readonly number[];
  readonly infectious: readonly number[];
  readonly immune?: readonly number[];
}

const RUNS = 10_000;
const ROWS = 61;

/** Infectious of each run and sample; infections and time of the end of each run. */
async function ensembleOf(epidemic: Epidemic, seed: number) {
  const { sizes, contacts, beta, gamma, sigma, mu = 0, waning = 0, window, days } = epidemic;
  const none = sizes.map(() => 0);
  const { exposed = none, infectious, immune = none } = epidemic;
  const plan = epi.plan(
    epi.inputs.parse({
      model: sigma === undefined ? 'sir' : 'seir',
      groups: [...sizes],
      contacts: contacts.map((row) => [...row]),
      ...(sigma === undefined ? {} : { sigma }),
      ...(window === undefined ? {} : { windows: [window] }),
      ...{ beta, gamma, mu, waning, days, I0: 0, samples: ROWS, ensemble: RUNS, seed },
    }),
  );
  const run = plan.runs[2];
  if (run === undefined) throw new Error('The plan has no ensemble.');
  const initial = Float64Array.from([
    ...none,
    ...(sigma === undefined ? [] : exposed),
    ...infectious,
    ...immune,
    ...none,
  ]);
  const started = { ...run, inputs: { ...run.inputs, initial } };
  const { info, views } = runInGroups(await coldInstance('epi'), started, Number.POSITIVE_INFINITY);
  expect(info).toBe(0);
  const { paths = new Float64Array(), outcomes = new Float64Array() } = views;
  const column = (k: number) => Array.from({ length: RUNS }, (_, i) => outcomes[5 * i + k] ?? Number.NaN);
  return { paths, infections: column(0), ends: column(3), infectedAtEnd: column(4) };
}

/** Kinds of a rate: times the factor of the window, times its vaccination, or neither. */
const [INFECTION, VACCINATION, OTHER] = [0, 1, 2];

interface Move {
  readonly from: number;
  readonly to: number;
  readonly rate: number;
  readonly kind: number;
}

/** All states that the start reaches, S, E and I of each group, and the moves between them; none without infected. */
function movesOf({ sizes, contacts, beta, gamma, sigma, mu = 0, waning = 0, ...start }: Epidemic) {
  const none = sizes.map(() => 0);
  const { exposed = none, infectious, immune = none } = start;
  const first = sizes.flatMap((size, g) => {
    const [e, i] = [exposed[g] ?? 0, infectious[g] ?? 0];
    return [size - e - i - (immune[g] ?? 0), e, i];
  });
  const states = [first];
  const index = new Map([[first.join(), 0]]);
  const moves: Move[] = [];
  for (let from = 0; from < states.length; from++) {
    const state = states[from] ?? [];
    const at = (g: number, k: number) => state[3 * g + k] ?? 0;
    if (sizes.every((_, g) => at(g, 1) + at(g, 2) === 0)) continue;
    const add = (g: number, change: readonly [number, number, number], rate: number, kind: number) => {
      if (rate === 0) return;
      const next = state.map((one, k) => one + (Math.floor(k / 3) === g ? (change[k % 3] ?? 0) : 0));
      const known = index.get(next.join());
      const to = known ?? states.push(next) - 1;
      if (known === undefined) index.set(next.join(), to);
      moves.push({ from, to, rate, kind });
    };
    for (const [g, size] of sizes.entries()) {
      const [s, e, i] = [at(g, 0), at(g, 1), at(g, 2)];
      const force = beta * sizes.reduce((sum, other, h) => sum + ((contacts[g]?.[h] ?? 0) * at(h, 2)) / other, 0);
      add(g, sigma === undefined ? [-1, 0, 1] : [-1, 1, 0], force * s, INFECTION);
      add(g, [-1, 0, 0], start.window === undefined ? 0 : s, VACCINATION);
      add(g, [0, -1, 1], (sigma ?? 0) * e, OTHER);
      add(g, [0, 0, -1], gamma * i, OTHER);
      add(g, [1, 0, 0], (waning + mu) * (size - s - e - i), OTHER);
      add(g, [1, -1, 0], mu * e, OTHER);
      add(g, [1, 0, -1], mu * i, OTHER);
    }
  }
  return { states, moves };
}

/** Probabilities of the states at the samples and the mean number of infections, by Runge and Kutta's method. */
function masterEquation(epidemic: Epidemic) {
  const { days, window } = epidemic;
  const { states, moves } = movesOf(epidemic);
  const count = states.length;
  /** The last number is the mean number of infections. */
  let p = new Float64Array(count + 1);
  p[0] = 1;
  const slopesAt = (from: Float64Array, t: number): Float64Array => {
    const isInside = window !== undefined && t >= window.from && t < window.to;
    const scales = [isInside ? window.factor : 1, isInside ? window.vaccination : 0, 1];
    const slopes = new Float64Array(count + 1);
    for (const { from: a, to: b, rate, kind } of moves) {
      const flow = (scales[kind] ?? 0) * rate * (from[a] ?? 0);
      slopes[a] = (slopes[a] ?? 0) - flow;
      slopes[b] = (slopes[b] ?? 0) + flow;
      if (kind === INFECTION) slopes[count] = (slopes[count] ?? 0) + flow;
    }
    return slopes;
  };
  const rows = [p];
  const parts = 16;
  const h = days / (ROWS - 1) / parts;
  for (let row = 1; row < ROWS; row++) {
    for (let part = 0; part < parts; part++) {
      // Windows begin and end between two steps.
      const middle = h * (parts * (row - 1) + part + 0.5);
      const plus = (slopes: Float64Array, factor: number) => p.map((one, k) => one + factor * (slopes[k] ?? 0));
      const k1 = slopesAt(p, middle);
      const k2 = slopesAt(plus(k1, 0.5 * h), middle);
      const k3 = slopesAt(plus(k2, 0.5 * h), middle);
      const k4 = slopesAt(plus(k3, h), middle);
      p = p.map((one, k) => one + (h / 6) * ((k1[k] ?? 0) + 2 * ((k2[k] ?? 0) + (k3[k] ?? 0)) + (k4[k] ?? 0)));
    }
    rows.push(p);
  }
  const total = (state: readonly number[], ...compartments: readonly number[]) =>
    state.reduce((sum, one, k) => sum + (compartments.includes(k % 3) ? one : 0), 0);
  const chance = (row: number, isMeant: (state: readonly number[]) => boolean) =>
    states.reduce((sum, state, k) => sum + (isMeant(state) ? (rows[row]?.[k] ?? 0) : 0), 0);
  return {
    infections: p[count] ?? Number.NaN,
    chanceOfInfectious: (row: number, infectious: number) => chance(row, (state) => total(state, 2) === infectious),
    chanceOfEnd: (row: number) => chance(row, (state) => total(state, 1, 2) === 0),
  };
}

const two = [
  [0.6, 1.9],
  [1.4, 0.2],
] as const;

const EPIDEMICS: Readonly<Record<string, Epidemic>> = {
  'SIR of five': { sizes: [5], contacts: [[1]], beta: 1.1, gamma: 0.5, infectious: [2], days: 9 },
  'births of recovered': {
    ...{ sizes: [6], contacts: [[1]], beta: 1.6, gamma: 0.5, mu: 0.3, days: 9 },
    ...{ infectious: [1], immune: [4] },
  },
  'loss of immunity and a window with vaccination': {
    ...{ sizes: [7], contacts: [[1]], beta: 1.5, gamma: 0.35, waning: 0.2, days: 9 },
    window: { from: 0.6, to: 3, factor: 0.3, vaccination: 0.8 },
    ...{ infectious: [2], immune: [1] },
  },
  'SIR of two groups that infect each other': {
    ...{ sizes: [3, 4], contacts: two, beta: 1.2, gamma: 0.45, days: 9 },
    infectious: [1, 0],
  },
  'SEIR of two groups with births': {
    ...{ sizes: [3, 2], contacts: two, beta: 1.7, gamma: 0.5, sigma: 0.8, mu: 0.15, days: 9 },
    ...{ exposed: [1, 0], infectious: [0, 1] },
  },
};

describe('10,000 runs from each of two seeds', () => {
  test.each(Object.entries(EPIDEMICS))('%s', async (_, epidemic) => {
    const exact = masterEquation(epidemic);
    const people = epidemic.sizes.reduce((sum, size) => sum + size, 0);
    for (const seed of [1, 2]) {
      const { paths, infections, ends, infectedAtEnd } = await ensembleOf(epidemic, seed);
      // The infectious at six times: how many runs have so many of them.
      for (let row = 10; row < ROWS; row += 10)
        for (let infectious = 0; infectious <= people; infectious++) {
          const p = exact.chanceOfInfectious(row, infectious);
          let found = 0;
          for (let run = 0; run < RUNS; run++) if (paths[run * ROWS + row] === infectious) found++;
          const scatter = Math.sqrt(RUNS * p * (1 - p)) + 1;
          expect(Math.abs(found - RUNS * p) / scatter, `${infectious} at sample ${row}`).toBeLessThan(4.5);
        }
      const mean = infections.reduce((sum, one) => sum + one, 0) / RUNS;
      const variance = infections.reduce((sum, one) => sum + (one - mean) ** 2, 0) / RUNS;
      expect(Math.abs(mean - exact.infections) / Math.sqrt(variance / RUNS)).toBeLessThan(4);
      // Kolmogorov and Smirnov: a probability of 1e-3.
      const isOver = infectedAtEnd.map((one) => one === 0);
      let largest = 0;
      for (let row = 0; row < ROWS; row++) {
        const t = (epidemic.days * row) / (ROWS - 1);
        const share = ends.filter((end, run) => isOver[run] && end <= t).length / RUNS;
        largest = Math.max(largest, Math.abs(share - exact.chanceOfEnd(row)));
      }
      expect(Math.sqrt(RUNS) * largest).toBeLessThan(1.95);
    }
  });
});

test('the last infectious of a family leaves after the longest of exponential times', async () => {
  const family = { sizes: [3], contacts: [[1]], beta: 0, gamma: 0.7, mu: 0.2, infectious: [3], days: 60 };
  const { ends, infections } = await ensembleOf(family, 3);
  expect(infections.every((one) => one === 0)).toBe(true);
  const sorted = ends.toSorted((a, b) => a - b);
  const distance = sorted.reduce((most, end, k) => {
    const chance = (1 - Math.exp(-0.9 * end)) ** 3;
    return Math.max(most, Math.abs((k + 1) / RUNS - chance), Math.abs(k / RUNS - chance));
  }, 0);
  expect(Math.sqrt(RUNS) * distance).toBeLessThan(1.95);
  const mean = ends.reduce((sum, end) => sum + end, 0) / RUNS;
  const variance = ends.reduce((sum, end) => sum + (end - mean) ** 2, 0) / RUNS;
  // Sums of 1 / (0.9 k) and of their squares.
  const [truth, square] = [(1 + 1 / 2 + 1 / 3) / 0.9, (1 + 1 / 4 + 1 / 9) / 0.81];
  expect(Math.abs(mean - truth)).toBeLessThan(4 * Math.sqrt(square / RUNS));
  expect(Math.abs(variance / square - 1)).toBeLessThan(0.1);
});
