import { describe, expect, test } from 'vitest';
import { evolve } from '../../src/solvers/evolve/solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { quantityOf, uncertaintyOf } from '../suites/solution-parts.ts';
import truth from '../truth/lennard-jones.json' with { type: 'json' };

type Cutoff = 'truncated' | 'force-shifted';

describe('canonical averages agree with published ones', () => {
  test.each(truth.states)('$source, T $T, density $rho', async ({ T, rho, rc, cutoff, withTails, U, P, tolerance }) => {
    const preset = rho < 0.1 ? 'lj-gas' : 'lj-liquid';
    const solution = await runSolver(evolve, {
      ...{ preset, N: 500, rho, T0: T, rc, cutoff: cutoff as Cutoff, thermostat: 'bussi', tau: 0.5 },
      ...{ steps: 60_000, dtSim: 0.004 },
    });
    const value = (name: string): number => quantityOf(solution, name);
    const uncertainty = (name: string): number => uncertaintyOf(solution, name);
    const tail = (name: string): number => (withTails ? value(name) : 0);
    expect(Math.abs(value('temperature_mean') - T)).toBeLessThan(2 * uncertainty('temperature_mean') + 0.005);
    expect(Math.abs(value('potential_energy_mean') + tail('tail_energy') - U)).toBeLessThan(
      tolerance.U + 2 * uncertainty('potential_energy_mean'),
    );
    if (P !== undefined && tolerance.P !== undefined) {
      // The kinetic part is that of N - 1 atoms.
      const pressure = value('pressure_mean') + (rho * T) / 500 + tail('tail_pressure');
      expect(Math.abs(pressure - P)).toBeLessThan(tolerance.P + 2 * uncertainty('pressure_mean'));
    }
  });

  test('the energy of a force-shifted liquid does not drift over 100 tau', async () => {
    const solution = await runSolver(evolve, { N: 256, cutoff: 'force-shifted', dtSim: 0.002, steps: 50_000 });
    expect(Math.abs(quantityOf(solution, 'energy_drift') * 100)).toBeLessThan(1e-5);
  });
});
