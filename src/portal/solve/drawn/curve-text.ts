// Texts of drawn curves: numbers at even places, pairs of place and value, or a formula of straight pieces.

import { LIMITS } from '../../../core/limits.ts';
import { fieldFunction } from '../../../solvers/parts/field-expression.ts';
import { parseNumberList } from '../../kit/parse-number.ts';

export type CurveText = 'numbers' | 'pairs' | 'curve';

/** Points of a new drawing; a formula has room for so many. */
export const POINTS: Readonly<Record<CurveText, number>> = { numbers: 65, pairs: 33, curve: 17 };

/** Of numbers in a text. */
const DIGITS = 6;
/** Points this near to a straight line, and slopes this near to each other, differ by rounding. */
const ROUNDING = 1e-12;

/** @param values  at even places from 0 to `length`, both ends among them */
export function textOfCurve(as: CurveText, values: readonly number[], length: number): string {
  const places = values.map((_, i) => (length * i) / (values.length - 1));
  if (as === 'numbers') return values.map((value) => short(value)).join(', ');
  if (as === 'pairs') return JSON.stringify(values.map((value, i) => [Number(short(places[i] ?? 0)), value]));
  return formulaOf(values, places);
}

/** `x < x1 ? y0 + m*(x-x0) : …`, with as many digits as a field has room for. */
function formulaOf(values: readonly number[], places: readonly number[]): string {
  const texts = [DIGITS, 5, 4, 3].map((digits) => choices(values, places, digits));
  return texts.find(({ length }) => length <= LIMITS.expression.characters) ?? texts.at(-1) ?? '';
}

function choices(values: readonly number[], places: readonly number[], digits: number): string {
  const points = places.map((x, i) => [Number(short(x, digits)), Number(short(values[i] ?? 0, digits))] as const);
  const corners = points.filter((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    return before === undefined || after === undefined || !isStraight(before, point, after);
  });
  return corners
    .slice(1)
    .map((to, i) => {
      const piece = pieceOf(corners[i] ?? to, to, digits);
      return i === corners.length - 2 ? piece : `x<${to[0]}?${piece}:`;
    })
    .join('');
}

type Point = readonly [x: number, y: number];

function isStraight([xa, ya]: Point, [x, y]: Point, [xb, yb]: Point): boolean {
  const away = y - (ya + ((yb - ya) * (x - xa)) / (xb - xa));
  return Math.abs(away) <= ROUNDING * Math.max(Math.abs(ya), Math.abs(yb));
}

/** From its lower end upwards, and never steeper than the drawing: no piece is below what was drawn. */
function pieceOf([xa, ya]: Point, [xb, yb]: Point, digits: number): string {
  if (ya === yb) return String(ya);
  const isRising = yb > ya;
  const slope = roundedDown(Math.abs(yb - ya) / (xb - xa), digits);
  const low = isRising ? ya : yb;
  const distance = isRising ? (xa === 0 ? 'x' : `(x-${xa})`) : `(${xb}-x)`;
  return `${low === 0 ? '' : `${low}+`}${slope}*${distance}`;
}

function roundedDown(value: number, digits: number): number {
  const rounded = Number(short(value, digits));
  if (rounded <= value * (1 + ROUNDING)) return rounded;
  return Number(short(rounded - 10 ** (Math.floor(Math.log10(value)) - digits + 1), digits));
}

/** The values that a text has at `count` even places; undefined if it is none of a curve. */
export function curveOfText(as: CurveText, text: string, length: number, count: number): number[] | undefined {
  if (text.trim() === '') return undefined;
  const even = Array.from({ length: count }, (_, i) => i / (count - 1));
  try {
    if (as === 'curve') {
      const value = fieldFunction(text, 'text');
      return finite(even.map((share) => value(share * length, 0)));
    }
    if (as === 'pairs') {
      const rows = JSON.parse(text) as readonly (readonly [number, number])[];
      return finite(even.map((share) => between(rows, share * length)));
    }
    const parsed = text.startsWith('[') ? { values: JSON.parse(text) as number[] } : parseNumberList(text);
    if ('fault' in parsed) return undefined;
    const list = parsed.values;
    const rows = list.map((value, i) => [i / (list.length - 1), value] as const);
    return finite(even.map((share) => between(rows, share)));
  } catch {
    return undefined;
  }
}

const finite = (values: number[]) => (values.every(Number.isFinite) ? values : undefined);

/** Straight between rows whose places rise, and as the ends beyond them. */
function between(rows: readonly (readonly [number, number])[], place: number): number {
  const next = rows.findIndex(([x]) => x >= place);
  const [to, from] = [rows[next === -1 ? rows.length - 1 : next], rows[next - 1]];
  if (to === undefined) return Number.NaN;
  if (from === undefined || next <= 0) return to[1];
  return from[1] + ((to[1] - from[1]) * (place - from[0])) / (to[0] - from[0]);
}

export const short = (value: number, digits = DIGITS): string => String(Number(value.toPrecision(digits)) + 0);
