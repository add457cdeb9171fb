// Constants of nature.

import { CODATA } from '../../core/codata.ts';

function constantOf(name: string): number {
  const constant = CODATA.get(name);
  if (constant === undefined) throw new Error(`CODATA has no ${name}.`);
  return constant.value;
}

export const CHARGE = constantOf('elementary charge');
export const BOLTZMANN = constantOf('Boltzmann constant');
export const VACUUM_PERMITTIVITY = constantOf('vacuum electric permittivity');
/** Relative standard uncertainty of the permittivity; the others are exact. */
export const PERMITTIVITY_UNCERTAINTY = 1.6e-10;
