// Inputs of a receipt in words: each with its unit as it is held, and beside it the name and the value in SI.

import { groupDigits, shortText } from '../../core/plain-text.ts';
import { isRecord } from '../../core/record.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { fieldWords } from '../../solvers/request.ts';
import type { Untrusted } from '../untrusted.ts';
import type { ReceiptLaw } from './definitions.ts';
import type { ReceiptLine } from './line.ts';
import { coherentText, exactText } from './numbers.ts';
import { previewValue } from './preview.ts';

const MAX_INPUTS = 40;
const MAX_NAME_CHARACTERS = 60;
const MAX_WORDS_CHARACTERS = 160;

interface Meaning {
  readonly unit: string | undefined;
  /** Whether the receipt itself holds the unit. */
  readonly isHeld: boolean;
  /** Whether the unit is one of core/units; a solver's `t` is a time in units of the problem, and no tonne. */
  readonly isPhysical: boolean;
  readonly name: string | undefined;
}

/** @param solver  only if this program has the kernel that made the receipt */
export function solverInputs(envelope: Untrusted, solver: SolverDefinition | undefined): readonly ReceiptLine[] {
  const words = solver === undefined ? {} : fieldWords(solver);
  return inputLines(envelope, (key) => {
    const field = own(words, key);
    return { unit: field?.unit, isHeld: false, isPhysical: false, name: field?.name };
  });
}

/** @param mayComplete  whether a missing unit may come from this program's law, because its kernel is the same */
export function lawInputs(
  envelope: Untrusted,
  laws: readonly ReceiptLaw[],
  mayComplete: boolean,
): readonly ReceiptLine[] {
  const given = inputLines(envelope, (key) => meaningIn(laws, key, mayComplete));
  return [...given, ...derivedInputs(envelope, laws)];
}

/** Units of the numeric inputs, for a file that a program writes about its own result. */
export function inputUnitsOf(
  result: Untrusted,
  laws: readonly ReceiptLaw[],
  solver: SolverDefinition | undefined,
): Readonly<Record<string, string>> {
  const { inputs, consts, units } = result;
  const words = solver === undefined ? {} : fieldWords(solver);
  return Object.fromEntries(
    [...entriesOf(inputs), ...entriesOf(consts)].flatMap(([key, value]) => {
      const given = isRecord(units) ? own(units, key) : undefined;
      const unit = given ?? own(words, key)?.unit ?? meaningIn(laws, key, false).unit;
      return typeof value === 'number' && typeof unit === 'string' ? [[key, unit]] : [];
    }),
  );
}

/** Meaning of the key `v` or `CM9.v` in the first law that takes it. */
function meaningIn(laws: readonly ReceiptLaw[], key: string, mayComplete: boolean): Meaning {
  const [, id, symbol = key] = /^([^.]*)\.(.*)$/s.exec(key) ?? [];
  for (const { id: lawId, inputs, output, comparison, known } of laws) {
    if (id !== undefined && lawId !== id) continue;
    // The value of a law whose unknown was asked for.
    if (output.symbol === symbol && !inputs.has(symbol) && laws.length === 1)
      return { unit: output.unit, isHeld: output.unit !== undefined, isPhysical: true, name: undefined };
    const held = inputs.get(symbol);
    const isUsable = comparison === 'same' || (comparison === 'absent' && mayComplete);
    const words = isUsable && known ? own(known.inputs, symbol) : undefined;
    if (held === undefined && words === undefined) continue;
    const unit = held?.unit ?? words?.unit;
    return { unit, isHeld: held?.unit !== undefined, isPhysical: true, name: words?.name };
  }
  return { unit: undefined, isHeld: false, isPhysical: true, name: undefined };
}

function inputLines(envelope: Untrusted, meaningOf: (key: string) => Meaning): ReceiptLine[] {
  const { inputs, consts, units, uncertainties } = envelope;
  const given = [...entriesOf(inputs), ...entriesOf(consts)];
  const lines = given.slice(0, MAX_INPUTS).map(([key, value]): ReceiptLine => {
    const meaning = meaningOf(key);
    const callers = isRecord(units) ? own(units, key) : undefined;
    const unit = typeof callers === 'string' ? callers : meaning.unit;
    const isHeld = typeof callers === 'string' || meaning.isHeld;
    const sigma = isRecord(uncertainties) ? own(uncertainties, key) : undefined;
    return inputLine(key, value, typeof sigma === 'number' ? sigma : undefined, { ...meaning, unit, isHeld });
  });
  const rest = given.length - lines.length;
  if (rest <= 0) return lines;
  const text = `${groupDigits(rest)} of ${groupDigits(given.length)} are not shown`;
  return [...lines, { kind: 'input', label: 'More inputs', text, added: [] }];
}

function inputLine(key: string, value: unknown, sigma: number | undefined, meaning: Meaning): ReceiptLine {
  const { unit, isHeld, isPhysical, name = '' } = meaning;
  const label = `Input ${shortText(key, MAX_NAME_CHARACTERS)}`;
  const words = name === '' ? [] : [shortText(name, MAX_WORDS_CHARACTERS)];
  if (typeof value !== 'number') return { kind: 'input', label, text: previewValue(value), added: words };
  const text = exactText(value, sigma, isHeld ? unit : undefined);
  if (unit === undefined) return { kind: 'input', label, text, added: ['unit unknown', ...words] };
  const coherent = isPhysical ? coherentText(value, sigma, unit) : undefined;
  const added = [
    ...(isHeld || unit === '1' ? [] : [`unit ${shortText(unit)}`]),
    ...(coherent === undefined ? [] : [coherent]),
    ...words,
  ];
  return { kind: 'input', label, text, added };
}

/** Inputs that the caller did not give: defaults of the laws, and values of earlier laws. */
function derivedInputs({ inputs, consts }: Untrusted, laws: readonly ReceiptLaw[]): ReceiptLine[] {
  const given = new Set([...entriesOf(inputs), ...entriesOf(consts)].map(([key]) => key));
  return laws
    .flatMap(({ id, inputs: declared }, index) =>
      [...declared].flatMap(([symbol, { unit, default: standard }]): ReceiptLine[] => {
        if (given.has(symbol) || given.has(`${id}.${symbol}`)) return [];
        const label = `Input ${shortText(symbol, MAX_NAME_CHARACTERS)}`;
        const source = laws.slice(0, index).findLast(({ output }) => output.symbol === symbol);
        if (source !== undefined)
          return [{ kind: 'input', label, text: `the result of ${shortText(source.id, 40)}`, added: [] }];
        if (standard === undefined) return [];
        return [{ kind: 'input', label, text: exactText(standard, undefined, unit), added: ['default of the law'] }];
      }),
    )
    .slice(0, MAX_INPUTS);
}

const entriesOf = (value: unknown) => (isRecord(value) ? Object.entries(value) : []);

/** The own field of a record; a stranger's key may be the name of an inherited one. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
