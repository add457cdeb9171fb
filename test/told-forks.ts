// Vitest pool of processes that says how one of them died; Vitest itself says only that one did.

import { ForksPoolWorker, type PoolRunnerInitializer } from 'vitest/node';

const NAME = 'told-forks';

class ToldFork extends ForksPoolWorker {
  override readonly name = NAME;
  #isStopping = false;

  override async start(): Promise<void> {
    await super.start();
    this.on('exit', (...[code, signal]: unknown[]) => {
      if (!this.#isStopping) console.error(`A worker of the test runner died: exit code ${code}, signal ${signal}.`);
    });
  }

  override async stop(): Promise<void> {
    this.#isStopping = true;
    await super.stop();
  }
}

export const toldForks: PoolRunnerInitializer = {
  name: NAME,
  createPoolWorker: (options) => new ToldFork(options),
};
