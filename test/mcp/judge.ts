// Judges from outside, installed by `npm ci --prefix test/judges`; without them their tests are not there.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = new URL('../judges/', import.meta.url);
const { resolve } = createRequire(new URL('package.json', FOLDER));

export const areJudgesInstalled = existsSync(new URL('node_modules/@modelcontextprotocol/client/', FOLDER));

/** Path of a file of an installed package. */
export const judgeFile = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, FOLDER));

/** An installed module. */
export async function judgeModule<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(resolve(name)).href)) as Module;
}
