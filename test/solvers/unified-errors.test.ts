// Inputs that the unified solver rejects, and their error messages.

import { describe, expect, test } from 'vitest';
import { unified } from '../../src/solvers/unified/solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = Parameters<typeof unified.solve>[0];

const X = "x' = -x; x(0) = 1";
const equationsOf = (count: number) => Array.from({ length: count }, (_, i) => `a${i} = ${i}`);

describe('before anything runs', () => {
  test.each<[string, Input, string, RegExp]>([
    ['a cycle', { equations: 'a = b + 1; b = c; c = 2*a' }, 'VALIDATION_FAILED', /a needs b, b needs c, c needs a/],
    [
      'an unknown symbol',
      { equations: 'a = omeg*2', vars: 'omega = 2' },
      'EXPRESSION_INVALID',
      /equations\.1 .*Column 5: .*omeg .*Did you mean omega\?/,
    ],
    [
      'a syntax error',
      { equations: ['a = 1', 'b = 2*(a + '] },
      'EXPRESSION_INVALID',
      /equations\.2 \(b = 2\*\(a \+\): Column 11: got the end/,
    ],
    ['65 equations', { equations: equationsOf(65) }, 'VALIDATION_FAILED', /There are 65 equations; at most 64/],
    [
      'a duplicate left side',
      { equations: 'a = 2; b = a; a = 3' },
      'VALIDATION_FAILED',
      /a is on the left of two equations, equations\.1 .* equations\.3/,
    ],
    [
      'a derivative and a value of one symbol',
      { equations: "x' = 1; x = 2; x(0) = 0" },
      'VALIDATION_FAILED',
      /x is on the left of two equations/,
    ],
    [
      'a second derivative without the first at the start',
      { equations: "x'' = -x; x(0) = 1" },
      'VALIDATION_FAILED',
      /Missing initial value for x'; x'\(0\) = … among the equations, or initial\.x'/,
    ],
    [
      'a derivative of two orders',
      { equations: "x'' = -x; x' = 1; x(0) = 1; x'(0) = 0" },
      'VALIDATION_FAILED',
      /x is on the left of two equations/,
    ],
    [
      'a comma that separates no equations',
      { equations: 'y = 2, 3' },
      'VALIDATION_FAILED',
      /equations\.1 \(y = 2, 3\): after the comma, 3 is no equation; separate equations by ; or a new line/,
    ],
    [
      'a decimal comma',
      { equations: 'y = k', vars: 'k = 0,5' },
      'VALIDATION_FAILED',
      /vars\.k is "0,5"; a number with a decimal point/,
    ],
    [
      'a missing initial value',
      { equations: "x' = v; v' = -x; x(0) = 1" },
      'VALIDATION_FAILED',
      /Missing initial value for v; v\(0\) = … .* initial\.v/,
    ],
    [
      'an initial value elsewhere',
      { equations: "x' = 1; x(2) = 1" },
      'VALIDATION_FAILED',
      /the value at 2 is given; the one at t0 = 0/,
    ],
    [
      'an initial value of an unknown symbol',
      { equations: X, initial: 'y = 2' },
      'VALIDATION_FAILED',
      /y has no differential equation/,
    ],
    [
      'a duplicate initial value',
      { equations: X, initial: { x: 2 } },
      'VALIDATION_FAILED',
      /initial value of x is given twice/,
    ],
    [
      'a number for a symbol with an equation',
      { equations: X, vars: 'x = 2' },
      'VALIDATION_FAILED',
      /vars\.x is given, but x has an equation/,
    ],
    ['an invalid left side', { equations: 'a + b = 2' }, 'VALIDATION_FAILED', /the left side is a \+ b; a symbol/],
    ['t on the left', { equations: 't = 2' }, 'VALIDATION_FAILED', /t has a meaning already/],
    ['no equation', { equations: ' ;\n' }, 'VALIDATION_FAILED', /equations is empty/],
    [
      'no differential equation for mode ode',
      { equations: 'a = 1', mode: 'ode' },
      'VALIDATION_FAILED',
      /no equation has a derivative/,
    ],
    [
      'a chain for mode expression',
      { equations: 'a = 1; b = a', mode: 'expression' },
      'VALIDATION_FAILED',
      /equations\.2 \(b = a\) reads what another equation gives: mode chain/,
    ],
    [
      'an end before the start',
      { equations: X, t0: 5, t_end: 4 },
      'VALIDATION_FAILED',
      /t_end is 4; it must be greater than t0 = 5/,
    ],
    ['steps for an adaptive method', { equations: X, steps: 10 }, 'VALIDATION_FAILED', /steps is 10; only method rk4/],
    [
      'both a step and a number of steps',
      { equations: X, method: 'rk4', dt: 0.1, steps: 10 },
      'VALIDATION_FAILED',
      /dt is 0\.1 and steps is 10/,
    ],
    [
      'too many fixed steps',
      { equations: X, method: 'rk4', dt: 1e-9 },
      'VALIDATION_FAILED',
      /20000000000 steps; at most 10000000/,
    ],
    [
      'an event without differential equations',
      { equations: 'a = 1', events: 'a = 1' },
      'VALIDATION_FAILED',
      /events require differential equations/,
    ],
    [
      'an event that never changes',
      { equations: X, events: '1 = 1 -> stop' },
      'VALIDATION_FAILED',
      /events\.1 \(1 = 1 -> stop\): 1 = 1 never changes/,
    ],
    [
      'an event of two conditions',
      { equations: X, events: 'x < 0.5 and t > 1 -> stop' },
      'VALIDATION_FAILED',
      /x < 0\.5 and t > 1 crosses nothing; what crosses a value, like x = 1 up/,
    ],
    [
      'a comparison against its own direction',
      { equations: X, events: 'x > 0.5 down' },
      'VALIDATION_FAILED',
      /x > 0\.5 down crosses nothing/,
    ],
    [
      'an event with an unknown action',
      { equations: X, events: 'x = 0 -> jump' },
      'VALIDATION_FAILED',
      /jump is not an action; stop, or assignments/,
    ],
    [
      'an event that assigns a symbol other than a state',
      { equations: X, events: 'x = 0 -> y = 1' },
      'VALIDATION_FAILED',
      /y cannot be assigned; one of the states x/,
    ],
    [
      'an unknown symbol in an event',
      { equations: X, events: 'xx = 0' },
      'EXPRESSION_INVALID',
      /events\.1 .*unknown symbol xx/,
    ],
    [
      'an unknown output',
      { equations: X, outputs: ['xx'] },
      'VALIDATION_FAILED',
      /outputs names xx; one of t, x .*Did you mean x\?/,
    ],
    [
      'a unit of an unknown symbol',
      { equations: X, units: 'y = m' },
      'VALIDATION_FAILED',
      /units\.y belongs to no symbol/,
    ],
    ['an invalid unit', { equations: X, units: 'x = metre' }, 'UNIT_INVALID', /units\.x/],
    [
      'a wrong dimension',
      { equations: "x' = v; v' = -k*x; x(0) = 1; v(0) = 0", vars: 'k = 1', units: 'x = m; v = m/s; k = N/m' },
      'UNIT_MISMATCH',
      /equations\.2 .*kg\*m\/s\^2; the derivative of v is m\/s\^2/,
    ],
    [
      'a sum of two dimensions',
      { equations: 'a = b + c', vars: 'b = 1; c = 1', units: 'b = m; c = s' },
      'UNIT_MISMATCH',
      /equations\.1 .*Column/,
    ],
    [
      'a variable that is not a number',
      { equations: X, vars: 'k = two' },
      'VALIDATION_FAILED',
      /vars\.k is "two"; a number with a decimal point is expected/,
    ],
    ['code', { equations: 'constructor.constructor("return 1")()' }, 'EXPRESSION_INVALID', /equations\.1/],
  ])('%s', (_, input, code, message) => {
    const error = planError(unified, input);
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(error.details.length).toBeGreaterThan(0);
  });

  test('64 equations of 640 characters each are accepted', async () => {
    const longest = `a0 = ${'1 + '.repeat(150)}1`;
    expect(planError(unified, { equations: `${longest}${' + 1'.repeat(40)}` }).message).toMatch(
      /at most 640 characters/,
    );
    const { value } = await runSolver(unified, { equations: [longest, ...equationsOf(64).slice(1)], outputs: ['a0'] });
    expect(value).toBe(151);
  });

  test('64 states are integrated', async () => {
    const chain = Array.from({ length: 64 }, (_, i) => `x${i}' = ${i === 0 ? '' : `x${i - 1} `}- x${i}`);
    const initial = Object.fromEntries(chain.map((_, i) => [`x${i}`, i === 0 ? 1 : 0]));
    const { value } = await runSolver(unified, { equations: chain, initial, t_end: 3, outputs: ['x2'] });
    expect(value).toBeCloseTo((9 / 2) * Math.exp(-3), 9);
  });
});

describe('while it runs', () => {
  test.each<[string, Input, string, RegExp]>([
    [
      'a derivative that is not a number',
      { equations: "x' = sqrt(-1 - x^2); x(0) = 1" },
      'VALUE_UNDEFINED',
      /The derivative of x \(x' = sqrt\(-1 - x\^2\)\) is not finite at t = 0/,
    ],
    [
      'a solution that diverges',
      { equations: "x' = x^2; x(0) = 1", t_end: 2 },
      'UNSTABLE_SCHEME',
      /No step is short enough at t = 0\.99999.*escapes to infinity/,
    ],
    [
      'a division by zero',
      { equations: 'a = 1/(x - 2)', vars: 'x = 2' },
      'DIVISION_BY_ZERO',
      /a has no value: in 1\/\(x - 2\) the divisor is 0/,
    ],
    [
      'a root of a negative number',
      { equations: 'b = 1; a = b + sqrt(x)', vars: 'x = -2' },
      'VALUE_UNDEFINED',
      /equations\.2: a has no value: sqrt\(x\) is not defined/,
    ],
    [
      'an overflow',
      { equations: 'a = exp(x)', vars: 'x = 800' },
      'NUMERIC_OVERFLOW',
      /exp\(x\).*beyond the largest number/,
    ],
    [
      'a pole of a function',
      { equations: 'b = 2; a = b*gamma(x)', vars: 'x = -1' },
      'VALUE_UNDEFINED',
      /a has no value: gamma\(x\) is not defined at -1/,
    ],
    [
      'a finite value with parts that are not finite',
      { equations: 'a = b/(x*x)', vars: 'b = 1e300; x = 1e200' },
      'NUMERIC_OVERFLOW',
      /a has no value: x\*x at 1e\+200, 1e\+200 is beyond the largest number/,
    ],
    [
      'a pole in a table',
      { equations: 'a = 1/(t - 1)', t_end: 2, points: 3 },
      'DIVISION_BY_ZERO',
      /a has no value at t = 1/,
    ],
    [
      'too many state changes by events',
      { equations: "x' = 1; x(0) = 0", events: 'x = 1 -> x = 0.5', t_end: 1e5 },
      'BUDGET_EXCEEDED',
      /changed states more than 10000 times by t = 5001/,
    ],
    [
      'a sum that is too long',
      { equations: 'a = sum(k, 1, n, k)', vars: 'n = 20000' },
      'BUDGET_EXCEEDED',
      /a sum has more than 10000 terms/,
    ],
    [
      'a sum with bounds that are not integers',
      { equations: "x' = sum(k, 1, x, k); x(0) = 1.5" },
      'VALIDATION_FAILED',
      /equations\.1 .*bounds of a sum are not whole/,
    ],
    [
      'an initial value that is not a number',
      { equations: "x' = -x; x(0) = sqrt(-1)" },
      'VALUE_UNDEFINED',
      /equations\.2 .*the initial value of x is NaN/,
    ],
  ])('%s', async (_, input, code, message) => {
    await expect(runSolver(unified, input)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('a run that spends its steps is not converged and reports its end time', async () => {
    const solution = await runSolver(unified, { equations: "x' = cos(t); x(0) = 0", t_end: 1e4, max_steps: 50 });
    const t = solution.quantities.find(({ name }) => name === 't_end')?.value ?? 0;
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toContain('max_steps = 50');
    expect(t).toBeGreaterThan(1);
    expect(t).toBeLessThan(1e4);
    expect(solution.value).toBeCloseTo(Math.sin(t), 6);
  });

  test('a number that no equation reads is reported', async () => {
    const { notes } = await runSolver(unified, { equations: 'a = 2*b', vars: 'b = 1; c = 2' });
    expect(notes).toContain('Not used by any equation: c.');
  });

  test('an equation that looks like the end of the run is told from the field', async () => {
    const note = 't_end on the left of an equation is a symbol; the run goes from the field t0 to the field t_end.';
    const { notes } = await runSolver(unified, { equations: "x' = -x; x(0) = 1; t_end = 3" });
    expect(notes).toContain(note);
    expect((await runSolver(unified, { equations: "x' = -x; x(0) = 1", t_end: 3 })).notes).not.toContain(note);
  });
});
