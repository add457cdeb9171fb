import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ALPHA,
  isoFromNs,
  modulation,
  PULSE_HZ,
  pulseFraction,
  readPulse,
  SteppedClock,
  startOfTick,
  systemClock,
  TICK_NS,
  TICK_SECONDS,
  tickOf,
  ticksBetween,
} from '../../src/core/clock.ts';

// Ten centuries from the epoch.
const times = fc.bigInt({ min: 0n, max: 31_556_952_000_000_000_000n });

test.each([
  [0n, { svcond: 0, phase: 0, frac: 0, R_t: 1 }],
  [777_000_777n, { svcond: 1, phase: 0, frac: 0.999999999999, R_t: 0.9999999999999937 }],
  [1_790_000_000_000_000_000n, { svcond: 2303730000, phase: 0.0023037300000023036, frac: 0, R_t: 1 }],
])('the reading at %d ns equals the published one', (ns, reading) => {
  expect(readPulse(ns)).toEqual(reading);
});

test('the constants equal the specification', () => {
  expect([TICK_NS, TICK_SECONDS, PULSE_HZ, ALPHA]).toEqual([777_000_777n, 0.777000777, 1.287, 0.001]);
});

test('the modulation is largest at a quarter cycle and smallest at three quarters', () => {
  expect(modulation(0.25)).toBe(1.001);
  expect(modulation(0.75)).toBe(0.999);
  expect(modulation(0.25, 0.0005)).toBe(1.0005);
  expect(modulation(0, ALPHA, Math.PI / 2)).toBe(1.001);
});

test('the fraction of the pulse is exact where floating point would lose it', () => {
  // 1.287 · (1790000000 s + 1 ns) cycles: the last nanosecond matters.
  expect(pulseFraction(1_790_000_000_000_000_001n)).toBe(1.287e-9);
  expect(pulseFraction(1_790_000_000_000_000_999n)).toBe(1.285713e-6);
});

test('ticks, phase and modulation stay in range at all times', () => {
  fc.assert(
    fc.property(times, (ns) => {
      const { svcond, phase, frac, R_t } = readPulse(ns);
      const start = startOfTick(svcond);
      expect(start <= ns && ns < start + TICK_NS).toBe(true);
      expect(phase >= 0 && phase < 1 && frac >= 0 && frac < 1).toBe(true);
      expect(Math.abs(R_t - 1)).toBeLessThanOrEqual(ALPHA);
    }),
  );
});

test('the tick never decreases with time', () => {
  fc.assert(
    fc.property(times, fc.bigInt({ min: 0n, max: 10n ** 12n }), (ns, step) => {
      expect(tickOf(ns + step)).toBeGreaterThanOrEqual(tickOf(ns));
    }),
  );
});

test('ticksBetween returns fractional ticks', () => {
  expect(ticksBetween(1_790_000_000_000_000_000n, 1_790_000_000_388_500_388n)).toBeCloseTo(0.5, 8);
  expect(ticksBetween(5n * TICK_NS, 2n * TICK_NS)).toBe(-3);
});

test('a timestamp is printed as ISO 8601, truncated to milliseconds', () => {
  expect(isoFromNs(1_790_000_000_123_999_999n)).toBe('2026-09-21T14:13:20.123Z');
  expect(isoFromNs(0n)).toBe('1970-01-01T00:00:00.000Z');
});

test('the system clock follows the wall clock and never goes backwards', () => {
  const clock = systemClock();
  let before = clock.now();
  expect(Math.abs(Number(before / 1_000_000n) - Date.now())).toBeLessThan(60_000);
  for (let i = 0; i < 10_000; i++) {
    const now = clock.now();
    expect(now >= before).toBe(true);
    before = now;
  }
});

test('a system clock that is set back stands still, is not trusted meanwhile, and says so once', () => {
  // A little after the start of a tick, so that the times below fall into the same ticks in every run.
  let [wall, elapsed] = [Number(startOfTick(tickOf(systemClock().now()))) / 1e6 + 1, 0];
  const said: string[] = [];
  const clock = systemClock({
    wallMs: () => wall,
    elapsedMs: () => elapsed,
    onChange: (message) => said.push(message),
  });
  const pass = (ms: number) => {
    wall += ms;
    elapsed += ms;
  };
  const tick = tickOf(clock.now());
  expect(clock.fault()).toBeUndefined();
  // Within two ticks of the time that was used.
  wall -= 1_500;
  expect([tickOf(clock.now()), clock.fault()]).toEqual([tick, undefined]);
  wall += 3_600_000;
  const far = tickOf(clock.now());
  expect([far - tick, clock.fault()]).toEqual([4_631, undefined]);
  wall -= 3_600_000;
  for (let i = 0; i < 5; i++) {
    pass(1_000);
    expect(tickOf(clock.now())).toBe(far);
    expect(clock.fault()).toContain(`is ${3_600_000 - (i + 1) * 1_000} ms behind`);
  }
  expect(said).toEqual([
    expect.stringContaining('The time is not trusted: the clock of this host is 3599000 ms behind'),
  ]);
  pass(3_600_000);
  expect(clock.fault()).toBeUndefined();
  expect(tickOf(clock.now())).toBeGreaterThan(far);
  expect(said.slice(1)).toEqual(['The time is trusted again.']);
});

test('a stepped clock moves only by advance, and rejects negative steps', () => {
  const clock = new SteppedClock(5n);
  expect([clock.now(), clock.now()]).toEqual([5n, 5n]);
  clock.advance(7n);
  expect(clock.now()).toBe(12n);
  expect(() => clock.advance(-1n)).toThrow(RangeError);
});
