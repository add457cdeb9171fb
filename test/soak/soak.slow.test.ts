// A node under mixed load for half an hour: contract events, timers every tick, solvers, proofs and short streams. Its
// resident memory must not grow steadily.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { SVC } from '../cli/run-svc.ts';
import { CLOCKWORK, COUNTER } from '../crash/contract-definitions.ts';
import { openEvents } from '../streams/sse-reader.ts';

const MINUTES = Number(process.env.SVC_SOAK_MINUTES ?? 30);
/** Fraction of the time in which caches fill and code is optimised. */
const WARM_UP_FRACTION = 0.3;
const SAMPLE_MS = 5_000;
const MACHINES = 10;
const MAX_MB_PER_MINUTE = 1;

interface Node {
  readonly child: ChildProcess;
  readonly url: string;
}

async function launch(env: Record<string, string>): Promise<Node> {
  const child = spawn(process.execPath, [SVC, 'serve'], {
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
    child.once('exit', (code) => reject(new Error(`the node exited with ${code}`)));
  });
  return { child, url };
}

const residentMb = ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Slope by least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const covariance = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

class ApiClient {
  calls = 0;
  readonly #url: string;
  readonly #key: string | undefined;

  constructor(url: string, key?: string) {
    this.#url = url;
    this.#key = key;
  }

  async request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.#key !== undefined) headers.authorization = `Bearer ${this.#key}`;
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    this.calls++;
    return (await response.json()) as Record<string, unknown>;
  }
}

async function load(url: string, owner: ApiClient, slugs: readonly string[], endMs: number): Promise<void> {
  const isRunning = () => Date.now() < endMs;
  const slugOf = (turn: number) => slugs[turn % slugs.length] ?? '';
  const events = async () => {
    for (let turn = 0; isRunning(); turn++) {
      await owner.request('POST', `/api/chain/${slugOf(turn)}/event`, { name: 'hit', payload: { turn } });
      await sleep(20);
    }
  };
  const reads = async () => {
    for (let turn = 0; isRunning(); turn++) {
      await owner.request('GET', `/api/chain/${slugOf(turn)}/explore?limit=20`);
      await owner.request('GET', `/api/chain/${slugOf(turn)}/pohc/validate`);
      await owner.request('GET', '/api/chain/recent');
      await owner.request('GET', `/api/chain/${slugOf(turn)}/awareness/status`);
      await sleep(250);
    }
  };
  const solves = async () => {
    while (isRunning()) {
      await owner.request('POST', '/api/svc/heat', { dim: 1, nx: 16, steps: 8, dt: 0.001 });
      await sleep(500);
    }
  };
  const streams = async () => {
    for (let turn = 0; isRunning(); turn++) {
      const stream = await openEvents(`${url}/api/chain/${slugOf(turn)}/explore/sse`, {});
      await stream.next();
      await sleep(1_000);
      stream.close();
    }
  };
  await Promise.all([events(), events(), reads(), solves(), streams(), streams()]);
}

test(
  `resident memory grows by less than ${MAX_MB_PER_MINUTE} MB per minute over ${MINUTES} minutes of mixed load`,
  async () => {
    const server = process.env.DATABASE_URL;
    const name = `soak_${randomBytes(6).toString('hex')}`;
    const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'));
    const admin = server === undefined ? undefined : await openDatabase({ databaseUrl: server });
    await admin?.knex.raw(`create database ${name}`);
    const database = server && Object.assign(new URL(server), { pathname: `/${name}` }).href;
    const { child, url } = await launch({
      PORT: '0',
      SVC_DATA: folder,
      SVC_MASTER_KEY: randomBytes(32).toString('hex'),
      SVC_RATE_FACTOR: '100000',
      NODE_ENV: 'production',
      ...(database === undefined ? {} : { DATABASE_URL: database }),
    });
    try {
      const first = await new ApiClient(url).request('POST', '/api/chain/state-machines', {
        slug: 'soak-0',
        is_public: true,
      });
      const owner = new ApiClient(url, String(first.key));
      const slugs = ['soak-0'];
      for (let i = 1; i < MACHINES; i++) {
        await owner.request('POST', '/api/chain/state-machines', { slug: `soak-${i}`, is_public: true });
        slugs.push(`soak-${i}`);
      }
      for (const slug of slugs) {
        for (const definition of [CLOCKWORK, COUNTER]) {
          await owner.request('POST', `/api/chain/${slug}/contracts/custom`, { definition });
        }
      }
      const startMs = Date.now();
      const samples: (readonly [number, number])[] = [];
      const sampling = setInterval(() => samples.push([(Date.now() - startMs) / 60_000, residentMb(child)]), SAMPLE_MS);
      await load(url, owner, slugs, startMs + MINUTES * 60_000).finally(() => clearInterval(sampling));
      const warm = samples.filter(([minute]) => minute > MINUTES * WARM_UP_FRACTION);
      const slope = slopeOf(warm);
      const resident = samples.map(([, mb]) => mb);
      console.info(
        `${owner.calls} calls in ${MINUTES} minutes; resident ${resident[0]?.toFixed(0)} to ${resident.at(-1)?.toFixed(0)} MB, ${slope.toFixed(2)} MB per minute after warm-up`,
      );
      expect(warm.length).toBeGreaterThan(3);
      expect(slope).toBeLessThan(MAX_MB_PER_MINUTE);
      for (const slug of slugs) {
        expect(await owner.request('GET', `/api/chain/${slug}/pohc/validate`)).toMatchObject({ valid: true });
      }
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      await admin?.knex.raw(`drop database ${name} with (force)`);
      await admin?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  (MINUTES + 5) * 60_000,
);
