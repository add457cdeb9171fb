// Subject of a receipt in a few words: its computation, as the reading program names it.

import { COMPUTE } from '../chain-computation.ts';
import type { Untrusted } from '../untrusted.ts';
import { lawsOf, type ReceiptLaw } from '../words/definitions.ts';
import type { ReaderKnowledge } from '../words/describe.ts';

const MAX_NAMED = 3;

/**
 * `Translational kinetic energy (CM9)`. A law has its registered name only if the receipt holds the registered
 * definition: anybody can write another one under its id.
 */
export function citedSubject(envelope: Untrusted, knowledge: ReaderKnowledge): string {
  const { solver, operator_id: maker, solve_for: unknown } = envelope;
  if (typeof maker === 'string' && maker.startsWith('own:')) return `Equations of the caller (${maker})`;
  if (solver !== COMPUTE)
    return (typeof solver === 'string' ? knowledge.solver(solver)?.title : undefined) ?? `Solver ${solver}`;
  const laws = lawsOf(envelope, knowledge);
  const named = laws.slice(0, MAX_NAMED).map(nameOf).join(', ');
  const rest = laws.length - MAX_NAMED;
  return `${named}${rest > 0 ? ` and ${rest} more` : ''}${typeof unknown === 'string' ? `, solved for ${unknown}` : ''}`;
}

function nameOf({ id, comparison, known, equation }: ReceiptLaw): string {
  if (comparison === 'same' && known !== undefined) return `${known.name} (${id})`;
  return `${id}${equation === undefined ? '' : `: ${equation}`} (not as registered)`;
}
