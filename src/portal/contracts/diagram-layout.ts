// Layout of a state diagram with dagre, which arranges layers with few crossings and short edges.

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

/** One arrow for all transitions between the same two states. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly string[];
  readonly points: readonly Point[];
  readonly label: Point & { readonly width: number; readonly height: number };
}

export interface DiagramLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** Arrow to the initial state. */
  readonly start: { readonly at: Point; readonly points: readonly Point[] };
}

/** `narrow` is `down` with less spacing. */
export type LayoutMode = 'down' | 'narrow' | 'right';

/** Rendered widths of labels. */
export interface TextMeasure {
  readonly state: (text: string) => number;
  readonly label: (text: string) => number;
}

export const LINE_HEIGHT = 16;
const BOX_HEIGHT = 40;
const START_SIZE = 12;
/** No state name starts with a hyphen. */
const START_NODE = '-start';
const nodeId = (name: string) => `s-${name}`;

const SPACING = {
  down: { nodesep: 36, edgesep: 18, ranksep: 34 },
  narrow: { nodesep: 14, edgesep: 8, ranksep: 30 },
  right: { nodesep: 28, edgesep: 18, ranksep: 40 },
} as const;

export function layoutDiagram(definition: Definition, mode: LayoutMode, measure: TextMeasure): DiagramLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: mode === 'right' ? 'LR' : 'TB', ...SPACING[mode], marginx: 8, marginy: 8 });
  const names = Object.keys(definition.states);
  for (const name of names)
    graph.setNode(nodeId(name), {
      width: mode === 'narrow' ? Math.max(60, measure.state(name) + 20) : Math.max(84, measure.state(name) + 36),
      height: BOX_HEIGHT,
    });
  graph.setNode(START_NODE, { width: START_SIZE, height: START_SIZE });
  graph.setEdge(START_NODE, nodeId(definition.initial), { width: 0, height: 0, weight: 4 }, START_NODE);
  const arrows = groupTransitions(definition).map((arrow) => ({
    ...arrow,
    size: labelSize(arrow.transitions, measure),
  }));
  for (const { from, to, size } of arrows)
    graph.setEdge(nodeId(from), nodeId(to), { ...(from === to ? loopSize(size, mode) : size), labelpos: 'c' }, 'arrow');
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const edge = (from: string, to: string, name: string) =>
    graph.edge(from, to, name) as unknown as Point & { readonly points: Point[] };
  const start = graph.node(START_NODE) as unknown as Point;
  return {
    width,
    height,
    boxes: names.map((name) => ({ ...(graph.node(nodeId(name)) as unknown as Box), name })),
    arrows: arrows.map(({ size, ...arrow }) => {
      if (arrow.from === arrow.to)
        return { ...arrow, ...loopAt(graph.node(nodeId(arrow.from)) as unknown as Box, size, mode) };
      const { points, x, y } = edge(nodeId(arrow.from), nodeId(arrow.to), 'arrow');
      return { ...arrow, points, label: { x, y, ...size } };
    }),
    start: { at: { x: start.x, y: start.y }, points: edge(START_NODE, nodeId(definition.initial), START_NODE).points },
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const labelSize = (transitions: readonly string[], measure: TextMeasure): Size => ({
  width: Math.max(...transitions.map(measure.label)) + 10,
  height: LINE_HEIGHT * transitions.length + 4,
});

/** Width of a loop, and the gap to its label, so that the label does not cover the loop. */
const LOOP_WIDTH = 26;
const LOOP_GAP = 3;

/**
 * Size that dagre reserves beside the state, in the same layer, for a loop and its label. For layouts from left to
 * right dagre rotates all sizes except those of loops, so width and height are swapped here.
 */
function loopSize({ width, height }: Size, mode: LayoutMode): Size {
  const { nodesep, edgesep } = SPACING[mode];
  // The spacing beside the state already covers a part of it.
  const line = LOOP_WIDTH + LOOP_GAP - (nodesep + edgesep) / 2;
  return mode === 'right' ? { width: height + line, height: width } : { width: width + line, height };
}

/** Loop in the reserved space: below the state in left-to-right layouts, otherwise on its right. */
function loopAt({ x, y, width, height }: Box, size: Size, mode: LayoutMode): Pick<Arrow, 'points' | 'label'> {
  if (mode === 'right') {
    const edge = y + height / 2;
    const points = [
      { x: x - 16, y: edge },
      { x: x - 26, y: edge + LOOP_WIDTH },
      { x: x + 26, y: edge + LOOP_WIDTH },
      { x: x + 16, y: edge },
    ];
    return { points, label: { ...size, x, y: edge + LOOP_WIDTH + LOOP_GAP + size.height / 2 } };
  }
  const edge = x + width / 2;
  const points = [
    { x: edge, y: y - 9 },
    { x: edge + LOOP_WIDTH, y: y - 18 },
    { x: edge + LOOP_WIDTH, y: y + 18 },
    { x: edge, y: y + 9 },
  ];
  return { points, label: { ...size, x: edge + LOOP_WIDTH + LOOP_GAP + size.width / 2, y } };
}

function groupTransitions({ transitions }: Definition): Pick<Arrow, 'from' | 'to' | 'transitions'>[] {
  const arrows = new Map<string, { from: string; to: string; transitions: string[] }>();
  for (const transition of transitions) {
    for (const from of sourcesOf(transition)) {
      const pair = `${from} ${transition.to}`;
      const arrow = arrows.get(pair) ?? { from, to: transition.to, transitions: [] };
      arrow.transitions.push(transition.id);
      arrows.set(pair, arrow);
    }
  }
  return [...arrows.values()];
}

/** Smooth curve through the midpoints of the segments. */
export function smoothPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const steps = rest.map(({ x, y }, at) => {
    const next = rest[at + 1];
    return next ? `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}` : `L${x} ${y}`;
  });
  return `M${first.x} ${first.y}${steps.join('')}`;
}

const ARROW_HEAD_LENGTH = 8;

/** Arrow head in the direction of the last segment. */
export function arrowHeadPath(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [ux, uy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const base = { x: tip.x - ARROW_HEAD_LENGTH * ux, y: tip.y - ARROW_HEAD_LENGTH * uy };
  const half = ARROW_HEAD_LENGTH * 0.45;
  return `M${tip.x} ${tip.y}L${base.x - half * uy} ${base.y + half * ux}L${base.x + half * uy} ${base.y - half * ux}Z`;
}
