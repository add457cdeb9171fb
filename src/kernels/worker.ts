// Worker thread of the kernel pool. Compiled kernels arrive with the task, and idle instances stay cached.

import type { KernelOutput, KernelRun } from './abi.ts';
import { runToEnd } from './chunked-run.ts';
import type { KernelModule } from './instance.ts';
import { InstanceCache } from './instance-cache.ts';
import { serveTasks } from './task-worker.ts';

/** Pool → worker. */
export interface Task {
  readonly id: number;
  readonly module: KernelModule;
  readonly run: KernelRun;
  readonly reportsProgress: boolean;
}

const instances = new InstanceCache();

const buffersOf = ({ views, statistics }: KernelOutput) =>
  [...views, statistics].map((view) => view.buffer as ArrayBuffer);

serveTasks(({ module, run, reportsProgress }: Task, { isCancelled, onProgress }) => {
  const options = { isCancelled, onProgress: reportsProgress ? onProgress : undefined };
  return runToEnd(instances, module, run, options);
}, buffersOf);
