// Parses the lines of a system: `x = …`, `x' = …` or `dx/dt = …`, `x(0) = …`, or an expression without a left side.

import type { Definition } from '../../expressions/bytecode.ts';
import { parseDefinitions } from '../../expressions/definitions.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import type { Law } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { withPath } from './entries.ts';

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
const PRIMED = new RegExp(`^(${SYMBOL})\\s*('+|\u2019+)$`);
const LEIBNIZ = new RegExp(`^d(${SYMBOL})\\s*/\\s*dt$`);
const INITIAL = new RegExp(`^(${SYMBOL})\\s*\\(\\s*([^()]*?)\\s*\\)$`);

/** The = of an equation, except in == <= >= !=. */
const EQUALS = /(?<![<>=!])=(?!=)/;

/** @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED */
export function parseLines(texts: readonly string[]): {
  readonly lines: readonly Line[];
  readonly initial: readonly InitialLine[];
} {
  const lines: Line[] = [];
  const initial: InitialLine[] = [];
  for (const [i, text] of texts.entries()) {
    const path = `equations.${i + 1}`;
    const equalsIndex = text.search(EQUALS);
    const left = equalsIndex < 0 ? '' : text.slice(0, equalsIndex).trim();
    // Blanks replace the left side, so that error columns refer to the whole line.
    const right = equalsIndex < 0 ? text : ' '.repeat(equalsIndex + 1) + text.slice(equalsIndex + 1);
    const expression = withPath(path, text, () => parseExpression(right));
    const common = { expression, where: [], path, text, outerNames: new Map<string, string>() };
    const algebraic = ALGEBRAIC.exec(left);
    const primed = PRIMED.exec(left);
    const leibniz = LEIBNIZ.exec(left);
    const initialMatch = INITIAL.exec(left);
    if (equalsIndex < 0) lines.push({ ...common, kind: 'algebraic', symbol: `f${i + 1}` });
    else if (algebraic) lines.push({ ...common, kind: 'algebraic', symbol: nameOf(algebraic[1], path, text) });
    else if (primed && (primed[2] ?? '').length > 1) throw higherOrder(primed[1] ?? '', path, text);
    else if (primed ?? leibniz) {
      lines.push({ ...common, kind: 'derivative', symbol: nameOf((primed ?? leibniz)?.[1], path, text) });
    } else if (initialMatch)
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
  return { lines, initial };
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

function higherOrder(symbol: string, path: string, text: string): Error {
  const advice = `name the first derivative: ${symbol}' = v; v' = …`;
  return validationError(
    path,
    `${path} (${text}): only first derivatives are allowed on the left; ${advice}.`,
    'HIGHER_ORDER',
  );
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
