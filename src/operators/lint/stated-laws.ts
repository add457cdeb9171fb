// Stated laws: operators that the specification defines have its equation, inputs and units.
//
// stated-laws.json holds the 22 fixed ids and the 41 kernel terms KO1 to KO41. Equations are compared as canonical
// trees: factors may have another order, a quotient may be a power, and intermediate expressions are free. A point
// where the stated equation has no value may be filled with its limit: `phi == 0 ? 0 : ...`.

import { printDimension, sameDimension } from '../../core/units/dimension.ts';
import type { Unit } from '../../core/units.ts';
import type { Expression } from '../../expressions/tree.ts';
import { unitOf } from '../unit-table.ts';
import { canonical } from './canonical.ts';
import { namedText } from './colouring.ts';
import { type Diagnostic, error, open } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import { exampleRows } from './examples.ts';
import { printNumber } from './normal-form.ts';
import { parseOperator } from './parsed-operator.ts';
import { type PreparedOperator, prepareOperator } from './prepared-operator.ts';
import STATED from './stated-laws.json' with { type: 'json' };

interface StatedLaw {
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  /** Any symbol is allowed if none is given. */
  readonly output: { readonly symbol?: string; readonly unit: string };
  readonly inputs: Readonly<Record<string, StatedInput>>;
  readonly constants?: Readonly<Record<string, string | { value: number; unit: string; note: string }>>;
}

interface StatedInput {
  readonly unit: string;
  readonly default?: number;
  /** Requires a default, of any value. */
  readonly optional?: boolean;
}

const LAWS: ReadonlyMap<string, StatedLaw> = new Map<string, StatedLaw>(Object.entries(STATED));

const FIX = 'The specification fixes this law: write it as stated in src/operators/lint/stated-laws.json.';

/** The `ids` that a complete domain must have. */
export function statedIds(ids: readonly string[]): string[] {
  return ids.filter((id) => LAWS.has(id));
}

export function checkMissing(ids: readonly string[], isComplete: boolean): Diagnostic[] {
  if (ids.length === 0) return [];
  const report = isComplete ? error : open;
  return [report(`${ids.join(', ')} of the specification are missing`, FIX)];
}

export function checkStated(prepared: PreparedOperator, evaluator: Evaluator): Diagnostic[] {
  const law = LAWS.get(prepared.operator.id);
  if (law === undefined) return [];
  const stated = prepareStated(prepared, law);
  const diagnostics: string[] = [];
  const { operator, output } = prepared;
  if (law.output.symbol !== undefined && law.output.symbol !== operator.output.symbol) {
    diagnostics.push(`the output is called ${operator.output.symbol}, stated is ${law.output.symbol}`);
  }
  if (!isSameUnit(output, stated.output)) {
    diagnostics.push(`the output is in ${operator.output.unit}, stated is ${law.output.unit}`);
  }
  const names = new Set([...Object.keys(law.inputs), ...Object.keys(operator.inputs)]);
  for (const name of names) diagnostics.push(...differences(name, law.inputs[name], prepared));
  if (diagnostics.length > 0) return diagnostics.map((text) => error(text, FIX));
  const own = { ...prepared, expanded: withoutFilledPoint(prepared, stated, evaluator) };
  if (namedLaw(own) !== namedLaw(stated)) {
    diagnostics.push(`the equation is not the stated one: ${law.equation}`);
  }
  return diagnostics.map((text) => error(text, FIX));
}

function differences(name: string, stated: StatedInput | undefined, prepared: PreparedOperator): string[] {
  const own = prepared.inputs.find((input) => input.name === name);
  if (stated === undefined) return [`the input ${name} is not in the stated law`];
  if (own === undefined) return [`the input ${name} is missing`];
  const found: string[] = [];
  const unit = unitOf(stated.unit);
  if (!isSameUnit(own.unit, unit)) found.push(`the input ${name} is in ${own.declared.unit}, stated is ${stated.unit}`);
  const { default: given } = own.declared;
  if (stated.optional === true && given === undefined) found.push(`the input ${name} needs a default`);
  if (stated.default !== undefined && given !== stated.default) {
    found.push(`the default of ${name} is ${given ?? 'not given'}, stated is ${stated.default}`);
  }
  return found;
}

/** Equal factor and dimension; a count and a pure number are the same. */
function isSameUnit(a: Unit, b: Unit): boolean {
  return a.factor === b.factor && sameDimension(a.dimension, b.dimension);
}

function prepareStated({ operator }: PreparedOperator, law: StatedLaw): PreparedOperator {
  const [symbol = ''] = law.equation.split(' = ');
  const inputs = Object.fromEntries(
    Object.entries(law.inputs).map(([name, { unit }]) => [name, { unit, description: '' }]),
  );
  const output = { symbol, unit: law.output.unit };
  const { where = {}, constants = {} } = law;
  const parsed = parseOperator({ ...operator, equation: law.equation, where, output, inputs, constants });
  const prepared = 'equation' in parsed ? prepareOperator(parsed) : parsed;
  if (!('program' in prepared))
    throw new Error(`stated-laws.json, ${operator.id}: ${prepared.map(({ text }) => text).join('; ')}`);
  return prepared;
}

/** The law but for a point that it fills, where the stated one has no value. */
function withoutFilledPoint(prepared: PreparedOperator, stated: PreparedOperator, evaluator: Evaluator): Expression {
  const { expanded, program } = prepared;
  if (expanded.kind !== 'choice' || expanded.yes.kind !== 'number') return expanded;
  const { condition, no } = expanded;
  if (condition.kind !== 'binary' || condition.operator !== '==') return expanded;
  const { left, right } = condition;
  const row = exampleRows(prepared).rows[0]?.row;
  if (left.kind !== 'symbol' || right.kind !== 'number' || row === undefined) return expanded;
  const values = new Map([
    ...program.slots.map((name, i) => [name, row[i] ?? 0] as const),
    ...stated.constants.map(({ name, value }) => [name, value] as const),
    [left.name, right.value],
  ]);
  const [value] = evaluator.values(stated.program, [stated.program.slots.map((name) => values.get(name) ?? 0)]);
  return Number.isNaN(value) ? no : expanded;
}

/** Inputs by name, constants by value and unit or CODATA name. */
function namedLaw(prepared: PreparedOperator): string {
  const meaning = new Map(
    prepared.constants.map(({ name, title, value, unit }) => [
      name,
      title === undefined ? `${printNumber(value)}[${printDimension(unit.dimension)}]` : `"${title}"`,
    ]),
  );
  return namedText(canonical(prepared.expanded), meaning);
}
