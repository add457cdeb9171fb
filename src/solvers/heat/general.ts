// Data of one's own: initial state, sources, sides, conductivity and capacity, as the kernel takes them.

import { assemble } from '../../expressions/bytecode.ts';
import { operationCount } from '../../expressions/operation-count.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { type Axis, initialProfile } from './axis.ts';
import type { HeatInput } from './inputs.ts';

/** In the order of the kernel: heat/general.ts. */
export const EXPRESSION_FIELDS = [
  'initial',
  'conductivity',
  'capacity',
  'source',
  'left',
  'right',
  'bottom',
  'top',
] as const;
type ExpressionField = (typeof EXPRESSION_FIELDS)[number];

const SIDES = ['left', 'right', 'bottom', 'top'] as const;
type SideName = (typeof SIDES)[number];

/** Kinds of sides in the kernel. */
const KIND = { fixed: 1, insulated: 0, flux: 0, convective: 2 } as const;

export interface Side {
  readonly name: SideName;
  readonly kind: keyof typeof KIND;
  readonly transfer: number;
  /** An expression in t: temperature of a fixed side, heat that flows in, temperature of the surroundings. */
  readonly value: string | undefined;
}

export interface Layer {
  readonly to: number;
  readonly k: number;
  readonly c: number;
}

/** All expressions in one code, and where each begins. */
interface Programs {
  /** i32[8, 2]: offsets in code and pool; −1 where there is none. */
  readonly programs: Int32Array;
  readonly code: Int32Array;
  readonly pool: Float64Array;
  /** Operations of what is evaluated once a node, and at every node of every step. */
  readonly operations: number;
  readonly operationsPerStep: number;
}

export interface General extends Programs {
  readonly isSteady: boolean;
  readonly sides: readonly Side[];
  readonly layers: readonly Layer[] | undefined;
  readonly samples: readonly number[] | undefined;
  /** Conductivity without layers and expression. */
  readonly conductivity: number;
  /** Whether k ∂T/∂x or the slope of T may jump between nodes. */
  readonly isLayered: boolean;
}

const OWN_DATA = [...EXPRESSION_FIELDS, 'samples', 'layers'] as const;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID; undefined for the problems that have closed forms */
export function generalOf(input: HeatInput): General | undefined {
  const given = OWN_DATA.filter((field) => input[field] !== undefined);
  assertOfPlate(input);
  if (given.length === 0 && !input.steady) return undefined;
  const [own = 'steady'] = given;
  if (input.method === 'explicit') {
    const message = `method is explicit; ${own} is solved by the implicit scheme only. Leave method out.`;
    throw validationError('method', message);
  }
  assertOnlyOne(input, ['initial', 'samples']);
  assertOnlyOne(input, ['conductivity', 'layers']);
  assertOnlyOne(input, ['capacity', 'layers']);
  const sides = sidesOf(input);
  const texts = textsOf(input, sides);
  if (input.steady) assertSteady(input, sides, texts);
  return {
    ...programsOf(texts),
    isSteady: input.steady,
    sides,
    layers: layersOf(input),
    samples: input.samples,
    conductivity: input.alpha,
    isLayered: input.layers !== undefined,
  };
}

function assertOfPlate(input: HeatInput): void {
  if (input.dim === 2) {
    if (input.samples === undefined) return;
    throw validationError('samples', 'samples is given for a plate; use initial, an expression in x and y.');
  }
  for (const field of ['bottom', 'top'] as const) {
    if (input[field] === undefined) continue;
    throw validationError(field, `${field} is given; a rod has no such side. Leave it out, or ask for dim 2.`);
  }
}

function assertOnlyOne(input: HeatInput, [first, second]: readonly [keyof HeatInput, keyof HeatInput]): void {
  if (input[first] === undefined || input[second] === undefined) return;
  throw validationError(first, `${first} and ${second} are both given; they say the same thing. Give one of them.`);
}

function sidesOf(input: HeatInput): Side[] {
  const standard = {
    kind: input.boundary === 'neumann' ? 'insulated' : 'fixed',
    transfer: 0,
    value: undefined,
  } as const;
  return SIDES.map((name) => {
    const text = input[name];
    return { name, ...(text === undefined ? standard : parseSide(name, text)) };
  });
}

