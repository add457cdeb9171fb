// A column along x, from its support at 0 to its top at L.

import { validationError } from '../parts/errors.ts';
import { type Course, constantCourse, courseOf } from './course.ts';
import { entriesOf, malformed, numberOf } from './entries.ts';
import type { BucklingInput, End } from './inputs.ts';
import type { Defaults } from './presets.ts';
import { type Section, sectionOf } from './section.ts';

/** Something at a place between the ends, or at an end. */
export type Device =
  | { readonly kind: 'spring' | 'turn'; readonly x: number; readonly stiffness: number }
  | { readonly kind: 'support' | 'hinge'; readonly x: number };

export interface Column {
  readonly kind: 'column';
  readonly length: number;
  readonly bottom: End;
  readonly top: End;
  readonly EI: Course;
  readonly foundation: Course;
  readonly devices: readonly Device[];
  /** Compression that is held, and that of which a multiple grows. */
  readonly held: (x: number) => number;
  readonly varied: (x: number) => number;
  readonly vary: 'load' | 'weight';
  /** Whether weight is part of what is held. */
  readonly isWeightHeld: boolean;
  /** Ends of the column and all places where something jumps, rising. */
  readonly breaks: readonly number[];
  /** Of a column of one section. */
  readonly section: Section | undefined;
  readonly E: number;
  readonly load: number | undefined;
  readonly yieldStress: number | undefined;
}

const MAX_DEVICES = 64;
const MAX_STIFFNESS = 1e30;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function columnOf(input: BucklingInput, preset: Defaults): Column {
  const {
    length = preset.length ?? 2,
    bottom = preset.bottom ?? 'pinned',
    top = preset.top ?? 'pinned',
    E = preset.E,
    yield_stress: yieldStress = preset.yield_stress,
    load = preset.load,
    vary = preset.vary ?? 'load',
  } = input;
  if (input.members !== undefined)
    throw validationError('members', 'members is given without nodes; a frame needs both.', 'MISSING');
  const given = (path: string, mayVanish: boolean) => ({ path, length, mayVanish });
  const named = sectionOf(input.section ?? preset.section);
  const section = { area: input.A ?? named.area, inertia: input.I ?? named.inertia };
  // A table of the preset fits its length only; a section or I that is given replaces its EI.
  const isOwn = input.I !== undefined || input.section !== undefined || input.E !== undefined;
  const text = input.EI ?? (isOwn ? undefined : presetCourse('EI', preset.EI, input));
  const uniform = constantCourse(E * section.inertia, given('EI', false));
  const EI = text === undefined ? uniform : courseOf(text, given('EI', false));
  const soil = input.foundation ?? presetCourse('foundation', preset.foundation, input) ?? '0';
  const foundation = courseOf(soil, given('foundation', true));
  const weight = courseOf(input.weight ?? presetCourse('weight', preset.weight, input) ?? '0', given('weight', true));
  const devices = devicesOf(input.springs ?? preset.springs ?? '', length, bottom, top);
  const { shares, forces } = loadsOf(input.loads ?? preset.loads ?? '', length);
  const isWeight = vary === 'weight';
  const total = weight.above(0);
  if (isWeight && !(total > 0)) throw validationError('weight', 'weight is 0; vary: weight needs one.', 'MISSING');
  if (isWeight && shares.length > 0)
    throw validationError('loads', 'loads: shares of a load need vary: load; write "held x N".', 'NOT_ALLOWED');
  const sumAbove = (list: readonly PointLoad[], x: number) =>
    list.reduce((sum, one) => sum + (one.x > x ? one.value : 0), 0);
  const heldForces = isWeight && load !== undefined ? [...forces, { x: length, value: load }] : forces;
  const places = [...EI.breaks, ...foundation.breaks, ...weight.breaks, ...devices.map(({ x }) => x)];
  const breaks = [0, length, ...places, ...shares.map(({ x }) => x), ...forces.map(({ x }) => x)];
  return {
    kind: 'column',
    length,
    bottom,
    top,
    EI,
    foundation,
    devices,
    held: (x) => sumAbove(heldForces, x) + (isWeight || weight.max === 0 ? 0 : weight.above(x)),
    varied: isWeight ? (x) => weight.above(x) / total : (x) => 1 + sumAbove(shares, x),
    vary,
    isWeightHeld: !isWeight && weight.max > 0,
    breaks: distinctPlaces(breaks, length),
    section: EI === uniform ? section : undefined,
    E,
    load,
    yieldStress,
  };
}

