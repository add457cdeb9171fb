// Other Nodes to run svc on: installed by `npm ci --prefix test/judges`, or on the PATH.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../../../scripts/compile-kernel.ts';

/** Each supported major version. */
export const MAJORS = [20, 22, 24] as const;
export type Major = (typeof MAJORS)[number];

/** The executable of a Node of this major version; prints a message if there is none. */
export function findNode(major: Major): string | undefined {
  const installed = join(ROOT, `test/judges/node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`);
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const found = [process.execPath, installed, ...onPath].find((path) => existsSync(path) && majorOf(path) === major);
  if (found === undefined) {
    console.log(
      `Node ${major} is not installed; run npm ci --prefix test/judges --ignore-scripts. Its tests are skipped.`,
    );
  }
  return found;
}

function majorOf(path: string): number {
  return Number.parseInt(execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10);
}
