// Peers: other programs that solve the same problem. Each is started once and asked line by line over standard input.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Timing } from './timing.ts';

export interface Peer {
  /** False if it is missing here, which a sentence on standard error has said. */
  readonly isPresent: boolean;
  /**
   * Writes the words as one line, and reads one line: the time of one run, then its numbers.
   *
   * @returns NaN and no numbers if the peer is missing
   * @throws Error if it has ended
   */
  time(...words: readonly (string | number)[]): Promise<Timing<readonly number[]>>;
  stop(): void;
}

/** The path of a file in bench/peers. */
export const peerPath = (source: string) => fileURLToPath(new URL(`../peers/${source}`, import.meta.url));

/** One thread each; Python writes nothing beside the sources. */
const ENVIRONMENT = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' };

/** A Python program of bench/peers, which uses `serve` of peer.py there. @param modules  that it imports */
export function startPythonPeer(source: string, modules: readonly string[] = ['numpy', 'scipy']): Peer {
  const { status, stderr, error } = spawnSync('python3', ['-c', `import ${modules.join(', ')}`]);
  if (status === 0) return startPeer('python3', [peerPath(source)]);
  const reason = String(error?.message ?? stderr)
    .trim()
    .split('\n')
    .at(-1);
  return missingPeer(`bench/peers/${source} needs python3 with ${modules.join(' and ')} and is omitted: ${reason}`);
}

/** A script of bench/peers for Octave, which reads and prints lines itself. */
export function startOctavePeer(source: string): Peer {
  const { error } = spawnSync('octave-cli', ['--version']);
  if (error) return missingPeer(`bench/peers/${source} needs octave-cli and is omitted: ${error.message}`);
  // `fgetl` waits for the character behind the end of a line.
  return startPeer('octave-cli', ['--quiet', '--norc', peerPath(source)], undefined, '\n\n');
}

/**
 * A C or C++ program of bench/peers, compiled by the system's compiler at -O2.
 *
 * @param libraries  options of the linker
 */
export function startCompiledPeer(source: string, libraries: readonly string[]): Peer {
  const folder = mkdtempSync(join(tmpdir(), 'svc-peer-'));
  const program = join(folder, 'peer');
  const compiler = source.endsWith('.c') ? 'cc' : 'c++';
  const { status, stderr, error } = spawnSync(compiler, ['-O2', '-o', program, peerPath(source), ...libraries]);
  if (status === 0) return startPeer(program, [], () => rmSync(folder, { recursive: true }));
  rmSync(folder, { recursive: true });
  const [reason] = String(error?.message ?? stderr).split('\n');
  return missingPeer(`bench/peers/${source} does not compile and is omitted: ${reason}`);
}

/**
 * A program on the PATH that is started anew for each measurement.
 *
 * @param argsOf  its arguments, from the words of `time`
 * @param read  the time of the run in what it prints, and its numbers
 * @param codes  exit codes that are answers
 */
export function programPeer(
  command: string,
  argsOf: (words: readonly (string | number)[]) => readonly string[],
  read: (printed: string) => Timing<readonly number[]>,
  codes: readonly (number | null)[] = [0],
): Peer {
  const { error: missing } = spawnSync(command, ['-help'], { stdio: 'ignore' });
  if (missing) return missingPeer(`${command} is omitted: ${missing.message}`);
  return {
    isPresent: true,
    async time(...words) {
      const env = { ...process.env, ...ENVIRONMENT };
      const { stdout, status, error } = spawnSync(command, argsOf(words), { encoding: 'utf8', env });
      if (error ?? !codes.includes(status)) throw new Error(`${command} failed: ${error?.message ?? stdout}`);
      return read(stdout);
    },
    stop: () => {},
  };
}

function missingPeer(sentence: string): Peer {
  console.error(sentence);
  return { isPresent: false, time: async () => ({ time: Number.NaN, result: [] }), stop: () => {} };
}

function startPeer(command: string, args: readonly string[], onExit: () => void = () => {}, lineEnd = '\n'): Peer {
  const env = { ...process.env, ...ENVIRONMENT };
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('exit', onExit);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    isPresent: true,
    async time(...words) {
      child.stdin.write(`${words.join(' ')}${lineEnd}`);
      const { done, value } = await lines.next();
      if (done === true) throw new Error(`The peer ${[command, ...args].join(' ')} ended.`);
      const [time = Number.NaN, ...result] = value.split(' ').map(Number);
      return { time, result };
    },
    stop: () => child.stdin.end(),
  };
}
