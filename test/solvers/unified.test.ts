import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Solution } from '../../src/solvers/definition.ts';
import { unified } from '../../src/solvers/unified/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';
import truth from '../truth/unified.json' with { type: 'json' };

const OSCILLATOR = "x' = v; v' = -x; x(0) = 1; v(0) = 0";
const PENDULUM = "x' = v; v' = -sin(x); E = v^2/2 - cos(x); x(0) = 2; v(0) = 0";
const KEPLER = [
  "x' = vx",
  "y' = vy",
  'r = hypot(x, y)',
  "vx' = -x/r^3",
  "vy' = -y/r^3",
  'x(0) = 0.5',
  'y(0) = 0',
  'vx(0) = 0',
  'vy(0) = sqrt(3)',
];
const ROBERTSON = "a' = -0.04*a + 1e4*b*c; b' = 0.04*a - 1e4*b*c - 3e7*b^2; c' = 3e7*b^2; a(0) = 1; b(0) = 0; c(0) = 0";
const BALL = "y' = v; v' = -9.81; y(0) = 10; v(0) = 0";

describeSolver(unified, {
  cases: {
    defaults: {},
    kepler: { equations: KEPLER, t_end: 12, invariants: ['(vx^2 + vy^2)/2 - 1/r', 'x*vy - y*vx'] },
    'fixed steps': { equations: PENDULUM, method: 'rk4', steps: 333, t_end: 7, points: 64 },
    stiff: { equations: ROBERTSON, t_end: 40, rtol: 1e-7 },
    implicit: { equations: PENDULUM, method: 'rodas4', rtol: 1e-6 },
    'events and jumps': { equations: BALL, t_end: 5, events: ['y = 0 down -> v = -0.8*v', 'v = 0', 'y = 5 up'] },
    units: {
      equations: "x' = v; v' = -k*x/m; x(0) = 5; v(0) = 0",
      vars: { k: 4, m: 500 },
      units: 'x = cm; v = m/s; k = N/m; m = g',
      t_end: 1,
    },
    expression: { equations: 'sin(x)^2 + cos(x)^2*exp(-x/3) + sqrt(x^2 + 1)/(1 + x)', vars: 'x = 0.7' },
    chain: { equations: ['c = a*b', 'a = 2*k', 'b = a^2 + 1'], vars: { k: 3 }, outputs: ['c', 'a'] },
    'table over t': { equations: 'y = exp(-k*t)*sin(3*t); z = y^2', vars: { k: 0.5 }, t_end: 2, points: 41 },
  },
  golden: ['defaults', 'kepler', 'fixed steps', 'stiff', 'events and jumps', 'table over t'],
  convergence: [
    {
      name: 'Runge–Kutta on the pendulum',
      order: 4,
      levels: 4,
      at: (level) => ({ equations: PENDULUM, method: 'rk4' as const, steps: 120 << level, t_end: 5 }),
    },
  ],
});

const solve = (input: Parameters<typeof unified.solve>[0]) => runSolver(unified, input);
const column = (solution: Solution, name: string): number[] => [...numbersOf(solution, name)];

describe('trajectories computed independently', () => {
  test.each(truth.cases)('$name', async ({ input, end, tolerance }) => {
    const solution = await solve(unified.inputs.parse(input));
    const names = Object.entries(end);
    expect(names.length).toBeGreaterThan(0);
    for (const [name, value] of names) {
      const error = Math.abs(quantityOf(solution, `${name}_end`) - value);
      expect([name, error <= tolerance * Math.max(1, Math.abs(value))]).toEqual([name, true]);
    }
    const [[first = '', value = 0] = []] = names;
    expect(Math.abs(solution.value - value), `the error of ${first} is within the uncertainty`).toBeLessThanOrEqual(
      solution.uncertainty,
    );
  });
});

