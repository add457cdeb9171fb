// A coupling as a polynomial in phi, dphi and t with waves in t, or the name of the shape that is none.

import { cos, exp, log, sin } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import { parseExpression } from '../../expressions/parse.ts';
import type { Expression } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { COUPLINGS } from '../parts/master-field/couplings.ts';

/** coefficient · phi^phi · dphi^dphi · t^t, times cos(omega t) or sin(omega t) for a wave. */
export interface Term {
  readonly coefficient: number;
  readonly phi: number;
  readonly dphi: number;
  readonly t: number;
  readonly wave?: { readonly kind: 'cos' | 'sin'; readonly omega: number } | undefined;
}

/** A shape that no branch has. */
class Unsupported extends Error {
  readonly shape: string;
  constructor(shape: string) {
    super(shape);
    this.shape = shape;
  }
}

type Symbols = Readonly<Record<string, Expression>>;

const MAX_POWER = 12;
const MAX_TERMS = 200;
const constantTerm = (coefficient: number): Term => ({ coefficient, phi: 0, dphi: 0, t: 0 });

/**
 * The terms of a coupling, which is added to φ″.
 *
 * @param path  of the field, for errors
 * @throws DomainError VALIDATION_FAILED with the name of the shape, EXPRESSION_INVALID
 */
