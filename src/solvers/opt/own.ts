// Models of the caller: a function, a sum of squares, or a model with a table to fit it to.

import { DomainError } from '../../core/errors.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { type BinaryOperator, type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { type Columns, parseColumns } from './columns.ts';
import type { OptInput } from './inputs.ts';
import { elementOf, type Model, type Row, type Shape } from './model.ts';

export interface OwnModel {
  readonly model: Model;
  readonly fit?: FitData;
}

export interface FitData {
  readonly columns: Columns;
  readonly response: string;
  readonly sigma: string | undefined;
  /** Columns that the model reads. */
  readonly predictors: readonly string[];
}

/** At most so many lines of residuals, and of constraints. */
const MAX_LINES = 500;
const MAX_VARIABLES = 50;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID; undefined if nothing of one's own is given */
export function ownModelOf(input: OptInput): OwnModel | undefined {
  const { expression, residuals, data, model } = input;
  const given = (['function', 'expression', 'residuals', 'data'] as const).filter((name) => input[name] !== undefined);
  if (given.length > 1)
    throw validationError(given[1] ?? '', `${given.join(' and ')} are given; expected one of them.`, 'GIVEN_TWICE');
  if (data === undefined && model !== undefined)
    throw validationError('data', 'data is missing; model needs a table to be fitted to.', 'MISSING');
  for (const name of ['response', 'sigma'] as const)
    if (data === undefined && input[name] !== undefined)
      throw validationError(name, `${name} names a column; expected only with data.`);
  if (expression !== undefined) return functionOf(expression, input);
  if (residuals !== undefined) return residualsOf(residuals, input);
  return data === undefined ? undefined : fitOf(data, input);
}

/** Parses with the field, and a line if there are several, in the message. */
export function parseField(field: string, text: string, line?: number): Expression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'EXPRESSION_INVALID') throw error;
    const place = line === undefined ? field : `${field}, line ${line}`;
    const message = `${place}: ${error.message}`;
    throw new DomainError('EXPRESSION_INVALID', message, {
      details: [{ path: field, code: 'EXPRESSION_INVALID', message }],
      facts: error.facts ?? {},
    });
  }
}

/** The lines of a text that are not empty, with their numbers. */
export function linesOf(field: string, text: string): readonly (readonly [number: number, text: string])[] {
  const lines = text
    .split(/\r\n|\n|\r|;/)
    .map((line, i) => [i + 1, line.trim()] as const)
    .filter(([, line]) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw validationError(field, `${field} has no expression.`, 'MISSING');
  if (lines.length > MAX_LINES)
    throw validationError(field, `${field} has ${lines.length} lines; expected at most ${MAX_LINES}.`);
  return lines;
}

/** In the given order, or in that of appearance. */
function variablesOf(trees: readonly Expression[], given: string | undefined, field: string): readonly string[] {
  const used = [...new Set(trees.flatMap((tree) => [...symbolsOf(tree)]))];
  const names = given?.split(/[\s,;]+/).filter((name) => name !== '') ?? inOrder(used);
  const unknown = used.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw validationError('variables', `variables lacks ${unknown}, which ${field} reads; got ${names.join(', ')}.`);
  const idle = names.find((name) => !used.includes(name));
  if (idle !== undefined)
    throw validationError('variables', `${field} does not depend on ${idle}; expected ${used.join(', ')}.`);
  if (new Set(names).size < names.length)
    throw validationError('variables', `variables has a name twice: ${names.join(', ')}.`);
  if (names.length === 0) throw validationError(field, `${field} has no variable; expected at least one.`);
  if (names.length > MAX_VARIABLES)
    throw validationError(field, `${field} has ${names.length} variables; expected at most ${MAX_VARIABLES}.`);
  return names;
}

/** Numbered names by number, others by appearance. */
function inOrder(names: readonly string[]): readonly string[] {
  const numbered = names.map((name) => /^([A-Za-z_]+)(\d+)$/.exec(name));
  const stem = numbered[0]?.[1];
  if (stem === undefined || numbered.some((match) => match?.[1] !== stem)) return names;
  return [...names].sort((a, b) => Number(a.slice(stem.length)) - Number(b.slice(stem.length)));
}

function shapeFor(expression: Expression, names: readonly string[]): Shape {
  const used = symbolsOf(expression);
  return { expression, locals: names.filter((name) => used.has(name)), constants: [] };
}

/** A row of one expression. */
export function rowFor(kind: Row['kind'], expression: Expression, names: readonly string[]): Row {
  const shape = shapeFor(expression, names);
  return {
    kind,
    elements: [
      elementOf(
        shape,
        shape.locals.map((name) => names.indexOf(name)),
      ),
    ],
  };
}

function functionOf(text: string, { variables }: OptInput): OwnModel {
  const tree = parseField('expression', text);
  const names = variablesOf([tree], variables, 'expression');
  return { model: { names, rows: [rowFor('plain', tree, names)] } };
}

function residualsOf(text: string, { variables }: OptInput): OwnModel {
  const trees = linesOf('residuals', text).map(([line, one]) => parseField('residuals', one, line));
  const names = variablesOf(trees, variables, 'residuals');
  return { model: { names, rows: trees.map((tree) => rowFor('squared', tree, names)) } };
}

export const join = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
  start: 0,
  end: 0,
});

