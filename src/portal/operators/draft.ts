// Draft of an operator's form: parsing into quantities, and encoding in the URL as in the CLI, `?n=3&L=2.5±0.1 nm`.

import { DomainError } from '../../core/errors.ts';
import { quoteValue } from '../../core/validation.ts';
import { bindOperator } from '../../operators/evaluate.ts';
import type { OperatorExample } from '../../operators/operator.ts';
import type { Quantities } from '../../protocol/chain-request.ts';
import { type ParsedNumber, parseNumber } from '../kit/parse-number.ts';
import type { FullOperator } from './registry.ts';

/** Texts as typed; an empty value selects the operator's default. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
  /** Standard uncertainty, in the same unit. */
  readonly sigma: string;
}

/** Quantities by symbol, and the unknown under `SOLVE_FOR`. */
export type Draft = Readonly<Record<string, Quantity>>;

/** Keys of the unknown, and of the unit of the result, in a draft and in the URL; no symbol has these names. */
const SOLVE_FOR = 'solve_for';
const RESULT_UNIT = 'result_unit';

/** Unit that the page shows the result in; undefined for the sealed one. */
export const resultUnitOf = (draft: Draft): string | undefined => draft[RESULT_UNIT]?.value;

/** @param unit  undefined for the sealed one */
export function withResultUnit({ [RESULT_UNIT]: _, ...draft }: Draft, unit: string | undefined): Draft {
  return unit === undefined ? draft : { ...draft, [RESULT_UNIT]: { value: unit, unit: '', sigma: '' } };
}

/** The input that is asked for; undefined for the law's own output. */
export function unknownOf({ inputs }: FullOperator, draft: Draft): string | undefined {
  const symbol = draft[SOLVE_FOR]?.value ?? '';
  return Object.hasOwn(inputs, symbol) ? symbol : undefined;
}

/** @param value  of the law, as it was computed last */
export function withUnknown(operator: FullOperator, draft: Draft, symbol: string, value: number | undefined): Draft {
  const { [SOLVE_FOR]: _, ...numbers } = withResultUnit(draft, undefined);
  if (symbol === operator.output.symbol) return numbers;
  const { symbol: output, unit } = operator.output;
  const known = draft[output] ?? { value: value === undefined ? '' : String(value), unit, sigma: '' };
  return { ...numbers, [output]: known, [SOLVE_FOR]: { value: symbol, unit: '', sigma: '' } };
}

/** Fields of the form: the inputs, or the law's value in place of the unknown. */
export function fieldsOf(operator: FullOperator, draft: Draft): FullOperator['inputs'] {
  const unknown = unknownOf(operator, draft);
  if (unknown === undefined) return operator.inputs;
  const { symbol, unit } = operator.output;
  const others = Object.entries(operator.inputs).filter(([name]) => name !== unknown);
  return { [symbol]: { unit, description: `value of the law (${operator.name})` }, ...Object.fromEntries(others) };
}

export interface ParsedDraft {
  readonly quantities: Quantities;
  /** One sentence per invalid symbol. */
  readonly faults: Readonly<Record<string, string>>;
}

export function draftOf({ inputs }: FullOperator, example: OperatorExample | undefined): Draft {
  return Object.fromEntries(
    Object.entries(inputs).map(([symbol, { unit }]) => {
      const value = example?.inputs[symbol];
      return [symbol, { value: value === undefined ? '' : String(value), unit, sigma: '' }];
    }),
  );
}

export function parseDraft(operator: FullOperator, draft: Draft): ParsedDraft {
  const inputs: Record<string, number> = {};
  const units: Record<string, string> = {};
  const uncertainties: Record<string, number> = {};
  const faults: Record<string, string> = {};
  const unknown = unknownOf(operator, draft);
  for (const [symbol, { unit: declared, integer: isWhole = false }] of Object.entries(fieldsOf(operator, draft))) {
    const { value, unit, sigma } = draft[symbol] ?? { value: '', unit: declared, sigma: '' };
    if (value.trim() === '') continue;
    const number = parseNumber(value, { name: symbol, isWhole });
    if ('fault' in number) faults[symbol] = number.fault;
    else inputs[symbol] = number.value;
    if (unit.trim() !== declared && unit.trim() !== '') units[symbol] = unit.trim();
    if (sigma.trim() === '') continue;
    const uncertainty = parseUncertainty(symbol, sigma);
    if ('fault' in uncertainty) faults[symbol] ??= uncertainty.fault;
    else uncertainties[symbol] = uncertainty.value;
  }
  if (unknown !== undefined && inputs[operator.output.symbol] === undefined)
    faults[operator.output.symbol] ??= `${operator.output.symbol} is missing; a finite number is expected.`;
  for (const { path: operatorPath, message } of validationErrors(operator, inputs, units, unknown)) {
    const symbol = operatorPath.slice(operatorPath.indexOf('.') + 1);
    faults[symbol] ??= message.replace(`${operator.id}.`, '').replace(' [1]', '');
  }
  return {
    quantities: {
      inputs,
      ...(Object.keys(units).length === 0 ? {} : { units }),
      ...(Object.keys(uncertainties).length === 0 ? {} : { uncertainties }),
      ...(unknown === undefined ? {} : { solve_for: unknown }),
    },
    faults,
  };
}

