// `svc serve` and `svc worker` as processes of their own, as they are deployed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SVC } from '../cli/run-svc.ts';

export type Environment = Readonly<Record<string, string>>;

const POLL_MS = 50;

export class SvcProcess {
  readonly #child: ChildProcess;
  #output = '';

  constructor(command: 'serve' | 'worker', environment: Environment) {
    const { PATH = '', HOME = '' } = process.env;
    this.#child = spawn(process.execPath, [SVC, command], { env: { PATH, HOME, ...environment } });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
  }

  /** Resolves when it has written this. @throws Error with its output if it ends before */
  async wrote(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      if (this.#child.exitCode !== null) throw new Error(`svc ended: ${this.#output}`);
      await sleep(POLL_MS);
    }
  }

  /** Ends it at once, wherever it is. */
  async kill(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** Tells it to stop, and waits until it has ended. @returns the exit code */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    return this.#child.exitCode;
  }
}
