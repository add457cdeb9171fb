// Kernel instances: compile, instantiate, and drive one run. The only module that uses WebAssembly.

import { instantiateSync } from '@assemblyscript/loader';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { ABI_VERSION, type CompiledModule, type KernelImage, type KernelOutput, type KernelRun } from './abi.ts';
import { linkModule } from './compiled.ts';
import { ControlBlock } from './control-block.ts';
import type { KernelFace } from './face.ts';
import { type KernelPositions, readPositions, unknownName } from './positions.ts';

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
  readonly positions: KernelPositions;
  readonly control: ControlBlock;
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

/** The names of a module never change, so that only its first instance reads them. */
const knownPositions = new WeakMap<WebAssembly.Module, KernelPositions>();

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
  const positions = knownPositions.get(module) ?? readPositions(slug, exports);
  knownPositions.set(module, positions);
  return { slug, exports, positions, control: new ControlBlock(exports.memory, exports.control()) };
}

/** Steps in the first chunk; later chunks grow towards a duration of `LIMITS.kernel.chunkMs`. */
const FIRST_CHUNK = 1;
const MAX_CHUNK = 1 << 24;

/**
 * Runs a kernel in chunks, as a generator, so that the caller acts between them (`runInChunks` in chunked-run.ts).
 * The grouping of steps never changes a bit of the result. A kernel that stops advancing has finished early; one that does
 * fewer steps than it was asked for comes to costlier ones, and the next chunk is small again.
 *
 * @param compiled  saves time if the kernel runs byte code; changes no bit
 * @yields the fraction done, 0..1, after reserving, after starting, and after each chunk
 * @returns the results of the run; views are copies
 * @throws DomainError KERNEL_FAILED on a trap, an illegal parameter or a name that the kernel does not have; the caller
 *   must then discard the instance
 */
export function* drive<Face extends KernelFace>(
  instance: KernelInstance,
  run: KernelRun<Face>,
  nowMs: () => number,
  compiled?: CompiledModule | undefined,
): Generator<number, KernelOutput<Face>, void> {
  const { exports, slug } = instance;
  const checkInfo = (info: number): number => {
    if (info >= 0) return info;
    throw rejectedParameter(instance, run, -1 - info);
  };

  let phase = 'reserve';
  try {
    writeParameters(instance, run.parameters);
    let info = checkInfo(exports.reserve());
    if (info === 0) {
      yield 0;
      phase = 'start';
      writeInputs(instance, run.inputs);
      if (compiled !== undefined) linkModule(instance, compiled);
      info = checkInfo(exports.start());
    }
    yield 0;
    phase = 'advance';
    let chunk = FIRST_CHUNK;
    for (let done = 0; info === 0 && done < run.steps; ) {
      const startedAtMs = nowMs();
      const asked = Math.min(chunk, Math.ceil(run.steps - done));
      info = checkInfo(exports.advance(asked));
      const elapsed = nowMs() - startedAtMs;
      const after = instance.control.done();
      if (after <= done) break;
      const isShort = after - done < asked;
      done = after;
      if (isShort) chunk = FIRST_CHUNK;
      else if (elapsed < LIMITS.kernel.chunkMs / 2) chunk = Math.min(chunk * 2, MAX_CHUNK);
      else if (elapsed > LIMITS.kernel.chunkMs * 2) chunk = Math.max(1, chunk >> 1);
      yield done / run.steps;
    }
    phase = 'view';
    // Each name was checked against the module.
    return readOutput(instance, run, info) as KernelOutput<Face>;
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('KERNEL_FAILED', `Kernel ${slug} trapped in ${phase}.`, { cause });
  }
}

function rejectedParameter({ slug, positions }: KernelInstance, run: KernelRun, position: number): DomainError {
  const names = [...positions.parameters.keys()];
  const name = names.find((candidate) => positions.parameters.get(candidate) === position) ?? `${position}`;
  const value = String(run.parameters[name] ?? 0);
  const message = `Kernel ${slug} rejected parameter ${name}: its value is ${value}.`;
  return new DomainError('KERNEL_FAILED', message, { facts: { parameter: name, value } });
}

function writeParameters({ slug, control, positions }: KernelInstance, parameters: KernelRun['parameters']): void {
  control.writeParameters(parameters, (name) => {
    const position = positions.parameters.get(name);
    if (position === undefined) throw unknownName(slug, 'parameter', name, positions.parameters);
    return position;
  });
}

function viewPosition({ slug, positions }: KernelInstance, name: string): number {
  const position = positions.views.get(name);
  if (position === undefined) throw unknownName(slug, 'view', name, positions.views);
  return position;
}

function writeInputs(instance: KernelInstance, inputs: KernelRun['inputs'] = {}): void {
  const { slug, exports } = instance;
  for (const name of Object.keys(inputs)) {
    const data = inputs[name];
    if (data === undefined) continue;
    const position = viewPosition(instance, name);
    const length = exports.extent(position);
    if (data.length > length) {
      const message = `View ${name} of kernel ${slug} holds ${length} elements, got ${data.length}.`;
      throw new DomainError('KERNEL_FAILED', message);
    }
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    new Uint8Array(exports.memory.buffer, exports.view(position), bytes.length).set(bytes);
  }
}

/**
 * A view (f64) inside the memory of an instance, not a copy: valid until the kernel runs again.
 *
 * @throws DomainError KERNEL_FAILED if the kernel has no such view
 */
export function viewOf(instance: KernelInstance, name: string): Float64Array<ArrayBuffer> {
  const { exports } = instance;
  const position = viewPosition(instance, name);
  return new Float64Array(exports.memory.buffer, exports.view(position), exports.extent(position));
}

function readOutput(instance: KernelInstance, run: KernelRun, info: number): KernelOutput {
  const { slug, control, positions } = instance;
  const views: Record<string, Float64Array> = {};
  for (const name of run.outputs) views[name] = viewOf(instance, name).slice();
  const statistics: Record<string, number> = {};
  for (const name of run.statistics ?? []) {
    const position = positions.statistics.get(name);
    if (position === undefined) throw unknownName(slug, 'statistic', name, positions.statistics);
    statistics[name] = control.statistic(position);
  }
  return { info, steps: control.done(), views, statistics, columns: positions.columns };
}