describe('orders', () => {
  test.each([
    ['dopri5', 5, 0.1],
    ['rodas4', 4, 0.05],
  ] as const)('%s has order %d', async (method, order, step) => {
    // A tolerance that no step misses: all steps are the longest that is allowed.
    const errorOf = async (maxStep: number) => {
      const { value } = await solve({
        equations: OSCILLATOR,
        method,
        rtol: 1e-2,
        t_end: 9,
        max_step: maxStep,
        dt: maxStep,
      });
      return Math.abs(value - Math.cos(9));
    };
    const [coarse, fine] = [await errorOf(step), await errorOf(step / 2)];
    expect(fine).toBeGreaterThan(1e-13);
    expect(Math.abs(Math.log2(coarse / fine) - order)).toBeLessThan(0.35);
  });

  test('a tighter tolerance gives a smaller error and a smaller uncertainty', async () => {
    const errors: number[] = [];
    for (const rtol of [1e-5, 1e-7, 1e-9, 1e-11]) {
      const { value, uncertainty } = await solve({ equations: OSCILLATOR, t_end: 10, rtol, max_step: 10 });
      const error = Math.abs(value - Math.cos(10));
      expect(error).toBeLessThanOrEqual(uncertainty);
      expect(uncertainty).toBeLessThan(3 * error);
      errors.push(error);
    }
    expect(errors.every((error, i) => i === 0 || error < 0.05 * (errors[i - 1] ?? 0))).toBe(true);
  });

  test('samples between steps are as accurate as the steps', async () => {
    const solution = await solve({ equations: OSCILLATOR, t_end: 6, rtol: 1e-10, points: 501 });
    const t = column(solution, 't');
    const maxError = Math.max(...column(solution, 'x').map((x, i) => Math.abs(x - Math.cos(t[i] ?? 0))));
    expect(maxError).toBeLessThan(1e-8);
  });
});

describe('invariants', () => {
  test('Kepler invariants drift within the tolerance, and a false invariant is detected', async () => {
    const solution = await solve({
      equations: KEPLER,
      t_end: 60,
      rtol: 1e-10,
      invariants: ['(vx^2 + vy^2)/2 - 1/r', 'x*vy - y*vx', 'x'],
    });
    const drifts = solution.invariants.map(({ drift }) => Math.abs(drift));
    expect(drifts[0]).toBeLessThan(1e-8);
    expect(drifts[1]).toBeLessThan(1e-8);
    expect(drifts[2]).toBeGreaterThan(1);
    expect(solution.invariants.map(({ value }) => value)).toEqual([
      expect.closeTo(-0.5, 14),
      expect.closeTo(0.866025, 5),
      0.5,
    ]);
  });

  test('adaptive steps conserve the Lotka–Volterra invariant, long fixed steps do not', async () => {
    const equations = "x' = 2/3*x - 4/3*x*y; y' = x*y - y; x(0) = 0.9; y(0) = 0.9";
    const invariants = 'x - log(x) + 4/3*y - 2/3*log(y)';
    const adaptive = await solve({ equations, invariants, t_end: 50 });
    expect(Math.abs(adaptive.invariants[0]?.drift ?? 1)).toBeLessThan(1e-8);
    const fixed = await solve({ equations, invariants, t_end: 50, method: 'rk4', steps: 50 });
    expect(Math.abs(fixed.invariants[0]?.drift ?? 0)).toBeGreaterThan(1e-4);
  });
});

