// A plane frame of prismatic members, given as nodes and members, with loads at its nodes.

import { validationError } from '../parts/errors.ts';
import { entriesOf, malformed, numberOf } from './entries.ts';
import type { BucklingInput } from './inputs.ts';
import type { Defaults } from './presets.ts';
import { sectionOf } from './section.ts';

export interface FrameNode {
  readonly x: number;
  readonly y: number;
  /** Whether displacement along x, along y, and rotation are held. */
  readonly held: readonly [boolean, boolean, boolean];
  /** Springs to the ground: N/m, N/m, N·m. */
  readonly springs: readonly [number, number, number];
}

export interface FrameMember {
  /** Nodes, from 0. */
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly cosine: number;
  readonly sine: number;
  readonly EI: number;
  readonly EA: number;
  readonly hingeFrom: boolean;
  readonly hingeTo: boolean;
}

export interface FrameLoad {
  readonly node: number;
  /** N, N and N·m. */
  readonly force: readonly [number, number, number];
  /** Whether it is held while the others grow. */
  readonly isHeld: boolean;
}

export interface Frame {
  readonly kind: 'frame';
  readonly nodes: readonly FrameNode[];
  readonly members: readonly FrameMember[];
  readonly loads: readonly FrameLoad[];
  /** The largest extent, m. */
  readonly extent: number;
  /** The value for a factor of 1: the largest load that grows, in N, or in N·m if there are moments alone. */
  readonly unit: number;
}

const MAX_NODES = 120;
const MAX_MEMBERS = 240;
const MAX_PLACE = 1e6;
const MAX_STIFFNESS = 1e30;
const NODE_FORMS = '"x y" and any of fixed, pinned, ux, uy, rz, kx=…, ky=…, kr=…';
const MEMBER_FORMS = '"i j" and any of EI=…, EA=…, hinge=start, hinge=end, hinge=both';

/** @throws DomainError VALIDATION_FAILED */
export function frameOf(input: BucklingInput, preset: Defaults): Frame {
  for (const name of [
    'length',
    'bottom',
    'top',
    'EI',
    'foundation',
    'springs',
    'weight',
    'vary',
    'load',
    'yield_stress',
  ] as const)
    if (input[name] !== undefined)
      throw validationError(name, `${name} is of a column; nodes and members make a frame.`, 'NOT_ALLOWED');
  const isOwn = input.nodes !== undefined;
  const nodes = nodesOf(input.nodes ?? preset.nodes ?? '');
  const membersText = input.members ?? (isOwn ? undefined : preset.members);
  if (membersText === undefined)
    throw validationError('members', 'members is missing; nodes make no frame without them.', 'MISSING');
  const section = sectionOf(input.section ?? preset.section);
  const E = input.E ?? preset.E;
  const standard = { EI: E * (input.I ?? section.inertia), EA: E * (input.A ?? section.area) };
  const members = membersOf(membersText, nodes, standard);
  assertConnected(nodes, members);
  const loads = loadsOf(input.loads ?? (isOwn ? '' : preset.loads) ?? '', nodes.length);
  const grown = loads.filter(({ isHeld }) => !isHeld);
  const forces = grown.map(({ force: [fx, fy] }) => Math.sqrt(fx * fx + fy * fy));
  const largest = Math.max(0, ...forces);
  const unit = largest > 0 ? largest : Math.max(0, ...grown.map(({ force }) => Math.abs(force[2])));
  if (!(unit > 0)) throw validationError('loads', 'loads has no load that grows; expected "node Fx Fy".', 'MISSING');
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const extent = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  return { kind: 'frame', nodes, members, loads, extent, unit };
}

function nodesOf(text: string): readonly FrameNode[] {
  const nodes = entriesOf(text, 'nodes', MAX_NODES).map((words): FrameNode => {
    const [x, y] = [numberOf(words[0]), numberOf(words[1])];
    if (!(Math.abs(x) <= MAX_PLACE && Math.abs(y) <= MAX_PLACE)) throw malformed('nodes', words, NODE_FORMS);
    const held: [boolean, boolean, boolean] = [false, false, false];
    const springs: [number, number, number] = [0, 0, 0];
    for (const word of words.slice(2)) {
      const fixed = { fixed: [0, 1, 2], pinned: [0, 1], ux: [0], uy: [1], rz: [2] }[word];
      if (fixed) {
        for (const d of fixed) held[d] = true;
        continue;
      }
      const [, name = '', digits] = /^(kx|ky|kr)=(.+)$/.exec(word) ?? [];
      const stiffness = numberOf(digits);
      if (!(stiffness >= 0 && stiffness <= MAX_STIFFNESS)) throw malformed('nodes', words, NODE_FORMS);
      springs[['kx', 'ky', 'kr'].indexOf(name)] = stiffness;
    }
    return { x, y, held, springs };
  });
  if (nodes.length < 2)
    throw validationError('nodes', `nodes has ${nodes.length}; a frame needs 2 or more.`, 'TOO_FEW');
  for (const [i, { x, y }] of nodes.entries()) {
    const same = nodes.findIndex((other) => other.x === x && other.y === y);
    if (same < i)
      throw validationError('nodes', `nodes: ${same + 1} and ${i + 1} are both at (${x}, ${y}).`, 'DUPLICATE_NODE');
  }
  return nodes;
}

