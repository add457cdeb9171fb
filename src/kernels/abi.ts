// TypeScript side of the kernel ABI in assembly/kernel.ts: runs, outputs and runners.

import type { Columns, KernelFace, ParameterName, StatisticName, ViewName } from './face.ts';

export const ABI_VERSION = 2;

/** Bytes of an instance before `reserve`: asconfig.json, initialMemory in pages of 64 KiB. */
export const INSTANCE_BYTES = 131_072;

export const INFO = { ok: 0, notConverged: 1, nonFinite: 2, outOfMemory: 3, capacity: 4 } as const;

/**
 * The complete input of one kernel run: plain data that can be posted to a worker and hashed. All names are those of the
 * kernel; a face makes them types.
 */
export interface KernelRun<Face extends KernelFace = KernelFace> {
  /** A parameter that is left out is 0. */
  readonly parameters: Readonly<Partial<Record<ParameterName<Face>, number>>>;
  /** Arrays by view, written after `reserve` and before `start`. */
  readonly inputs?: Readonly<Partial<Record<ViewName<Face>, Float64Array | Int32Array>>>;
  /** Total number of steps of `advance`. */
  readonly steps: number;
  /** Views (f64) to copy at the end. */
  readonly outputs: readonly ViewName<Face>[];
  /** Statistics to read; none by default. */
  readonly statistics?: readonly StatisticName<Face>[];
}

/** Results of a run. `info > 0` is an outcome (not converged, non-finite, …), not an exception. */
export interface KernelOutput<Face extends KernelFace = KernelFace> {
  readonly info: number;
  readonly steps: number;
  /** The views of `KernelRun.outputs`, in this order. */
  readonly views: Readonly<Partial<Record<ViewName<Face>, Float64Array>>>;
  /** The statistics of `KernelRun.statistics`, in this order. */
  readonly statistics: Readonly<Partial<Record<StatisticName<Face>, number>>>;
  /** Positions of the columns of row-major views, as this kernel writes them; see `rowsOf`. */
  readonly columns: Columns<Face>;
}

/** The name and the bytes of a kernel. */
export interface KernelImage {
  readonly slug: string;
  /** SHA-256 of the bytes, hex lower case. */
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A module that was compiled in this process from the byte code of a run: code without memory, cheap to post. */
export interface CompiledModule {
  readonly module: WebAssembly.Module;
  /** The functions of the kernel that it imports, all from the allow-list of the compiler. */
  readonly functions: readonly string[];
}

/** Finds the compiled module of a run; undefined if the run is too short to gain, or has no byte code. */
export type Accelerate = (image: Pick<KernelImage, 'slug'>, run: KernelRun) => CompiledModule | undefined;

/** Where a run records frames, and how often one is copied: plain data that can be posted to a worker. */
export interface WatchedView {
  /** View of recorded frames, one after the other; a view of one frame holds the current state. */
  readonly view: string;
  /** Numbers in one frame. */
  readonly length: number;
  /** Minimum interval between two frames. */
  readonly intervalMs: number;
}

/** What an observer wants to see of runs. */
export interface Watch {
  /** Undefined for a run that has nothing to show. */
  viewOf(run: KernelRun): WatchedView | undefined;
  /** @param frame  a copy. @param fraction  done, 0..1: of the run, or of the plan that it belongs to */
  onFrame(frame: Float64Array, run: KernelRun, fraction: number): void;
}

export interface RunControls {
  /** Fraction done, 0..1; called about every 100 ms at most. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
  /**
   * Wall-clock timeout; exceeding it is DomainError OUT_OF_TIME. In a pool it begins with the work, and a run that waits
   * longer than this for a worker is QUEUE_FULL.
   */
  readonly deadlineMs?: number;
  /** Owner of the run; a pool limits the runs of one owner. */
  readonly owner?: string;
  /** Receives copies of what the kernel has recorded so far; changes no bit. */
  readonly watch?: Watch;
  /** Saves time and changes no bit; without it, byte code is interpreted. */
  readonly accelerate?: Accelerate;
}

/** Runs kernels in this thread (library, CLI, browser) or in the worker pool of the server. */
export interface KernelRunner {
  /**
   * @throws DomainError KERNEL_FAILED (trap, or an illegal parameter that the solver's schema accepted),
   *   CANCELLED, OUT_OF_TIME, and from a pool QUEUE_FULL, RATE_LIMITED, SHUTTING_DOWN
   */
  run(image: KernelImage, run: KernelRun, controls?: RunControls): Promise<KernelOutput>;
}