describe('stiff problems', () => {
  const VAN_DER_POL = "x' = v; v' = 1000*(1 - x^2)*v - x; x(0) = 2; v(0) = 0";

  test('auto switches to RODAS, reports the time, and takes few steps', async () => {
    const solution = await solve({ equations: VAN_DER_POL, t_end: 2000, rtol: 1e-6 });
    expect(solution.notes.join(' ')).toMatch(/Stiff from t = 0\.0\d+: RODAS took over/);
    expect(quantityOf(solution, 'steps_accepted')).toBeLessThan(3_000);
    expect(solution.converged).toBe(true);
  });

  test('dopri5 rejects a stiff problem and names the other methods', async () => {
    await expect(solve({ equations: VAN_DER_POL, t_end: 2000, method: 'dopri5' })).rejects.toMatchObject({
      code: 'UNSTABLE_SCHEME',
      message: expect.stringMatching(/stiff from t = 0\.0\d+.*auto or rodas4/),
    });
  });

  test('a non-stiff problem stays with the explicit pair', async () => {
    const solution = await solve({ equations: OSCILLATOR, rtol: 1e-4, t_end: 200 });
    expect(quantityOf(solution, 'jacobians')).toBe(0);
  });

  test('too long fixed steps are rejected or not converged', async () => {
    const equations = "x' = -50*(x - cos(t)); x(0) = 0";
    await expect(solve({ equations, method: 'rk4', dt: 0.2, t_end: 100 })).rejects.toMatchObject({
      code: 'UNSTABLE_SCHEME',
      message: expect.stringMatching(/x is not finite after t = .* smaller dt/),
    });
    expect((await solve({ equations, method: 'rk4', dt: 0.06, t_end: 5 })).converged).toBe(false);
    expect((await solve({ equations, method: 'rk4', dt: 0.005, t_end: 5 })).converged).toBe(true);
  });
});

