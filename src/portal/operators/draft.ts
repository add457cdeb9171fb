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

/** Quantities by symbol. */
export type Draft = Readonly<Record<string, Quantity>>;

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
  for (const [symbol, { unit: declared, integer: isWhole = false }] of Object.entries(operator.inputs)) {
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
  for (const { path: operatorPath, message } of validationErrors(operator, inputs, units)) {
    const symbol = operatorPath.slice(operatorPath.indexOf('.') + 1);
    faults[symbol] ??= message.replace(`${operator.id}.`, '').replace(' [1]', '');
  }
  return {
    quantities: {
      inputs,
      ...(Object.keys(units).length === 0 ? {} : { units }),
      ...(Object.keys(uncertainties).length === 0 ? {} : { uncertainties }),
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
) {
  try {
    bindOperator(operator, inputs, units);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details;
  }
}

const path = (id: string) => `/operators/${id}`;

/** @returns the operator's URL without a query if the draft is its first example, which is the default */
export function urlOf(operator: FullOperator, draft: Draft): string {
  const defaults = draftOf(operator, operator.examples[0]);
  if (Object.keys(defaults).every((symbol) => isEqual(defaults[symbol], draft[symbol]))) return path(operator.id);
  const query = new URLSearchParams();
  for (const [symbol, { unit: declared }] of Object.entries(operator.inputs)) {
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
  const hasValues = query.has(EMPTY) || Object.keys(operator.inputs).some((symbol) => query.has(symbol));
  const draft: Record<string, Quantity> = { ...draftOf(operator, hasValues ? undefined : operator.examples[0]) };
  for (const [symbol, { unit }] of Object.entries(operator.inputs)) {
    const [, value = '', sigma = '', given = ''] = /^([^±\s]*)(?:±(\S*))?\s*(.*)$/s.exec(query.get(symbol) ?? '') ?? [];
    if (query.has(symbol)) draft[symbol] = { value, sigma, unit: given === '' ? unit : given };
  }
  return draft;
}
