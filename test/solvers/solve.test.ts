import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { rowsOf } from '../../src/kernels/rows.ts';
import { normalGravity } from '../../src/solvers/parts/master-field/normal-gravity.ts';
import { runPlan } from '../../src/solvers/run.ts';
import type { inputs } from '../../src/solvers/solve/inputs.ts';
import { solve } from '../../src/solvers/solve/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf, uncertaintyOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const fall = (more: Input): Input => ({ referenceMode: 'free-fall', ...more });
const errorOf = (solution: Parameters<typeof quantityOf>[0]) => quantityOf(solution, 'rk4_error');

describeSolver(solve, {
  cases: {
    defaults: {},
    fall: fall({ height: 100, latitude: 45, tMax: 10 }),
    'a stone in air': fall({ height: 100, medium: 'air', mass: 0.5, dragArea: 0.004, tMax: 10 }),
    'thrown upwards with drag': fall({ height: 2, velocity: 20, drag: 0.01, tMax: 20 }),
    'gravity by height': { referenceMode: 'gravity', position: 400_000, duration: 400 },
    'spring with damping': { referenceMode: 'shm', alpha: 4, damping: 0.4 },
    'double well': { referenceMode: 'shm', alpha: -1, beta: 1, position: 1.2, tMax: 20 },
    'driven double well': { alpha: -1, beta: 1, damping: 0.15, drive: 0.3, position: 1, tMax: 20 },
    toda: { alpha: 0, exponential: 1, gravity: -1, tMax: 20 },
    escape: { alpha: 0, exponential: -1, position: 0 },
    couplings: { koSettings: { KO29: 0.5, KO6: 0.3, KO31: 0.2 }, position: 2, tMax: 10 },
    'core only': { coreOnly: true, medium: 'water', koSettings: { KO29: 1 }, drive: 1 },
  },
  conservation: true,
  golden: ['defaults', 'a stone in air', 'gravity by height', 'driven double well', 'toda', 'escape', 'couplings'],
  convergence: [
    {
      name: 'a spring, at the longest step and no shorter one',
      order: 'time',
      levels: 4,
      at: (level) => ({ maxIterations: 1, samples: 2, tolerance: 1e-12, dt: 0.1 / 2 ** level, duration: 12.8 }),
      error: errorOf,
    },
    {
      name: 'a driven double well with damping',
      order: 'time',
      levels: 4,
      at: (level) => ({
        alpha: -1,
        beta: 1,
        damping: 0.15,
        drive: 0.3,
        maxIterations: 1,
        samples: 17,
        tolerance: 1e-12,
        dt: 0.05 / 2 ** level,
        duration: 6.4,
      }),
      error: errorOf,
    },
  ],
  known: {
    'a fall of 100 m in vacuum': {
      input: fall({ position: 100, tMax: 10 }),
      value: [980.665, 1e-12],
      quantities: { impact_time: [4.51600755751788, 1e-14], impact_speed: [44.2869055139327, 1e-13] },
    },
    'at the equator': {
      input: fall({ height: 100, latitude: 0, tMax: 10 }),
      quantities: { impact_time: [4.52208110260191, 1e-14] },
    },
    'at the pole': {
      input: fall({ height: 100, latitude: 90, tMax: 10 }),
      quantities: { impact_time: [4.51013953624046, 1e-14] },
    },
    'with quadratic drag, from 1000 m': {
      input: fall({ height: 1000, drag: 0.01, duration: 60 }),
      quantities: {
        impact_time: [34.1464222685716, 1e-14],
        impact_speed: [31.3155711743966, 1e-13],
        terminal_speed: [31.3155712066697, 1e-13],
      },
    },
    'with quadratic drag, from 100 m': {
      input: fall({ height: 100, drag: 0.0025, tMax: 10 }),
      quantities: { impact_time: [4.70631422149515, 1e-14], impact_speed: [39.2867209419626, 1e-13] },
    },
    'with linear drag': {
      input: fall({ height: 100, damping: 0.5, tMax: 10 }),
      quantities: { impact_time: [7.03936334698452, 1e-14], impact_speed: [19.0325725667057, 1e-13] },
    },
    'hardening spring': {
      input: { referenceMode: 'shm', beta: 1, tMax: 1 },
      value: [0.75, 1e-15],
      quantities: { phi: [0.233691791143141, 1e-13] },
    },
    'its period': { input: { beta: 1, tMax: 20 }, quantities: { period: [4.76802202910246, 1e-13] } },
    'period at 2, weakly hardening': {
      input: { beta: 0.1, position: 2, tMax: 20 },
      quantities: { period: [5.51685188810429, 1e-13] },
    },
    'period of a pure cubic': {
      input: { alpha: 0, beta: 1, tMax: 20 },
      quantities: { period: [7.41629870920549, 1e-13] },
    },
    'period of a softening spring': {
      input: { beta: -0.5, tMax: 20 },
      quantities: { period: [8.00861904364885, 1e-13] },
    },
    'period in one well': {
      input: { alpha: -1, beta: 1, position: 1.2, tMax: 20 },
      quantities: { period: [4.62390522181191, 1e-12] },
    },
    'Toda’s oscillator': {
      input: { alpha: 0, exponential: 1, gravity: -1, tMax: 20 },
      quantities: { period: [6.6638560216, 1e-11], turn_place: [-1.49375353037609, 1e-13] },
    },
    'Liouville’s field from rest': {
      input: { alpha: 0, exponential: 1, position: 0, tMax: 2 },
      quantities: { phi: [-1.55698259711534, 1e-13] },
    },
    'a damped spring': {
      input: { referenceMode: 'shm', alpha: 4, damping: 0.4 },
      quantities: { phi: [-0.336851680590413, 1e-13] },
    },
    'Duffing’s equation, driven and damped': {
      input: { alpha: -1, beta: 1, damping: 0.15, drive: 0.3, tMax: 20 },
      quantities: { phi: [-0.0795422792655754, 1e-11], dphi: [0.0736160830147824, 1e-11] },
    },
    'van der Pol’s equation': {
      input: { koSettings: { KO29: 1 }, position: 2, tMax: 20 },
      quantities: { phi: [2.00814976217495, 1e-12], dphi: [-0.0425088752732021, 1e-12] },
    },
    // φ'' = exp φ from rest at 0: the first integral gives π / √2.
    'an escape in finite time': {
      input: { alpha: 0, exponential: -1, position: 0 },
      quantities: { escape_time: [2.221441469079183, 1e-13] },
    },
  },
  random: {
    of: fc.record({
      alpha: fc.double({ min: -2, max: 4, noNaN: true }),
      beta: fc.double({ min: 0.05, max: 3, noNaN: true }),
      damping: fc.double({ min: 0, max: 1, noNaN: true }),
      drag: fc.double({ min: 0, max: 1, noNaN: true }),
      drive: fc.double({ min: -1, max: 1, noNaN: true }),
      position: fc.double({ min: -2, max: 2, noNaN: true }),
      velocity: fc.double({ min: -2, max: 2, noNaN: true }),
      tMax: fc.double({ min: 0.1, max: 6, noNaN: true }),
      samples: fc.constant(21),
    }),
    count: 60,
  },
  refused: [
    { input: { koSettings: { KO42: 1 } }, field: 'koSettings', reason: 'OPERATOR_UNKNOWN', message: 'pulse' },
    { input: { koSettings: { KO99: 1 } }, field: 'koSettings', reason: 'OPERATOR_UNKNOWN', message: 'KO99' },
    {
      input: { koSettings: { k06: 1 }, coreOnly: true },
      field: 'koSettings',
      reason: 'OPERATOR_UNKNOWN',
      message: 'k06',
    },
    { input: { koSettings: { KO1: 1e300 } }, field: 'koSettings.KO1', reason: 'OUT_OF_RANGE' },
    { input: { height: 1, position: 1 }, field: 'height', message: 'one of them' },
    { input: fall({ height: 0 }), field: 'height', reason: 'BELOW_GROUND', saysLimit: true },
    { input: fall({ position: 0, velocity: -1 }), field: 'position', reason: 'BELOW_GROUND' },
    { input: { position: 1, ground: 2 }, field: 'position', reason: 'BELOW_GROUND', saysLimit: true },
    { input: { latitude: 45, location: 'mars' }, field: 'latitude', message: 'mars' },
    { input: { latitude: 45, gravity: 9 }, field: 'latitude', message: 'already' },
    { input: { altitude: 45, gravity: 9 }, field: 'altitude', message: 'already' },
    { input: { latitude: 45, altitude: 2e5 }, field: 'altitude', reason: 'OUT_OF_RANGE', saysLimit: true },
    { input: { referenceMode: 'gravity', position: -7e6 }, field: 'position', reason: 'OUT_OF_RANGE' },
  ],
  outOfRange: [{ location: 'venus' }, { referenceMode: 'kepler' }, { prompt: 'x'.repeat(501) }, { koSettings: 3 }],
  illegalParameters: [
    { samples: 1 },
    { closed: 3 },
    { tEnd: 0 },
    { dt: -1 },
    { hasGround: 2 },
    { iterations: 0 },
    { radius: -1 },
    { maxSteps: 3 },
  ],
});