describe('events', () => {
  test('curves mark the events, whose times and states a table has; without one neither is there', async () => {
    const bouncing = { equations: BALL, t_end: 6, events: ['y = 0 down -> v = -0.8*v', 'v = 0'] };
    const { plots, fields } = await solve(bouncing);
    const marks = { at: 'event_t', kinds: 'event', names: ['y = 0 down', 'v = 0'] };
    expect(plots.filter(({ kind }) => kind === 'line').map((plot) => 'events' in plot && plot.events)).toEqual([marks]);
    const kinds = Array.from(fields.find(({ name }) => name === 'event')?.data ?? []);
    const table = plots.find(({ kind }) => kind === 'table');
    expect(table).toMatchObject({
      columns: ['event_t', 'event_y', 'event_v'],
      labels: kinds.map((kind) => marks.names[kind - 1]),
      words: { event_t: 't', event_y: 'y', event_v: 'v' },
    });
    expect(kinds.length).toBeGreaterThan(2);
    const quiet = await solve({ ...bouncing, t_end: 0.1, events: 'y = 0 down' });
    expect(quiet.plots.map(({ kind }) => kind)).toEqual(['line', 'phase']);
    expect(quiet.plots.some((plot) => 'events' in plot)).toBe(false);
  });

  test('an event time is accurate to the last digits', async () => {
    const solution = await solve({ equations: BALL, t_end: 5, events: 'y = 0 down -> stop', outputs: 't; v' });
    const fall = Math.sqrt(20 / 9.81);
    expect(Math.abs(solution.value - fall)).toBeLessThan(1e-12);
    expect(solution.notes.join(' ')).toContain('Stopped by an event');
    expect(column(solution, 't').at(-1)).toBe(solution.value);
    expect(quantityOf(solution, 'v_end')).toBeCloseTo(-9.81 * fall, 11);
  });

  test('the period of the van der Pol oscillator is the time between two crossings', async () => {
    const solution = await solve({
      equations: "x' = v; v' = (1 - x^2)*v - x; x(0) = 2.0086198608748431; v(0) = 0",
      t_end: 7,
      rtol: 1e-12,
      events: 'v = 0 down -> stop',
      outputs: ['t'],
    });
    expect(Math.abs(solution.value - 6.66328685959)).toBeLessThan(5e-8);
  });

  test('crossings are counted by direction and listed in order, with their states', async () => {
    const equations = "x' = cos(t); x(0) = 0";
    const solution = await solve({ equations, t_end: 20, rtol: 1e-12, events: ['x = 0', 'x = 0 up', 'x = 0.5 down'] });
    expect([1, 2, 3].map((i) => quantityOf(solution, `event_${i}_count`))).toEqual([6, 3, 3]);
    const times = column(solution, 'event_t');
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const zeros = times.filter((_, i) => column(solution, 'event')[i] === 1);
    for (const [k, t] of zeros.entries()) expect(Math.abs(t - (k + 1) * Math.PI)).toBeLessThan(1e-11);
    expect(Math.max(...column(solution, 'event_x').map((x, i) => Math.abs(x - Math.sin(times[i] ?? 0))))).toBeLessThan(
      1e-11,
    );
  });

  test('a bouncing ball has the textbook heights', async () => {
    const solution = await solve({ equations: BALL, t_end: 6, events: ['y = 0 down -> v = -0.8*v', 'v = 0 down'] });
    const fall = Math.sqrt(20 / 9.81);
    const bounces = column(solution, 'event_t').filter((_, i) => column(solution, 'event')[i] === 1);
    const exact = [1, 1 + 1.6, 1 + 1.6 + 1.28].map((factor) => factor * fall);
    expect(bounces.length).toBe(3);
    for (const [i, t] of bounces.entries()) expect(Math.abs(t - (exact[i] ?? 0))).toBeLessThan(1e-12 * 6);
    const heights = column(solution, 'event_y').filter((_, i) => column(solution, 'event')[i] === 2);
    expect(heights[0]).toBeCloseTo(6.4, 11);
    expect(Math.min(...column(solution, 'y'))).toBeGreaterThan(-1e-12);
  });

  test('accumulating bounces are rejected with their time', async () => {
    // Flights of 2 v/g shorten by 0.8: 1 + 2·0.8/(1 − 0.8) = 9 falls.
    const end = 9 * Math.sqrt(20 / 9.81);
    const run = solve({ equations: BALL, t_end: 50, events: 'y = 0 down -> v = -0.8*v' });
    await expect(run).rejects.toMatchObject({ code: 'UNSTABLE_SCHEME', message: expect.stringMatching(/piles up/) });
    const t = await run.catch((error) => error.facts.t as number);
    expect(Math.abs(Number(t) - end)).toBeLessThan(1e-6);
  });

  test('all states are assigned from the values before the event', async () => {
    const solution = await solve({
      equations: "x' = 1; y' = 0; x(0) = 0; y(0) = 7",
      t_end: 3,
      events: 'x = 2 up -> x = y, y = x',
      outputs: ['x', 'y'],
    });
    expect(solution.value).toBeCloseTo(8, 12);
    expect(quantityOf(solution, 'y_end')).toBeCloseTo(2, 12);
  });

  test.each(['rk4', 'dopri5', 'rodas4'] as const)('%s: all simultaneous events happen', async (method) => {
    const doses = await solve({
      equations: "a' = -0.1*a; b' = -0.2*b; a(0) = 1; b(0) = 1",
      events: ['t = 6 -> a = a + 1', 't = 6 -> b = b + a', 't = 6'],
      t_end: 12,
      outputs: ['a', 'b'],
      method,
    });
    const dose = Math.exp(-0.6) + 1;
    expect(quantityOf(doses, 'a_end')).toBeCloseTo(dose * Math.exp(-0.6), 9);
    // The second event sees the value of a after the first.
    expect(quantityOf(doses, 'b_end')).toBeCloseTo((Math.exp(-1.2) + dose) * Math.exp(-1.2), 9);
    expect([1, 2, 3].map((i) => quantityOf(doses, `event_${i}_count`))).toEqual([1, 1, 1]);

    const stopped = await solve({
      equations: "a' = 0; a(0) = 1",
      events: ['t = 6 -> a = a + 1', 't = 6 -> stop', 't = 6 -> a = 100'],
      t_end: 12,
      outputs: ['t', 'a'],
      method,
    });
    expect(stopped.value).toBeCloseTo(6, 12);
    expect(quantityOf(stopped, 'a_end')).toBe(2);

    const balls = await solve({
      equations: "x' = v; v' = -9.81; y' = w; w' = -9.81; x(0) = 10; v(0) = 0; y(0) = 10; w(0) = 0",
      events: ['x = 0 down -> v = -v', 'y = 0 down -> w = -w'],
      t_end: 10,
      outputs: ['x', 'y'],
      method,
    });
    expect(quantityOf(balls, 'y_end')).toBeCloseTo(balls.value, 9);
    expect(balls.value).toBeGreaterThan(0);
  });

  test('events a few roundings apart happen once each', async () => {
    const solution = await solve({
      equations: "x' = 1; y' = 0; z' = 0; x(0) = 0; y(0) = 0; z(0) = 0",
      events: ['x = 1 up -> y = y + 1', 't = 1 up -> z = z + 1', '3*x = 3 up -> z = z + 10'],
      t_end: 3,
      outputs: ['y', 'z'],
    });
    expect([solution.value, quantityOf(solution, 'z_end')]).toEqual([1, 11]);
  });

  test('balls with slightly different heights land one after the other', async () => {
    for (const distance of [1e-14, 1e-12, 1e-9]) {
      const { value, uncertainty, series } = await solve({
        equations: `x' = v; v' = -9.81; y' = w; w' = -9.81; x(0) = 10; v(0) = 0; y(0) = 10 + ${distance}; w(0) = 0`,
        events: ['x = 0 down -> v = -v', 'y = 0 down -> w = -w'],
        t_end: 10,
        outputs: ['y', 'x'],
      });
      const other = series.find(({ name }) => name === 'x')?.data.at(-1) ?? Number.NaN;
      expect(Math.abs(value - other)).toBeLessThan(100 * distance + 1e-9 + uncertainty);
    }
  });

  test('a comparison happens when it becomes true', async () => {
    const equations = "x' = cos(t); x(0) = 0";
    const events = ['x > 0.5', 'x >= 0.5', 'x < 0.5', 'x <= 0.5', 'x == 0.5', 'x = 0.5'];
    const solution = await solve({ equations, t_end: 20, events });
    // sin t is 0.5 on the way up at π/6 + 2πk, and on the way down at 5π/6 + 2πk.
    expect(events.map((_, i) => quantityOf(solution, `event_${i + 1}_count`))).toEqual([4, 4, 3, 3, 7, 7]);
  });

  test('an event at zero at the start does not happen, and a note reports it', async () => {
    const { value, notes } = await solve({ equations: "a' = 0; a(0) = 1", events: 't = 0 -> a = a + 1', t_end: 1 });
    expect(value).toBe(1);
    expect(notes.join(' ')).toMatch(/events\.1 \(t = 0 -> a = a \+ 1\) is at its place at the start/);
  });

  test('linear crossings are exact, independent of the steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0.01, max: 0.99, noNaN: true }), async (position) => {
        const solution = await solve({ equations: "x' = 1; x(0) = 0", t_end: 1, events: `x = ${position}` });
        expect(Math.abs(quantityOf(solution, 'event_1_first_t') - position)).toBeLessThanOrEqual(4e-16);
      }),
      { numRuns: 30 },
    );
  });
});

