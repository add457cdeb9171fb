// Output folders of the builds: cached by a fingerprint of all inputs, replaced file by file.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './compile-kernel.ts';
import { filesOf } from './gates/gate.ts';

/** Hash of the names and contents of files of the repository. */
export function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of filesOf(ROOT, patterns)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Moves the files of a draft into a folder and deletes what else is there. Files move one at a time, those of `isLast`
 * at the end, so that a concurrent reader or build finds every file that they name.
 */
export function publish(draft: string, folder: string, isLast: (name: string) => boolean = () => false): void {
  const files = filesOf(draft, ['**/*.*']).sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  for (const name of files) {
    const target = join(folder, name);
    if (!existsSync(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    renameSync(join(draft, name), target);
  }
  const published = new Set(files);
  for (const name of filesOf(folder, ['**/*.*'])) if (!published.has(name)) rmSync(join(folder, name));
  rmSync(draft, { recursive: true });
}
