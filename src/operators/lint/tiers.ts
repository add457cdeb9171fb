// Tier mix of a domain: few definitions, enough of what is hard. Only a warning: some fields have no special functions.

import type { OperatorRecord } from '../operator.ts';
import { type Complaint, warning } from './finding.ts';

const MOST_DEFINITIONS = 0.2;
const LEAST_ADVANCED = 0.15;

export function checkTiers(records: readonly OperatorRecord[]): Complaint[] {
  const share = (tier: number) => records.filter((record) => record.tier === tier).length / records.length;
  const percent = (x: number) => `${Math.round(100 * x)} %`;
  const complaints: Complaint[] = [];
  if (share(0) > MOST_DEFINITIONS) {
    const text = `${percent(share(0))} of the domain are tier 0, at most ${percent(MOST_DEFINITIONS)} are wanted`;
    complaints.push(warning(text, 'A derived or empirical relation is tier 2; take laws in place of definitions.'));
  }
  if (share(3) < LEAST_ADVANCED) {
    const text = `${percent(share(3))} of the domain are tier 3, at least ${percent(LEAST_ADVANCED)} are wanted`;
    complaints.push(warning(text, 'Take advanced laws of the list where the field has them.'));
  }
  return complaints;
}