describe('short features', () => {
  test('a bump of a hundredth of the span is resolved', async () => {
    const { value, uncertainty } = await solve({ equations: "x' = exp(-1e4*(t-5)^2); x(0) = 0", t_end: 10 });
    expect(Math.abs(value - Math.sqrt(Math.PI) / 100)).toBeLessThanOrEqual(uncertainty);
    expect(uncertainty).toBeLessThan(1e-6);
  });

  test('a jump inside one long step is found', async () => {
    const equations = "x' = (t > 5 and t < 5 + 0.1) ? 10 : 0; x(0) = 0";
    const { value, uncertainty, converged } = await solve({ equations, t_end: 10, max_step: 10 });
    expect(Math.abs(value - 1)).toBeLessThanOrEqual(uncertainty);
    expect(uncertainty).toBeLessThan(1e-6);
    expect(converged).toBe(true);
  });

  const PULSE = ["y' = -0.1*y + exp(-((t - p)/w)^2)/(w*sqrt(pi))", 'y(0) = 1'];
  const pulseTruth = (p: number, w: number) => Math.exp(-2) + Math.exp(-0.1 * (20 - p) + (0.1 * w) ** 2 / 4);

  test('a pulse far shorter than the steps is found', async () => {
    const [p, w] = [6.957, 0.000455];
    const { value, uncertainty, converged } = await solve({ equations: PULSE, vars: { p, w }, t_end: 20 });
    expect(Math.abs(value - pulseTruth(p, w))).toBeLessThanOrEqual(uncertainty);
    expect(uncertainty).toBeLessThan(1e-9);
    expect(converged).toBe(true);
  });

  test('fixed steps over a pulse are not converged, and a note reports it', async () => {
    const vars = { p: 6.957, w: 0.000455 };
    const { converged, notes } = await solve({ equations: PULSE, vars, t_end: 20, method: 'rk4' });
    expect(converged).toBe(false);
    expect(notes.join(' ')).toMatch(/1 step holds a feature that it does not resolve/);
  });

  test('a feature of 1e-4 of the way, at a place that no number names, is covered or not converged', async () => {
    const shapes = {
      gaussian: ['exp(-((c - p)/w)^2)', Math.sqrt(Math.PI)],
      window: ['(abs(c - p) < w/2 ? 1 : 0)', 1],
      triangle: ['max(0, 1 - abs(c - p)/w)', 1],
    } as const;
    const numbers = {
      shape: fc.constantFrom(...Object.values(shapes)),
      p: fc.double({ min: 1, max: 26, noNaN: true }),
    };
    const count = process.env.SVC_SLOW === '1' ? 600 : 60;
    let [wrong, found] = [0, 0];
    for (const { shape, p } of fc.sample(fc.record(numbers), { numRuns: count, seed: 13 })) {
      const [text, area] = shape;
      // A clock of another rate, so that p is not the time of the feature.
      const equations = ["c' = 1.37", `y' = ${text}/w`, 'p = q - 100', 'w = 1e-4*20*1.37', 'c(0) = 0', 'y(0) = 1'];
      const { value, uncertainty, converged } = await solve({
        equations,
        vars: { q: p + 100 },
        t_end: 20,
        outputs: ['y'],
      });
      const isCovered = Math.abs(value - 1 - area / 1.37) <= uncertainty;
      if (converged && !isCovered) wrong++;
      if (converged && isCovered) found++;
    }
    expect(wrong).toBeLessThanOrEqual(0.02 * count);
    expect(found).toBeGreaterThan(0.5 * count);
  });

  test.each([
    ['a ramp', 'max(0, t - 1)', 3, 2],
    ['a root', 'sqrt(t)', 4, 16 / 3],
  ])('%s from a state of 0 is integrated', async (_, slope, end, truth) => {
    const { value, uncertainty, converged } = await solve({ equations: `y' = ${slope}; y(0) = 0`, t_end: end });
    expect(Math.abs(value - truth)).toBeLessThanOrEqual(uncertainty);
    expect(uncertainty).toBeLessThan(1e-9);
    expect(converged).toBe(true);
  });

  test('runs with different event counts are not converged', async () => {
    const { converged, notes } = await solve({ equations: "x' = 1; x(0) = 0", events: 'sin(1000*t) = 0', t_end: 1 });
    expect(converged).toBe(false);
    expect(notes).toContain('A second run with other steps finds other events.');
  });
});

