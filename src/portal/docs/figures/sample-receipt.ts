// A small receipt that this node seals for the figures, once until reload.

import type { Untrusted } from '../../../protocol/untrusted.ts';
import { callApiWithKey } from '../../session.ts';

const KINETIC_ENERGY = { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 90 }, units: { m: 'kg', v: 'km/h' } };

let sealed: Promise<Untrusted> | undefined;

/** @throws DomainError from the node; Error if it does not respond. The next call tries again */
export function sampleReceipt(): Promise<Untrusted> {
  sealed ??= callApiWithKey('compute.run', KINETIC_ENERGY) as Promise<Untrusted>;
  sealed.catch(() => {
    sealed = undefined;
  });
  return sealed;
}
