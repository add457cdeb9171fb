// Types of the API for browser code: the declarations of the operations (`#api` in tsconfig.browser.json).
//
// Declarations of services and storage are left out, because they bring Node's types along; what refers to them becomes
// `any`. Inputs and outputs do not.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, runTool } from './gate.ts';

const SERVER_FOLDERS = ['services', 'storage'];

/** Writes build/types. */
export async function writeApiTypes(root: string): Promise<Outcome> {
  const types = join(root, 'build/types');
  rmSync(types, { recursive: true, force: true });
  const outcome = await runTool(root, 'tsc', ['-p', 'tsconfig.api.json']);
  for (const folder of SERVER_FOLDERS) rmSync(join(types, 'src', folder), { recursive: true, force: true });
  return outcome;
}
