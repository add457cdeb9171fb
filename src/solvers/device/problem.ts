// The problem of a request: a junction, a stack of metal, oxide and semiconductor, or a plane.

import { validationError } from '../parts/errors.ts';
import type { DeviceInput } from './inputs.ts';
import { type Junction, junctionOf } from './junction.ts';
import { type Mos, mosOf } from './mos.ts';
import { type Plane, planeOf } from './plane.ts';

export type Problem = Junction | Mos | Plane;

/** Optional fields, and the modes that they belong to. */
const MODES = {
  doping: ['junction', 'mos'],
  lp: ['junction'],
  ln: ['junction', 'mos'],
  probe: ['junction', 'mos'],
  permittivity: ['plane'],
  source: ['plane'],
  electrode: ['plane'],
  probe_x: ['plane'],
  probe_y: ['plane'],
} as const satisfies Partial<Record<keyof DeviceInput, readonly DeviceInput['mode'][]>>;

function refuseForeign(input: DeviceInput): void {
  for (const name of Object.keys(MODES) as (keyof typeof MODES)[]) {
    const modes: readonly DeviceInput['mode'][] = MODES[name];
    if (input[name] === undefined || modes.includes(input.mode)) continue;
    const message = `${name} is given for mode ${input.mode}; it belongs to mode ${modes.join(' or ')}. Leave it out.`;
    throw validationError(name, message, 'NOT_ALLOWED');
  }
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: DeviceInput): Problem {
  refuseForeign(input);
  if (input.mode === 'plane') return planeOf(input);
  return input.mode === 'mos' ? mosOf(input) : junctionOf(input);
}