function parseUncertainty(symbol: string, sigma: string): ParsedNumber {
  const name = `The uncertainty of ${symbol}`;
  const expected = 'a finite number from 0';
  const parsed = parseNumber(sigma, { name, isWhole: false, expected });
  if ('fault' in parsed || (parsed.value >= 0 && Number.isFinite(parsed.value))) return parsed;
  return { fault: `${name} is ${quoteValue(sigma)}; ${expected} is expected.` };
}

/** Validates with the service's own code, so that the messages are the same. */
function validationErrors(
  operator: FullOperator,
  inputs: Quantities['inputs'],
  units: Readonly<Record<string, string>>,
  unknown: string | undefined,
) {
  try {
    bindOperator(operator, inputs, units);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // What needs the unknown is checked at its roots.
    return error.details.filter(
      ({ path: at, code }) => unknown === undefined || (at !== `inputs.${unknown}` && code !== 'REQUIREMENT'),
    );
  }
}

const path = (id: string) => `/operators/${id}`;

/**
 * @param isComplete  names the inputs of the default too
 * @returns the operator's URL without a query if the draft is its first example, which is the default
 */
export function urlOf(operator: FullOperator, draft: Draft, isComplete = false): string {
  const defaults = draftOf(operator, operator.examples[0]);
  const unknown = unknownOf(operator, draft);
  const isDefault = Object.keys(defaults).every((symbol) => isEqual(defaults[symbol], draft[symbol]));
  const resultUnit = resultUnitOf(draft);
  if (!isComplete && isDefault && unknown === undefined && resultUnit === undefined) return path(operator.id);
  const query = new URLSearchParams({
    ...(unknown === undefined ? {} : { [SOLVE_FOR]: unknown }),
    ...(resultUnit === undefined ? {} : { [RESULT_UNIT]: resultUnit }),
  });
  for (const [symbol, { unit: declared }] of Object.entries(fieldsOf(operator, draft))) {
    const { value = '', unit = declared, sigma = '' } = draft[symbol] ?? {};
    if (value !== '' || sigma !== '' || unit !== declared)
      query.set(symbol, `${value}${sigma === '' ? '' : `±${sigma}`}${unit === declared ? '' : ` ${unit}`}`);
  }
  const text = query.toString();
  return `${path(operator.id)}?${text === '' ? EMPTY : text}`;
}

const isEqual = (a: Quantity | undefined, b: Quantity | undefined) =>
  a?.value === b?.value && a?.unit === b?.unit && a?.sigma === b?.sigma;

/** Query of an empty form; no symbol starts with it. */
const EMPTY = '-';

/** Reads the draft from the query, unvalidated; the first example if the query is empty. */
export function draftFromSearch(operator: FullOperator, search: string): Draft {
  const query = new URLSearchParams(search);
  const asked = { [SOLVE_FOR]: { value: query.get(SOLVE_FOR) ?? '', unit: '', sigma: '' } };
  const unknown = unknownOf(operator, asked);
  const hasValues = query.has(EMPTY) || Object.keys(operator.inputs).some((symbol) => query.has(symbol));
  const resultUnit = query.get(RESULT_UNIT);
  const draft: Record<string, Quantity> = {
    ...(resultUnit === null ? {} : { [RESULT_UNIT]: { value: resultUnit, unit: '', sigma: '' } }),
    ...draftOf(operator, hasValues || unknown !== undefined ? undefined : operator.examples[0]),
    ...(unknown === undefined ? {} : asked),
  };
  for (const [symbol, { unit }] of Object.entries(fieldsOf(operator, draft))) {
    const [, value = '', sigma = '', given = ''] = /^([^±\s]*)(?:±(\S*))?\s*(.*)$/s.exec(query.get(symbol) ?? '') ?? [];
    if (query.has(symbol)) draft[symbol] = { value, sigma, unit: given === '' ? unit : given };
  }
  return draft;
}
