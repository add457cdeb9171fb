import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import type { inputs } from '../../src/solvers/multibody/inputs.ts';
import { eccentricAnomaly, shapeOf, stateOf } from '../../src/solvers/multibody/orbit.ts';
import { multibody } from '../../src/solvers/multibody/solver.ts';
import { runPlan } from '../../src/solvers/run.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf, uncertaintyOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const PERIOD = 6.32591398;
const pair = [
  { mass: 1, position: [0, 0] },
  { mass: 1, position: [1, 0], velocity: [0, 1] },
] as const;
const bodies = (...list: readonly object[]) => list as NonNullable<Input['bodies']>;
const coordinate = fc.double({ min: -3, max: 3, noNaN: true });

describeSolver(multibody, {
  cases: {
    defaults: {},
    pythagorean: { preset: 'pythagorean', tMax: 20, samples: 60 },
    kepler: { preset: 'kepler' },
    ring: { preset: 'ring', tMax: 4, samples: 50 },
    softened: { preset: 'softened' },
    'solar system': { preset: 'solar-system', tMax: 1, samples: 50 },
    trojan: { preset: 'trojan', tMax: 60, samples: 50 },
    circumbinary: { preset: 'circumbinary', tMax: 0.5, samples: 50 },
    field: { preset: 'field', samples: 60 },
    springs: { preset: 'springs', samples: 60 },
    couplings: {
      bodies: [
        { mass: 1, phi0: 0.8 },
        { mass: 2, phi0: -0.3, position: 1 },
      ],
      pairwiseSoftening: 0.2,
      koSettings: { KO6: 1, KO27: 0.3, KO33: 0.2 },
      tMax: 6,
      samples: 50,
    },
    'a satellite in SI': {
      units: 'si',
      bodies: [{ mass: 5.972e24 }, { mass: 420_000, orbit: { a: 6.78e6, e: 0.001, inclination: 51.6 } }],
      tMax: 6_000,
      samples: 50,
    },
    'equal steps': { method: 'rk4', dt: 0.02, samples: 80 },
    'symplectic steps': { method: 'kahan8', dt: 0.05, preset: 'kepler', tMax: 20, samples: 80 },
    'a contact': {
      bodies: [
        { ...pair[0], radius: 0.2, position: [0, 0] },
        { mass: 1, position: [1, 0], velocity: [-1, 0.1], radius: 0.1 },
      ],
      samples: 60,
    },
  },
  conservation: true,
  golden: [
    'defaults',
    'pythagorean',
    'solar system',
    'field',
    'springs',
    'couplings',
    'equal steps',
    'symplectic steps',
  ],
  known: {
    'the figure-eight: 20 digits of its energy, its place after a period': {
      input: {},
      value: [-1.2871419917663256, 1e-15],
      quantities: { x_0: [0.9700043444311253, 1e-14], y_0: [-0.2430875434567938, 1e-14] },
    },
    'the figure-eight at 1': {
      input: { tMax: 1 },
      quantities: { x_0: [0.9935829199409778, 1e-14], y_0: [0.21920494711469557, 1e-14] },
    },
    'the Pythagorean problem at 10': {
      input: { preset: 'pythagorean', tMax: 10 },
      value: [-769 / 60, 1e-13],
      quantities: { x_0: [0.7784804101380854, 1e-11], y_0: [0.14139230029008618, 1e-11] },
    },
    'the Pythagorean problem at 20': {
      input: { preset: 'pythagorean', tMax: 20 },
      quantities: { x_0: [3.004292636696399, 2e-11], y_0: [0.5119252350246859, 2e-11] },
    },
    'the Pythagorean problem at 60, after its encounters': {
      input: { preset: 'pythagorean', tMax: 60 },
      quantities: {
        x_0: [0.7438075001180829, 2e-5],
        y_0: [1.9399479510948634, 2e-5],
        x_2: [-0.657492767819855, 2e-5],
        y_2: [-0.578669254760947, 2e-5],
        escaping_bodies: [1, 0.5],
      },
    },
    'a softened pair': {
      input: { preset: 'softened', tMax: 10 },
      value: [-0.7450371902099892, 1e-15],
      quantities: { x_0: [0.27416820071236914, 1e-13], y_0: [-0.404127068123696, 1e-13] },
    },
    'a head-on collision from rest: π / (2 √2) √(r³ / 2 m)': {
      input: {
        bodies: [
          { mass: 1, position: [0, 0] },
          { mass: 1, position: [1, 0] },
        ],
      },
      quantities: { collision_time: [Math.PI / 4, 1e-12], collision_first: [0, 0.5], collision_second: [1, 0.5] },
    },
    'a field that escapes in finite time: x″ = x³ from 1 with v = 1/√2, 1/x falls evenly': {
      input: {
        bodies: [
          { mass: 1, phi0: 1, dphi0: Math.SQRT1_2 },
          { mass: 1, phi0: 0 },
        ],
        alpha: 0,
        beta: -1,
        pairwiseCoupling: 0,
      },
      quantities: { escape_to_infinity_time: [Math.SQRT2, 1e-12] },
    },
  },
  random: {
    of: fc.record({
      bodies: fc.array(
        fc.record({
          mass: fc.double({ min: 0.01, max: 3, noNaN: true }),
          position: fc.tuple(coordinate, coordinate).map((two) => [...two]),
          velocity: fc.tuple(coordinate, coordinate).map((two) => two.map((one) => one / 3)),
        }),
        { minLength: 2, maxLength: 5 },
      ),
      softening: fc.constantFrom(0.05, 0.3),
      tMax: fc.double({ min: 0.1, max: 5, noNaN: true }),
      samples: fc.constant(20),
    }),
    count: 40,
  },
  illegalParameters: [{ bodies: 17 }, { dimensions: 4 }, { method: 4 }, { rtol: 1 }, { tEnd: 0 }, { hasWork: 1 }],
  refused: [
    {
      input: { bodies: bodies({ mass: 1, position: [0, 0] }, { mass: 1, position: [0, 0] }) },
      field: 'bodies.1.position',
      reason: 'COINCIDENT',
    },
    {
      input: { bodies: bodies({ mass: 1, position: [0, 0], radius: 1 }, { mass: 1, position: [1, 0] }) },
      field: 'bodies.1.position',
      reason: 'OVERLAP',
    },
    {
      input: { bodies: bodies({ mass: -1, position: [0, 0] }, { mass: 1, position: [1, 0] }) },
      field: 'bodies.0.mass',
      reason: 'OUT_OF_RANGE',
    },
    { input: { bodies: bodies({ mass: 0, position: [0, 0] }, { mass: 0, position: [1, 0] }) }, field: 'bodies.0.mass' },
    {
      input: { bodies: bodies({ mass: 1e300, position: [0, 0] }, { mass: 0, position: [1, 0] }) },
      field: 'bodies.0.mass',
    },
    {
      input: { bodies: bodies({ mass: 1, position: [1e308, 0] }, { mass: 0, position: [1, 0] }) },
      field: 'bodies.0.position',
    },
    { input: { bodies: bodies({ mass: 1 }, { mass: 1, orbit: { a: 1, e: 1 } }) }, field: 'bodies.1.orbit.e' },
    { input: { bodies: bodies({ mass: 1 }, { mass: 1, orbit: { a: 0 } }) }, field: 'bodies.1.orbit.a' },
    { input: { bodies: bodies({ mass: 1 }, { mass: 1, orbit: { a: 1, about: 1 } }) }, field: 'bodies.1.orbit.about' },
    {
      input: { bodies: bodies({ mass: 1 }, { mass: 1, position: [1, 1], orbit: { a: 1 } }) },
      field: 'bodies.1.orbit',
      reason: 'GIVEN_TWICE',
    },
    {
      input: { bodies: bodies({ mass: 1, position: [0, 0], phi0: 1 }, { mass: 1, position: [1, 0] }) },
      field: 'bodies.0.phi0',
    },
    { input: { law: 'field', bodies: bodies({ mass: 1, position: [0, 0] }, { mass: 1 }) }, field: 'bodies.0.position' },
    {
      input: { law: 'field', bodies: bodies({ mass: 0, phi0: 1 }, { mass: 1 }) },
      field: 'bodies.0.mass',
      reason: 'OUT_OF_RANGE',
    },
    {
      input: { bodies: bodies({ mass: 1 }, { mass: 1 }), pairwiseSoftening: 0 },
      field: 'bodies.1.position',
      reason: 'COINCIDENT',
    },
    { input: { alpha: 1 }, field: 'alpha', message: 'belongs to the law field' },
    { input: { preset: 'field', G: 1 }, field: 'G', message: 'belongs to the law gravity' },
    { input: { preset: 'field', law: 'gravity' }, field: 'law' },
    { input: { preset: 'field', units: 'au' }, field: 'units' },
    {
      input: { preset: 'field', koSettings: { KO77: 1 } },
      field: 'koSettings',
      reason: 'OPERATOR_UNKNOWN',
      message: 'Did you mean KO7',
    },
    { input: { preset: 'springs', method: 'yoshida4', dt: 0.1 }, field: 'method' },
    { input: { method: 'rk4' }, field: 'dt', reason: 'MISSING' },
    { input: { method: 'rk4', dt: 1e-9 }, field: 'dt', reason: 'TOO_MANY_STEPS', saysLimit: true },
  ],
});

