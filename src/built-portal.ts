// Location of the built portal, and its verifier page.

import { existsSync, readFileSync } from 'node:fs';

/** Output folder of scripts/build-portal.ts. If it is missing, the service runs without the portal. */
export const BUILT_PORTAL = new URL('../build/portal/', import.meta.url);

/** Reads the page on demand: it is as large as all kernels together, and rarely requested. */
export function readVerifierPage(): string | undefined {
  const path = new URL('verifier.html', BUILT_PORTAL);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
