// Receipts of laws whose results entered the inputs of a solver: each is the one that the inputs name, of the law that they
// ask for, and says what they say.

import { isRecord } from '../core/record.ts';
import type { Computed, LawRequest } from '../solvers/computed-laws.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import type { Outcome } from './outcome.ts';
import { receiptSha256 } from './seal.ts';
import type { Untrusted } from './untrusted.ts';

export interface NamedReceipt {
  readonly label: string;
  readonly receipt: Untrusted;
}

/** The receipts that the inputs name; an outcome if one is missing or says something else. */
export function namedReceipts(
  { laws }: Pick<SolverDefinition, 'laws'>,
  { inputs, receipts }: Untrusted,
): readonly NamedReceipt[] | Exclude<Outcome, undefined> {
  if (laws === undefined || !isRecord(inputs)) return [];
  const held = (Array.isArray(receipts) ? receipts : []).filter(isRecord);
  const named: NamedReceipt[] = [];
  for (const { law, computed } of laws.computed(inputs)) {
    if (computed.receipt === undefined) return { notCompared: `${law.label} was computed without a receipt.` };
    const receipt = held.find((one) => hashOf(one) === computed.receipt);
    if (receipt === undefined) return { notCompared: `The receipt of ${law.label.toLowerCase()} is not here.` };
    const fault = faultOf(law, computed, receipt);
    if (fault !== undefined) return { fault: `${law.label}: ${fault}` };
    named.push({ label: law.label, receipt });
  }
  return named;
}

/** Undefined for what is no receipt. */
function hashOf(receipt: Untrusted): string | undefined {
  try {
    return receiptSha256(receipt);
  } catch {
    return undefined;
  }
}

function faultOf(law: LawRequest, computed: Computed, receipt: Untrusted): string | undefined {
  for (const name of ['operator_id', 'value', 'unit', 'uncertainty', 'converged'] as const)
    if (!Object.is(receipt[name], computed[name])) return `its receipt has another ${name}.`;
  const { inputs } = receipt;
  const names = Object.keys(law.inputs);
  const isSame =
    isRecord(inputs) &&
    Object.keys(inputs).length === names.length &&
    names.every((name) => inputs[name] === law.inputs[name]);
  return isSame ? undefined : 'its receipt has other inputs.';
}