describe('equal steps', () => {
  /** The distance of body 0 from its place after a period. */
  const errorOf = async (method: Input['method'], stepsPerPeriod: number) => {
    const solution = await runSolver(multibody, { method, dt: PERIOD / stepsPerPeriod, samples: 26 });
    const at = (name: string) => quantityOf(solution, name) ?? Number.NaN;
    const [dx, dy] = [at('x_0') - 0.9700043444311253, at('y_0') + 0.2430875434567938];
    return { error: Math.hypot(dx, dy), solution };
  };

  // Of the design's table of the classical method: 2.3e-6, 1.07e-7, 5.6e-9, 3.2e-10 with 250 to 2000 steps a period; of
  // the worst body.
  test('the classical method errs as its table says, and ± holds it', async () => {
    for (const [steps, printed] of [
      [250, 2.3e-6],
      [500, 1.07e-7],
      [1_000, 5.6e-9],
      [2_000, 3.2e-10],
    ] as const) {
      const { error, solution } = await errorOf('rk4', steps);
      const uncertainty = solution.quantities.find(({ name }) => name === 'x_0')?.uncertainty ?? 0;
      expect(error / printed).toBeGreaterThan(0.3);
      expect(error / printed).toBeLessThan(1.5);
      expect(uncertainty).toBeGreaterThan(0.7 * error);
      expect(uncertainty).toBeLessThan(5 * error);
    }
  });

  test.each([
    ['leapfrog', 2],
    ['yoshida4', 4],
    ['yoshida6', 6],
    ['kahan8', 8],
  ] as const)('%s is of order %d', async (method, order) => {
    const few = method === 'kahan8' ? 60 : 200;
    const [coarse, fine] = [await errorOf(method, few), await errorOf(method, 2 * few)];
    expect(Math.abs(Math.log2(coarse.error / fine.error) - order), `${coarse.error} ${fine.error}`).toBeLessThan(0.6);
  });

  test('that are too long say so', async () => {
    const solution = await runSolver(multibody, { preset: 'kepler', method: 'leapfrog', dt: 0.3 });
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toContain('is too long for leapfrog');
  });
});