describe('tables', () => {
  test('the order of the equations of a chain does not matter', async () => {
    const lines = ['a = 2*k', 'b = a^2 + 1', 'c = a*b', 'd = c - b'];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: 4 }), async (equations) => {
        const { value, notes } = await solve({ equations, vars: { k: 3 }, outputs: ['d'] });
        expect(value).toBe(6 * 37 - 37);
        expect(notes.join(' ')).toMatch(/a.*b.*c.*d/);
      }),
      { numRuns: 15 },
    );
  });

  test('slopes equal the derivatives', async () => {
    const solution = await solve({ equations: 'y = x^2*exp(k)', vars: 'x = 3; k = 0.5' });
    expect(quantityOf(solution, 'd(y)/d(x)')).toBeCloseTo(6 * Math.exp(0.5), 7);
    expect(quantityOf(solution, 'd(y)/d(k)')).toBeCloseTo(9 * Math.exp(0.5), 7);
  });

  test('an expression without a left side is a value, including sums and conditionals', async () => {
    expect((await solve({ equations: '-2^2' })).value).toBe(-4);
    expect((await solve({ equations: '2^3^2' })).value).toBe(512);
    expect((await solve({ equations: 'sum(k, 1, 100, k) + (x > 0 ? 1 : 2)', vars: 'x = -1' })).value).toBe(5052);
  });

  test('the value is the last equation that no other reads', async () => {
    expect((await solve({ equations: 'y = sin(x)/x; x = 2' })).value).toBeCloseTo(Math.sin(2) / 2, 15);
    expect((await solve({ equations: 'y = 2*x; z = 3*x; x = 2' })).value).toBe(6);
  });

  test('a decimal number that no double holds adds its rounding, a number that a double holds adds none', async () => {
    const power = await solve({ equations: 'y = 0.999999999999^1e12' });
    // e^-1.0000000000005, from mpmath.
    expect(Math.abs(power.value - 0.3678794411712585)).toBeLessThanOrEqual(power.uncertainty);
    expect(power.uncertainty).toBeLessThan(1e-4);
    const given = await solve({ equations: 'y = x^1e12', vars: { x: 0.999999999999 } });
    expect(given.uncertainty / power.uncertainty).toBeCloseTo(1, 3);
    expect((await solve({ equations: 'y = 0.5^10 + 3' })).uncertainty).toBe(0);
  });

  test('every result of a table has its own ±', async () => {
    const { quantities } = await solve({ equations: 'a = x - 1; b = 1e10*a; c = 2*b', vars: { x: 1.0000001 } });
    for (const { name, value, uncertainty = 0 } of quantities.slice(0, 3)) {
      const truth = { a: 1e-7, b: 1e3, c: 2e3 }[name] ?? Number.NaN;
      expect(Math.abs(value - truth)).toBeLessThanOrEqual(uncertainty);
      expect(uncertainty / truth).toBeLessThan(1e-8);
    }
    const [slope] = quantities.slice(3);
    expect(slope?.name).toBe('d(c)/d(x)');
    expect(Math.abs((slope?.value ?? 0) - 2e10)).toBeLessThanOrEqual(slope?.uncertainty ?? 0);
  });

  test('units are converted, checked, and derived for symbols without one', async () => {
    const solution = await solve({
      equations: 'v = s/t1; E = m*v^2/2',
      vars: 's = 1.2; t1 = 3; m = 250',
      units: { s: 'km', t1: 'min', m: 'g', v: 'km/h' },
    });
    expect(quantityOf(solution, 'v')).toBeCloseTo(24, 12);
    expect(solution.value).toBeCloseTo(0.125 * (1200 / 180) ** 2, 12);
    expect(solution.quantities.find(({ name }) => name === 'E')?.unit).toBe('kg*m^2/s^2');
  });
});

