// Compares the golden cases, recorded on x86-64, bit by bit with an emulated arm64 processor.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';
import { emulatedNode } from './emulated-arm64.ts';

const run = promisify(execFile);

test('every golden case has the same bits on arm64', async ({ skip }) => {
  const node = await emulatedNode();
  if (node === undefined) {
    console.log('skipped: arm64 emulation is not available on this machine');
    return skip();
  }
  const program = fileURLToPath(new URL('./golden-bits.ts', import.meta.url));
  const { stdout } = await run(node.command, [...node.args, program]);
  const { arch, bits } = JSON.parse(stdout) as { arch: string; bits: Record<string, string> };
  expect(arch).toBe('arm64');
  expect(bits).toEqual(
    Object.fromEntries(GOLDEN_CASES.map(({ solver, name, sha256 }) => [`${solver}, ${name}`, sha256])),
  );
});
