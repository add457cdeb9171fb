// A law that a solver takes the result of, computed in this thread without a receipt. Needs the registry.

import { findDomain } from '../operators/find-domain.ts';
import type { ComputeLaw } from '../solvers/computed-laws.ts';
import { computeHere } from './compute-here.ts';

/** @throws DomainError  as `computeHere`; DOMAIN_UNKNOWN also without inputs */
export const computeLawHere: ComputeLaw = async ({ domain, inputs }) => {
  if (Object.keys(inputs).length === 0) {
    findDomain(domain);
    return undefined;
  }
  const { results = [], converged } = await computeHere({ domain, inputs });
  const last = results.at(-1);
  if (last === undefined) throw new Error('A chain of operators has a result.');
  return { ...last, converged };
};