/** Tables of a preset are left out where the length is another one. */
function presetCourse(name: string, text: string | undefined, input: BucklingInput): string | undefined {
  if (text === undefined || input.length === undefined || !text.includes(';')) return text;
  const message = `${name} is missing: that of the preset is a table for another length.`;
  throw validationError(name, message, 'MISSING');
}

/** Rising, and none closer to the one before than rounding. */
function distinctPlaces(places: readonly number[], length: number): readonly number[] {
  const sorted = [...places].sort((a, b) => a - b);
  const kept: number[] = [];
  for (const x of sorted) {
    const before = kept.at(-1);
    if (before !== undefined && x - before <= 1e-12 * length) continue;
    kept.push(x);
  }
  if (kept.length > 1 && (kept.at(-1) ?? 0) < length) kept[kept.length - 1] = length;
  return kept;
}

const DEVICE_FORMS = '"x k=…", "x c=…", "x support" or "x hinge"';

function devicesOf(text: string, length: number, bottom: End, top: End): readonly Device[] {
  const devices = entriesOf(text, 'springs', MAX_DEVICES).flatMap((words): Device[] => {
    const [place, ...rest] = words;
    const x = numberOf(place);
    if (Number.isNaN(x) || rest.length === 0) throw malformed('springs', words, DEVICE_FORMS);
    assertInside('springs', x, length);
    return rest.map((word) => {
      if (word === 'support' || word === 'hinge') return { kind: word, x };
      const [, name, digits] = /^([kc])=(.+)$/.exec(word) ?? [];
      const stiffness = numberOf(digits);
      if (name === undefined || !(stiffness >= 0 && stiffness <= MAX_STIFFNESS))
        throw malformed('springs', words, `${DEVICE_FORMS} with a stiffness from 0 to ${MAX_STIFFNESS}`);
      return { kind: name === 'k' ? 'spring' : 'turn', x, stiffness };
    });
  });
  for (const { kind, x } of devices) {
    const isEnd = x === 0 || x === length;
    if (kind === 'hinge' && isEnd)
      throw validationError('springs', `springs: a hinge at x = ${x} is an end; choose pinned there.`, 'NOT_ALLOWED');
    const at = devices.filter((other) => other.x === x);
    if (at.filter((other) => other.kind === kind).length > 1)
      throw validationError('springs', `springs has two of a kind at x = ${x}; add them up.`, 'REPEATED');
    if (kind === 'turn' && at.some((other) => other.kind === 'hinge'))
      throw validationError('springs', `springs: at x = ${x} the hinge leaves c without a side.`, 'NOT_ALLOWED');
  }
  const end = { 0: bottom, [length]: top };
  // What an end holds anyway has no effect.
  return devices.filter(({ kind, x }) => {
    const holds = end[x];
    if (holds === undefined) return true;
    const isAcross = kind === 'spring' || kind === 'support';
    return isAcross ? holds === 'free' || holds === 'guided' : holds === 'free' || holds === 'pinned';
  });
}

interface PointLoad {
  readonly x: number;
  readonly value: number;
}

function loadsOf(text: string, length: number): { readonly shares: PointLoad[]; readonly forces: PointLoad[] } {
  const shares: PointLoad[] = [];
  const forces: PointLoad[] = [];
  for (const words of entriesOf(text, 'loads', MAX_DEVICES)) {
    const isHeld = words[0] === 'held';
    const [place, share, ...more] = isHeld ? words.slice(1) : words;
    const [x, value] = [numberOf(place), numberOf(share)];
    if (more.length > 0 || Number.isNaN(x + value) || Math.abs(value) > 1e15)
      throw malformed('loads', words, '"x share" or "held x N" along a column');
    assertInside('loads', x, length);
    (isHeld ? forces : shares).push({ x, value });
  }
  return { shares, forces };
}

function assertInside(path: string, x: number, length: number): void {
  if (x >= 0 && x <= length) return;
  throw validationError(path, `${path}: x is ${x}; expected 0 to ${length}, the length.`, 'OUTSIDE', { length });
}
