// Runs kernels in a pool of worker threads.

import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './abi.ts';
import { compileKernel, type KernelModule } from './instance.ts';
import { type PoolOptions, TaskPool } from './task-pool.ts';
import type { Task } from './worker.ts';

export type { PoolOptions };

export interface Pool extends KernelRunner {
  load(): { readonly size: number; readonly running: number; readonly waiting: number };
  /** Starts a first worker. */
  warm(): Promise<void>;
  /** Rejects new runs, then waits for accepted runs (`drain`) or rejects them with SHUTTING_DOWN. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
}

export function createPool(options: PoolOptions = {}): Pool {
  return new KernelPool(options);
}

interface KernelTask {
  readonly image: KernelImage;
  readonly run: KernelRun;
}

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
/** The module of a kernel limits its memory; little of a run is on the heap. */
const HEAP_MB = 64;
/** Maximum number of cached compiled kernels. */
const MAX_MODULES = 128;

class KernelPool implements Pool {
  readonly #modules = new Map<string, Promise<KernelModule>>();
  readonly #tasks: TaskPool<KernelTask, KernelOutput>;

  constructor(options: PoolOptions) {
    const prepare = (task: KernelTask, controls: RunControls) => this.#prepare(task, controls);
    const onFrame = ({ run }: KernelTask, { watch }: RunControls, frame: Float64Array, fraction: number) =>
      watch?.onFrame(frame, run, fraction);
    this.#tasks = new TaskPool({ script: SCRIPT, heapMb: HEAP_MB, prepare, onFrame }, options);
  }

  run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    return this.#tasks.run({ image, run }, controls);
  }

  load() {
    return this.#tasks.load();
  }

  warm(): Promise<void> {
    return this.#tasks.warm();
  }

  close(options: { readonly drain?: boolean } = {}): Promise<void> {
    return this.#tasks.close(options);
  }

  /** Adds the compiled module: posting a module has no measurable cost, so workers need no module cache. */
  async #prepare({ image, run }: KernelTask, { onProgress, accelerate, watch }: RunControls) {
    const module = await this.#compiled(image);
    // Copy the elements: posting a view would clone its whole underlying buffer.
    const inputs = Object.entries(run.inputs ?? {}).map(([name, data]) => [name, data?.slice()] as const);
    const reportsProgress = onProgress !== undefined;
    const compiled = accelerate?.(image, run);
    const copied = { ...run, inputs: Object.fromEntries(inputs) };
    const fields: Omit<Task, 'id'> = { module, run: copied, compiled, reportsProgress, watched: watch?.viewOf(run) };
    return { fields, transfer: inputs.flatMap(([, data]) => data?.buffer ?? []) };
  }

  #compiled(image: KernelImage): Promise<KernelModule> {
    const cached = this.#modules.get(image.sha256);
    if (cached) return cached;
    const module = compileKernel(image);
    module.catch(() => this.#modules.delete(image.sha256));
    this.#modules.set(image.sha256, module);
    for (const oldest of this.#modules.keys()) {
      if (this.#modules.size <= MAX_MODULES) break;
      this.#modules.delete(oldest);
    }
    return module;
  }
}
