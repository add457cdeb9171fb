// Stated laws: the ids that the specification names have the equation, the inputs and the units that it gives them.
//
// stated-laws.json holds the 22 fixed ids and the 41 kernel terms KO1 to KO41. Equations are compared as canonical
// trees: a product may be written in another order, a quotient as a power, and intermediate expressions are free.

import { printDimension, sameDimension } from '../../core/units/dimension.ts';
import type { Unit } from '../../core/units.ts';
import { unitOf } from '../unit-table.ts';
import { canonical } from './canonical.ts';
import { namedText } from './colouring.ts';
import { type Complaint, error, open } from './finding.ts';
import { printNumber } from './normal-form.ts';
import STATED from './stated-laws.json' with { type: 'json' };
import { parseOperator } from './subject.ts';
import { prepareTrial, type Trial } from './trial.ts';

interface StatedLaw {
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  /** Without a symbol, the symbol is free. */
  readonly output: { readonly symbol?: string; readonly unit: string };
  readonly inputs: Readonly<Record<string, StatedInput>>;
  readonly constants?: Readonly<Record<string, string | { value: number; unit: string; note: string }>>;
}

interface StatedInput {
  readonly unit: string;
  readonly default?: number;
  /** Has some default. */
  readonly optional?: boolean;
}

const LAWS: ReadonlyMap<string, StatedLaw> = new Map<string, StatedLaw>(Object.entries(STATED));

const MEND = 'The specification fixes this law: write it as stated in src/operators/lint/stated-laws.json.';

/** Those of `ids` that a complete domain cannot lack. */
export function statedIds(ids: readonly string[]): string[] {
  return ids.filter((id) => LAWS.has(id));
}

export function checkMissing(ids: readonly string[], isComplete: boolean): Complaint[] {
  if (ids.length === 0) return [];
  const judge = isComplete ? error : open;
  return [judge(`the specification names ${ids.join(', ')}, not written yet`, MEND)];
}

export function checkStated(trial: Trial): Complaint[] {
  const law = LAWS.get(trial.operator.id);
  if (law === undefined) return [];
  const stated = statedTrial(trial, law);
  const complaints: string[] = [];
  const { operator, output } = trial;
  if (law.output.symbol !== undefined && law.output.symbol !== operator.output.symbol) {
    complaints.push(`the output is called ${operator.output.symbol}, stated is ${law.output.symbol}`);
  }
  if (!isSameUnit(output, stated.output)) {
    complaints.push(`the output is in ${operator.output.unit}, stated is ${law.output.unit}`);
  }
  const names = new Set([...Object.keys(law.inputs), ...Object.keys(operator.inputs)]);
  for (const name of names) complaints.push(...differences(name, law.inputs[name], trial));
  if (complaints.length === 0 && namedLaw(trial) !== namedLaw(stated)) {
    complaints.push(`the equation is not the stated one: ${law.equation}`);
  }
  return complaints.map((text) => error(text, MEND));
}

function differences(name: string, stated: StatedInput | undefined, trial: Trial): string[] {
  const own = trial.inputs.find((input) => input.name === name);
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

/** One size and one dimension; a count and a pure number are the same. */
function isSameUnit(a: Unit, b: Unit): boolean {
  return a.factor === b.factor && sameDimension(a.dimension, b.dimension);
}

function statedTrial({ operator }: Trial, law: StatedLaw): Trial {
  const [symbol = ''] = law.equation.split(' = ');
  const inputs = Object.fromEntries(
    Object.entries(law.inputs).map(([name, { unit }]) => [name, { unit, description: '' }]),
  );
  const output = { symbol, unit: law.output.unit };
  const { where = {}, constants = {} } = law;
  const subject = parseOperator({ ...operator, equation: law.equation, where, output, inputs, constants });
  const trial = 'equation' in subject ? prepareTrial(subject) : subject;
  if (!('program' in trial))
    throw new Error(`stated-laws.json, ${operator.id}: ${trial.map(({ text }) => text).join('; ')}`);
  return trial;
}

/** Inputs by name, constants by what they are. */
function namedLaw(trial: Trial): string {
  const meaning = new Map(
    trial.constants.map(({ name, title, value, unit }) => [
      name,
      title === undefined ? `${printNumber(value)}[${printDimension(unit.dimension)}]` : `"${title}"`,
    ]),
  );
  return namedText(canonical(trial.expanded), meaning);
}
