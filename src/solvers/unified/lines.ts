// Parses the lines of a system: `x = …`, `x' = …` or `dx/dt = …`, `x(0) = …`, or an expression without a left side. A
// higher derivative is rewritten: x'' = … as two lines of the states x and x'.

import type { Definition } from '../../expressions/bytecode.ts';
import { parseDefinitions } from '../../expressions/definitions.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import type { Law } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { EQUALS, PRIMED, splitAtCommas, withPath } from './entries.ts';

/** One equation: from the caller, or a law of the registry. */
export interface Line {
  readonly kind: 'algebraic' | 'derivative';
  readonly symbol: string;
  readonly expression: Expression;
  /** Intermediate values of a law, in dependency order. */
  readonly where: readonly Definition[];
  /** `equations.2`, or the id of the operator. */
  readonly path: string;
  readonly text: string;
  readonly law?: Law;
  /** Outer names of a law's inner names: inputs by their symbol or as `QM5.L`, constants always as `QM5.c`. */
  readonly outerNames: ReadonlyMap<string, string>;
}

/** `x(0) = …` */
export interface InitialLine {
  readonly symbol: string;
  /** Text in the parentheses. */
  readonly time: string;
  readonly expression: Expression;
  readonly path: string;
  readonly text: string;
}

const SYMBOL = '[A-Za-z_][A-Za-z0-9_]*';
const ALGEBRAIC = new RegExp(`^(${SYMBOL})$`);
const PRIMED_LEFT = new RegExp(`^(${SYMBOL})\\s*('+)$`);
/** dx/dt, d2x/dt2 or d^2x/dt^2 */
const LEIBNIZ = new RegExp(`^d(?:\\^?([2-9]))?\\s*(${SYMBOL})\\s*/\\s*dt(?:\\^?([2-9]))?$`);
const INITIAL = new RegExp(`^(${SYMBOL}'*)\\s*\\(\\s*([^()]*?)\\s*\\)$`);

/** @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED */
export function parseLines(texts: readonly string[]): {
  readonly lines: readonly Line[];
  readonly initial: readonly InitialLine[];
} {
  const lines: Line[] = [];
  const initial: InitialLine[] = [];
  for (const [i, text] of texts.entries()) {
    const path = `equations.${i + 1}`;
    assertSeparated(path, text);
    const equalsIndex = text.search(EQUALS);
    const left = equalsIndex < 0 ? '' : text.slice(0, equalsIndex).trim();
    // Blanks replace the left side, so that error columns refer to the whole line.
    const right = equalsIndex < 0 ? text : ' '.repeat(equalsIndex + 1) + text.slice(equalsIndex + 1);
    const expression = withPath(path, text, () => parseExpression(right, PRIMED));
    const common = { expression, where: [], path, text, outerNames: new Map<string, string>() };
    const algebraic = ALGEBRAIC.exec(left);
    const derivative = derivativeIn(left);
    const initialMatch = INITIAL.exec(left);
    if (equalsIndex < 0) lines.push({ ...common, kind: 'algebraic', symbol: `f${i + 1}` });
    else if (algebraic) lines.push({ ...common, kind: 'algebraic', symbol: nameOf(algebraic[1], path, text) });
    else if (derivative)
      lines.push(...derivativeLines(nameOf(derivative.symbol, path, text), derivative.order, common));
    else if (initialMatch)
      initial.push({ symbol: initialMatch[1] ?? '', time: initialMatch[2] ?? '', expression, path, text });
    else {
      const expected = "a symbol, x' or dx/dt for a derivative, or x(0) for an initial value";
      throw validationError(
        path,
        `${path} (${text}): the left side is ${left || 'empty'}; ${expected} is expected.`,
        'LEFT_SIDE',
      );
    }
  }
  return { lines: withReadDerivatives(lines), initial };
}

