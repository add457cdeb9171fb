// The ranking of outages: which branch overloads which other one, and which one parts the network.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Quantity } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import type { GridFace } from './face.ts';
import { listed, type Problem } from './problem.ts';
import { directFlow } from './reference.ts';

const COMPUTED = 1;
const NOT_COMPUTABLE = 3;
/** Outages that parting is told of in words. */
const MAX_NAMED = 8;

export interface Outage {
  /** Indices of the branch that is out, and of the one that suffers most. */
  readonly branch: number;
  readonly worst: number;
  /** pu, of the worst branch afterwards. */
  readonly flow: number;
  /** Loading of the worst branch, or the growth of its flow in pu without ratings. */
  readonly severity: number;
  readonly overloads: number;
}

export interface Ranking {
  /** The most severe first. */
  readonly outages: readonly Outage[];
  readonly hasRatings: boolean;
  readonly quantities: readonly Quantity[];
  readonly notes: readonly string[];
  /** Whether a second solution without the branch confirms the first of the ranking. */
  readonly isConfirmed: boolean;
}

const NONE: Ranking = { outages: [], hasRatings: false, quantities: [], notes: [], isConfirmed: true };

export function rankingOf(
  problem: Problem,
  output: KernelOutput<GridFace>,
  nameOf: (branch: number) => string,
): Ranking {
  const { outages: data = new Float64Array() } = output.views;
  if (data.length === 0) return NONE;
  const { lines, bridges } = problem;
  const rows = rowsOf(data, output.columns.outage);
  const all = lines.map((_, branch) => branch);
  const outages = all
    .filter((l) => rows.at(l, 'state') === COMPUTED && rows.at(l, 'worst') >= 0)
    .map((l): Outage => {
      const [worst, flow] = [rows.at(l, 'worst'), rows.at(l, 'flow')];
      return { branch: l, worst, flow, severity: rows.at(l, 'severity'), overloads: rows.at(l, 'overloads') };
    })
    .sort((a, b) => b.severity - a.severity || a.branch - b.branch);
  const failed = all.filter((l) => rows.at(l, 'state') === NOT_COMPUTABLE).map(nameOf);
  const hasRatings = lines.some(({ isOn, rating }) => isOn && rating > 0);
  const overloading = outages.filter(({ overloads }) => overloads > 0).length;
  const first = outages[0];
  const again = first && directFlow(problem, first.branch);
  const difference = first && again ? Math.abs((again.flows[first.worst] ?? Number.NaN) - first.flow) : 0;
  const flows = output.views.flows ?? new Float64Array();
  const total = flows.reduce((sum, flow) => sum + Math.abs(flow), 0);
  const slack = first ? difference + (1e-14 * (1 + total)) / Math.abs(rows.at(first.branch, 'remainder')) : 0;
  const isConfirmed = !first || (again !== undefined && difference <= 1e-9 * (1 + Math.abs(first.flow)));
  const worstQuantities = first
    ? [
        exactly('worst_outage', first.branch + 1, '1'),
        exactly('worst_outage_branch', first.worst + 1, '1'),
        quantity('worst_outage_flow', first.flow, 'pu', slack),
      ]
    : [];
  return {
    outages,
    hasRatings,
    quantities: [
      exactly('outages', outages.length, '1'),
      exactly('outages_that_overload', overloading, '1'),
      exactly('outages_that_part', bridges.length, '1'),
      ...worstQuantities,
    ],
    notes: [
      ...(first && hasRatings
        ? [
            `Of ${outages.length} outages ${overloading} overload a branch; worst: without ${nameOf(first.branch)}, ${nameOf(first.worst)} is at ${percent(first.severity)} %.`,
          ]
        : []),
      ...partingNotes(problem, nameOf),
      ...(failed.length > 0
        ? [`Without these the DC equations have no solution: ${listed('branch', 'branches', failed)}.`]
        : []),
      ...(isConfirmed ? [] : ['The worst outage is not confirmed by a second solution without its branch.']),
    ],
    isConfirmed,
  };
}

const percent = (share: number): string => (100 * share).toFixed(1);

function partingNotes({ bridges, nodes, base }: Problem, nameOf: (branch: number) => string): readonly string[] {
  const words = bridges.slice(0, MAX_NAMED).map(({ branch, buses }) => {
    const load = buses.reduce((sum, i) => sum + (nodes[i]?.load ?? 0), 0) * base;
    const generation = buses.reduce((sum, i) => sum + (nodes[i]?.generation ?? 0), 0) * base;
    const names = listed(
      'bus',
      'buses',
      buses.map((i) => `${nodes[i]?.number}`),
    );
    return `Without ${nameOf(branch)} ${names} ${buses.length === 1 ? 'is' : 'are'} cut off: load ${load.toFixed(1)} MW, generation ${generation.toFixed(1)} MW.`;
  });
  const more = bridges.length - words.length;
  return more > 0 ? [...words, `${more} more branches part the network.`] : words;
}
