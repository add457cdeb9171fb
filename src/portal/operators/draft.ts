// What stands in an operator's form, what it means, and how an address says it: `?n=3&L=2.5±0.1 nm`, as the CLI does.

import { DomainError } from '../../core/errors.ts';
import { show } from '../../core/validation.ts';
import { bindOperator } from '../../operators/evaluate.ts';
import type { OperatorExample } from '../../operators/operator.ts';
import type { Quantities } from '../../protocol/chain-request.ts';
import { type TypedNumber, typedNumber } from '../kit/typed-number.ts';
import type { FullOperator } from './registry.ts';

/** All texts, as they were typed; an empty value leaves the choice to the operator. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
  /** Standard uncertainty, in the same unit. */
  readonly sigma: string;
}

/** By symbol. */
export type Draft = Readonly<Record<string, Quantity>>;

export interface Reading {
  readonly quantities: Quantities;
  /** One sentence for each symbol that cannot be read. */
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

export function readDraft(operator: FullOperator, draft: Draft): Reading {
  const inputs: Record<string, number> = {};
  const units: Record<string, string> = {};
  const uncertainties: Record<string, number> = {};
  const faults: Record<string, string> = {};
  for (const [symbol, { unit: declared, integer: isWhole = false }] of Object.entries(operator.inputs)) {
    const { value, unit, sigma } = draft[symbol] ?? { value: '', unit: declared, sigma: '' };
    if (value.trim() === '') continue;
    const number = typedNumber(value, { name: symbol, isWhole });
    if ('fault' in number) faults[symbol] = number.fault;
    else inputs[symbol] = number.value;
    if (unit.trim() !== declared && unit.trim() !== '') units[symbol] = unit.trim();
    if (sigma.trim() === '') continue;
    const deviation = readDeviation(symbol, sigma);
    if ('fault' in deviation) faults[symbol] ??= deviation.fault;
    else uncertainties[symbol] = deviation.value;
  }
  for (const { path, message } of faultsOf(operator, inputs, units)) {
    const symbol = path.slice(path.indexOf('.') + 1);
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

function readDeviation(symbol: string, sigma: string): TypedNumber {
  const name = `The uncertainty of ${symbol}`;
  const expected = 'a finite number from 0';
  const read = typedNumber(sigma, { name, isWhole: false, expected });
  if ('fault' in read || (read.value >= 0 && Number.isFinite(read.value))) return read;
  return { fault: `${name} is ${show(sigma)}; ${expected} is expected.` };
}

/** The same refusals, in the same words, as the service has. */
function faultsOf(operator: FullOperator, inputs: Quantities['inputs'], units: Readonly<Record<string, string>>) {
  try {
    bindOperator(operator, inputs, units);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details;
  }
}

const path = (id: string) => `/operators/${id}`;

/** @returns the operator's address alone where the draft is its first example, as a page opens it */
export function addressOf(operator: FullOperator, draft: Draft): string {
  const standard = draftOf(operator, operator.examples[0]);
  if (Object.keys(standard).every((symbol) => isSame(standard[symbol], draft[symbol]))) return path(operator.id);
  const query = new URLSearchParams();
  for (const [symbol, { unit: declared }] of Object.entries(operator.inputs)) {
    const { value = '', unit = declared, sigma = '' } = draft[symbol] ?? {};
    if (value !== '' || sigma !== '' || unit !== declared)
      query.set(symbol, `${value}${sigma === '' ? '' : `±${sigma}`}${unit === declared ? '' : ` ${unit}`}`);
  }
  const text = query.toString();
  return `${path(operator.id)}?${text === '' ? EMPTY : text}`;
}

const isSame = (a: Quantity | undefined, b: Quantity | undefined) =>
  a?.value === b?.value && a?.unit === b?.unit && a?.sigma === b?.sigma;

/** Nothing is filled in; no symbol begins so. */
const EMPTY = '-';

/** What the address says, as it came; its first example where it says nothing. */
export function draftFrom(operator: FullOperator, search: string): Draft {
  const query = new URLSearchParams(search);
  const isSaid = query.has(EMPTY) || Object.keys(operator.inputs).some((symbol) => query.has(symbol));
  const draft: Record<string, Quantity> = { ...draftOf(operator, isSaid ? undefined : operator.examples[0]) };
  for (const [symbol, { unit }] of Object.entries(operator.inputs)) {
    const [, value = '', sigma = '', given = ''] = /^([^±\s]*)(?:±(\S*))?\s*(.*)$/s.exec(query.get(symbol) ?? '') ?? [];
    if (query.has(symbol)) draft[symbol] = { value, sigma, unit: given === '' ? unit : given };
  }
  return draft;
}
