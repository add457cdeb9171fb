// External test tools (MCP clients, conformance suites), installed by `npm ci --prefix test/judges`; without them their
// tests are skipped.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = new URL('../judges/', import.meta.url);
const { resolve } = createRequire(new URL('package.json', FOLDER));

export const areExternalToolsInstalled = existsSync(new URL('node_modules/@modelcontextprotocol/client/', FOLDER));

/** Path of a file in an installed package. */
export const externalToolPath = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, FOLDER));

/** Imports an installed module. */
export async function importExternalTool<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(resolve(name)).href)) as Module;
}
