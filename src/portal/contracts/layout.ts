// Where the states and arrows of a diagram stand: layers by dagre, which looks for few crossings and short ways.

import { Graph, layout } from '@dagrejs/dagre';
import { type Definition, sourcesOf } from '../../contracts/definition.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** All transitions between the same two states are one arrow. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly string[];
  readonly points: readonly Point[];
  readonly label: Point & { readonly width: number; readonly height: number };
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** From the start to the initial state. */
  readonly start: { readonly at: Point; readonly points: readonly Point[] };
}

/** `narrow` goes down with less room between. */
export type Manner = 'down' | 'narrow' | 'right';

/** Widths of texts, as the browser sets them. */
export interface Measure {
  readonly state: (text: string) => number;
  readonly label: (text: string) => number;
}

export const LINE = 16;
const BOX_HEIGHT = 40;
const START_SIZE = 12;
/** No name of a state begins so. */
const START = '-start';
const key = (name: string) => `s-${name}`;

const ROOM = {
  down: { nodesep: 36, edgesep: 18, ranksep: 34 },
  narrow: { nodesep: 14, edgesep: 8, ranksep: 30 },
  right: { nodesep: 28, edgesep: 18, ranksep: 40 },
} as const;

export function drawingOf(definition: Definition, manner: Manner, measure: Measure): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: manner === 'right' ? 'LR' : 'TB', ...ROOM[manner], marginx: 8, marginy: 8 });
  const names = Object.keys(definition.states);
  for (const name of names)
    graph.setNode(key(name), {
      width: manner === 'narrow' ? Math.max(60, measure.state(name) + 20) : Math.max(84, measure.state(name) + 36),
      height: BOX_HEIGHT,
    });
  graph.setNode(START, { width: START_SIZE, height: START_SIZE });
  graph.setEdge(START, key(definition.initial), { width: 0, height: 0, weight: 4 }, START);
  const arrows = arrowsOf(definition).map((arrow) => ({ ...arrow, size: sizeOf(arrow.transitions, measure) }));
  for (const { from, to, size } of arrows)
    graph.setEdge(key(from), key(to), { ...(from === to ? roomForLoop(size, manner) : size), labelpos: 'c' }, 'arrow');
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const edge = (from: string, to: string, name: string) =>
    graph.edge(from, to, name) as unknown as Point & { readonly points: Point[] };
  const start = graph.node(START) as unknown as Point;
  return {
    width,
    height,
    boxes: names.map((name) => ({ ...(graph.node(key(name)) as unknown as Box), name })),
    arrows: arrows.map(({ size, ...arrow }) => {
      if (arrow.from === arrow.to)
        return { ...arrow, ...loopAt(graph.node(key(arrow.from)) as unknown as Box, size, manner) };
      const { points, x, y } = edge(key(arrow.from), key(arrow.to), 'arrow');
      return { ...arrow, points, label: { x, y, ...size } };
    }),
    start: { at: { x: start.x, y: start.y }, points: edge(START, key(definition.initial), START).points },
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizeOf = (transitions: readonly string[], measure: Measure): Size => ({
  width: Math.max(...transitions.map(measure.label)) + 10,
  height: LINE * transitions.length + 4,
});

/** How far a loop goes out of its state, and how far from that its label begins: what lies behind a label is not seen. */
const LOOP = 26;
const LOOP_GAP = 3;

/**
 * Dagre keeps a place free next to the state for a loop and its label, in the same layer. It turns everything but loops
 * before it lays out from left to right, so that the two sides of one are exchanged there.
 */
function roomForLoop({ width, height }: Size, manner: Manner): Size {
  const { nodesep, edgesep } = ROOM[manner];
  // Between the state and that place there is room already.
  const line = LOOP + LOOP_GAP - (nodesep + edgesep) / 2;
  return manner === 'right' ? { width: height + line, height: width } : { width: width + line, height };
}

/** Out of a state and back into it, in the place that is kept free: below it from left to right, else on its right. */
function loopAt({ x, y, width, height }: Box, size: Size, manner: Manner): Pick<Arrow, 'points' | 'label'> {
  if (manner === 'right') {
    const edge = y + height / 2;
    const points = [
      { x: x - 16, y: edge },
      { x: x - 26, y: edge + LOOP },
      { x: x + 26, y: edge + LOOP },
      { x: x + 16, y: edge },
    ];
    return { points, label: { ...size, x, y: edge + LOOP + LOOP_GAP + size.height / 2 } };
  }
  const edge = x + width / 2;
  const points = [
    { x: edge, y: y - 9 },
    { x: edge + LOOP, y: y - 18 },
    { x: edge + LOOP, y: y + 18 },
    { x: edge, y: y + 9 },
  ];
  return { points, label: { ...size, x: edge + LOOP + LOOP_GAP + size.width / 2, y } };
}

function arrowsOf({ transitions }: Definition): Pick<Arrow, 'from' | 'to' | 'transitions'>[] {
  const found = new Map<string, { from: string; to: string; transitions: string[] }>();
  for (const transition of transitions) {
    for (const from of sourcesOf(transition)) {
      const pair = `${from} ${transition.to}`;
      const arrow = found.get(pair) ?? { from, to: transition.to, transitions: [] };
      arrow.transitions.push(transition.id);
      found.set(pair, arrow);
    }
  }
  return [...found.values()];
}

/** A smooth line through the middles between the points. */
export function pathThrough(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const steps = rest.map(({ x, y }, at) => {
    const next = rest[at + 1];
    return next ? `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}` : `L${x} ${y}`;
  });
  return `M${first.x} ${first.y}${steps.join('')}`;
}

const HEAD = 8;

/** The head of an arrow, pointing where the last part of the way leads. */
export function headAt(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [ux, uy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const base = { x: tip.x - HEAD * ux, y: tip.y - HEAD * uy };
  const half = HEAD * 0.45;
  return `M${tip.x} ${tip.y}L${base.x - half * uy} ${base.y + half * ux}L${base.x + half * uy} ${base.y - half * ux}Z`;
}