describe('higher derivatives', () => {
  const PENDULUM_2 = ["theta'' = -g/L*sin(theta)", 'theta(0) = 0.5', "theta'(0) = 0"];

  test('are rewritten as a system, with the value and ± of the system that the caller would write', async () => {
    const request = { vars: { g: 9.81, L: 2 }, t_end: 3 };
    const higher = await solve({ ...request, equations: PENDULUM_2 });
    const system = await solve({
      ...request,
      equations: "theta' = w; w' = -g/L*sin(theta); theta(0) = 0.5; w(0) = 0",
    });
    expect([higher.value, higher.uncertainty]).toEqual([system.value, system.uncertainty]);
    expect(quantityOf(higher, "theta'_end")).toBe(quantityOf(system, 'w_end'));
  });

  test.each(['d2x/dt2 = -x', 'd^2x/dt^2 = -x', 'x\u2033 = -x', 'x\u2019\u2019 = -x'])('%s', async (equation) => {
    const { value } = await solve({ equations: [equation, 'x(0) = 1', "x'(0) = 0"], t_end: 3 });
    expect(value).toBeCloseTo(Math.cos(3), 9);
  });

  test('lower derivatives are read by equations, events, invariants and outputs, and have units', async () => {
    const solution = await solve({
      equations: "x'' = -k/m*x; x(0) = 1; x'(0) = 0; E = m*x'^2/2 + k*x^2/2",
      vars: 'k = 4, m = 1',
      units: 'x = m, k = N/m, m = kg, E = J',
      events: "x' = 0 up -> stop",
      invariants: "m*x'^2 + k*x^2",
      outputs: "t, x', E",
      t_end: 5,
    });
    expect(Math.abs(solution.value - Math.PI / 2)).toBeLessThanOrEqual(solution.uncertainty);
    expect(solution.quantities.find(({ name }) => name === "x'_end")?.unit).toBe('m/s');
    expect(quantityOf(solution, 'E_end')).toBeCloseTo(2, 8);
    expect(Math.abs(solution.invariants[0]?.drift ?? 1)).toBeLessThan(1e-8);
  });

  test('the derivative of a state is a value that other equations read', async () => {
    const solution = await solve({ equations: "x' = -2*x; y = x'^2; x(0) = 3", t_end: 1, outputs: 'y' });
    expect(Math.abs(solution.value - 36 * Math.exp(-4))).toBeLessThanOrEqual(solution.uncertainty);
  });
});

