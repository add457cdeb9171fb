// Plots of a solution, by kind. A plot names arrays of the same solution and says what each one stands for; portal and
// CLI draw any kind from the plot and the arrays alone.

import type { Field } from './field.ts';

/** What plots of every kind may have. */
interface Worded {
  /** Words for its arrays, by name, which pictures show instead of the names (plot-words.ts). */
  readonly words?: Readonly<Record<string, string>> | undefined;
}

/** Moments that pictures mark on curves over x: times of crossings, turns, impacts. */
export interface EventMarks {
  /** Shape [m], rising, in the unit of x. */
  readonly at: string;
  /** Shape [m]: the number of each one's name, from 1; all have the first name without it. */
  readonly kinds?: string | undefined;
  /** Words that name them: `y = 0 down`. */
  readonly names: readonly string[];
}

/** Curves over x. */
export interface LinePlot extends Worded {
  readonly kind: 'line';
  readonly title: string;
  /** Shape [n], rising. */
  readonly x: string;
  /** Shape [n] each, or [k, n] for a family of k curves; [time, n] with `time`. */
  readonly y: readonly string[];
  /** Shape [time]: the curves move along it. */
  readonly time?: string | undefined;
  /** Shape [n] each: the lower and the upper edge of a shaded band. */
  readonly band?: readonly [low: string, high: string] | undefined;
  /** `line` by default; `points` where nothing lies between two of them, as between energy levels. */
  readonly marks?: 'line' | 'points' | undefined;
  /** Values that are no larger are rounding of larger ones, and drawn as zero. */
  readonly roundOff?: number | undefined;
  readonly events?: EventMarks | undefined;
}

/** A field over a line or a rectangle, as a colour map. Coordinates are rising and evenly spaced. */
export interface FieldPlot extends Worded {
  readonly kind: 'field';
  readonly title: string;
  /** Shape [n]. */
  readonly x: string;
  /** Shape [rows]; a field over a line has none. */
  readonly y?: string | undefined;
  /** Shape [time]. */
  readonly time?: string | undefined;
  /** Row-major, its axes [time, y, x] without those that are absent. */
  readonly values: string;
  /** Coordinates of points that are drawn on the map, such as those of nodal lines; shape [m] each. */
  readonly over?: { readonly x: string; readonly y: string } | undefined;
  /** Limits that the values have by their nature, such as 0 and 1; by default the colours span the values. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** Values of exactly zero lie outside of the domain, and stay without a colour. */
  readonly blank?: 'zero' | undefined;
}

/** Particles in a box that starts at the origin. */
export interface ParticlesPlot extends Worded {
  readonly kind: 'particles';
  readonly title: string;
  /** Shape [time, particles, d], or [particles, d] without `time`; d is 2 or 3. */
  readonly positions: string;
  /** Shape [d]: edges of the box. */
  readonly box: string;
  readonly time?: string | undefined;
  /** In the unit of the positions; by default three quarters of the mean spacing. */
  readonly diameter?: number | undefined;
}

/** Stationary states: wave functions on their levels, inside a potential. */
export interface LevelsPlot extends Worded {
  readonly kind: 'levels';
  readonly title: string;
  /** Shape [n], rising. */
  readonly x: string;
  /** Shape [n], in the unit of the levels. */
  readonly potential: string;
  /** Shape [k, n]. */
  readonly waves: string;
  /** Shape [k], rising. */
  readonly levels: string;
  /** Shape [k]. */
  readonly uncertainty?: string | undefined;
  /** Shape [k]: 0 for a state that the potential does not bind. */
  readonly bound?: string | undefined;
}

/** Paths through a plane of two variables, or points without lines. */
export interface PhasePlot extends Worded {
  readonly kind: 'phase';
  readonly title: string;
  /** Shape [n], or [k, n] for k paths. */
  readonly x: string;
  /** Shape of x. */
  readonly y: string;
  /** Whether both are places of one plane, so that a circle must look like one. */
  readonly hasOneScale?: true | undefined;
  /** `path` by default; `points` for sections and samples. */
  readonly marks?: 'path' | 'points' | undefined;
  /** Words that name the paths. */
  readonly labels?: readonly string[] | undefined;
}

/** Counts, or densities, between edges. */
export interface HistogramPlot extends Worded {
  readonly kind: 'histogram';
  readonly title: string;
  /** Shape [n + 1], rising. */
  readonly edges: string;
  /** Shape [n]. */
  readonly counts: string;
  /** Shape [n]: what a theory expects, drawn as a line. */
  readonly expected?: string | undefined;
}

