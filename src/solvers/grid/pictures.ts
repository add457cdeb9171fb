// Pictures of a flow: the network with its loadings, bars of the branches that carry most, tables.

import { LIMITS } from '../../core/limits.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Field } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { Ranking } from './contingencies.ts';
import type { GridFace } from './face.ts';
import type { Flow } from './flows.ts';
import { layoutOf } from './layout.ts';
import { KIND, type Problem } from './problem.ts';

interface Pictures {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

/** Bars of a picture, and rows of the table of outages. */
const MAX_BARS = 20;
const MAX_BUS_BARS = 60;
const DEGREES = 57.29577951308232;

export function picturesOf(
  problem: Problem,
  flow: Flow,
  direct: Flow | undefined,
  ranking: Ranking,
  { views }: KernelOutput<GridFace>,
  isAlternating: boolean,
): Pictures {
  const { nodes, lines, base } = problem;
  const [n, m] = [nodes.length, lines.length];
  const names = nodes.map(({ name }) => name);
  const labelOf = (l: number) => `${nodes[lines[l]?.from ?? 0]?.number}–${nodes[lines[l]?.to ?? 0]?.number}`;
  const megawatts = (values: Float64Array) => values.map((value) => value * base);
  const hasRatings = lines.some(({ isOn, rating }) => isOn && rating > 0);
  const loading = Float64Array.from(lines, ({ rating }, l) =>
    rating > 0 ? (100 * (flow.apparent[l] ?? 0)) / rating : 0,
  );
  const fields: Field[] = [
    series(
      'bus',
      '1',
      nodes.map(({ number }) => number),
    ),
    series(
      'angle',
      'deg',
      flow.angles.map((angle) => angle * DEGREES),
    ),
    series('voltage', 'pu', flow.magnitudes),
    series('bus_generation', 'MW', megawatts(flow.generation)),
    series(
      'bus_load',
      'MW',
      nodes.map(({ kind, load }) => (kind === KIND.dead ? 0 : load * base)),
    ),
  ];
  const busColumns = ['bus', 'voltage', 'angle', 'bus_generation', 'bus_load'];
  if (isAlternating) {
    fields.push(series('bus_reactive_generation', 'Mvar', megawatts(flow.reactiveGeneration)));
    busColumns.push('bus_reactive_generation');
  }
  const branchColumns = ['from_bus', 'to_bus', 'flow'];
  if (m > 0)
    fields.push(
      series(
        'from_bus',
        '1',
        lines.map(({ from }) => nodes[from]?.number ?? 0),
      ),
      series(
        'to_bus',
        '1',
        lines.map(({ to }) => nodes[to]?.number ?? 0),
      ),
      series('flow', 'MW', megawatts(flow.flows)),
    );
  if (isAlternating && m > 0) {
    fields.push(
      series('reactive_flow', 'Mvar', megawatts(flow.reactive)),
      series(
        'branch_losses',
        'MW',
        flow.flows.map((value, l) => (value + (flow.backflows[l] ?? 0)) * base),
      ),
    );
    branchColumns.push('reactive_flow', 'branch_losses');
    if (direct) {
      fields.push(series('dc_flow_of_branches', 'MW', megawatts(direct.flows)));
      branchColumns.push('dc_flow_of_branches');
    }
  }
  if (hasRatings) {
    fields.push(series('loading', 'percent', loading));
    branchColumns.push('loading');
  }
  const plots: Plot[] = [];
  if (n <= LIMITS.grid.drawn && m > 0) {
    const edges = lines.map(({ from, to }) => [from, to] as const);
    fields.push(
      field('ends', '1', [m, 2], Float64Array.from(edges.flat())),
      field('places', '1', [n, 2], layoutOf(n, edges)),
    );
    plots.push({
      kind: 'network',
      title: hasRatings ? 'One-line diagram: branches by loading' : 'One-line diagram: branches as wide as their flows',
      edges: 'ends',
      positions: 'places',
      values: isAlternating ? 'voltage' : 'angle',
      flows: 'flow',
      ...(hasRatings ? { loads: 'loading' } : {}),
      labels: names,
    });
  }
  const chosen = hasRatings ? loading : flow.flows.map((value) => Math.abs(value * base));
  const top = Array.from({ length: m }, (_, l) => l)
    .filter((l) => lines[l]?.isOn && (chosen[l] ?? 0) > 0)
    .sort((a, b) => (chosen[b] ?? 0) - (chosen[a] ?? 0) || a - b)
    .slice(0, MAX_BARS);
  if (top.length > 0) {
    const name = hasRatings ? 'highest_loadings' : 'largest_flows';
    fields.push(
      series(
        name,
        hasRatings ? 'percent' : 'MW',
        top.map((l) => chosen[l] ?? 0),
      ),
    );
    const title = hasRatings ? 'Branches by loading' : 'Branches by flow';
    plots.push({ kind: 'bars', title, y: [name], labels: top.map(labelOf) });
  }
  if (n <= MAX_BUS_BARS) {
    const y = isAlternating ? 'voltage' : 'angle';
    plots.push({ kind: 'bars', title: isAlternating ? 'Voltages' : 'Voltage angles', y: [y], labels: names });
  } else {
    fields.push(
      series(
        'position',
        '1',
        nodes.map((_, i) => i + 1),
      ),
    );
    const y = isAlternating ? 'voltage' : 'angle';
    plots.push({
      kind: 'line',
      title: isAlternating ? 'Voltages in the order of the buses' : 'Voltage angles in the order of the buses',
      x: 'position',
      y: [y],
    });
  }
  plots.push({ kind: 'table', title: 'Buses', columns: busColumns });
  if (m > 0) plots.push({ kind: 'table', title: 'Branches', columns: branchColumns });
  addOutages(problem, ranking, fields, plots, labelOf);
  const { distribution = new Float64Array(), transfer = new Float64Array(), mismatches = new Float64Array() } = views;
  if (distribution.length > 0)
    fields.push(field('ptdf', '1', [m, n], distribution), field('lodf', '1', [m, m], transfer));
  return {
    series:
      mismatches.length === 0
        ? []
        : [
            series(
              'iteration',
              '1',
              mismatches.map((_, k) => k),
            ),
            series('mismatch', 'pu', mismatches),
          ],
    fields,
    plots,
  };
}

function addOutages(
  { base, lines }: Problem,
  { outages, hasRatings }: Ranking,
  fields: Field[],
  plots: Plot[],
  labelOf: (l: number) => string,
): void {
  const first = outages.slice(0, MAX_BARS);
  if (first.length === 0) return;
  fields.push(
    series(
      'outage',
      '1',
      first.map(({ branch }) => branch + 1),
    ),
    series(
      'suffering_branch',
      '1',
      first.map(({ worst }) => worst + 1),
    ),
    series(
      'flow_afterwards',
      'MW',
      first.map(({ flow }) => flow * base),
    ),
    series(
      'overloads',
      '1',
      first.map(({ overloads }) => overloads),
    ),
  );
  const columns = ['outage', 'suffering_branch', 'flow_afterwards', 'overloads'];
  const labels = first.map(({ branch }) => labelOf(branch));
  if (hasRatings) {
    fields.push(
      series(
        'loading_afterwards',
        'percent',
        first.map(({ flow, worst }) => (100 * Math.abs(flow)) / (lines[worst]?.rating || 1)),
      ),
    );
    columns.push('loading_afterwards');
    plots.push({
      kind: 'bars',
      title: 'Highest loading after an outage, by the branch that is out',
      y: ['loading_afterwards'],
      labels,
    });
  } else {
    fields.push(
      series(
        'growth',
        'MW',
        first.map(({ severity }) => severity * base),
      ),
    );
    columns.push('growth');
    plots.push({
      kind: 'bars',
      title: 'Largest growth of a flow after an outage, by the branch that is out',
      y: ['growth'],
      labels,
    });
  }
  plots.push({ kind: 'table', title: 'Outages', columns, labels });
}
