// The lines of a system: `x = …`, `x' = …` or `dx/dt = …`, `x(0) = …`, and an expression with no left side.

import type { Definition } from '../../expressions/bytecode.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import type { Law } from '../solver.ts';
import { refusal, within } from './lists.ts';

/** One equation: of the caller's, or a law of the registry. */
export interface Line {
  readonly kind: 'algebraic' | 'derivative';
  readonly symbol: string;
  readonly expression: Expression;
  /** Intermediate values of a law, in the order of need. */
  readonly where: readonly Definition[];
  /** `equations.2`, or the id of the operator. */
  readonly path: string;
  readonly text: string;
  readonly law?: Law;
  /** How a law's own names are called outside: inputs by their symbol or as `QM5.L`, constants always as `QM5.c`. */
  readonly outside: ReadonlyMap<string, string>;
}

/** `x(0) = …` */
export interface InitialLine {
  readonly symbol: string;
  /** What stands in the parentheses. */
  readonly at: string;
  readonly expression: Expression;
  readonly path: string;
  readonly text: string;
}

const SYMBOL = '[A-Za-z_][A-Za-z0-9_]*';
const ALGEBRAIC = new RegExp(`^(${SYMBOL})$`);
const PRIMED = new RegExp(`^(${SYMBOL})\\s*('+|\u2019+)$`);
const LEIBNIZ = new RegExp(`^d(${SYMBOL})\\s*/\\s*dt$`);
const INITIAL = new RegExp(`^(${SYMBOL})\\s*\\(\\s*([^()]*?)\\s*\\)$`);

/** The = of an equation; those of == <= >= != are none. */
const EQUALS = /(?<![<>=!])=(?!=)/;

/** @throws DomainError EXPRESSION_INVALID, VALIDATION_FAILED */
export function readLines(texts: readonly string[]): {
  readonly lines: readonly Line[];
  readonly initial: readonly InitialLine[];
} {
  const lines: Line[] = [];
  const initial: InitialLine[] = [];
  for (const [i, text] of texts.entries()) {
    const path = `equations.${i + 1}`;
    const at = text.search(EQUALS);
    const left = at < 0 ? '' : text.slice(0, at).trim();
    // Blanks in place of the left side: columns are those of the whole line.
    const right = at < 0 ? text : ' '.repeat(at + 1) + text.slice(at + 1);
    const expression = within(path, text, () => parseExpression(right));
    const own = { expression, where: [], path, text, outside: new Map<string, string>() };
    const plain = ALGEBRAIC.exec(left);
    const primed = PRIMED.exec(left);
    const leibniz = LEIBNIZ.exec(left);
    const given = INITIAL.exec(left);
    if (at < 0) lines.push({ ...own, kind: 'algebraic', symbol: `f${i + 1}` });
    else if (plain) lines.push({ ...own, kind: 'algebraic', symbol: nameOf(plain[1], path, text) });
    else if (primed && (primed[2] ?? '').length > 1) throw higherOrder(primed[1] ?? '', path, text);
    else if (primed ?? leibniz) {
      lines.push({ ...own, kind: 'derivative', symbol: nameOf((primed ?? leibniz)?.[1], path, text) });
    } else if (given) initial.push({ symbol: given[1] ?? '', at: given[2] ?? '', expression, path, text });
    else {
      const expected = "a symbol, x' or dx/dt for a derivative, or x(0) for an initial value";
      throw refusal(
        path,
        `${path} (${text}): the left side is ${left || 'empty'}; ${expected} is expected.`,
        'LEFT_SIDE',
      );
    }
  }
  return { lines, initial };
}

const WORDS = new Set(['and', 'or', 'not', 'true', 'false', 'pi', 't']);

function nameOf(name: string | undefined, path: string, text: string): string {
  if (name !== undefined && !WORDS.has(name)) return name;
  throw refusal(path, `${path} (${text}): ${name} has a meaning already; another name is expected.`, 'LEFT_SIDE');
}

function higherOrder(symbol: string, path: string, text: string): Error {
  const advice = `give the first derivative a name of its own: ${symbol}' = v; v' = …`;
  return refusal(path, `${path} (${text}): only first derivatives stand on the left; ${advice}.`, 'HIGHER_ORDER');
}

/** @param isGiven  whether a number stands under a name, for inputs that one operator alone is given */
export function lineOf(law: Law, isGiven: (name: string) => boolean): Line {
  const [symbol = '', text = ''] = splitOnce(law.equation);
  const expression = parseExpression(text);
  const definitions = Object.entries(law.where ?? {}).map(([name, one]) => ({
    name,
    expression: parseExpression(one),
  }));
  const outside = new Map<string, string>();
  for (const name of Object.keys(law.inputs)) {
    const own = `${law.id}.${name}`;
    outside.set(name, isGiven(own) ? own : name);
  }
  for (const name of Object.keys(law.constants ?? {})) outside.set(name, `${law.id}.${name}`);
  return {
    kind: 'algebraic',
    symbol: symbol.trim(),
    expression,
    where: inOrderOfNeed(definitions),
    path: law.id,
    text: law.equation,
    law,
    outside,
  };
}

function splitOnce(equation: string): readonly string[] {
  const at = equation.search(EQUALS);
  return [equation.slice(0, at), equation.slice(at + 1)];
}

/** Each definition behind those that it uses; what cannot be ordered comes last, where the assembler refuses it. */
function inOrderOfNeed(definitions: readonly Definition[]): readonly Definition[] {
  const waiting = [...definitions].sort((a, b) => (a.name < b.name ? -1 : 1));
  const ordered: Definition[] = [];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const next = waiting.findIndex(({ expression }) => [...symbolsOf(expression)].every((one) => !names.has(one)));
    ordered.push(...waiting.splice(Math.max(next, 0), 1));
  }
  return ordered;
}

/** The symbols that a line reads, by the names that they have outside. */
export function needsOf({ expression, where, outside }: Line): ReadonlySet<string> {
  const inner = new Set(where.map(({ name }) => name));
  const needs = new Set<string>();
  for (const tree of [...where.map((one) => one.expression), expression]) {
    for (const name of symbolsOf(tree)) if (!inner.has(name)) needs.add(outside.get(name) ?? name);
  }
  return needs;
}