export function termsOf(text: string, path: string): readonly Term[] {
  let tree: Expression;
  try {
    tree = parseExpression(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const message = `${path} (${text}): ${error.message}`;
    throw new DomainError(error.code, message, {
      details: [{ path: 'couplings', code: error.code, message }],
      facts: { ...error.facts, at: path },
    });
  }
  try {
    return collected(expand(tree, {}, path));
  } catch (error) {
    if (error instanceof Unsupported) throw refusalOf(error.shape, text, path);
    throw error;
  }
}

/** A refusal that names the shape. */
export function refusalOf(shape: string, text: string, path: string): DomainError {
  const message = `${path} (${text}) has ${shape}, for which no closed form is offered; expected a constant, phi, phi^3, dphi, and cos or sin of t.`;
  return validationError('couplings', message, 'NO_CLOSED_FORM', { shape });
}

/** What a term of these powers is called. */
export function shapeOf({ phi, dphi, t, wave }: Term): string {
  const power = (name: string, n: number) =>
    n === 0
      ? []
      : [n === 1 ? name : n === 2 ? `${name} squared` : n === 3 ? `${name} cubed` : `${name} to the power ${n}`];
  const parts = [...power('phi', phi), ...power('dphi', dphi), ...power('t', t)];
  if (wave !== undefined) parts.push('a wave in t');
  return parts.join(' times ');
}

function expand(node: Expression, symbols: Symbols, path: string): readonly Term[] {
  const inside = (child: Expression) => expand(child, symbols, path);
  switch (node.kind) {
    case 'number':
      return [constantTerm(node.value)];
    case 'constant':
      return [constantTerm(node.name === 'pi' ? Math.PI : Number.NaN)];
    case 'symbol':
      return symbolTerms(node.name, symbols, path);
    case 'unary':
      if (node.operator === '-') return scaled(inside(node.operand), -1);
      throw new Unsupported('a truth value');
    case 'binary':
      return binaryTerms(node, inside);
    case 'call':
      return callTerms(node.name, node.operands.map(inside));
    case 'choice':
      throw new Unsupported('a choice of two formulas');
    case 'sum':
      throw new Unsupported('a sum');
    default:
      throw new Unsupported('a value that is no number');
  }
}

function symbolTerms(name: string, symbols: Symbols, path: string): readonly Term[] {
  const own = Object.hasOwn(symbols, name) ? symbols[name] : undefined;
  if (own !== undefined) return expand(own, symbols, path);
  if (name === 'phi') return [{ ...constantTerm(1), phi: 1 }];
  if (name === 'dphi') return [{ ...constantTerm(1), dphi: 1 }];
  if (name === 't') return [{ ...constantTerm(1), t: 1 }];
  const law = Object.hasOwn(COUPLINGS, name) ? COUPLINGS[name] : undefined;
  if (law === undefined) {
    const hint = didYouMean(name, ['phi', 'dphi', 't', ...Object.keys(COUPLINGS)]);
    const message = `${path} reads ${name}; expected phi, dphi, t, or KO1 to KO41.${hint}`;
    throw validationError('couplings', message, 'SYMBOL_UNKNOWN');
  }
  const constants = Object.entries(law.defaults).map(
    ([key, value]) => [key, { kind: 'number', value, start: 0, end: 0 } as const] as const,
  );
  const named = Object.entries(law.where ?? {}).map(([key, text]) => [key, parseExpression(text)] as const);
  try {
    return expand(parseExpression(law.equation), Object.fromEntries([...constants, ...named]), path);
  } catch (error) {
    if (error instanceof Unsupported) throw new Unsupported(`${error.shape} (${name}, ${law.name})`);
    throw error;
  }
}

function binaryTerms(
  { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
  inside: (child: Expression) => readonly Term[],
): readonly Term[] {
  const [one, other] = [inside(left), inside(right)];
  switch (operator) {
    case '+':
      return [...one, ...other];
    case '-':
      return [...one, ...scaled(other, -1)];
    case '*':
      return product(one, other);
    case '/': {
      const divisor = numberOf(other);
      if (divisor === undefined) throw new Unsupported(`a quotient by ${wordOf(other)}`);
      return scaled(one, 1 / divisor);
    }
    case '^':
      return powerTerms(one, other);
    default:
      throw new Unsupported('a comparison');
  }
}

function powerTerms(base: readonly Term[], exponent: readonly Term[]): readonly Term[] {
  const power = numberOf(exponent);
  if (power === undefined) throw new Unsupported('an exponential');
  if (power === 0.5) return callTerms('sqrt', [base]);
  if (!Number.isInteger(power) || power < 0 || power > MAX_POWER)
    throw new Unsupported(`${wordOf(base)} to the power ${power}`);
  let result: readonly Term[] = [constantTerm(1)];
  for (let i = 0; i < power; i++) result = product(result, base);
  return result;
}

const SHAPES: Readonly<Record<string, string>> = {
  sqrt: 'a square root',
  exp: 'an exponential',
  expm1: 'an exponential',
  log: 'a logarithm',
  sin: 'a sine',
  cos: 'a cosine',
  sinh: 'a hyperbolic sine (an exponential)',
  cosh: 'a hyperbolic cosine (an exponential)',
  tanh: 'a hyperbolic tangent (an exponential)',
  abs: 'an absolute value',
};
const OF_NUMBERS: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  exp,
  log,
  sin,
  cos,
  abs: Math.abs,
};

function callTerms(name: string, operands: readonly (readonly Term[])[]): readonly Term[] {
  const [first = []] = operands;
  const number = operands.length === 1 ? numberOf(first) : undefined;
  const evaluate = Object.hasOwn(OF_NUMBERS, name) ? OF_NUMBERS[name] : undefined;
  if (number !== undefined && evaluate !== undefined) return [constantTerm(evaluate(number))];
  const wave = name === 'cos' || name === 'sin' ? waveTerms(name, collected(first)) : undefined;
  if (wave !== undefined) return wave;
  const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : `the function ${name}`;
  throw new Unsupported(`${shape} of ${wordOf(operands.flat())}`);
}

/** cos(ω t + δ) or sin(ω t + δ) as waves without a phase; undefined for another argument. */
function waveTerms(name: 'cos' | 'sin', argument: readonly Term[]): readonly Term[] | undefined {
  let omega = 0;
  let shift = 0;
  for (const { coefficient, phi, dphi, t, wave } of argument) {
    if (phi + dphi > 0 || t > 1 || wave !== undefined) return undefined;
    if (t === 1) omega += coefficient;
    else shift += coefficient;
  }
  const sign = omega < 0 ? -1 : 1;
  const of = (kind: 'cos' | 'sin', coefficient: number): readonly Term[] =>
    coefficient === 0 ? [] : [{ ...constantTerm(coefficient), wave: { kind, omega: Math.abs(omega) } }];
  return name === 'cos'
    ? [...of('cos', cos(shift)), ...of('sin', -sign * sin(shift))]
    : [...of('cos', sin(shift)), ...of('sin', sign * cos(shift))];
}

const scaled = (terms: readonly Term[], factor: number): readonly Term[] =>
  terms.map((term) => ({ ...term, coefficient: term.coefficient * factor }));

function product(one: readonly Term[], other: readonly Term[]): readonly Term[] {
  if (one.length * other.length > MAX_TERMS) throw new Unsupported(`more than ${MAX_TERMS} terms`);
  return collected(
    one.flatMap((a) =>
      other.map((b) => {
        if (a.wave !== undefined && b.wave !== undefined) throw new Unsupported('a product of waves');
        return {
          coefficient: a.coefficient * b.coefficient,
          phi: a.phi + b.phi,
          dphi: a.dphi + b.dphi,
          t: a.t + b.t,
          wave: a.wave ?? b.wave,
        };
      }),
    ),
  );
}

const keyOf = ({ phi, dphi, t, wave }: Term): string =>
  `${phi} ${dphi} ${t} ${wave === undefined ? '' : `${wave.kind} ${wave.omega}`}`;

/** Terms of the same powers added; those that cancel are left out. */
function collected(terms: readonly Term[]): readonly Term[] {
  const sums = new Map<string, Term>();
  for (const term of terms) {
    const before = sums.get(keyOf(term));
    sums.set(keyOf(term), { ...term, coefficient: term.coefficient + (before?.coefficient ?? 0) });
  }
  return [...sums.values()].filter(({ coefficient }) => coefficient !== 0);
}

/** The number that terms are; undefined if they depend on anything. */
function numberOf(terms: readonly Term[]): number | undefined {
  const all = collected(terms);
  if (all.some(({ phi, dphi, t, wave }) => phi + dphi + t > 0 || wave !== undefined)) return undefined;
  return all[0]?.coefficient ?? 0;
}

/** What terms depend on, in a word. */
function wordOf(terms: readonly Term[]): string {
  const of = (name: 'phi' | 'dphi' | 't') => (terms.some((term) => term[name] > 0) ? [name] : []);
  const names = [...of('phi'), ...of('dphi'), ...of('t')];
  return names.length > 0 ? names.join(' and ') : 'a number';
}