/** @throws DomainError VALIDATION_FAILED at a comma between an equation and something else */
function assertSeparated(path: string, text: string): void {
  const [, second] = splitAtCommas(text);
  if (second === undefined) return;
  const message = `${path} (${text}): after the comma, ${second.trim() || 'nothing'} is no equation; separate equations by ; or a new line, and write decimal numbers with a point.`;
  throw validationError(path, message, 'SEPARATOR');
}

const RESERVED = new Set(['and', 'or', 'not', 'true', 'false', 'pi', 't']);

function nameOf(name: string | undefined, path: string, text: string): string {
  if (name !== undefined && !RESERVED.has(name)) return name;
  throw validationError(
    path,
    `${path} (${text}): ${name} has a meaning already; another name is expected.`,
    'LEFT_SIDE',
  );
}

/** A derivative that an equation reads, as y = x'^2 does, is a value of its own, and the state's derivative equals it. */
function withReadDerivatives(lines: readonly Line[]): readonly Line[] {
  const states = new Set(lines.filter(({ kind }) => kind === 'derivative').map(({ symbol }) => symbol));
  const read = new Set(lines.flatMap((line) => [...dependenciesOf(line)]));
  return lines.flatMap((line): readonly Line[] => {
    const symbol = `${line.symbol}'`;
    if (line.kind !== 'derivative' || states.has(symbol) || !read.has(symbol)) return [line];
    return [
      { ...line, expression: symbolNode(symbol) },
      { ...line, kind: 'algebraic', symbol },
    ];
  });
}

const symbolNode = (name: string): Expression => ({ kind: 'symbol', name, start: 0, end: 0 });

function derivativeIn(left: string): { readonly symbol: string; readonly order: number } | undefined {
  const [, primed, primes] = PRIMED_LEFT.exec(left) ?? [];
  if (primed !== undefined) return { symbol: primed, order: primes?.length ?? 1 };
  const [, above = '1', symbol, below = '1'] = LEIBNIZ.exec(left) ?? [];
  return symbol === undefined || above !== below ? undefined : { symbol, order: Number(above) };
}

/** The first-order lines of a derivative: its lower derivatives are states too, and the highest has the equation. */
function derivativeLines(symbol: string, order: number, common: Omit<Line, 'kind' | 'symbol'>): readonly Line[] {
  const stateOf = (derivative: number) => `${symbol}${"'".repeat(derivative)}`;
  return Array.from({ length: order }, (_, i): Line => {
    const expression = i === order - 1 ? common.expression : symbolNode(stateOf(i + 1));
    return { ...common, kind: 'derivative', symbol: stateOf(i), expression };
  });
}

/** @param isGiven  whether a number has this qualified name, for inputs given to a single operator */
export function lawLine(law: Law, isGiven: (name: string) => boolean): Line {
  const [symbol = '', text = ''] = splitOnce(law.equation);
  const expression = parseExpression(text);
  const where = parseDefinitions(law.where);
  const outerNames = new Map<string, string>();
  for (const name of Object.keys(law.inputs)) {
    const common = `${law.id}.${name}`;
    outerNames.set(name, isGiven(common) ? common : name);
  }
  for (const name of Object.keys(law.constants ?? {})) outerNames.set(name, `${law.id}.${name}`);
  return {
    kind: 'algebraic',
    symbol: symbol.trim(),
    expression,
    where,
    path: law.id,
    text: law.equation,
    law,
    outerNames,
  };
}

function splitOnce(equation: string): readonly string[] {
  const equalsIndex = equation.search(EQUALS);
  return [equation.slice(0, equalsIndex), equation.slice(equalsIndex + 1)];
}

/** The symbols that a line reads, by their outer names. */
export function dependenciesOf({ expression, where, outerNames }: Line): ReadonlySet<string> {
  const inner = new Set(where.map(({ name }) => name));
  const dependencies = new Set<string>();
  for (const tree of [...where.map((definition) => definition.expression), expression]) {
    for (const name of symbolsOf(tree)) if (!inner.has(name)) dependencies.add(outerNames.get(name) ?? name);
  }
  return dependencies;
}
