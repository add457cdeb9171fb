// Version of the software, read from package.json. The published interface has a version of its own, in openapi.ts.

import { readFileSync } from 'node:fs';

// The root of the repository, or dist, which mirrors it.
const PACKAGE = new URL('../../../package.json', import.meta.url);

export const { version: SOFTWARE_VERSION } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