describe('closed forms', () => {
  test('a ring turns as ω² = G m / (4 R³) Σ 1 / sin(π k / n)', async () => {
    const solution = await runSolver(multibody, { preset: 'ring', tMax: 3 });
    const sum = [1, 2, 3, 4, 5].reduce((total, k) => total + 1 / Math.sin((Math.PI * k) / 6), 0);
    const angle = 3 * Math.sqrt(0.25 * sum);
    expect(Math.abs((quantityOf(solution, 'x_0') ?? 0) - Math.cos(angle))).toBeLessThan(1e-12);
    expect(Math.abs((quantityOf(solution, 'y_0') ?? 0) - Math.sin(angle))).toBeLessThan(1e-12);
  });

  test('a softened circular pair turns as ω² = G M / (r² + ε²)^(3/2)', async () => {
    const omega = Math.sqrt(3 / 1.25 ** 1.5);
    const solution = await runSolver(multibody, {
      bodies: [
        { mass: 2, position: [-1 / 3, 0], velocity: [0, -omega / 3] },
        { mass: 1, position: [2 / 3, 0], velocity: [0, (2 * omega) / 3] },
      ],
      softening: 0.5,
      tMax: 7,
    });
    expect(Math.abs((quantityOf(solution, 'x_1') ?? 0) - (2 / 3) * Math.cos(7 * omega))).toBeLessThan(1e-12);
  });

  test.each([1_500, 2_000])('± holds a circle of %d rad from a start without rounding', async (tMax) => {
    const system = bodies({ mass: 1, position: [0, 0] }, { mass: 0, position: [1, 0], velocity: [0, 1] });
    const solution = await runSolver(multibody, { bodies: system, tMax });
    const truth = { x_1: Math.cos(tMax), y_1: Math.sin(tMax), vx_1: -Math.sin(tMax), vy_1: Math.cos(tMax) };
    for (const [name, value] of Object.entries(truth))
      expect(Math.abs(quantityOf(solution, name) - value), name).toBeLessThanOrEqual(uncertaintyOf(solution, name));
  });

  test('elements give a state, and the state gives the elements', () => {
    const angle = fc.double({ min: -180, max: 360, noNaN: true });
    const elements = fc.record({
      a: fc.double({ min: 0.1, max: 30, noNaN: true }),
      e: fc.double({ min: 0, max: 0.99, noNaN: true }),
      inclination: fc.double({ min: 0, max: 180, noNaN: true }),
      node: angle,
      periapsis: angle,
      anomaly: angle,
    });
    fc.assert(
      fc.property(elements, (given) => {
        const [r, v] = stateOf(given, 2);
        const { a, e } = shapeOf(r, v, 2);
        expect(Math.abs(a / given.a - 1)).toBeLessThan(1e-11 / (1 - given.e));
        expect(Math.abs(e - given.e)).toBeLessThan(1e-11);
      }),
    );
  });

  test("Kepler's equation is solved to rounding", () => {
    const mean = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(mean, fc.double({ min: 0, max: 0.9999, noNaN: true }), (m, e) => {
        const E = eccentricAnomaly(m, e);
        const turned = Math.sin(E - e * Math.sin(E) - m);
        expect(Math.abs(turned)).toBeLessThan(1e-14);
      }),
    );
  });
});