/** Bars from zero, side by side for each category. */
export interface BarsPlot extends Worded {
  readonly kind: 'bars';
  readonly title: string;
  /** Shape [n] each. */
  readonly y: readonly string[];
  /** Shape [n]: numbers that name the categories. */
  readonly x?: string | undefined;
  /** Words that name the categories, before `x`. */
  readonly labels?: readonly string[] | undefined;
  /** Shape [n]: lines at plus and minus it, between which bars are to be expected. */
  readonly limit?: string | undefined;
}

/** Nodes and the edges between them. */
export interface NetworkPlot extends Worded {
  readonly kind: 'network';
  readonly title: string;
  /** Shape [m, 2]: indices of nodes, from 0. */
  readonly edges: string;
  /** Shape [nodes, 2]: coordinates; by default the nodes lie on a circle. */
  readonly positions?: string | undefined;
  /** Shape [nodes], as colour. */
  readonly values?: string | undefined;
  /** Shape [m], as width. */
  readonly flows?: string | undefined;
  /** Shape [m], as colour of the edges. */
  readonly loads?: string | undefined;
  /** Words that name the nodes. */
  readonly labels?: readonly string[] | undefined;
}

/** Columns of numbers. */
export interface TablePlot extends Worded {
  readonly kind: 'table';
  readonly title: string;
  /** Shape [n] each. */
  readonly columns: readonly string[];
  /** Words that name the rows. */
  readonly labels?: readonly string[] | undefined;
}

export type Plot =
  | LinePlot
  | FieldPlot
  | ParticlesPlot
  | LevelsPlot
  | PhasePlot
  | HistogramPlot
  | BarsPlot
  | NetworkPlot
  | TablePlot;

export type PlotKind = Plot['kind'];
export type PlotOf<Kind extends PlotKind> = Extract<Plot, { readonly kind: Kind }>;

/** A plot and the arrays that it names, as a live frame and a finished solution give them. */
export interface Drawing<Kind extends PlotKind = PlotKind> {
  readonly plot: PlotOf<Kind>;
  readonly arrays: readonly Field[];
}

/** The names of all arrays of a plot. */
export function arrayNames(plot: Plot): string[] {
  return namesOf(plot).filter((name) => name !== undefined);
}

function namesOf(plot: Plot): (string | undefined)[] {
  switch (plot.kind) {
    case 'line':
      return [plot.x, ...plot.y, plot.time, ...(plot.band ?? []), plot.events?.at, plot.events?.kinds];
    case 'field':
      return [plot.x, plot.y, plot.time, plot.values, plot.over?.x, plot.over?.y];
    case 'particles':
      return [plot.positions, plot.box, plot.time];
    case 'levels':
      return [plot.x, plot.potential, plot.waves, plot.levels, plot.uncertainty, plot.bound];
    case 'phase':
      return [plot.x, plot.y];
    case 'histogram':
      return [plot.edges, plot.counts, plot.expected];
    case 'bars':
      return [plot.x, ...plot.y, plot.limit];
    case 'network':
      return [plot.edges, plot.positions, plot.values, plot.flows, plot.loads];
    case 'table':
      return [...plot.columns];
  }
}

/** The array as it is drawn: rounding of larger numbers is zero. */
export function withoutRoundOff(field: Field, roundOff = 0): Field {
  if (roundOff === 0) return field;
  return { ...field, data: field.data.map((value) => (Math.abs(value) <= roundOff ? 0 : value)) };
}

/** Gets an array by name; empty if missing. */
export function getArray(arrays: readonly Field[], name: string): Field {
  return arrays.find((one) => one.name === name) ?? { name, unit: '1', shape: [0], data: new Float64Array() };
}

/** A moment that a picture marks. */
export interface NamedEvent {
  readonly at: number;
  readonly name: string;
}

/** The events of a line plot. */
export function eventsOf(events: EventMarks | undefined, arrays: readonly Field[]): NamedEvent[] {
  if (events === undefined) return [];
  const kinds = events.kinds === undefined ? undefined : getArray(arrays, events.kinds).data;
  return Array.from(getArray(arrays, events.at).data, (at, i) => ({
    at,
    name: events.names[(kinds?.[i] ?? 1) - 1] ?? '',
  }));
}
