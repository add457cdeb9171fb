// Cache of idle kernel instances. A cached instance is already compiled by the optimizing tier and owns its memory.

import { LIMITS } from '../core/limits.ts';
import { instantiate, type KernelInstance, type KernelModule } from './instance.ts';

interface Idle {
  readonly instance: KernelInstance;
  /** Size of its memory, which does not change while it is idle. */
  readonly bytes: number;
}

/** LRU cache of instances, bounded by `LIMITS.kernel.idleInstanceBytes` of memory. Belongs to one thread. */
export class InstanceCache {
  readonly #idle = new Map<string, Idle>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes an instance out of the cache, so that two runs never share memory. Do not release it after a failure. */
  acquire(module: KernelModule): KernelInstance {
    return this.#remove(module.sha256) ?? instantiate(module);
  }

  release({ sha256 }: KernelModule, instance: KernelInstance): void {
    this.#remove(sha256);
    const bytes = instance.exports.memory.buffer.byteLength;
    this.#idle.set(sha256, { instance, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#idle.keys()) {
      if (this.#bytes <= LIMITS.kernel.idleInstanceBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(sha256: string): KernelInstance | undefined {
    const idle = this.#idle.get(sha256);
    if (idle === undefined) return undefined;
    this.#idle.delete(sha256);
    this.#bytes -= idle.bytes;
    return idle.instance;
  }
}
