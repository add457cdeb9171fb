// Two servers under load, and the CPU time that each took.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONNECTIONS = 64;
/** CPU ticks a second in /proc. */
const HZ = 100;

export interface Target {
  readonly child: ChildProcess;
  readonly url: string;
}

/** A server in a process of its own, which prints its address; what `env` has undefined it does not inherit. */
export async function launch(script: URL, env: Readonly<Record<string, string | undefined>>): Promise<Target> {
  const child = spawn(process.execPath, [fileURLToPath(script)], {
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
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return { child, url };
}

/** User and system seconds of a process, all its threads. */
export function cpuSeconds({ pid }: Pick<ChildProcess, 'pid'>): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / HZ;
}

/** User and system seconds of all processes of this name that run now. */
export function cpuSecondsOf(name: string): number {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.reduce((sum, pid) => {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== name) return sum;
      return sum + cpuSeconds({ pid: Number(pid) });
    } catch {
      return sum; // it ended while we looked
    }
  }, 0);
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function once(url: string, method: string, headers: Record<string, string>, body: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** @param url  of one call, or of the call of each turn */
export async function load(
  total: number,
  url: string | ((turn: number) => string),
  method: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<void> {
  let left = total;
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    for (let turn = --left; turn >= 0; turn = --left) {
      await once(typeof url === 'string' ? url : url(turn), method, headers, body);
    }
  });
  await Promise.all(lanes);
}

/** Requests per CPU second. */
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

export interface Pair {
  readonly koa: Target;
  readonly svc: Target;
  /** A demo key, and JSON. */
  readonly auth: Readonly<Record<string, string>>;
}

/** Bare Koa and the service, each in its process, while `work` runs. */
export async function besideKoa(work: (pair: Pair) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const koa = await launch(new URL('../peers/bare-koa.ts', import.meta.url), {});
  // On the embedded database, whatever the benches beside this one use.
  const svc = await launch(new URL('../../src/server.ts', import.meta.url), {
    PORT: '0',
    SVC_DATA: data,
    DATABASE_URL: undefined,
    SVC_RATE_FACTOR: '10000',
    NODE_ENV: 'production',
  }).catch((error: unknown) => {
    koa.child.kill('SIGTERM');
    throw error;
  });
  try {
    const minted = await fetch(`${svc.url}/api/demo-key/mint`, { method: 'POST' });
    const { key } = (await minted.json()) as { key: string };
    await work({ koa, svc, auth: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });
  } finally {
    agent.destroy();
    koa.child.kill('SIGTERM');
    svc.child.kill('SIGTERM');
    await new Promise((resolve) => svc.child.once('exit', resolve));
    rmSync(data, { recursive: true, force: true });
  }
}

/** Rows of a table: a call beside its yardstick. */
export function table(
  rows: readonly (readonly [name: string, value: number, yardstick: number, bar: string])[],
): string {
  const lines = rows.map(
    ([name, value, yardstick, bar]) =>
      `| ${name} | ${Math.round(value)} | ${Math.round(yardstick)} | ${(value / yardstick).toFixed(3)} | ${bar} |`,
  );
  return ['| call | requests per CPU second | bare Koa | ratio | bar |', '|---|---|---|---|---|', ...lines].join('\n');
}
