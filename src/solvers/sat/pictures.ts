// Pictures of a model of a family: queens on their board, the colours of a graph or of the pairs of people.

import type { Field } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import { mycielskiEdges } from './generators.ts';
import type { Problem } from './problem.ts';

interface Pictures {
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

export function picturesOf({ name, n, colours }: Problem, model: Float64Array): Pictures {
  if (name === 'queens') return board(n, model);
  if (name === 'mycielski') return colouring(n, colours, model);
  if (name === 'ramsey') return pairs(n, model);
  return { fields: [], plots: [] };
}

function board(n: number, model: Float64Array): Pictures {
  const files = Float64Array.from({ length: n }, (_, i) => i + 1);
  const queens = model.map((value) => Number(value > 0));
  return {
    fields: [series('file', '1', files), series('rank', '1', files.slice()), field('queens', '1', [n, n], queens)],
    plots: n < 2 ? [] : [{ kind: 'field', title: 'Queens', x: 'file', y: 'rank', values: 'queens' }],
  };
}

function colouring(n: number, colours: number, model: Float64Array): Pictures {
  const { vertices, edges } = mycielskiEdges(n);
  const colour = Float64Array.from({ length: vertices }, (_, vertex) => {
    const own = model.subarray(vertex * colours, (vertex + 1) * colours);
    return 1 + own.findIndex((value) => value > 0);
  });
  return {
    fields: [field('edges', '1', [edges.length, 2], Float64Array.from(edges.flat())), series('colour', '1', colour)],
    plots: [{ kind: 'network', title: 'Colours', edges: 'edges', values: 'colour' }],
  };
}

/** The pairs that are true, as a graph: neither it nor its complement has a triangle. */
function pairs(n: number, model: Float64Array): Pictures {
  const all = Array.from({ length: n }, (_, a) => Array.from({ length: n - a - 1 }, (_, k) => [a, a + k + 1])).flat();
  const edges = all.filter((_, i) => (model[i] ?? 0) > 0);
  const values = Float64Array.from({ length: n }, (_, person) => edges.flat().filter((end) => end === person).length);
  return {
    fields: [
      field('edges', '1', [edges.length, 2], Float64Array.from(edges.flat())),
      series('acquaintances', '1', values),
    ],
    plots: [{ kind: 'network', title: 'Pairs of the first colour', edges: 'edges', values: 'acquaintances' }],
  };
}
