// The command as a user runs it: a process of its own, with nothing of ours in its environment.

import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function svc(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
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

/** With a reader that has gone before the first word. @returns the exit code */
export function svcUnheard(args: readonly string[], stream: 'stdout' | 'stderr'): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const { SVC_URL: _, SVC_KEY: __, ...clean } = process.env;
    const child = spawn(process.execPath, [SVC, ...args], { env: clean });
    child[stream].destroy();
    child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
    child.once('error', reject);
    child.once('close', resolve);
  });
}