describe('separators', () => {
  test.each([
    ['commas', "x' = v, v' = -x, x(0) = 1, v(0) = max(0, 0)"],
    ['semicolons inside a list', ["x' = v; v' = -x", 'x(0) = 1; v(0) = 0']],
    ['commas inside a list', ["x' = v, v' = -x", 'x(0) = 1', 'v(0) = 0']],
    ['new lines and semicolons', "x' = v;\nv' = -x;\n\nx(0) = 1\nv(0) = 0;"],
  ])('%s separate equations', async (_, equations) => {
    expect((await solve({ equations, t_end: 3 })).value).toBeCloseTo(Math.cos(3), 9);
  });

  test('commas separate numbers, units, outputs and invariants', async () => {
    const { value } = await solve({ equations: 'y = a*b', vars: 'a = 2, b = 3', units: 'a = m, b = 1/m' });
    expect(value).toBe(6);
  });
});

describe('results', () => {
  test('every result and quantity that is no input and no count has a ± that holds the truth', async () => {
    const { quantities } = await solve({ equations: BALL, t_end: 5, events: ['y = 0 down -> v = -0.8*v'] });
    const fall = Math.sqrt(20 / 9.81);
    const known = quantities.find(({ name }) => name === 'event_1_first_t');
    expect(Math.abs((known?.value ?? 0) - fall)).toBeLessThanOrEqual(known?.uncertainty ?? 0);
    const exact = quantities.filter(({ uncertainty }) => uncertainty === undefined).map(({ name }) => name);
    expect(exact).toEqual(['t_end', 'event_1_count', 'steps_accepted', 'steps_refused', 'evaluations', 'jacobians']);
  });
});
