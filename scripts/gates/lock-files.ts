// Lock files: every package has the hash of its bytes, so that another archive under its name and version is refused.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, type Gate } from './gate.ts';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  /** A folder of this project. */
  readonly link?: boolean;
  /** Part of the archive of another package, whose hash covers it. */
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * Programs of our tools for platforms other than the one that writes the lock file; npm found no archives to hash. They
 * are never part of what users install. Remove a name when `npm install` on such a platform has written its hashes.
 */
const UNHASHED_TOOLS = /^node_modules\/(?:@biomejs\/cli|@oxc-parser\/binding|@swc\/core)-/;

export const lockFiles: Gate = {
  name: 'lock files',
  async run(root) {
    const files = filesOf(root, ['**/package-lock.json']);
    let [counted, unhashed] = [0, 0];
    const faults: string[] = [];
    for (const file of files) {
      const { packages = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
        packages?: Readonly<Record<string, Entry>>;
      };
      for (const [path, entry] of Object.entries(packages)) {
        if (!path.includes('node_modules/') || entry.link || entry.inBundle) continue;
        counted++;
        if (entry.integrity === undefined && isUnhashedTool(path, entry)) unhashed++;
        else if (!SHA512.test(entry.integrity ?? ''))
          faults.push(`${file}: ${path} ${entry.version ?? ''} has no SHA-512 integrity; run npm install`);
      }
    }
    const unit = `packages of ${files.length} lock files, ${unhashed} tools of other platforms without a hash`;
    return { counted, unit, faults };
  },
};

const isUnhashedTool = (path: string, { dev, optional, os, cpu }: Entry) =>
  UNHASHED_TOOLS.test(path) && dev === true && optional === true && os !== undefined && cpu !== undefined;
