// A live kernel: memory, exports, and the loop that drives one run. The only door to WebAssembly.

import { instantiateSync } from '@assemblyscript/loader';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { ABI_VERSION, CONTROL, type KernelImage, type KernelOutput, type KernelRun } from './abi.ts';

interface KernelExports extends Record<string, unknown> {
  memory: WebAssembly.Memory;
  abi(): number;
  control(): number;
  reserve(): number;
  start(): number;
  advance(steps: number): number;
  view(index: number): number;
  extent(index: number): number;
}

export interface KernelInstance {
  readonly image: KernelImage;
  readonly exports: KernelExports;
}

/** @throws DomainError KERNEL_FAILED if the bytes are not a kernel of this ABI */
export function instantiate(image: KernelImage): KernelInstance {
  let exports: KernelExports;
  try {
    exports = instantiateSync<KernelExports>(image.bytes, {}).exports;
  } catch (cause) {
    throw new DomainError('KERNEL_FAILED', `The bytes of kernel ${image.slug} do not load.`, { cause });
  }
  const version = exports.abi?.();
  if (version !== ABI_VERSION) {
    throw new DomainError('KERNEL_FAILED', `Kernel ${image.slug} has ABI ${version}, this host speaks ${ABI_VERSION}.`);
  }
  return { image, exports };
}

/** Steps in the first chunk; later chunks grow towards `LIMITS.kernel.chunkMs` of work. */
const FIRST_CHUNK = 1;

/**
 * The chunks of one run, as a generator so that the caller decides what happens between them: a worker polls its cancel
 * word, a browser or library caller yields to its event loop. How steps are grouped never changes a bit of the result.
 *
 * @yields the fraction done, 0..1, after each chunk
 * @returns what the run left behind; views are copies
 * @throws DomainError KERNEL_FAILED on a trap or an illegal parameter; after a trap the instance must be dropped
 */
export function* drive(
  instance: KernelInstance,
  run: KernelRun,
  nowMs: () => number,
): Generator<number, KernelOutput, void> {
  const { exports, image } = instance;
  const call = (name: string, body: () => number): number => {
    try {
      return body();
    } catch (cause) {
      throw new DomainError('KERNEL_FAILED', `Kernel ${image.slug} trapped in ${name}.`, { cause });
    }
  };
  const legal = (info: number): number => {
    if (info >= 0) return info;
    throw new DomainError('KERNEL_FAILED', `Kernel ${image.slug} refused parameter ${-info}.`, {
      facts: { parameter: -info, value: String(run.parameters[-info - 1]) },
    });
  };

  writeParameters(instance, run.parameters);
  let info = legal(call('reserve', () => exports.reserve()));
  if (info === 0) {
    writeInputs(instance, run);
    info = legal(call('start', () => exports.start()));
  }
  let done = 0;
  let chunk = FIRST_CHUNK;
  while (info === 0 && done < run.steps) {
    const steps = Math.min(chunk, run.steps - done);
    const before = nowMs();
    info = legal(call('advance', () => exports.advance(steps)));
    const elapsed = nowMs() - before;
    done += steps;
    if (elapsed < LIMITS.kernel.chunkMs / 2) chunk = Math.min(chunk * 2, 1 << 24);
    else if (elapsed > LIMITS.kernel.chunkMs * 2) chunk = Math.max(1, chunk >> 1);
    yield done / run.steps;
  }
  return read(instance, run, info);
}

function writeParameters(instance: KernelInstance, parameters: readonly number[]): void {
  if (parameters.length > CONTROL.maxParameters) {
    throw new DomainError(
      'KERNEL_FAILED',
      `A kernel takes ${CONTROL.maxParameters} parameters, got ${parameters.length}.`,
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

function read(instance: KernelInstance, run: KernelRun, info: number): KernelOutput {
  const { exports } = instance;
  const { buffer } = exports.memory;
  const control = exports.control();
  return {
    info,
    steps: new DataView(buffer).getFloat64(control + CONTROL.done, true),
    views: run.outputs.map((view) => new Float64Array(buffer, exports.view(view), exports.extent(view)).slice()),
    statistics: new Float64Array(buffer, control + CONTROL.statistics, run.statistics).slice(),
  };
}
