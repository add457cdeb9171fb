// Load generator and CPU time measurement for benchmarks of servers.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONNECTIONS = 32;

/** Bodies of small requests: a run of heat, and one operator for compute. */
export const HEAT = JSON.stringify({ dim: 1, nx: 8, steps: 4, dt: 0.001 });
export const BOX = JSON.stringify({
  domain: 'Quantum Mechanics',
  operators: ['QM5'],
  inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 },
});

/** Lets a process write a CPU profile. */
const PROFILER = new URL('./profile-on-signal.ts', import.meta.url);

/** Clock ticks per second in /proc. */
const CLOCK_TICKS = 100;

export interface Target {
  readonly child: ChildProcess;
  readonly url: string;
}

/** The program of svc, started with `serve`. */
const SVC = new URL('../../bin/svc.js', import.meta.url);

/** Starts a node. */
export const launchNode = (env: Readonly<Record<string, string | undefined>>) => launch(SVC, env, ['serve']);

/** Starts a server process that prints its URL. Variables that are undefined in `env` are not inherited. */
async function launch(
  script: URL,
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): Promise<Target> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const match = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (match) resolve(match[0]);
    });
    child.once('exit', (code) => reject(new Error(`${script} exited with ${code}`)));
  });
  return { child, url };
}

/** User and system CPU seconds of all threads of a process. */
export const cpuSeconds = ({ pid }: Pick<ChildProcess, 'pid'>): number => cpuSecondsIn(`/proc/${pid}/stat`);

/** User and system CPU seconds of the main thread of a process; the others collect garbage and compile. */
export const mainThreadSeconds = ({ pid }: Pick<ChildProcess, 'pid'>): number =>
  cpuSecondsIn(`/proc/${pid}/task/${pid}/stat`);

function cpuSecondsIn(path: string): number {
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

/** User and system CPU seconds of all running processes with this name. */
export function cpuSecondsOf(name: string): number {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.reduce((sum, pid) => {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== name) return sum;
      return sum + cpuSeconds({ pid: Number(pid) });
    } catch {
      return sum; // the process has exited
    }
  }, 0);
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function sendRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve();
        else reject(new Error(`${url} returned ${response.statusCode}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** @param url  URL of every call, or URL by call number */
export async function load(
  total: number,
  url: string | ((call: number) => string),
  method: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<void> {
  let remaining = total;
  const clients = Array.from({ length: CONNECTIONS }, async () => {
    for (let call = --remaining; call >= 0; call = --remaining) {
      await sendRequest(typeof url === 'string' ? url : url(call), method, headers, body);
    }
  });
  await Promise.all(clients);
}

/** Requests per CPU second of the target. */
export async function measure(
  target: Target,
  total: number,
  path: string,
  method: string,
  headers?: Record<string, string>,
  body?: string,
): Promise<number> {
  const before = cpuSeconds(target.child);
  await load(total, target.url + path, method, headers, body);
  return total / (cpuSeconds(target.child) - before);
}

export interface Servers {
  readonly koa: Target;
  readonly svc: Target;
  /** Headers with a demo key and the JSON content type. */
  readonly auth: Readonly<Record<string, string>>;
  /** Where each process writes its CPU profile, if `isProfiled`. */
  readonly profilePaths: { readonly koa: string; readonly svc: string };
}

/** Runs `benchmark` with bare Koa and the service, each in its own process. */
export async function withServers(
  benchmark: (servers: Servers) => Promise<void>,
  { isProfiled = false } = {},
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const profilePaths = { koa: join(data, 'koa.cpuprofile'), svc: join(data, 'svc.cpuprofile') };
  const profiled = (path: string) =>
    isProfiled ? { NODE_OPTIONS: `--import ${PROFILER.href}`, SVC_PROFILE: path } : {};
  const koa = await launch(new URL('../peers/bare-koa.ts', import.meta.url), profiled(profilePaths.koa));
  // Always uses the embedded database.
  const svc = await launchNode({
    PORT: '0',
    SVC_DATA: data,
    DATABASE_URL: undefined,
    SVC_RATE_FACTOR: '10000',
    NODE_ENV: 'production',
    ...profiled(profilePaths.svc),
  }).catch((error: unknown) => {
    koa.child.kill('SIGTERM');
    throw error;
  });
  try {
    const minted = await fetch(`${svc.url}/api/demo-key/mint`, { method: 'POST' });
    const { key } = (await minted.json()) as { key: string };
    const auth = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await benchmark({ koa, svc, auth, profilePaths });
  } finally {
    agent.destroy();
    koa.child.kill('SIGTERM');
    svc.child.kill('SIGTERM');
    await new Promise((resolve) => svc.child.once('exit', resolve));
    rmSync(data, { recursive: true, force: true });
  }
}

/** A Markdown table of measurements compared with a baseline. */
export function table(
  rows: readonly (readonly [name: string, value: number, baseline: number, target: string])[],
): string {
  const lines = rows.map(
    ([name, value, baseline, target]) =>
      `| ${name} | ${Math.round(value)} | ${Math.round(baseline)} | ${(value / baseline).toFixed(3)} | ${target} |`,
  );
  return ['| call | requests per CPU second | bare Koa | ratio | target |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}
