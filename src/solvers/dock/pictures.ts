// Pictures of a docking: the table of poses, the best pose, energies over their distance from it, and the searches.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Solution } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import { contactsOf, drawnComplex, ligandAtoms } from './complex.ts';
import type { DockFace } from './face.ts';
import { Deviation, ligandPlaces, type Minimum, type RankedPose } from './poses.ts';
import type { Problem } from './problem.ts';
import { type Pose, plainEnergy } from './reference.ts';

const FUNNEL_POINTS = 400;
const HISTORY_POINTS = 600;
const FUNNEL_RANGE = { lj: Number.POSITIVE_INFINITY, vina: 30 } as const;

export const termNames = (isVina: boolean): readonly string[] =>
  isVina ? ['gauss1', 'gauss2', 'repulsion', 'hydrophobic', 'hydrogen_bond'] : ['repulsion', 'attraction'];

export function picturesOf(
  problem: Problem,
  outputs: readonly KernelOutput<DockFace>[],
  minima: readonly Minimum[],
  ranked: readonly RankedPose[],
  best: Pose,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const { lengthUnit, isVina, ligand } = problem;
  const names = termNames(isVina);
  const complex = drawnComplex(problem, best);
  const contacts = contactsOf(problem, best);
  const terms = ranked.map(({ pose }) => plainEnergy(problem, pose).terms);
  const column = (values: readonly number[], name: string, unit: string) => series(name, unit, values);
  const poses = [
    column(
      ranked.map(({ energy }) => energy),
      'pose_energy',
      'epsilon',
    ),
    column(
      ranked.map(({ lower }) => lower),
      'rmsd_lb',
      lengthUnit,
    ),
    column(
      ranked.map(({ upper }) => upper),
      'rmsd_ub',
      lengthUnit,
    ),
    column(
      ranked.map(({ hits }) => hits),
      'hits',
      '1',
    ),
    ...names.map((name, k) =>
      column(
        terms.map((one) => one[k] ?? 0),
        name,
        'epsilon',
      ),
    ),
  ];
  const places = ranked.flatMap(({ pose }) => ligandAtoms(problem, pose).flat());
  const funnel = funnelOf(problem, minima);
  const searches = searchHistories(outputs);
  const plots: Plot[] = [
    {
      kind: 'table',
      title: 'Poses',
      columns: poses.map(({ name }) => name),
      labels: ranked.map((_, k) => `pose ${k + 1}`),
    },
    {
      kind: 'particles',
      title: 'Best pose: the receptor and the ligand',
      positions: 'complex',
      box: 'box',
      diameter: isVina ? 1.6 : 1,
    },
  ];
  if (funnel.distances.length > 1)
    plots.push({
      kind: 'phase',
      title: 'Energy of local minima over their RMSD from the best pose',
      x: 'funnel_rmsd',
      y: 'funnel_energy',
      marks: 'points',
    });
  if (searches.length > 1)
    plots.push({
      kind: 'line',
      title: 'Least energy so far of each search',
      x: 'minimisation',
      y: searchNames(searches),
    });
  if (contacts.length > 0)
    plots.push({
      kind: 'table',
      title: 'Closest contacts of the best pose',
      columns: ['contact_receptor_atom', 'contact_ligand_atom', 'contact_distance'],
      labels: contacts.map(
        ({ receptor: r, ligand: l }) => `${wordOf(problem.receptor.atoms[r - 1])} – ${wordOf(ligand.atoms[l - 1])}`,
      ),
    });
  return {
    series: searches,
    fields: [
      ...poses,
      field('poses', lengthUnit, [ranked.length, ligand.atoms.length, 3], Float64Array.from(places)),
      ...complex.arrays,
      series('funnel_rmsd', lengthUnit, funnel.distances),
      series('funnel_energy', 'epsilon', funnel.energies),
      series(
        'contact_receptor_atom',
        '1',
        contacts.map(({ receptor }) => receptor),
      ),
      series(
        'contact_ligand_atom',
        '1',
        contacts.map((one) => one.ligand),
      ),
      series(
        'contact_distance',
        lengthUnit,
        contacts.map(({ distance }) => distance),
      ),
    ],
    plots,
  };
}

const wordOf = (atom: { readonly element: string } | undefined): string => atom?.element ?? '';

const searchNames = (searches: Solution['series']) => searches.slice(1).map(({ name }) => name);

function funnelOf(problem: Problem, minima: readonly Minimum[]) {
  const deviation = new Deviation(problem);
  const range = problem.isVina ? FUNNEL_RANGE.vina : FUNNEL_RANGE.lj;
  const [first] = minima;
  if (!first) return { distances: [], energies: [] };
  const near = minima.filter(({ energy }) => energy <= first.energy + range);
  const stride = Math.max(1, Math.ceil(near.length / FUNNEL_POINTS));
  const shown = near.filter((_, k) => k % stride === 0);
  const best = ligandPlaces(problem, first.pose);
  return {
    distances: shown.map(({ pose }) => deviation.upper(ligandPlaces(problem, pose), best)),
    energies: shown.map(({ energy }) => energy),
  };
}

/** The number of the minimisation, and the least energy up to it in each search. */
function searchHistories(outputs: readonly KernelOutput<DockFace>[]): Solution['series'] {
  const histories = outputs.map(({ views, columns }) => {
    const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
    let least = Number.POSITIVE_INFINITY;
    return rows.column('energy').map((energy, row) => {
      if (rows.at(row, 'outside') <= 1e-9) least = Math.min(least, energy);
      return least;
    });
  });
  const count = histories[0]?.length ?? 0;
  // From where every search has a minimum in the box.
  const from = Math.max(0, ...histories.map((one) => one.findIndex((energy) => Number.isFinite(energy))));
  if (count - from < 2 || histories.some((one) => !Number.isFinite(one.at(-1)))) return [];
  const stride = Math.max(1, Math.ceil((count - from) / HISTORY_POINTS));
  const rows = Array.from({ length: Math.ceil((count - from) / stride) }, (_, k) =>
    Math.min(count - 1, from + k * stride),
  );
  return [
    series(
      'minimisation',
      '1',
      rows.map((row) => row + 1),
    ),
    ...histories.map((one, k) =>
      series(
        `search_${k + 1}`,
        'epsilon',
        rows.map((row) => one[row] ?? Number.NaN),
      ),
    ),
  ];
}