describe('what is said about a run', () => {
  test('a chaotic system is shown until it cannot be predicted, and says when', async () => {
    const solution = await runSolver(multibody, { preset: 'pythagorean', tMax: 120 });
    const horizon = quantityOf(solution, 'horizon') ?? 0;
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toContain('Not predictable after');
    expect(horizon).toBeGreaterThan(60);
    expect(horizon).toBeLessThan(120);
    expect(numbersOf(solution, 't').at(-1)).toBe(horizon);
    // What is shown is within a thousandth of the size, and the energy is known all the same.
    const size = Math.max(...numbersOf(solution, 'x').map(Math.abs));
    expect(Math.max(...numbersOf(solution, 'position_uncertainty'))).toBeLessThan(1e-3 * size);
    expect(solution.uncertainty).toBeLessThan(1e-13);
  });

  test('two discs touch where their distance is the sum of their radii', async () => {
    const solution = await runSolver(multibody, {
      G: 0,
      bodies: bodies(
        { mass: 1, position: [0, 0], radius: 0.3 },
        { mass: 1, position: [4, 0.4], velocity: [-2, 0], radius: 0.2 },
      ),
    });
    // √(0.5² − 0.4²) = 0.3 apart along x.
    expect(Math.abs((quantityOf(solution, 'contact_time') ?? 0) - 1.85)).toBeLessThan(1e-12);
    expect(solution.converged).toBe(true);
  });

  test('discs that pass each other do not touch; their closest approach is told', async () => {
    const solution = await runSolver(multibody, {
      G: 0,
      bodies: bodies(
        { mass: 1, position: [0, 0], radius: 0.3 },
        { mass: 1, position: [4, 0.51], velocity: [-2, 0], radius: 0.2 },
      ),
    });
    expect(quantityOf(solution, 'contact_time')).toBeNaN();
    expect(Math.abs((quantityOf(solution, 'closest_approach') ?? 0) - 0.51)).toBeLessThan(1e-14);
    expect(Math.abs((quantityOf(solution, 'closest_approach_time') ?? 0) - 2)).toBeLessThan(1e-12);
  });

  test('coreOnly and useOperatorModules leave terms out, and ids are checked all the same', async () => {
    const input = {
      bodies: bodies({ mass: 1, phi0: 1, medium: 'water' }, { mass: 1, position: 4 }),
      koSettings: { KO27: 1 },
      pairwiseCoupling: 0,
      tMax: 2,
    } satisfies Input;
    const phi = async (more: Input) => quantityOf(await runSolver(multibody, { ...input, ...more }), 'phi_0') ?? 0;
    expect(Math.abs((await phi({ coreOnly: true })) - Math.cos(2))).toBeLessThan(1e-13);
    const drag = await phi({ useOperatorModules: false });
    const all = await phi({});
    expect(Math.abs(drag - Math.cos(2))).toBeGreaterThan(0.1);
    expect(Math.abs(all - drag)).toBeGreaterThan(0.1);
    expect(planError(multibody, { ...input, coreOnly: true, koSettings: { KO77: 1 } }).details[0]?.path).toBe(
      'koSettings',
    );
  });

  test('the damped oscillator of KO27 is exp(−t / 2) of a phase', async () => {
    const solution = await runSolver(multibody, {
      bodies: bodies({ mass: 1, phi0: 1 }, { mass: 1 }),
      koSettings: { KO27: 1 },
      pairwiseCoupling: 0,
      tMax: 3,
    });
    const w = Math.sqrt(0.75);
    const exact = Math.exp(-1.5) * (Math.cos(3 * w) + (0.5 / w) * Math.sin(3 * w));
    expect(Math.abs((quantityOf(solution, 'phi_0') ?? 0) - exact)).toBeLessThan(1e-13);
  });

  test('the order of the bodies changes no place beyond its ±', async () => {
    const list = bodies(
      { mass: 2, position: [0, 0, 0.2], velocity: [0, 0.3, 0] },
      { mass: 1, position: [1.1, 0, 0], velocity: [0, -1, 0.3] },
      { mass: 0.5, position: [0, -2, 0.1], velocity: [0.9, 0, 0] },
    );
    const [one, other] = await Promise.all(
      [list, list.toReversed()].map((given) => runSolver(multibody, { bodies: given, tMax: 5 })),
    );
    if (one === undefined || other === undefined) throw new Error('Two solutions are expected.');
    for (const i of [0, 1, 2])
      for (const axis of ['x', 'y', 'z']) {
        const found = one.quantities.find(({ name }) => name === `${axis}_${i}`);
        const difference = Math.abs((found?.value ?? 0) - (quantityOf(other, `${axis}_${2 - i}`) ?? Number.NaN));
        expect(difference).toBeLessThanOrEqual(2 * (found?.uncertainty ?? 0));
      }
  });
});

