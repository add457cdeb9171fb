// The TypeScript side of assembly/kernel.ts: what is run, and what comes back.

export const ABI_VERSION = 1;

/** Byte offsets in the control block. */
export const CONTROL = { done: 0, parameters: 16, statistics: 16 + 64 * 8, maxParameters: 64, maxStatistics: 64 };

export const INFO = { ok: 0, notConverged: 1, nonFinite: 2, outOfMemory: 3, capacity: 4 } as const;

/** One run of one kernel, complete: plain data that can be posted to a worker and hashed. */
export interface KernelRun {
  /** f64 parameters in the order of the solver's `parameters` list. */
  readonly parameters: readonly number[];
  /** Arrays written after `reserve` and before `start`. */
  readonly inputs?: readonly { readonly view: number; readonly data: Float64Array | Int32Array }[];
  /** How many steps `advance` has to do in all. */
  readonly steps: number;
  /** Views (f64) copied out at the end. */
  readonly outputs: readonly number[];
  /** How many statistics are read. */
  readonly statistics: number;
}

/** What a run left behind. `info > 0` is an outcome (not converged, non-finite, …), not an exception. */
export interface KernelOutput {
  readonly info: number;
  readonly steps: number;
  /** In the order of `KernelRun.outputs`. */
  readonly views: readonly Float64Array[];
  readonly statistics: Float64Array;
}

/** The bytes of a kernel and their name. */
export interface KernelImage {
  readonly slug: string;
  /** SHA-256 of the bytes, hex lower case. */
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface RunControls {
  /** Fraction done, 0..1; called at most every ~100 ms. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
  /** Wall-clock limit from the call of `run`, waiting included; exceeding it is DomainError OUT_OF_TIME. */
  readonly deadlineMs?: number;
  /** Whom the run belongs to: a pool keeps one owner from taking all its places. */
  readonly owner?: string;
}

/** Runs kernels somewhere: in this thread (library, CLI, browser) or in the server's worker pool. */
export interface KernelRunner {
  /**
   * @throws DomainError KERNEL_FAILED (trap, or an illegal parameter that the solver's schema let through),
   *   CANCELLED, OUT_OF_TIME, and from a pool QUEUE_FULL, RATE_LIMITED, SHUTTING_DOWN
   */
  run(image: KernelImage, run: KernelRun, controls?: RunControls): Promise<KernelOutput>;
}
