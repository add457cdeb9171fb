// Kernels of this build, run to their end in this thread.

import type { CompiledModule, KernelOutput, KernelRun } from '../../src/kernels/abi.ts';
import type { KernelFace } from '../../src/kernels/face.ts';
import { compileKernel, drive, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';

/** Runs of one instance, each in the chunks of the service. */
export type RunKernel = <Face extends KernelFace>(run: KernelRun<Face>, module?: CompiledModule) => KernelOutput<Face>;

export async function startKernel(slug: string): Promise<RunKernel> {
  const instance = instantiate(await compileKernel(await loadKernel(slug)));
  return (run, module) => {
    const chunks = drive(instance, run, () => performance.now(), module);
    for (;;) {
      const next = chunks.next();
      if (next.done) return next.value;
    }
  };
}
