// Kernel instances: compile, instantiate, and drive one run. The only module that uses WebAssembly.

import { instantiateSync } from '@assemblyscript/loader';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import {
  ABI_VERSION,
  CONTROL,
  type CompiledModule,
  type KernelImage,
  type KernelOutput,
  type KernelRun,
} from './abi.ts';
import { linkModule } from './compiled.ts';

interface KernelExports extends Record<string, unknown> {
  memory: WebAssembly.Memory;
  abi(): number;
  control(): number;
  reserve(): number;
  start(): number;
  advance(steps: number): number;
  view(index: number): number;
  extent(index: number): number;
  /** Of kernels that run byte code: links a compiled module (compiled.ts). */
  link?(rows: number, step: number): void;
  table?: WebAssembly.Table;
}

export interface KernelInstance {
  readonly slug: string;
  readonly exports: KernelExports;
}

/** A compiled kernel: code without memory, cheap to post to a worker. */
export interface KernelModule {
  readonly slug: string;
  readonly sha256: string;
  readonly module: WebAssembly.Module;
}

/**
 * Compiles a kernel off the calling thread.
 *
 * @throws DomainError KERNEL_FAILED if the bytes are not WebAssembly
 */
export async function compileKernel({ slug, sha256, bytes }: KernelImage): Promise<KernelModule> {
  const module = await WebAssembly.compile(bytes).catch((cause: unknown) => {
    throw new DomainError('KERNEL_FAILED', `Kernel ${slug} is not valid WebAssembly.`, { cause });
  });
  return { slug, sha256, module };
}

/** @throws DomainError KERNEL_FAILED if the module is not a kernel of this ABI */
export function instantiate({ slug, module }: KernelModule): KernelInstance {
  let exports: KernelExports;
  try {
    exports = instantiateSync<KernelExports>(module, {}).exports;
  } catch (cause) {
    throw new DomainError('KERNEL_FAILED', `Kernel ${slug} cannot be instantiated.`, { cause });
  }
  const version = exports.abi?.();
  if (version !== ABI_VERSION) {
    throw new DomainError('KERNEL_FAILED', `Kernel ${slug} has ABI version ${version}; expected ${ABI_VERSION}.`);
  }
  return { slug, exports };
}

/** Steps in the first chunk; later chunks grow towards a duration of `LIMITS.kernel.chunkMs`. */
const FIRST_CHUNK = 1;
const MAX_CHUNK = 1 << 24;

/**
 * Runs a kernel in chunks, as a generator, so that the caller acts between them (`runInChunks` in chunked-run.ts).
 * The grouping of steps never changes a bit of the result. A kernel that stops advancing has finished early.
 *
 * @param compiled  saves time if the kernel runs byte code; changes no bit
 * @yields the fraction done, 0..1, after each chunk
 * @returns the results of the run; views are copies
 * @throws DomainError KERNEL_FAILED on a trap or an illegal parameter; the caller must then discard the instance
 */
export function* drive(
  instance: KernelInstance,
  run: KernelRun,
  nowMs: () => number,
  compiled?: CompiledModule | undefined,
): Generator<number, KernelOutput, void> {
  const { exports, slug } = instance;
  const checkInfo = (info: number): number => {
    if (info >= 0) return info;
    throw new DomainError('KERNEL_FAILED', `Kernel ${slug} rejected parameter ${-info}.`, {
      facts: { parameter: -info, value: String(run.parameters[-info - 1]) },
    });
  };

  let phase = 'reserve';
  try {
    writeParameters(instance, run.parameters);
    let info = checkInfo(exports.reserve());
    if (info === 0) {
      phase = 'start';
      writeInputs(instance, run);
      if (compiled !== undefined) linkModule(instance, compiled);
      info = checkInfo(exports.start());
    }
    phase = 'advance';
    let chunk = FIRST_CHUNK;
    for (let done = 0; info === 0 && done < run.steps; ) {
      const startedAtMs = nowMs();
      info = checkInfo(exports.advance(Math.min(chunk, run.steps - done)));
      const elapsed = nowMs() - startedAtMs;
      const after = readDone(instance);
      if (after <= done) break;
      done = after;
      if (elapsed < LIMITS.kernel.chunkMs / 2) chunk = Math.min(chunk * 2, MAX_CHUNK);
      else if (elapsed > LIMITS.kernel.chunkMs * 2) chunk = Math.max(1, chunk >> 1);
      yield done / run.steps;
    }
    phase = 'view';
    return readOutput(instance, run, info);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('KERNEL_FAILED', `Kernel ${slug} trapped in ${phase}.`, { cause });
  }
}

function writeParameters(instance: KernelInstance, parameters: readonly number[]): void {
  if (parameters.length > CONTROL.maxParameters) {
    throw new DomainError(
      'KERNEL_FAILED',
      `A kernel accepts at most ${CONTROL.maxParameters} parameters, got ${parameters.length}.`,
    );
  }
  const address = instance.exports.control() + CONTROL.parameters;
  const block = new Float64Array(instance.exports.memory.buffer, address, CONTROL.maxParameters);
  block.fill(0);
  block.set(parameters);
}

function writeInputs(instance: KernelInstance, run: KernelRun): void {
  for (const { view, data } of run.inputs ?? []) {
    const { exports } = instance;
    const length = exports.extent(view);
    if (data.length > length) {
      throw new DomainError('KERNEL_FAILED', `Input view ${view} holds ${length} elements, got ${data.length}.`);
    }
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    new Uint8Array(exports.memory.buffer, exports.view(view), bytes.length).set(bytes);
  }
}

/** Steps done, as counted by the kernel. */
function readDone({ exports }: KernelInstance): number {
  return new DataView(exports.memory.buffer).getFloat64(exports.control() + CONTROL.done, true);
}

function readOutput(instance: KernelInstance, run: KernelRun, info: number): KernelOutput {
  const { exports } = instance;
  const { buffer } = exports.memory;
  return {
    info,
    steps: readDone(instance),
    views: run.outputs.map((view) => new Float64Array(buffer, exports.view(view), exports.extent(view)).slice()),
    statistics: new Float64Array(buffer, exports.control() + CONTROL.statistics, run.statistics).slice(),
  };
}
