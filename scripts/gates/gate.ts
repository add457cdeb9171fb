// A gate checks the whole project and counts what it checked. A gate that checked nothing has failed.

import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../compile-kernel.ts';

export interface GateResult {
  /** Number of checked things, and what they are: files, modules, kernels. */
  readonly counted: number;
  readonly unit: string;
  /** A sentence, or the message of a tool, for each fault. */
  readonly faults: readonly string[];
}

export interface Gate {
  readonly name: string;
  /** @param root  absolute path of the project, or of a test project with planted faults */
  run(root: string): Promise<GateResult>;
}

/** Files below `root`, relative to it, sorted. */
export function filesOf(root: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root, exclude: ['**/node_modules/**'] }).sort();
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a tool of node_modules/.bin in `root`, on the project's Node. */
export function runTool(root: string, tool: string, args: readonly string[]): Promise<Outcome> {
  const bin = join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}`, NO_COLOR: '1', FORCE_COLOR: '0' };
  return new Promise((resolve, reject) => {
    const child = spawn(join(bin, tool), args, { cwd: root, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