/** A number at the start of a text, and the rest. */
const NUMBER_FIRST = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:\s+(.*))?$/s;

/** `fixed 20`, `insulated`, `flux 5*sin(t)`, `convective 12 20 + 5*sin(t)`. @throws DomainError VALIDATION_FAILED */
function parseSide(name: SideName, text: string): Omit<Side, 'name'> {
  const [kind = '', ...words] = text.trim().split(/\s+/);
  const rest = words.join(' ');
  const value = rest === '' ? undefined : rest;
  if (kind === 'fixed' || kind === 'flux') return { kind, transfer: 0, value };
  if (kind === 'insulated' && value === undefined) return { kind, transfer: 0, value };
  const [, coefficient, surroundings] = kind === 'convective' ? (NUMBER_FIRST.exec(rest) ?? []) : [];
  if (kind === 'convective' && coefficient !== undefined && Number(coefficient) >= 0)
    return { kind, transfer: Number(coefficient), value: surroundings };
  const forms = '"fixed T", "insulated", "flux q" or "convective h T", with h a number from 0';
  throw validationError(name, `${name} is ${JSON.stringify(text.slice(0, 80))}; ${forms} is expected.`);
}

/** The texts of the expressions, those of sides without their kind. */
type Texts = Readonly<Partial<Record<ExpressionField, string>>>;

function textsOf(input: HeatInput, sides: readonly Side[]): Texts {
  const { initial, conductivity, capacity, source } = input;
  const own = { initial, conductivity, capacity, source };
  const all = { ...own, ...Object.fromEntries(sides.map(({ name, value }) => [name, value])) };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined)) as Texts;
}

function assertSteady(input: HeatInput, sides: readonly Side[], texts: Texts): void {
  const own = sides.slice(0, 2 * input.dim);
  if (!own.some(({ kind, transfer }) => kind === 'fixed' || (kind === 'convective' && transfer > 0))) {
    const message = 'steady is asked for; at least one side must be fixed or convective, or the level is undetermined.';
    throw validationError('steady', message);
  }
  for (const field of EXPRESSION_FIELDS) {
    const text = texts[field];
    if (text === undefined || !symbolsOf(parseExpression(text)).has('t')) continue;
    throw validationError(field, `${field} depends on t; a steady state needs data that do not.`);
  }
  for (const field of ['dt', 'steps', 't_end'] as const) {
    if (input[field] === undefined) continue;
    throw validationError(field, `${field} is given; a steady state has no time.`);
  }
}

function layersOf({ layers, lx }: HeatInput): readonly Layer[] | undefined {
  let from = 0;
  for (const [i, { to, k, c }] of (layers ?? []).entries()) {
    if (!(to > from && to <= lx * (1 + 1e-9))) {
      const message = `layers[${i}].to is ${to}; a place above ${from}, where it begins, and up to ${lx} is expected.`;
      throw validationError(`layers[${i}].to`, message, 'OUT_OF_RANGE');
    }
    for (const [name, value] of Object.entries({ k, c })) {
      if (value > 0) continue;
      const message = `layers[${i}].${name} is ${value}; a positive number is expected.`;
      throw validationError(`layers[${i}].${name}`, message, 'OUT_OF_RANGE');
    }
    from = to;
  }
  if (layers === undefined || from >= lx * (1 - 1e-9)) return layers;
  throw validationError('layers', `The last of layers ends at ${from}; the rod is ${lx} m long.`);
}

export const isSide = (field: ExpressionField): boolean => SIDES.some((name) => name === field);

/** Symbols that each expression may use. */
const SYMBOLS = ['x', 'y', 't'];
const usedBy = (field: ExpressionField): readonly string[] =>
  field === 'source' ? SYMBOLS : isSide(field) ? ['t'] : ['x', 'y'];

