// The problem of a request: the network with what is known and unknown at each bus, in per unit and rad.

import { cos, sin } from '../../core/elementary.ts';
import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import { builtInCase } from './cases/index.ts';
import { isCommonFormat, parseCommonFormat } from './common-format.ts';
import type { GridInput } from './inputs.ts';
import { parseMatpower } from './matpower.ts';
import { type Bus, type NetworkCase, networkCaseOf } from './network-case.ts';
import { type Bridge, bridgesOf, type Ends, partsOf } from './topology.ts';

export const KIND = { load: 0, generator: 1, reference: 2, dead: 3 } as const;

/** A bus, in per unit and rad. */
export interface Node {
  readonly number: number;
  readonly name: string;
  readonly kind: number;
  /** Injections without shunts. */
  readonly p: number;
  readonly q: number;
  readonly generation: number;
  readonly load: number;
  readonly reactiveLoad: number;
  readonly conductance: number;
  readonly susceptance: number;
  readonly voltage: number;
  readonly startVoltage: number;
  readonly angle: number;
  /** Limits of the injection of reactive power. */
  readonly qLow: number;
  readonly qHigh: number;
  /** Sum of the sizes of what p and q are made of: what rounding is measured by. */
  readonly size: number;
}

/** A branch, in per unit and rad. */
export interface Line {
  readonly from: number;
  readonly to: number;
  readonly resistance: number;
  readonly reactance: number;
  readonly charging: number;
  readonly tap: number;
  readonly shift: number;
  readonly cosine: number;
  readonly sine: number;
  /** 0: none. */
  readonly rating: number;
  readonly isOn: boolean;
}

export interface Problem {
  readonly title: string;
  /** MVA */
  readonly base: number;
  readonly nodes: readonly Node[];
  readonly lines: readonly Line[];
  readonly bridges: readonly Bridge[];
  /** Index of the branch whose flow is the value; −1: the largest. */
  readonly chosen: number;
  /** Whether every branch in service has a reactance, so that there is a DC flow. */
  readonly isDirect: boolean;
  readonly notes: readonly string[];
}

const DEGREE = 0.017453292519943295;

function caseOf(input: GridInput): NetworkCase {
  const { file, network, buses, generators, branches, base } = input;
  const given = [file === undefined ? '' : 'file', network === undefined ? '' : 'network', buses ? 'buses' : ''].filter(
    Boolean,
  );
  if (given.length > 1)
    throw validationError(given[1] ?? '', `${given.join(' and ')} are given; expected one of them.`, 'TWO_NETWORKS');
  const orphan = generators ? 'generators' : branches ? 'branches' : undefined;
  if (!buses && orphan !== undefined)
    throw validationError('buses', `buses is missing; the table ${orphan} needs the table of buses.`, 'MISSING');
  if (file !== undefined) return isCommonFormat(file) ? parseCommonFormat(file) : parseMatpower(file);
  if (!buses) return builtInCase(network ?? 'ieee14');
  return networkCaseOf({
    title: 'tables',
    base,
    buses: { rows: buses },
    generators: { rows: generators ?? [] },
    branches: { rows: branches ?? [] },
    notes: [],
  });
}

