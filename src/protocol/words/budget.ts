// The budget of an uncertainty in words: what each source means, and how much of ± it makes up.

import { isRecord } from '../../core/record.ts';
import { combined, UNCERTAINTY_SOURCES, type UncertaintySource } from '../../core/uncertainty.ts';
import type { Untrusted } from '../untrusted.ts';

/** What a source is, for readers who have not read docs/uncertainty.md. */
export const SOURCE_WORDS: Readonly<Record<UncertaintySource, string>> = {
  rounding: 'rounding of the arithmetic and of the given numbers',
  discretisation: 'error of the numerical method',
  iteration: 'what the iteration left',
  constants: 'physical constants are known only so well',
  inputs: 'the uncertainties given with the inputs',
  propagation: 'inputs and constants through a law that is not straight',
  statistics: 'the run is a sample',
  model: 'the law itself is approximate',
};

export interface BudgetPart {
  readonly source: UncertaintySource;
  readonly kind: 'bound' | 'standard';
  readonly value: number;
}

const MAX_PARTS = 24;

/** The budget of a receipt of anybody; what has no form of one is left out. */
export function budgetOf({
  uncertainty_budget: parts,
}: Untrusted): readonly (BudgetPart & { readonly unit: string })[] {
  return (Array.isArray(parts) ? parts : []).slice(0, MAX_PARTS).flatMap((part) => {
    const { source, kind, value, unit } = isRecord(part) ? part : {};
    const known = UNCERTAINTY_SOURCES.find((name) => name === source);
    if (known === undefined || (kind !== 'bound' && kind !== 'standard')) return [];
    if (typeof value !== 'number' || !(value >= 0) || typeof unit !== 'string') return [];
    return [{ source: known, kind, value, unit }];
  });
}

/** Share of ± from which a source names it. */
const MOST = 0.5;

/** Shares of a budget in its ±, which add up to 1: standards share what they make together by their squares. */
export function sharesOf<Part extends BudgetPart>(
  budget: readonly Part[],
): readonly (Part & { readonly share: number })[] {
  const total = combined(budget.map((part) => ({ ...part, basis: '' })));
  const standards = budget.filter(({ kind }) => kind === 'standard');
  const ofStandards = combined(standards.map((part) => ({ ...part, basis: '' })));
  const largest = Math.max(...standards.map(({ value }) => value), 0);
  const squares = standards.reduce((sum, { value }) => sum + (value / largest) * (value / largest), 0);
  return budget.map((part) => {
    const width =
      part.kind === 'bound' ? part.value : (ofStandards * (part.value / largest) * (part.value / largest)) / squares;
    return { ...part, share: total > 0 ? width / total : 0 };
  });
}

/** The source that makes up most of ±; undefined if none does, or the budget is empty. */
export function mainSourceOf(budget: readonly BudgetPart[]): UncertaintySource | undefined {
  const bySource = new Map<UncertaintySource, number>();
  for (const { source, share } of sharesOf(budget)) bySource.set(source, (bySource.get(source) ?? 0) + share);
  return [...bySource].find(([, share]) => share > MOST)?.[0];
}

/** `62 %`; a share below a hundredth is `< 1 %`. */
export const shareText = (share: number) => (share < 0.01 ? '< 1 %' : `${Math.round(100 * share)} %`);
