// Instances kept between runs: a warm one is already compiled by the optimizing tier and owns its memory.

import { LIMITS } from '../core/limits.ts';
import { instantiate, type KernelInstance, type KernelModule } from './instance.ts';

/** Least recently used go first; memory kept is bounded by `LIMITS.kernel.warmBytes`. One thread owns it. */
export class WarmInstances {
  readonly #kept = new Map<string, KernelInstance>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Taken out while in use, so that two runs of one kernel never share a memory. Not given back after a failure. */
  take(module: KernelModule): KernelInstance {
    return this.#remove(module.sha256) ?? instantiate(module);
  }

  give({ sha256 }: KernelModule, instance: KernelInstance): void {
    this.#remove(sha256);
    this.#kept.set(sha256, instance);
    this.#bytes += bytesOf(instance);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= LIMITS.kernel.warmBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(sha256: string): KernelInstance | undefined {
    const instance = this.#kept.get(sha256);
    if (!instance) return undefined;
    this.#kept.delete(sha256);
    this.#bytes -= bytesOf(instance);
    return instance;
  }
}

const bytesOf = (instance: KernelInstance) => instance.exports.memory.buffer.byteLength;
