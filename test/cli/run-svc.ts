// Runs `svc` as a separate process, without SVC_URL and SVC_KEY of the test environment.

import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

export interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function svc(args: readonly string[], env: Record<string, string> = {}): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const { SVC_URL: _, SVC_KEY: __, ...clean } = process.env;
    execFile(
      process.execPath,
      [SVC, ...args],
      { env: { ...clean, ...env }, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      },
    );
  });
}

/** Runs `svc` with one output stream closed by its reader. @returns the exit code */
export function svcWithClosedStream(args: readonly string[], stream: 'stdout' | 'stderr'): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const { SVC_URL: _, SVC_KEY: __, ...clean } = process.env;
    const child = spawn(process.execPath, [SVC, ...args], { env: clean });
    child[stream].destroy();
    child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
    child.once('error', reject);
    child.once('close', resolve);
  });
}
