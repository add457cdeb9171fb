// Verifies a chain bundle and measures the elapsed time.

import type { MachineBundle } from '../../chain/bundle.ts';
import { verifyChainBundle } from '../../protocol/bundle.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import type { Tasks } from './messages.ts';

export function verifyBundleTimed(
  bundle: MachineBundle,
  trusted?: readonly PublicJwk[],
): Tasks['verifyBundle']['result'] {
  const begin = performance.now();
  const claims = verifyChainBundle(bundle, trusted);
  return { claims, elapsedMs: performance.now() - begin };
}
