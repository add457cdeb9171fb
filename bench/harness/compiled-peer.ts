// Peers in C and C++: compiled from bench/peers by the system's compiler, asked line by line over standard input.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface LinePeer {
  /** Writes a line and reads one. @throws Error if the peer has ended */
  ask(line: string): Promise<string>;
  stop(): void;
}

/**
 * @param source  name of a file in bench/peers
 * @param libraries  options of the linker
 * @returns undefined, with a sentence on standard error, if the compiler or a library is missing
 */
export function startCompiledPeer(source: string, libraries: readonly string[]): LinePeer | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'svc-peer-'));
  const program = join(folder, 'peer');
  const path = fileURLToPath(new URL(`../peers/${source}`, import.meta.url));
  const compiler = source.endsWith('.c') ? 'cc' : 'c++';
  const { status, stderr, error } = spawnSync(compiler, ['-O2', '-o', program, path, ...libraries]);
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    const [reason] = String(error?.message ?? stderr).split('\n');
    console.error(`bench/peers/${source} does not compile and is omitted: ${reason}`);
    return undefined;
  }
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('exit', () => rmSync(folder, { recursive: true }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(line) {
      child.stdin.write(`${line}\n`);
      const { done, value } = await lines.next();
      if (done === true) throw new Error(`The peer ${source} ended.`);
      return value;
    },
    stop: () => child.stdin.end(),
  };
}