/** @throws DomainError VALIDATION_FAILED, which names the field, and the row or line of a table or file */
export function problemOf(input: GridInput): Problem {
  const given = caseOf(input);
  const indices = new Map(given.buses.map(({ number }, i) => [number, i] as const));
  const notes = [...given.notes];
  const outage = branchIndex('outage', input.outage, given);
  const chosen = input.branch === undefined ? -1 : branchIndex('branch', input.branch, given);
  const reference = busIndex('reference', input.reference, indices);
  const extra = busIndex('at_bus', input.at_bus, indices);
  if (extra === -1 && input.extra_load !== 0)
    throw validationError('at_bus', 'at_bus is missing; extra_load needs the bus that it is added at.', 'MISSING');
  const isLive = given.buses.map(({ type }) => type !== 4);
  for (const [field, at] of [
    ['reference', reference],
    ['at_bus', extra],
  ] as const)
    if (at >= 0 && !isLive[at])
      throw validationError(field, `${field} is ${given.buses[at]?.number}; this bus is isolated (type 4).`);
  const ends: Ends = given.branches.map(({ from, to, isOn }, l) => {
    const [a, b] = [indices.get(from) ?? 0, indices.get(to) ?? 0];
    return isOn && l !== outage && isLive[a] && isLive[b] ? [a, b] : undefined;
  });
  const atIsolated = given.branches.flatMap(({ isOn }, l) => (isOn && l !== outage && !ends[l] ? [`${l + 1}`] : []));
  if (atIsolated.length > 0)
    notes.push(`Out of service at isolated buses: ${listed('branch', 'branches', atIsolated)}.`);
  if (chosen >= 0 && !ends[chosen])
    throw validationError('branch', `branch is ${input.branch}; this branch is out of service.`, 'NOT_ALLOWED');
  const sources = sourcesOf(given, indices, isLive, notes);
  const kinds = kindsOf(given, { isLive, ends, sources, reference, notes });
  const { load_factor, extra_load, rating, file } = input;
  const { base } = given;
  const nodes = given.buses.map((bus, i): Node => {
    const source = sources[i];
    const [load, reactiveLoad] = [
      bus.load * load_factor + (i === extra ? extra_load : 0),
      bus.reactiveLoad * load_factor,
    ];
    const [power, reactive] = [source?.power ?? 0, source?.reactive ?? 0];
    return {
      number: bus.number,
      name: given.names?.[i] ?? `${bus.number}`,
      kind: kinds[i] ?? KIND.dead,
      p: (power - load) / base,
      q: (reactive - reactiveLoad) / base,
      generation: power / base,
      load: load / base,
      reactiveLoad: reactiveLoad / base,
      conductance: bus.conductance / base,
      susceptance: bus.susceptance / base,
      voltage: source?.voltage ?? bus.voltage,
      startVoltage: bus.voltage > 0 ? bus.voltage : 1,
      angle: bus.angle * DEGREE,
      qLow: ((source?.lowest ?? 0) - reactiveLoad) / base,
      qHigh: ((source?.highest ?? 0) - reactiveLoad) / base,
      size: (Math.abs(power) + Math.abs(load) + Math.abs(reactive) + Math.abs(reactiveLoad)) / base,
    };
  });
  const which = { a: 0, b: 1, c: 2 }[rating];
  const live = ends.map((pair) =>
    pair && kinds[pair[0]] !== KIND.dead && kinds[pair[1]] !== KIND.dead ? pair : undefined,
  );
  if (chosen >= 0 && !live[chosen])
    throw validationError('branch', `branch is ${input.branch}; it is in a part of the network without a source.`);
  const lines = given.branches.map((branch, l): Line => {
    const shift = branch.shift * DEGREE;
    return {
      from: indices.get(branch.from) ?? 0,
      to: indices.get(branch.to) ?? 0,
      resistance: branch.resistance,
      reactance: branch.reactance,
      charging: branch.charging,
      tap: branch.tap,
      shift,
      cosine: cos(shift),
      sine: sin(shift),
      rating: (branch.ratings[which] ?? 0) / base,
      isOn: live[l] !== undefined,
    };
  });
  if (!lines.some(({ isOn }) => isOn)) {
    const field = outage >= 0 ? 'outage' : file === undefined ? 'branches' : 'file';
    const message = `${field}: no branch is in service between buses with voltage; the value is the flow of one.`;
    throw validationError(field, message, 'NO_BRANCH');
  }
  const withoutReactance = lines.findIndex(({ isOn, reactance }) => isOn && reactance === 0);
  if (withoutReactance >= 0) {
    const { from, to } = given.branches[withoutReactance] ?? {};
    const words = `branch ${withoutReactance + 1} (${from} to ${to}) has no reactance, which the DC flow divides by`;
    if (input.method === 'dc')
      throw validationError('method', `method is dc; ${words}: allowed is ac.`, 'ZERO_REACTANCE');
    notes.push(`There is no DC flow: ${words}.`);
  }
  const { outages, factors } = LIMITS.grid;
  const size = lines.length * lines.length;
  if (input.contingencies && size > outages)
    throw validationError(
      'contingencies',
      `contingencies is true with ${lines.length} branches; at most 10000 are allowed.`,
    );
  const numbers = lines.length * Math.max(lines.length, nodes.length);
  if (input.factors && numbers > factors)
    throw validationError(
      'factors',
      `factors is true; the matrices would have ${numbers} numbers, at most ${factors}.`,
    );
  return {
    title: given.title,
    base,
    nodes,
    lines,
    bridges: bridgesOf(
      kinds.map((kind) => kind === KIND.reference),
      live,
    ),
    chosen,
    isDirect: withoutReactance < 0,
    notes,
  };
}

