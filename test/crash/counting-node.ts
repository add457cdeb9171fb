// Runs the node of a crash test, which prints the number of each acknowledged event, and kills it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

interface Run {
  readonly script: URL;
  /** First argument of the script. */
  readonly place: object;
  /** Number of the first event. */
  readonly first: number;
  /** Acknowledged events after which it is killed, a moment later. */
  readonly events: number;
  readonly delayMs: number;
}

/** @returns the last number acknowledged */
export async function runAndKill({ script, place, first, events, delayMs }: Run): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(script), JSON.stringify(place), String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = first - 1;
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      last = Number(line);
      if (last - first + 1 >= events) resolve();
    });
    exited.then(() => reject(new Error('The node exited by itself.')), reject);
  });
  await sleep(delayMs);
  child.kill('SIGKILL');
  await exited;
  return last;
}
