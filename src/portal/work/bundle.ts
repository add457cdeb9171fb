// A stretch of a chain checked here, and how long that took.

import type { MachineBundle } from '../../chain/bundle.ts';
import { verifyChainBundle } from '../../protocol/bundle.ts';
import type { PublicJwk } from '../../protocol/seal.ts';
import type { Work } from './messages.ts';

export function timedChainBundle(bundle: MachineBundle, trusted?: readonly PublicJwk[]): Work['bundle']['answer'] {
  const begin = performance.now();
  const claims = verifyChainBundle(bundle, trusted);
  return { claims, elapsedMs: performance.now() - begin };
}
