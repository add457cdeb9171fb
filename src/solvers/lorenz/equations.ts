// Equations of one's own: byte code of the slopes and of each element of their Jacobian matrix that is not 0.

import { DomainError } from '../../core/errors.ts';
import type { Definition } from '../../expressions/bytecode.ts';
import { assemble } from '../../expressions/bytecode.ts';
import { differentiate, NoDerivativeRule } from '../../expressions/differentiate.ts';
import { parseEquation, parseExpression } from '../../expressions/parse.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { MAX_STATES, MIN_STATES } from './inputs.ts';

export interface OwnSystem {
  readonly names: readonly string[];
  /** i32[count, 3]: offsets in code and pool, and the element that a program computes; the slopes first. */
  readonly programs: Int32Array;
  readonly code: Int32Array;
  readonly pool: Float64Array;
}

const LINE = /^([A-Za-z_][A-Za-z0-9_]*)\s*['\u2019\u2032]\s*=(?!=)(.*)$/;

interface Line {
  readonly name: string;
  readonly text: string;
  readonly path: string;
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function ownSystem(text: string, given: string | Readonly<Record<string, number>> | undefined): OwnSystem {
  const lines = linesOf(text);
  const names = lines.map(({ name }) => name);
  const constants = constantsOf(given, names);
  const used = new Set<string>();
  const [programs, code, pool]: [number[], number[], number[]] = [[], [], []];
  const add = (line: Line, tree: Expression, target: number) => {
    const program = inLine(line, () => assemble(tree, names, neededBy(tree, constants)));
    programs.push(code.length, pool.length, target);
    code.push(...program.code);
    pool.push(...program.pool);
  };
  const trees = lines.map((line) => {
    const tree = inLine(line, () => parseExpression(line.text));
    assertSymbols(line, tree, [...names, ...constants.map(({ name }) => name)]);
    for (const { name } of neededBy(tree, constants)) used.add(name);
    return { line, tree };
  });
  for (const [i, { line, tree }] of trees.entries()) add(line, tree, i);
  for (const [i, { line, tree }] of trees.entries())
    for (const [j, name] of names.entries()) {
      const slope = derivativeOf(line, tree, name);
      if (slope !== undefined) add(line, slope, i * names.length + j);
    }
  const unused = constants.map(({ name }) => name).find((name) => !used.has(name));
  if (unused !== undefined)
    throw validationError(`constants.${unused}`, `constants.${unused} is in no equation.`, 'UNUSED');
  return {
    names,
    programs: Int32Array.from(programs),
    code: Int32Array.from(code),
    pool: Float64Array.from(pool),
  };
}

/** The constants that an expression reads, also by way of others, in their order. */
function neededBy(tree: Expression, constants: readonly Definition[]): readonly Definition[] {
  const needed = new Set(symbolsOf(tree));
  return [...constants]
    .reverse()
    .filter(({ name, expression }) => {
      if (!needed.has(name)) return false;
      for (const symbol of symbolsOf(expression)) needed.add(symbol);
      return true;
    })
    .reverse();
}

/** `a = 0.2; b = 8/3`: each may read the ones before it. */
function constantsOf(
  given: string | Readonly<Record<string, number>> | undefined,
  states: readonly string[],
): readonly Definition[] {
  const entries =
    typeof given === 'string'
      ? given.split(/[;\n]/).filter((entry) => entry.trim() !== '')
      : Object.entries(given ?? {}).map(([name, value]) => `${name} = ${value}`);
  const constants: Definition[] = [];
  for (const text of entries) {
    const { symbol: name, expression } = inLine({ name: '', text, path: 'constants' }, () => parseEquation(text));
    const path = `constants.${name}`;
    if (states.includes(name)) throw validationError(path, `${path} is a state.`, 'DUPLICATE');
    if (constants.some((one) => one.name === name)) throw validationError(path, `${path} is given twice.`, 'DUPLICATE');
    const unknown = [...symbolsOf(expression)].find((symbol) => !constants.some((one) => one.name === symbol));
    if (unknown !== undefined)
      throw validationError(path, `${path} reads ${unknown}, which is no constant before it.`, 'NOT_ALLOWED');
    constants.push({ name, expression });
  }
  return constants;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const raw of text.split(/[;\n]/)) {
    const entry = raw.trim();
    if (entry === '') continue;
    const path = `equations.${lines.length + 1}`;
    const [, name, right] = LINE.exec(entry) ?? [];
    if (name === undefined || right === undefined) {
      const message = `${path} is ${JSON.stringify(entry.slice(0, 60))}; expected x' = … with the derivative of a state.`;
      throw validationError('equations', message);
    }
    if (name === 't') throw validationError('equations', `${path}: t is time and cannot be a state.`);
    if (lines.some((line) => line.name === name))
      throw validationError('equations', `${path}: ${name}' is given twice.`, 'DUPLICATE');
    lines.push({ name, text: right, path });
  }
  if (lines.length < MIN_STATES || lines.length > MAX_STATES) {
    const message = `equations has ${lines.length} states; expected ${MIN_STATES} to ${MAX_STATES}.`;
    throw validationError('equations', message, 'OUT_OF_RANGE', { min: MIN_STATES, max: MAX_STATES });
  }
  return lines;
}

function assertSymbols({ path }: Line, tree: Expression, known: readonly string[]): void {
  for (const symbol of symbolsOf(tree)) {
    if (known.includes(symbol)) continue;
    const advice = symbol === 't' ? " Add a state instead: p' = 1." : ` Give it in constants: ${symbol} = 1.`;
    throw validationError('equations', `${path} reads ${symbol}, which is no state and no constant.${advice}`);
  }
}

/** @throws DomainError EXPRESSION_INVALID if the program is too long; VALIDATION_FAILED without a derivative */
function derivativeOf(line: Line, tree: Expression, name: string): Expression | undefined {
  try {
    return differentiate(tree, name);
  } catch (error) {
    if (!(error instanceof NoDerivativeRule)) throw error;
    const message = `${line.path} uses ${error.what}, whose derivative jumps or is not known here; exponents need it. Smooth functions, abs, min and max are allowed.`;
    throw validationError('equations', message, 'NO_DERIVATIVE');
  }
}

function inLine<Result>({ path, text }: Line, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'EXPRESSION_INVALID') throw error;
    const message = `${path} (${text.trim()}): ${error.message}`;
    throw new DomainError(error.code, message, {
      details: [{ path: path.replace(/\..*/, ''), code: error.code, message }],
      facts: { ...error.facts, at: path },
    });
  }
}