describe('events', () => {
  const eventsOf = async (input: Input) => {
    const { series, plots } = await runSolver(multibody, input);
    const table = plots.find(({ kind }) => kind === 'table');
    const data = (name: string) => series.find((one) => one.name === name)?.data ?? new Float64Array();
    const labels = table?.kind === 'table' ? (table.labels ?? []) : [];
    return labels.map((label, k) => ({
      label,
      t: data('event_t')[k] ?? Number.NaN,
      tError: data('event_t_uncertainty')[k] ?? Number.NaN,
      distance: data('event_distance')[k] ?? Number.NaN,
      distanceError: data('event_distance_uncertainty')[k] ?? Number.NaN,
    }));
  };

  test('the bodies of Pythagoras meet at 15.83, and the lightest is thrown out near 60', async () => {
    // Szebehely and Peters, Astronomical Journal 72 (1967) 876: the closest approach is 0.0004 at t = 15.8299.
    const events = await eventsOf({ preset: 'pythagorean', tMax: 70 });
    expect(events.map(({ label }) => label)).toEqual([
      'bodies 1 and 2 nearest',
      'bodies 0 and 2 nearest',
      'body 0 escapes',
    ]);
    const [closest, , thrown] = events;
    expect(closest?.t).toBeCloseTo(15.8299, 4);
    expect(closest?.distance).toBeCloseTo(0.0004, 4);
    expect(thrown?.t).toBeGreaterThan(59);
    expect(thrown?.t).toBeLessThan(62);
    // It is told to a sample.
    expect(thrown?.tError).toBeGreaterThan(0);
    expect(thrown?.tError).toBeLessThan(0.5);
  });

  test('an approach on a hyperbola is where the orbit has its periapsis', async () => {
    // Units of G = 1 with a light body: from r and v, a = 1/(2/r − v²), e² = 1 + L²/(…); the periapsis is a(1 − e).
    const [r, v] = [
      [4, 1.2],
      [-1.5, 0],
    ] as const;
    const G = 1;
    const events = await eventsOf({
      law: 'gravity',
      G,
      bodies: bodies({ mass: 1, position: [0, 0] }, { mass: 1e-12, position: [...r], velocity: [...v] }),
      tMax: 6,
      samples: 200,
    });
    const a = 1 / (2 / Math.hypot(...r) - v[0] * v[0]);
    const L = r[0] * v[1] - r[1] * v[0];
    const e = Math.sqrt(1 - (L * L) / a);
    const [approach] = events;
    expect(approach?.label).toBe('bodies 0 and 1 nearest');
    expect(Math.abs((approach?.distance ?? 0) - a * (1 - e))).toBeLessThanOrEqual(
      (approach?.distanceError ?? 0) + 1e-11,
    );
    // Both have positive energy, and are far from each other after the approach only.
    expect(events.slice(1).map(({ label }) => label)).toEqual(['body 0 escapes', 'body 1 escapes']);
    expect(events[1]?.t).toBeGreaterThan(approach?.t ?? Number.POSITIVE_INFINITY);
  });

  test('a contact has the distance of the radii, a collision none, and ends the run', async () => {
    const touching = await eventsOf({
      bodies: bodies({ ...pair[0], radius: 0.2 }, { mass: 1, position: [1, 0], velocity: [-1, 0.1], radius: 0.1 }),
    });
    expect(touching).toMatchObject([{ label: 'bodies 0 and 1 touch', distanceError: 0 }]);
    expect(touching[0]?.distance).toBeCloseTo(0.3, 15);
    // Kepler’s third law for half a period of a degenerate ellipse: a = 1/2, M = 2.
    const falling = await eventsOf({ bodies: bodies({ ...pair[0] }, { mass: 1, position: [1, 0] }), tMax: 3 });
    expect(falling).toMatchObject([{ label: 'bodies 0 and 1 collide', distance: 0 }]);
    expect(Math.abs((falling[0]?.t ?? 0) - Math.PI / 4)).toBeLessThanOrEqual((falling[0]?.tError ?? 0) + 1e-9);
  });

  test('a change of a distance below the error of the run is no approach', async () => {
    const plan = multibody.plan(multibody.inputs.parse({ preset: 'ring', samples: 2 }));
    const runs = plan.runs.slice(0, 1).map((run) => ({ ...run, parameters: { ...run.parameters, rtol: 1e-6 } }));
    const { outputs } = await runPlan({ ...plan, runs }, await loadKernel('multibody'), new LocalRunner());
    const pairs = outputs[0]?.views.pairs ?? new Float64Array();
    // The ring turns as a whole. Distances of neighbours, and of others, are those of the start.
    expect(pairs.filter((_, i) => i % 2 === 1).every((time) => time === 0)).toBe(true);
    expect(pairs[0]).toBeCloseTo(1, 15);
  });

  test('the marks stand on the distance of the nearest two; without events there are none', async () => {
    const { plots } = await runSolver(multibody, {});
    const line = plots.find(({ title }) => title === 'Distance of the nearest two');
    expect(line).toMatchObject({
      events: { at: 'event_t', kinds: 'event', names: ['0 and 1 nearest', '0 and 2 nearest', '1 and 2 nearest'] },
    });
    const none = await runSolver(multibody, { preset: 'kepler' });
    expect(none.plots.some(({ kind }) => kind === 'table')).toBe(false);
    expect(none.plots.some((plot) => plot.kind === 'line' && plot.events !== undefined)).toBe(false);
  });
});
