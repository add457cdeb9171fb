// Outlines with holes, as text: "0 0; 4 0; 4 2; 0 2 | circle 1 1 0.3 | 2 0.5; 3 0.5; 3 1.5".
//
// The first loop is the outside, the others are holes; a loop is its corners or a circle.

import { LIMITS } from '../../../core/limits.ts';
import { validationError } from '../errors.ts';

export type Point = readonly [number, number];

export type Loop =
  | { readonly kind: 'corners'; readonly corners: readonly Point[] }
  | { readonly kind: 'circle'; readonly x: number; readonly y: number; readonly radius: number };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const MAX_COORDINATE = 1e6;

/** @param path  the input field @throws DomainError VALIDATION_FAILED, which names the loop and what is wrong */
export function parseOutline(text: string, path: string): readonly Loop[] {
  const loops = text.split('|').map((part, i) => loopOf(part, i === 0 ? 'the outside' : `hole ${i}`, path));
  const corners = loops.reduce((sum, loop) => sum + (loop.kind === 'corners' ? loop.corners.length : 1), 0);
  const { corners: max } = LIMITS.fea;
  if (corners > max)
    throw validationError(path, `${path} has ${corners} corners; at most ${max} are allowed.`, 'TOO_LARGE', { max });
  return loops;
}

function loopOf(part: string, name: string, path: string): Loop {
  const fail = (message: string) => validationError(path, `${path}, ${name}: ${message}`, 'MALFORMED_OUTLINE');
  const numbersOf = (words: readonly string[], count: number, what: string): readonly number[] => {
    const numbers = words.map((word) => (NUMBER.test(word) ? Number(word) : Number.NaN));
    if (numbers.length === count && numbers.every((one) => Math.abs(one) <= MAX_COORDINATE)) return numbers;
    throw fail(`got ${JSON.stringify(words.join(' ').slice(0, 40))}; expected ${what}, at most ${MAX_COORDINATE} m.`);
  };
  const [first, ...rest] = part.trim().split(/\s+/);
  if (first === 'circle') {
    const [x = 0, y = 0, radius = 0] = numbersOf(rest, 3, 'circle x y radius');
    if (radius > 0) return { kind: 'circle', x, y, radius };
    throw fail(`the radius is ${radius}; it must be positive.`);
  }
  const entries = part.split(/[;\n]/).map((entry) => entry.trim());
  const corners = entries
    .filter((entry) => entry !== '')
    .map((entry): Point => {
      const [x = 0, y = 0] = numbersOf(entry.split(/[\s,]+/), 2, 'a corner "x y"');
      return [x, y];
    });
  if (corners.length < 3) throw fail(`got ${corners.length} corners; at least 3 are needed.`);
  return { kind: 'corners', corners };
}