function programsOf(texts: Texts): Programs {
  const code: number[] = [];
  const pool: number[] = [];
  const programs = new Int32Array(2 * EXPRESSION_FIELDS.length).fill(-1);
  let operations = 0;
  let operationsPerStep = 0;
  for (const [i, field] of EXPRESSION_FIELDS.entries()) {
    const text = texts[field];
    if (text === undefined) continue;
    const tree = parseExpression(text);
    for (const symbol of symbolsOf(tree)) {
      if (!SYMBOLS.includes(symbol) || usedBy(field).includes(symbol)) continue;
      const allowed = usedBy(field).join(' and ');
      throw validationError(field, `${field} depends on ${symbol}; an expression in ${allowed} is expected.`);
    }
    const program = assemble(tree, SYMBOLS);
    programs.set([code.length, pool.length], 2 * i);
    code.push(...program.code);
    pool.push(...program.pool);
    if (field === 'source') operationsPerStep += operationCount(tree);
    else operations += operationCount(tree);
  }
  return { programs, code: Int32Array.from(code), pool: Float64Array.from(pool), operations, operationsPerStep };
}

/** Numbers of the sides for the kernel. */
export function sideParameters(sides: readonly Side[]): Record<`${SideName}${'Kind' | 'Transfer'}`, number> {
  const entries = sides.flatMap(({ name, kind, transfer }) => [
    [`${name}Kind`, KIND[kind]] as const,
    [`${name}Transfer`, transfer] as const,
  ]);
  return Object.fromEntries(entries) as Record<`${SideName}${'Kind' | 'Transfer'}`, number>;
}

/** Coefficients along x on a grid: of the cells in series, of the control volumes in parallel. */
export function coefficientsOn(
  { layers, conductivity }: General,
  cells: number,
  length: number,
): { readonly faceK: Float64Array; readonly nodeK: Float64Array; readonly nodeC: Float64Array } {
  const all = layers ?? [{ to: length, k: conductivity, c: 1 }];
  const h = length / cells;
  const mean = (from: number, to: number, of: (layer: Layer) => number) => integral(all, from, to, of) / (to - from);
  const volume = (i: number) => [Math.max(0, (i - 0.5) * h), Math.min(length, (i + 0.5) * h)] as const;
  return {
    faceK: Float64Array.from({ length: cells }, (_, i) => 1 / mean(i * h, (i + 1) * h, ({ k }) => 1 / k)),
    nodeK: Float64Array.from({ length: cells + 1 }, (_, i) => mean(...volume(i), ({ k }) => k)),
    nodeC: Float64Array.from({ length: cells + 1 }, (_, i) => mean(...volume(i), ({ c }) => c)),
  };
}

function integral(layers: readonly Layer[], from: number, to: number, of: (layer: Layer) => number): number {
  let sum = 0;
  let start = 0;
  for (const [i, layer] of layers.entries()) {
    // The last layer reaches to the end, whatever was rounded.
    const end = i === layers.length - 1 ? to : layer.to;
    const width = Math.min(to, end) - Math.max(from, start);
    if (width > 0) sum += width * of(layer);
    start = layer.to;
  }
  return sum;
}

/** The initial temperature at the nodes, row-major [y, x], unless it is an expression. */
export function initialOn({ samples }: General, axes: readonly Axis[]): Float64Array {
  const [x, y] = axes;
  if (x === undefined) return new Float64Array();
  if (samples !== undefined)
    return Float64Array.from({ length: x.cells + 1 }, (_, i) => sampleAt(samples, i / x.cells));
  const [alongX, alongY] = [initialProfile(x), y ? initialProfile(y) : Float64Array.of(1)];
  return Float64Array.from(
    { length: alongX.length * alongY.length },
    (_, i) => (alongX[i % alongX.length] ?? 0) * (alongY[Math.floor(i / alongX.length)] ?? 0),
  );
}

/** @param xi  0 to 1 */
function sampleAt(samples: readonly number[], xi: number): number {
  const s = xi * (samples.length - 1);
  const i = Math.min(Math.floor(s), samples.length - 2);
  return (samples[i] ?? 0) * (1 - (s - i)) + (samples[i + 1] ?? 0) * (s - i);
}
