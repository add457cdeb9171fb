#!/usr/bin/env node
// Starts the CLI: from the sources in a checkout if this Node strips types, else from dist (scripts/build-dist.ts).

import { existsSync, readdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiled modules halve the time that a command takes to start. They are kept where only this user writes. Node 20 has
// no such cache.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc'));

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const isCheckout = existsSync(join(ROOT, 'src/cli/main.ts')) && !ROOT.includes('node_modules');

/** Why dist cannot be run, if so. An installed package is built before it is published. */
function faultOfBuild() {
  const stamp = join(ROOT, 'dist/.fingerprint');
  if (!existsSync(stamp)) return 'The program is not built.';
  const { mtimeMs } = statSync(stamp);
  const isNewer = (path) => statSync(join(ROOT, path)).mtimeMs > mtimeMs;
  // Folders included: their time tells that a file was added or deleted.
  const sources = ['src', 'migrations'].flatMap((folder) => [
    folder,
    ...readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
  ]);
  const newer = sources.find(isNewer);
  return newer === undefined ? undefined : `${newer} is newer than the built program.`;
}

if (isCheckout && process.features.typescript) {
  await import('../src/cli/main.ts');
} else {
  const fault = isCheckout ? faultOfBuild() : undefined;
  if (fault === undefined) {
    await import('../dist/src/cli/main.js');
  } else {
    console.error(
      `${fault} Run npm run build in ${ROOT}, or use Node 22.18 or newer; this is Node ${process.version}.`,
    );
    process.exitCode = 1;
  }
}
