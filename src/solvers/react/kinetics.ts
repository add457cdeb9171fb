// The kinetics of a request: constants and uniform states of the models, expressions of one's own as byte code.

import { assemble } from '../../expressions/bytecode.ts';
import { operationCount } from '../../expressions/operation-count.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { childrenOf, type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import type { MODELS, ReactInput } from './inputs.ts';
import { fitzHughNagumoRest } from './reference.ts';

export type Model = (typeof MODELS)[number];

/** u and v. */
export type State = readonly [u: number, v: number];

/** What a request gets that does not say it. */
export interface Defaults {
  readonly Du: number;
  readonly Dv: number;
  readonly width: number;
  /** The largest step; a smaller stable one comes first. */
  readonly dt: number;
  readonly background: State;
  readonly foreground: State;
}

export function defaultsOf(model: Model, { epsilon, a, b, I, initial }: ReactInput): Defaults {
  if (model === 'gray-scott')
    return { Du: 0.16, Dv: 0.08, width: 1, dt: 1, background: [1, 0], foreground: [0.5, 0.25] };
  if (model === 'custom') return { Du: 1, Dv: 0, width: 1, dt: 0.1, background: [0, 0], foreground: [1, 0] };
  const [u, v] = epsilon > 0 ? fitzHughNagumoRest(a, b, I) : [-1.2, -0.625];
  // Where v is raised, nothing can be excited for a while.
  const foreground = [u < 0 ? 1.5 : -1.5, initial === 'spiral' ? v + 1 : v] as const;
  return { Du: 1, Dv: 0, width: 0.5, dt: 0.1, background: [u, v], foreground };
}

/** In the order of the kernel: react/kinetics.ts. */
export const EXPRESSION_FIELDS = ['reaction_u', 'reaction_v', 'initial_u', 'initial_v'] as const;

/** All expressions in one code, and where each begins. */
export interface Programs {
  /** i32[4, 2]: offsets in code and pool; −1 where there is none. */
  readonly programs: Int32Array;
  readonly code: Int32Array;
  readonly pool: Float64Array;
  /** Operations of the rates, and of the initial state. */
  readonly rateOperations: number;
  readonly initialOperations: number;
  /** Whether an initial state may jump, so that cells hold its mean. */
  readonly hasJumps: boolean;
  /** Whether rates may jump at a place, and at a time: the grid takes them at its points alone. */
  readonly ratesJump: { readonly inSpace: boolean; readonly inTime: boolean };
}

/** Of the kernel, which adds one for the rate of u. */
const SLOTS = ['u', 'v', 'x', 'y', 't'];
const CONSTANTS = ['F', 'k', 'epsilon', 'a', 'b', 'I'] as const;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function programsOf(input: ReactInput, model: Model): Programs {
  const code: number[] = [];
  const pool: number[] = [];
  const programs = new Int32Array(2 * EXPRESSION_FIELDS.length).fill(-1);
  const operations = [0, 0];
  let hasJumps = false;
  const ratesJump = { inSpace: false, inTime: false };
  for (const [i, field] of EXPRESSION_FIELDS.entries()) {
    const isRate = i < 2;
    const text = input[field] ?? (isRate && model === 'custom' ? '0' : undefined);
    if (text === undefined) continue;
    const tree = parseExpression(text);
    assertSymbols(field, tree, isRate);
    const used = symbolsOf(tree);
    const where = CONSTANTS.filter((name) => used.has(name)).map((name) => ({
      name,
      expression: { kind: 'number', value: input[name], start: 0, end: 0 } as const,
    }));
    const program = assemble(tree, SLOTS, where);
    programs.set([code.length, pool.length], 2 * i);
    code.push(...program.code);
    pool.push(...program.pool);
    operations[isRate ? 0 : 1] = (operations[isRate ? 0 : 1] ?? 0) + operationCount(tree);
    hasJumps ||= !isRate && mayJump(tree);
    if (!isRate) continue;
    ratesJump.inSpace ||= mayJump(tree, ['x', 'y']);
    ratesJump.inTime ||= mayJump(tree, ['t']);
  }
  const [rateOperations = 0, initialOperations = 0] = operations;
  return {
    programs,
    code: Int32Array.from(code),
    pool: Float64Array.from(pool),
    rateOperations,
    initialOperations,
    hasJumps,
    ratesJump,
  };
}

function assertSymbols(field: (typeof EXPRESSION_FIELDS)[number], tree: Expression, isRate: boolean): void {
  const allowed = isRate ? [...SLOTS, ...CONSTANTS] : ['x', 'y', ...CONSTANTS];
  for (const symbol of symbolsOf(tree)) {
    if (allowed.includes(symbol)) continue;
    const message = `${field} depends on ${symbol}; an expression in ${allowed.join(', ')} is expected.`;
    throw validationError(field, message);
  }
}

const STEPS = new Set(['floor', 'ceil', 'round', 'sign', 'trunc', 'step', 'mod', 'heaviside', 'abs']);
const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!=']);

/** Whether an expression has comparisons, choices or functions with steps; of some of the symbols, if they are given. */
function mayJump(tree: Expression, symbols?: readonly string[]): boolean {
  const isStep =
    tree.kind === 'choice' ||
    (tree.kind === 'binary' && COMPARISONS.has(tree.operator)) ||
    (tree.kind === 'call' && STEPS.has(tree.name));
  if (isStep && (symbols === undefined || symbols.some((symbol) => symbolsOf(tree).has(symbol)))) return true;
  return childrenOf(tree).some((child) => mayJump(child, symbols));
}
