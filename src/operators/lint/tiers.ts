// Tiers of a domain: few definitions and enough advanced laws. Only a warning: some fields have few advanced laws.

import type { OperatorRecord } from '../operator.ts';
import { type Diagnostic, warning } from './diagnostic.ts';

const MAX_DEFINITIONS = 0.2;
const MIN_ADVANCED = 0.15;

export function checkTiers(records: readonly OperatorRecord[]): Diagnostic[] {
  const share = (tier: number) => records.filter((record) => record.tier === tier).length / records.length;
  const percent = (x: number) => `${Math.round(100 * x)} %`;
  const diagnostics: Diagnostic[] = [];
  if (share(0) > MAX_DEFINITIONS) {
    const text = `${percent(share(0))} of the domain are tier 0, at most ${percent(MAX_DEFINITIONS)} are expected`;
    diagnostics.push(warning(text, 'A derived or empirical relation is tier 2; take laws in place of definitions.'));
  }
  if (share(3) < MIN_ADVANCED) {
    const text = `${percent(share(3))} of the domain are tier 3, at least ${percent(MIN_ADVANCED)} are expected`;
    diagnostics.push(warning(text, 'Take advanced laws of the list where the field has them.'));
  }
  return diagnostics;
}