function fitOf(text: string, { model, response, sigma, variables }: OptInput): OwnModel {
  if (model === undefined)
    throw validationError('model', 'model is missing; data needs an expression such as a*exp(-b*t).', 'MISSING');
  const columns = parseColumns(text);
  const { names: titles, rows } = columns;
  const named = (field: string, name: string) => {
    if (titles.includes(name)) return name;
    throw validationError(
      field,
      `${field} is ${name}; the columns of data are ${titles.join(', ')}.`,
      'UNKNOWN_COLUMN',
    );
  };
  const weight = sigma === undefined ? undefined : named('sigma', sigma);
  const last = titles.filter((title) => title !== weight).at(-1) ?? '';
  const target = response === undefined ? last : named('response', response);
  if (target === weight) throw validationError('sigma', `sigma and response are both ${target}.`);
  const tree = parseField('model', model);
  const used = symbolsOf(tree);
  if (used.has(target))
    throw validationError('model', `model reads ${target}, the column that it is fitted to; expected the others.`);
  const parameters = [...used].filter((name) => !titles.includes(name));
  const names = parametersOf(parameters, variables);
  if (rows.length < names.length + 1)
    throw validationError(
      'data',
      `data has ${rows.length} rows; ${names.length} parameters need at least ${names.length + 1}.`,
      'TOO_FEW',
    );
  const predictors = titles.filter((title) => used.has(title));
  const read = [...predictors, target, ...(weight === undefined ? [] : [weight])];
  const symbol = (name: string): Expression => ({ kind: 'symbol', name, start: 0, end: 0 });
  const difference = join('-', tree, symbol(target));
  const expression = weight === undefined ? difference : join('/', difference, symbol(weight));
  const shape = { expression, locals: names, constants: read };
  const all = names.map((_, j) => j);
  const positions = read.map((name) => titles.indexOf(name));
  const squares = rows.map((row, i): Row => {
    if (weight !== undefined && !((row[titles.indexOf(weight)] ?? 0) > 0))
      throw validationError(
        'data',
        `data, row ${i + 1}: ${weight} is ${row[titles.indexOf(weight)]}; expected more than 0.`,
      );
    return {
      kind: 'squared',
      elements: [
        elementOf(
          shape,
          all,
          positions.map((k) => row[k] ?? 0),
        ),
      ],
    };
  });
  return { model: { names, rows: squares }, fit: { columns, response: target, sigma: weight, predictors } };
}

function parametersOf(parameters: readonly string[], given: string | undefined): readonly string[] {
  if (parameters.length === 0)
    throw validationError('model', 'model has no parameter: every name is a column of data.', 'MISSING');
  const tree = parameters.map((name): Expression => ({ kind: 'symbol', name, start: 0, end: 0 }));
  return variablesOf(tree, given, 'model');
}
