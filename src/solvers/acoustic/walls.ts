// Walls of a box: rigid, open (p = 0), or of an impedance ζ = Z/(ρc) that acts locally and is the same at all frequencies.
//
// With p ~ e^(iωt), a wall that absorbs has Re ζ > 0. An absorption coefficient α at normal incidence stands for the real
// ζ = (1 + √(1−α)) / (1 − √(1−α)) (Kuttruff, chapter 2).

import { validationError } from '../parts/errors.ts';
import { type AcousticInput, SIDES, type Side } from './inputs.ts';
import type { Ends } from './mesh.ts';

/**
 * Modes are followed from a rigid wall with n = t β, d = 1, or from an open one with n = 1, d = t ζ, where
 * n κ p + d ∂p/∂n = 0.
 */
export interface Wall {
  readonly isFromOpen: boolean;
  /** β = 1/ζ from a rigid one, ζ from an open one. */
  readonly re: number;
  readonly im: number;
}

const RIGID: Wall = { isFromOpen: false, re: 0, im: 0 };
const OPEN: Wall = { isFromOpen: true, re: 0, im: 0 };
const IMPEDANCE = { min: 1e-3, max: 1e6 } as const;

const sidesOf = (dimensions: number): readonly Side[] => SIDES.slice(0, 2 * dimensions);

function wordsOf(text: string): readonly string[] {
  return text
    .trim()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

/** @param dimensions  of a box; 0 of another shape. @throws DomainError VALIDATION_FAILED */
export function endsOf({ open = '', shape }: AcousticInput, dimensions: number): Ends {
  if (dimensions === 0) return [];
  const allowed = sidesOf(dimensions);
  const names = wordsOf(open).flatMap((name): readonly string[] => (name === 'all' ? allowed : [name]));
  const wrong = names.find((name) => !allowed.includes(name as Side));
  if (wrong !== undefined) {
    const those = allowed.join(', ');
    throw validationError('open', `open names ${JSON.stringify(wrong)}; all or sides of shape ${shape}: ${those}.`);
  }
  return Array.from({ length: dimensions }, (_, d) => [
    names.includes(SIDES[2 * d] ?? ''),
    names.includes(SIDES[2 * d + 1] ?? ''),
  ]);
}

/** By edge of an outline or an L, numbered from 1 as their corners are; of a disc all or none. @throws DomainError VALIDATION_FAILED */
export function openEdgesOf({ open = '', shape }: AcousticInput, edges: number): readonly boolean[] {
  const names = wordsOf(open);
  const isEdge = (name: string) =>
    shape !== 'disc' && /^\d{1,3}$/.test(name) && Number(name) >= 1 && Number(name) <= edges;
  const wrong = names.find((name) => name !== 'all' && !isEdge(name));
  if (wrong !== undefined) {
    const those = shape === 'disc' ? 'all is allowed' : `all, or edges from 1 to ${edges}, are allowed`;
    throw validationError('open', `open names ${JSON.stringify(wrong)}; for shape ${shape}, ${those}.`);
  }
  return Array.from({ length: edges }, (_, i) => names.some((name) => name === 'all' || Number(name) === i + 1));
}

/**
 * By axis, the walls at both ends; undefined if none has an impedance.
 *
 * @param dimensions  of a box; 0 of another shape. @throws DomainError VALIDATION_FAILED
 */
export function wallsOf(input: AcousticInput, dimensions: number, ends: Ends) {
  const { impedance, shape, rt60 } = input;
  if (impedance === undefined) return undefined;
  if (dimensions === 0)
    throw validationError(
      'impedance',
      `impedance is given for shape ${shape}; line, rectangle and box have such walls.`,
    );
  if (rt60 !== undefined)
    throw validationError('rt60', 'rt60 is given beside impedance, from which it follows; give one or the other.');
  const sides = sidesOf(dimensions);
  const walls = new Map<Side, Wall>();
  for (const entry of impedance.split(';').filter((text) => text.trim() !== '')) {
    const [name = '', ...rest] = wordsOf(entry);
    if (name !== 'all' && !sides.includes(name as Side))
      throw validationError(
        'impedance',
        `impedance names ${JSON.stringify(name)}; all or sides of shape ${shape}: ${sides.join(', ')}.`,
      );
    const wall = wallOf(rest, entry);
    const isOpen = (side: Side) => {
      const i = SIDES.indexOf(side);
      return ends[i >> 1]?.[i & 1] === true;
    };
    if (name !== 'all' && isOpen(name as Side))
      throw validationError('impedance', `impedance names ${name}, which open names, too.`);
    for (const side of name === 'all' ? sides : [name as Side]) if (!isOpen(side)) walls.set(side, wall);
  }
  if (walls.size === 0)
    throw validationError('impedance', 'impedance names no wall; "all 20" or "left 8 -3" is expected.');
  return ends.map((pair, d) => {
    const at = (end: 0 | 1): Wall => (pair[end] ? OPEN : (walls.get(SIDES[2 * d + end] as Side) ?? RIGID));
    return [at(0), at(1)] as const;
  });
}

/** "8", "8 -3" or "alpha 0.2". */
function wallOf(words: readonly string[], entry: string): Wall {
  const isAlpha = words[0] === 'alpha';
  const numbers = (isAlpha ? words.slice(1) : words).map(Number);
  const [first = Number.NaN, im = 0] = numbers;
  const shown = JSON.stringify(entry.trim());
  if (isAlpha) {
    if (numbers.length !== 1 || !(first >= 1e-4 && first <= 1))
      throw validationError('impedance', `impedance: ${shown}; alpha takes one number from 0.0001 to 1.`);
    const root = Math.sqrt(1 - first);
    return { isFromOpen: false, re: first / ((1 + root) * (1 + root)), im: 0 };
  }
  const square = first * first + im * im;
  const isAllowed = first >= 0 && square >= IMPEDANCE.min * IMPEDANCE.min && square <= IMPEDANCE.max * IMPEDANCE.max;
  if (numbers.length > 2 || !isAllowed)
    throw validationError(
      'impedance',
      `impedance: ${shown}; a side, Re ζ >= 0 and Im ζ are expected, |ζ| from ${IMPEDANCE.min} to ${IMPEDANCE.max}.`,
    );
  return square < 1
    ? { isFromOpen: true, re: first, im }
    : { isFromOpen: false, re: first / square, im: im === 0 ? 0 : -im / square };
}
