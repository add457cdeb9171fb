// Vitest reporter that lists the files that a worker left because it died. If nothing else failed, it writes their names
// to build/left-files.txt, and `.ci/run` runs them again, once and in sight, as it does with a flaky test.

import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Words of Vitest for a worker that died (node_modules/vitest, PoolRunner.emitUnexpectedExit). */
const DEATH = 'Worker exited unexpectedly';

const LIST = 'build/left-files.txt';

interface LeftRun {
  readonly states: readonly { readonly file: string; readonly state: ReturnType<TestModule['state']> }[];
  readonly errors: readonly { readonly cause?: unknown }[];
}

export default class LeftFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: LeftRun['errors']): void {
    const states = modules.map((module) => ({ file: module.relativeModuleId, state: module.state() }));
    const { left, isAll } = leftFiles({ states, errors });
    for (const file of left) console.log(`left by a worker that died: ${file}`);
    mkdirSync('build', { recursive: true });
    writeFileSync(LIST, isAll ? left.map((file) => `${file}\n`).join('') : '');
  }
}

/** @returns the files that did not end; `isAll` if nothing else is wrong with the run */
export function leftFiles({ states, errors }: LeftRun): { readonly left: readonly string[]; readonly isAll: boolean } {
  const left = states.filter(({ state }) => state === 'queued' || state === 'pending').map(({ file }) => file);
  const isDeath = ({ cause }: LeftRun['errors'][number]) => (cause as Error | undefined)?.message === DEATH;
  const isAll = left.length > 0 && errors.every(isDeath) && states.every(({ state }) => state !== 'failed');
  return { left, isAll };
}
