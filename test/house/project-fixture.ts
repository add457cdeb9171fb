// Creates a small project in a temporary folder, with the real tool configuration, to run gates on planted faults.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';

const CONFIGURATION = [
  'tsconfig.json',
  'tsconfig.browser.json',
  'tsconfig.server.json',
  'biome.json',
  '.gitignore',
  '.dependency-cruiser.cjs',
  'knip.json',
];

/** @param files  path → contents */
export function makeProject(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-gate-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const name of CONFIGURATION) copyFileSync(join(ROOT, name), join(root, name));
  for (const [name, contents] of Object.entries({ 'package.json': '{\n  "type": "module"\n}\n', ...files })) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), contents);
  }
  return root;
}
