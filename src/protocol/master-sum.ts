// The master equation, term by term, and which of its terms the problem has.
//
//   box(phi) - mu^2(r) phi - lambda phi^3 - exp(-phi/phi_c) + phi_42 Sum_{k=1..42} C_k(phi) = T^mu_mu + beta F F + J_ext

import type { Computation } from './computation.ts';

export interface MasterTerm {
  readonly term: string;
  readonly operator_id: string;
  readonly expression: string;
  readonly value: number;
  readonly unit: string;
  readonly included: boolean;
}

export interface MasterSum {
  readonly terms: readonly MasterTerm[];
  readonly total: number;
  readonly unit: string;
}

interface Result {
  readonly operator_id: string;
  readonly value: number;
  readonly unit: string;
}

/** Only the term that yields the value is included, so that the total is the value. The modulation is listed as 0. */
export function masterSum({ definitions, method, unit, options }: Computation, results: readonly Result[]): MasterSum {
  const last = results.at(-1);
  const terms = results.map(({ operator_id, value, unit: own }): MasterTerm => {
    const isLast = operator_id === last?.operator_id;
    const equation = definitions.find(({ id }) => id === operator_id)?.equation ?? method;
    return {
      term: isLast ? 'S' : operator_id,
      operator_id,
      expression: isLast ? method : equation,
      value,
      unit: own,
      included: isLast,
    };
  });
  const absent =
    options?.detail === 'full' ? ABSENT_TERMS.map((one) => ({ ...one, value: 0, unit, included: false })) : [];
  const modulation: MasterTerm = {
    term: 'modulation',
    operator_id: 'KO42',
    expression: 'alpha*sin(2*pi*f*t + phi0)',
    value: 0,
    unit,
    included: false,
  };
  return { terms: [...terms, modulation, ...absent], total: last?.value ?? 0, unit };
}

/** Terms that a closed form does not have. Those that a kernel operator represents carry its id. */
const ABSENT_TERMS = [
  { term: 'box', operator_id: 'none', expression: 'box(phi)' },
  { term: 'mass', operator_id: 'KO1', expression: '-mu^2(r)*phi' },
  { term: 'self-coupling', operator_id: 'KO2', expression: '-lambda*phi^3' },
  { term: 'screening', operator_id: 'none', expression: '-exp(-phi/phi_c)' },
  { term: 'kernel sum', operator_id: 'KO42', expression: 'phi_42*Sum_{k=1..42} C_k(phi)' },
  { term: 'trace', operator_id: 'none', expression: 'T^mu_mu' },
  { term: 'field', operator_id: 'none', expression: 'beta*F_{mu nu}*F^{mu nu}' },
  { term: 'source', operator_id: 'none', expression: 'J_ext' },
] as const;
