// A copy of a folder of the project in a temporary place, where files are added and broken.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';

/**
 * @param folder  below the project
 * @param files  path in the copy → JSON, or the text of the file
 */
export function copyFolder(folder: string, files: Readonly<Record<string, unknown>>): string {
  const copy = mkdtempSync(join(tmpdir(), 'svc-copy-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(join(ROOT, folder), copy, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return copy;
}
