// Compiles AssemblyScript entries side by side, each in a thread: the compiler has global state.

import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { compile, type Target } from './compile-kernel.ts';

/** Each thread takes up to 400 MB. */
const MAX_THREADS = 4;

interface Order {
  readonly entry: string;
  readonly target: Target;
}
type Outcome = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly error: string };

/**
 * Compiles entries and hands each over as soon as it is ready.
 *
 * @param entries  absolute paths
 * @throws Error with the compiler's diagnostics of the first entry that fails
 */
export async function compileAll(
  entries: readonly string[],
  target: Target,
  onCompiled: (entry: string, bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const left = [...entries];
  const lanes = Array.from({ length: Math.min(MAX_THREADS, availableParallelism(), left.length) }, async () => {
    const thread = new Worker(new URL(import.meta.url));
    try {
      for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
        onCompiled(entry, await compileIn(thread, { entry, target }));
      }
    } catch (error) {
      left.length = 0;
      throw error;
    } finally {
      await thread.terminate();
    }
  });
  for (const { status, ...lane } of await Promise.allSettled(lanes)) {
    if (status === 'rejected') throw (lane as PromiseRejectedResult).reason;
  }
}

function compileIn(thread: Worker, order: Order): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (outcome: Outcome) => {
      thread.off('error', reject);
      if ('bytes' in outcome) resolve(outcome.bytes);
      else reject(new Error(outcome.error));
    });
    thread.postMessage(order);
  });
}

if (!isMainThread) {
  parentPort?.on('message', async ({ entry, target }: Order) => {
    const outcome: Outcome = await compile(entry, target).then(
      (bytes) => ({ bytes }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    parentPort?.postMessage(outcome);
  });
}
