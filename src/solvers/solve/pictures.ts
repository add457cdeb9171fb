// Series, fields and plots.

import type { Solution } from '../definition.ts';
import { series } from '../parts/fields.ts';
import type { History } from './history.ts';
import type { Turns } from './quantities.ts';
import type { registersOf, Term } from './terms.ts';

export interface Energies {
  readonly kinetic: Float64Array;
  readonly potential: Float64Array;
  readonly total: Float64Array;
  readonly balance: Float64Array;
  readonly dissipated: Float64Array;
  readonly error: Float64Array;
}

export function picturesOf(
  { t, shown, first, closed, shownError }: History,
  energies: Energies,
  turns: Turns,
  terms: readonly Term[],
  registers: ReturnType<typeof registersOf>,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const known = closed ?? first;
  const difference = shown.phi.map((phi, i) => phi - (known.phi[i] ?? Number.NaN));
  const hasTurns = turns.times.length > 0;
  return {
    series: [
      series('t', 's', t),
      series('phi', 'm', shown.phi),
      series('phi_uncertainty', 'm', shownError.phi),
      series('dphi', 'm/s', shown.dphi),
      series('dphi_uncertainty', 'm/s', shownError.dphi),
      series('kinetic', 'J', energies.kinetic),
      series('potential', 'J', energies.potential),
      series('energy', 'J', energies.total),
      series('dissipated', 'J', energies.dissipated),
      series('energy_balance', 'J', energies.balance),
      series('difference', 'm', difference),
    ],
    fields: [
      ...(hasTurns
        ? [
            series('turns', 's', turns.times),
            series('turns_uncertainty', 's', turns.timeErrors),
            series('turn_places', 'm', turns.places),
            series('turn_places_uncertainty', 'm', turns.placeErrors),
          ]
        : []),
      ...(terms.length > 0
        ? [
            series(
              'terms',
              'm/s^2',
              terms.map(({ value }) => value),
            ),
          ]
        : []),
      series(
        'registers',
        '1',
        registers.map(([, , value]) => value),
      ),
    ],
    plots: [
      {
        kind: 'line',
        title: 'Trajectory',
        x: 't',
        y: ['phi'],
        ...(hasTurns ? { events: { at: 'turns', names: ['turn'] } } : {}),
      },
      { kind: 'phase', title: 'Phase portrait', x: 'phi', y: 'dphi' },
      { kind: 'line', title: 'Energy', x: 't', y: ['energy', 'kinetic', 'potential'] },
      { kind: 'line', title: 'Balance of the energy', x: 't', y: ['energy_balance', 'dissipated'] },
      { kind: 'line', title: 'Difference from the reference', x: 't', y: ['difference'] },
      ...(terms.length > 0
        ? [
            {
              kind: 'bars',
              title: 'Terms of the equation at the end',
              y: ['terms'],
              labels: terms.map(({ label }) => label),
            } as const,
          ]
        : []),
      ...(hasTurns ? [{ kind: 'table', title: 'Turning points', columns: ['turns', 'turn_places'] } as const] : []),
      {
        kind: 'table',
        title: 'Registers',
        columns: ['registers'],
        labels: registers.map(([name, unit]) => (unit === '1' ? name : `${name} (${unit})`)),
      },
    ],
  };
}