function branchIndex(field: string, number: number, { branches }: NetworkCase): number {
  if (number <= branches.length) return number - 1;
  const message = `${field} is ${number}; the network has the branches 1 to ${branches.length}.`;
  throw validationError(field, message, 'OUT_OF_RANGE', { max: branches.length });
}

function busIndex(field: string, number: number | undefined, indices: ReadonlyMap<number, number>): number {
  if (number === undefined) return -1;
  const index = indices.get(number);
  if (index !== undefined) return index;
  throw validationError(field, `${field} is ${number}; the network has no bus of this number.`, 'OUT_OF_RANGE');
}

/** All generators in service at a bus together, in MW and Mvar. */
interface Source {
  power: number;
  reactive: number;
  lowest: number;
  highest: number;
  voltage: number;
}

function sourcesOf(
  { generators }: NetworkCase,
  indices: ReadonlyMap<number, number>,
  isLive: readonly boolean[],
  notes: string[],
): readonly (Source | undefined)[] {
  const sources: (Source | undefined)[] = isLive.map(() => undefined);
  const differing = new Set<string>();
  for (const { bus, power, reactivePower, lowest, highest, voltage, isOn } of generators) {
    const at = indices.get(bus) ?? 0;
    if (!isOn || !isLive[at]) continue;
    const known = sources[at];
    if (known && known.voltage !== voltage) differing.add(`${bus}`);
    sources[at] = {
      power: (known?.power ?? 0) + power,
      reactive: (known?.reactive ?? 0) + reactivePower,
      lowest: (known?.lowest ?? 0) + lowest,
      highest: (known?.highest ?? 0) + highest,
      voltage,
    };
  }
  if (differing.size > 0)
    notes.push(`Generators want different voltages at ${listed('bus', 'buses', [...differing])}; the last one counts.`);
  return sources;
}

interface Parts {
  readonly isLive: readonly boolean[];
  readonly ends: Ends;
  readonly sources: readonly (Source | undefined)[];
  /** Index of the reference that the caller chose; −1 if none. */
  readonly reference: number;
  readonly notes: string[];
}

/** The kind of each bus: every part with a source has a reference, every other part is dead. */
function kindsOf({ buses }: NetworkCase, { isLive, ends, sources, reference, notes }: Parts): readonly number[] {
  const parts = partsOf(isLive, ends);
  const own = reference >= 0 ? parts[reference] : -1;
  const kinds = buses.map(({ type }: Bus, i) => {
    if (type === 4) return KIND.dead;
    if (reference >= 0 && parts[i] === own) {
      if (i === reference) return KIND.reference;
      return type !== 1 && sources[i] ? KIND.generator : KIND.load;
    }
    if (type === 3) return KIND.reference;
    return type === 2 && sources[i] ? KIND.generator : KIND.load;
  });
  const members = new Map<number, number[]>();
  for (const [i, part] of parts.entries()) {
    if (part < 0) continue;
    const group = members.get(part);
    if (group) group.push(i);
    else members.set(part, [i]);
  }
  for (const group of members.values()) {
    if (group.some((i) => kinds[i] === KIND.reference)) continue;
    const source = group.find((i) => kinds[i] === KIND.generator) ?? group.find((i) => sources[i]);
    const names = listed(
      'bus',
      'buses',
      group.map((i) => `${buses[i]?.number}`),
    );
    if (source === undefined) {
      for (const i of group) kinds[i] = KIND.dead;
      notes.push(`Without a source, so without voltage: ${names}.`);
    } else {
      kinds[source] = KIND.reference;
      notes.push(`An island without a reference: ${names}. Bus ${buses[source]?.number} is its reference now.`);
    }
  }
  const isolated = buses.flatMap(({ type, number }) => (type === 4 ? [`${number}`] : []));
  if (isolated.length > 0) notes.push(`Isolated (type 4): ${listed('bus', 'buses', isolated)}.`);
  const islands = [...members.values()].filter((group) => group.some((i) => kinds[i] !== KIND.dead));
  if (islands.length > 1) notes.push(`The network has ${islands.length} islands, each with its reference.`);
  if (islands.length === 0)
    throw validationError(
      'generators',
      'No part of the network has a reference or a generator in service.',
      'NO_SOURCE',
    );
  return kinds;
}

/** Up to a dozen words. */
export function listed(one: string, several: string, words: readonly string[]): string {
  const shown = words.slice(0, 12).join(', ');
  return `${words.length === 1 ? one : several} ${shown}${words.length > 12 ? ` and ${words.length - 12} more` : ''}`;
}