function membersOf(
  text: string,
  nodes: readonly FrameNode[],
  standard: { readonly EI: number; readonly EA: number },
): readonly FrameMember[] {
  const seen = new Set<string>();
  return entriesOf(text, 'members', MAX_MEMBERS).map((words): FrameMember => {
    const [from, to] = [nodeOf('members', words, words[0], nodes), nodeOf('members', words, words[1], nodes)];
    if (from === to) {
      const message = `members: "${words.slice(0, 2).join(' ')}" has no length.`;
      throw validationError('members', message, 'NO_LENGTH');
    }
    const pair = `${Math.min(from, to)} ${Math.max(from, to)}`;
    if (seen.has(pair)) {
      const message = `members: nodes ${from + 1} and ${to + 1} are joined twice.`;
      throw validationError('members', message, 'DUPLICATE_MEMBER');
    }
    seen.add(pair);
    let { EI, EA } = standard;
    let [hingeFrom, hingeTo] = [false, false];
    for (const word of words.slice(2)) {
      const [, name, digits = ''] = /^(EI|EA|hinge)=(.+)$/.exec(word) ?? [];
      const value = numberOf(digits);
      if (name === 'hinge' && ['start', 'end', 'both'].includes(digits)) {
        hingeFrom ||= digits !== 'end';
        hingeTo ||= digits !== 'start';
      } else if (name === 'EI' && value > 0 && value <= MAX_STIFFNESS) EI = value;
      else if (name === 'EA' && value > 0 && value <= MAX_STIFFNESS) EA = value;
      else throw malformed('members', words, `${MEMBER_FORMS}, more than 0 and at most ${MAX_STIFFNESS}`);
    }
    const [a, b] = [nodes[from], nodes[to]];
    const [dx, dy] = [(b?.x ?? 0) - (a?.x ?? 0), (b?.y ?? 0) - (a?.y ?? 0)];
    const length = Math.sqrt(dx * dx + dy * dy);
    return { from, to, length, cosine: dx / length, sine: dy / length, EI, EA, hingeFrom, hingeTo };
  });
}

function nodeOf(
  path: string,
  words: readonly string[],
  word: string | undefined,
  nodes: readonly FrameNode[] | number,
): number {
  const count = typeof nodes === 'number' ? nodes : nodes.length;
  const node = numberOf(word);
  if (Number.isInteger(node) && node >= 1 && node <= count) return node - 1;
  throw malformed(path, words, `numbers of nodes from 1 to ${count}`);
}

/** Every node has a member, and every part of the frame a support. */
function assertConnected(nodes: readonly FrameNode[], members: readonly FrameMember[]): void {
  const part = nodes.map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (part[root] !== root) root = part[root] ?? root;
    return root;
  };
  for (const { from, to } of members) part[rootOf(from)] = rootOf(to);
  for (const i of nodes.keys()) {
    if (!members.some(({ from, to }) => from === i || to === i))
      throw validationError('nodes', `nodes: no member reaches node ${i + 1}.`, 'DISCONNECTED');
    const own = nodes.filter((_, j) => rootOf(j) === rootOf(i));
    if (!own.some(({ held, springs }) => held.some((one) => one) || springs.some((one) => one > 0)))
      throw validationError('nodes', `nodes: the part about node ${i + 1} has no support.`, 'DISCONNECTED');
  }
}

function loadsOf(text: string, count: number): readonly FrameLoad[] {
  return entriesOf(text, 'loads', MAX_MEMBERS).map((words) => {
    const isHeld = words[0] === 'held';
    const own = isHeld ? words.slice(1) : words;
    const node = nodeOf('loads', words, own[0], count);
    const [fx, fy, m] = [numberOf(own[1]), numberOf(own[2]), own[3] === undefined ? 0 : numberOf(own[3])];
    if (own.length > 4 || !(Math.abs(fx) + Math.abs(fy) + Math.abs(m) <= 1e15))
      throw malformed('loads', words, '"node Fx Fy" or "node Fx Fy M", perhaps after "held"');
    return { node, force: [fx, fy, m] as const, isHeld };
  });
}