describe('normal gravity', () => {
  test.each([
    [0, 0, 9.7803253359],
    [30, 0, 9.79324726922],
    [45, 0, 9.80619776937],
    [60, 0, 9.81917695311],
    [90, 0, 9.83218493786],
    [45, 1000, 9.80311294355],
    [0, 1000, 9.77723836651],
  ])('at latitude %d and height %d', (latitude, height, g) => {
    expect(Math.abs(normalGravity(latitude, height).g - g)).toBeLessThan(6e-12);
  });
});

describe('properties', () => {
  test('the periods of a pendulum, in those of small swings', async () => {
    for (const [degrees, ratio] of [
      [10, 1.00190718814322],
      [90, 1.1803405990161],
      [170, 2.43936271967388],
    ] as const) {
      const position = (degrees * Math.PI) / 180;
      const solution = await runSolver(solve, { alpha: 0, koSettings: { KO6: 1 }, position, tMax: 30 });
      // From rest, half a period to the first turn.
      expect(Math.abs(quantityOf(solution, 'turn_time') / Math.PI / ratio - 1)).toBeLessThan(1e-12);
    }
  });

  test('the impact is an event: neither step nor samples move it', async () => {
    const times = await Promise.all(
      [2, 7, 200].map(async (samples) =>
        quantityOf(await runSolver(solve, fall({ height: 37.3, drag: 0.02, samples, dt: 0.1 })), 'impact_time'),
      ),
    );
    expect(new Set(times).size).toBe(1);
  });

  test('a flight that begins and ends within a step ends at its impact, not at its start', async () => {
    for (const tolerance of [1e-3, 1e-9]) {
      const solution = await runSolver(solve, fall({ position: 0, velocity: 0.05, gravity: 10, tMax: 10, tolerance }));
      expect(Math.abs(quantityOf(solution, 'impact_time') - 0.01)).toBeLessThan(1e-15);
    }
  });

  test('drag brakes on the way up, too: it lowers the top and the speed at the return', async () => {
    const free = await runSolver(solve, fall({ height: 1, velocity: 15 }));
    const dragged = await runSolver(solve, fall({ height: 1, velocity: 15, drag: 0.02 }));
    expect(quantityOf(dragged, 'highest')).toBeLessThan(quantityOf(free, 'highest') - 0.5);
    expect(quantityOf(dragged, 'impact_speed')).toBeLessThan(quantityOf(free, 'impact_speed') - 0.5);
    expect(quantityOf(dragged, 'dissipated')).toBeGreaterThan(0);
  });

  test('energy at the end is that at the start and the work; what drag alone does is dissipated', async () => {
    const solution = await runSolver(solve, { damping: 0.3, drag: 0.2, tMax: 10 });
    const [start, end, work, dissipated] = ['energy_at_start', 'energy_at_end', 'work', 'dissipated'].map((name) =>
      quantityOf(solution, name),
    );
    expect(Math.abs((end ?? 0) - (start ?? 0) - (work ?? 0))).toBeLessThan(1e-13);
    expect(Math.abs((work ?? 0) + (dissipated ?? 0))).toBeLessThan(1e-13);
  });

  test('energy of a spring drifts by less than 1e-10 with 1000 steps a period', async () => {
    const { invariants } = await runSolver(solve, {
      dt: (2 * Math.PI) / 1000,
      maxIterations: 1,
      duration: 20 * Math.PI,
    });
    expect(invariants.find(({ name }) => name === 'energy')?.drift).toBeLessThan(1e-10);
  });

  test('a fall from height under falling gravity follows the first integral', async () => {
    const solution = await runSolver(solve, { referenceMode: 'gravity', position: 400_000, duration: 400 });
    const [g, R] = [9.80665, 6.3710088e6];
    const speed = Math.sqrt(2 * g * R * (1 - R / (R + 400_000)));
    expect(Math.abs(quantityOf(solution, 'impact_speed') / speed - 1)).toBeLessThan(1e-12);
  });

  test('steps are shortened until the tolerance is met, or the tries are spent', async () => {
    const stiff: Input = { alpha: 400, dt: 0.1, tMax: 10 };
    const one = await runSolver(solve, { ...stiff, maxIterations: 1 });
    expect([one.converged, one.tuneStatus]).toEqual([false, 'not converged']);
    const many = await runSolver(solve, stiff);
    expect([many.converged, many.tuneStatus]).toEqual([true, 'converged']);
    expect(quantityOf(many, 'iterations')).toBeGreaterThan(1);
    expect(errorOf(many)).toBeLessThanOrEqual(1e-9);
  });

  test('judges are as loose as the tolerance allows: their numbers are within their ±, far below it', async () => {
    // 4 K(k) of Duffing's oscillator from 1, with 15 digits.
    const period = 4.76802202910246;
    for (const [tolerance, most, least] of [
      [1e-6, 1e-7, 1e-12],
      [1e-9, 1e-13, 0],
    ] as const) {
      const solution = await runSolver(solve, { beta: 1, tMax: 20, tolerance });
      const off = Math.abs(quantityOf(solution, 'period') - period);
      expect(off).toBeLessThanOrEqual(uncertaintyOf(solution, 'period') + 5e-15);
      expect(off).toBeGreaterThanOrEqual(least);
      expect(uncertaintyOf(solution, 'period')).toBeLessThan(most);
    }
  });

  test('judges that do not agree run again with the least tolerance', async () => {
    const chaos = { alpha: 0, beta: 1, damping: 0.05, drive: 7.5, position: 3, duration: 60 } as const;
    const loose = await runSolver(solve, { ...chaos, tolerance: 1e-5 });
    const tight = await runSolver(solve, { ...chaos, tolerance: 1e-9 });
    expect(loose.converged).toBe(true);
    expect(Math.abs(quantityOf(loose, 'phi') - quantityOf(tight, 'phi'))).toBeLessThan(1e-9);
  });

  test('with couplings, which may have kinks, and at the default the judges are the finest', () => {
    const judgesOf = (input: Input) => solve.plan(solve.inputs.parse(input)).runs[0]?.parameters.judges;
    expect(judgesOf({})).toBe(5e-16);
    expect(judgesOf({ tolerance: 1e-6 })).toBeCloseTo(5e-10, 20);
    expect(judgesOf({ tolerance: 1e-3 })).toBeCloseTo(1e-6, 16);
    expect(judgesOf({ tolerance: 1e-3, koSettings: { KO29: 1 } })).toBe(5e-16);
  });

  test('the ± of the motion that is shown holds the truth at every sample, and is not far above', async () => {
    for (const tolerance of [1e-4, 1e-6, 1e-9]) {
      // A damped spring from rest: φ = exp(−b t / 2) (cos ω t + b / (2 ω) sin ω t).
      const solution = await runSolver(solve, { alpha: 4, damping: 0.4, tMax: 10, tolerance });
      const omega = Math.sqrt(4 - 0.04);
      const errors = numbersOf(solution, 'phi_uncertainty');
      const off = [...numbersOf(solution, 't')].map((t, i) => {
        const truth = Math.exp(-0.2 * t) * (Math.cos(omega * t) + (0.2 / omega) * Math.sin(omega * t));
        return Math.abs((numbersOf(solution, 'phi')[i] ?? Number.NaN) - truth);
      });
      expect(off.filter((one, i) => !(one <= (errors[i] ?? 0) + 1e-15))).toEqual([]);
      expect(Math.max(...errors)).toBeLessThan(Math.max(0.02 * tolerance, 2 * Math.max(...off)));
    }
  });

  test('judges that do not agree with the closed form run again, too', async () => {
    // Places shown are small against those between: what is tolerated of the motion is much of these.
    const swing = { position: 0, velocity: 1, duration: 6.28, samples: 2, tolerance: 1e-5 } as const;
    const solution = await runSolver(solve, { referenceMode: 'shm', ...swing });
    expect(solution.converged).toBe(true);
    expect(Math.abs(quantityOf(solution, 'phi') - Math.sin(6.28))).toBeLessThan(1e-14);
  });

  test('with drag each turning point is one, in a run that begins anew there', async () => {
    for (const tolerance of [1e-9, 1e-5, 1e-3])
      for (const alpha of [4, 9, 25]) {
        const solution = await runSolver(solve, { alpha, drag: 0.05, tMax: 20, tolerance });
        const halves = Math.floor((20 * Math.sqrt(alpha)) / Math.PI);
        // Drag shortens no half swing by much; the start is a turning point.
        expect(Math.abs(quantityOf(solution, 'turning_points') - 1 - halves)).toBeLessThanOrEqual(1);
      }
  });

  test('the second judge begins half a rounding away, and a start at rest at 0 takes no more steps', async () => {
    const outputOf = async (input: Input) => {
      const { outputs } = await runPlan(
        solve.plan(solve.inputs.parse(input)),
        await loadKernel('solve'),
        new LocalRunner(),
      );
      const [output] = outputs;
      if (output === undefined) throw new Error('The plan has no run.');
      return output;
    };
    const { views, columns } = await outputOf({ position: 0.1, tMax: 1 });
    const rows = rowsOf(views.history ?? new Float64Array(), columns.history ?? {});
    expect(rows.at(0, 'phiSecond')).not.toBe(rows.at(0, 'phiFirst'));
    expect(Math.abs(rows.at(0, 'phiSecond') / 0.1 - 1)).toBeLessThan(3e-16);
    const steps = async (position: number) =>
      (await outputOf({ alpha: 0, gravity: 1, position, ground: -5, drag: 0.1, tMax: 2 })).statistics.accepted ?? 0;
    expect(await steps(0)).toBeLessThan(2 * (await steps(1)));
  });

  test('events of the second judge are its own, although it begins at those of the first', async () => {
    const at = (tolerance: number) => runSolver(solve, fall({ height: 2, velocity: 20, drag: 0.01, tolerance }));
    const [loose, tight] = [await at(1e-4), await at(1e-9)];
    for (const name of ['impact_time', 'impact_speed', 'turn_time', 'turn_place']) {
      const off = Math.abs(quantityOf(loose, name) - quantityOf(tight, name));
      expect(off, name).toBeGreaterThan(0);
      expect(off, name).toBeLessThanOrEqual(uncertaintyOf(loose, name));
    }
  });

  test('steps that end in no number are an error without bound', async () => {
    // Too long for so hard a spring: φ is NaN at the end, the only sample beside the start.
    const hard: Input = { beta: 1000, position: 10, dt: 0.1, maxIterations: 1, samples: 2 };
    const { converged, notes } = await runSolver(solve, hard);
    expect(converged).toBe(false);
    expect(notes.join(' ')).toContain('until an error of Infinity');
  });

  test('where shorter steps bring no better agreement the tuning ends, and says so', async () => {
    const solution = await runSolver(solve, { beta: 1, duration: 500, tolerance: 1e-12, maxIterations: 20 });
    expect(quantityOf(solution, 'iterations')).toBeLessThan(10);
    expect(solution.notes.join(' ')).toContain('no better agreement');
  });

  test.each([
    ['of a spring', {}],
    ['on top of a double well', { alpha: -1, beta: 1 }],
    ['with drag and damping', { drag: 0.1, damping: 0.2 }],
    ['of a van der Pol coupling', { koSettings: { KO29: 1 } }],
  ])('a start in the equilibrium %s stays there', async (_, input) => {
    const solution = await runSolver(solve, { position: 0, velocity: 0, ...input });
    expect([solution.converged, solution.value, solution.uncertainty]).toEqual([true, 0, 0]);
    expect(quantityOf(solution, 'turning_points')).toBe(0);
    expect(numbersOf(solution, 'phi').every((phi) => phi === 0)).toBe(true);
  });

  test('times beyond the range of the specification are clamped, with a note', async () => {
    const solution = await runSolver(solve, { tMax: 100, dt: 5 });
    expect(numbersOf(solution, 't').at(-1)).toBe(30);
    expect(solution.notes.filter((note) => note.includes('clamped'))).toHaveLength(2);
  });

  test('couplings left out leave what is conserved', async () => {
    const plain = await runSolver(solve, {});
    for (const out of [{ coreOnly: true }, { useOperatorModules: false }]) {
      const { value, series } = await runSolver(solve, { koSettings: { KO29: 1 }, ...out });
      expect(value).toBe(plain.value);
      expect(series[1]?.data).toEqual(plain.series[1]?.data);
    }
  });

  test('weights that add up to more than 1 are divided by their sum, unless this is off', async () => {
    const whole = await runSolver(solve, { koSettings: { KO27: 2 } });
    const one = await runSolver(solve, { koSettings: { KO27: 1 } });
    const two = await runSolver(solve, { koSettings: { KO27: 2 }, normalizeOperators: false });
    expect(whole.value).toBe(one.value);
    expect(two.value).not.toBe(one.value);
  });

  test('a coupling and the same term as a field give the same motion', async () => {
    const coupled = await runSolver(solve, { koSettings: { KO27: 1, KO2: 0.5 }, normalizeOperators: false, tMax: 9 });
    const field = await runSolver(solve, { damping: 1, beta: 0.5, tMax: 9 });
    expect(Math.abs(quantityOf(coupled, 'phi') - quantityOf(field, 'phi'))).toBeLessThan(1e-13);
  });

  test('errors are relative to all samples, the last one among them', async () => {
    const { converged, quantities } = await runSolver(solve, { referenceMode: 'free-fall', height: 100, samples: 2 });
    expect(converged).toBe(true);
    expect(quantities.find(({ name }) => name === 'rk4_error')?.value).toBeLessThan(1e-9);
  });

  test('too stiff for explicit steps is said so, and not that the motion is unpredictable', async () => {
    const { converged, notes } = await runSolver(solve, { damping: 1e6 });
    expect(converged).toBe(false);
    expect(notes).toEqual([
      expect.stringMatching(/^More than 2000000 steps would be needed: .* 1\.00e\+6 1\/s, over 5 s/),
    ]);
  });

  test('what two runs cannot agree on is not converged', async () => {
    const { converged, notes } = await runSolver(solve, {
      alpha: 0,
      beta: 1,
      damping: 0.05,
      drive: 7.5,
      position: 3,
      duration: 400,
    });
    expect(converged).toBe(false);
    expect(notes.join(' ')).toContain('Not predictable after');
  });
});
