// Worker thread of the kernel pool. Compiled kernels arrive with the task, and idle instances stay cached.

import type { CompiledModule, KernelOutput, KernelRun, WatchedView } from './abi.ts';
import { runToEnd } from './chunked-run.ts';
import type { KernelModule } from './instance.ts';
import { InstanceCache } from './instance-cache.ts';
import { serveTasks } from './task-worker.ts';

/** Pool → worker. */
export interface Task {
  readonly id: number;
  readonly module: KernelModule;
  readonly run: KernelRun;
  readonly compiled: CompiledModule | undefined;
  readonly reportsProgress: boolean;
  readonly watched: WatchedView | undefined;
}

const instances = new InstanceCache();

const buffersOf = ({ views }: KernelOutput) =>
  Object.values(views).flatMap((view) => (view?.buffer as ArrayBuffer | undefined) ?? []);

serveTasks(({ module, run, compiled, reportsProgress, watched }: Task, controls) => {
  const { isCancelled, onProgress, isReadyForFrame: isReady, onFrame } = controls;
  const frames = watched && { ...watched, isReady, onFrame };
  const options = { isCancelled, onProgress: reportsProgress ? onProgress : undefined, compiled, frames };
  return runToEnd(instances, module, run, options);
}, buffersOf);
