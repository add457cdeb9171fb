// A node under mixed load for half an hour: events that move contracts, timers every tick, solvers, proofs, streams that
// come and go. Its resident memory must not keep rising.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { CLOCKWORK, COUNTER } from '../crash/contract-definitions.ts';
import { openEvents } from '../streams/sse-reader.ts';

const MINUTES = Number(process.env.SVC_SOAK_MINUTES ?? 30);
/** Caches fill and code is optimised first. */
const WARM_PART = 0.3;
const SAMPLE_MS = 5_000;
const MACHINES = 10;
const MOST_MB_PER_MINUTE = 1;

interface Node {
  readonly child: ChildProcess;
  readonly url: string;
}

async function launch(env: Record<string, string>): Promise<Node> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../src/server.ts', import.meta.url))], {
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
    child.once('exit', (code) => reject(new Error(`The node ended with ${code}.`)));
  });
  return { child, url };
}

const residentMb = ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const along = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return along / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

class Caller {
  calls = 0;
  readonly #url: string;
  readonly #key: string | undefined;

  constructor(url: string, key?: string) {
    this.#url = url;
    this.#key = key;
  }

  async ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.#key !== undefined) headers.authorization = `Bearer ${this.#key}`;
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    this.calls++;
    return (await response.json()) as Record<string, unknown>;
  }
}

async function load(url: string, owner: Caller, slugs: readonly string[], untilMs: number): Promise<void> {
  const isOn = () => Date.now() < untilMs;
  const some = (turn: number) => slugs[turn % slugs.length] ?? '';
  const events = async () => {
    for (let turn = 0; isOn(); turn++) {
      await owner.ask('POST', `/api/chain/${some(turn)}/event`, { name: 'hit', payload: { turn } });
      await sleep(20);
    }
  };
  const reading = async () => {
    for (let turn = 0; isOn(); turn++) {
      await owner.ask('GET', `/api/chain/${some(turn)}/explore?limit=20`);
      await owner.ask('GET', `/api/chain/${some(turn)}/pohc/validate`);
      await owner.ask('GET', '/api/chain/recent');
      await owner.ask('GET', `/api/chain/${some(turn)}/awareness/status`);
      await sleep(250);
    }
  };
  const solving = async () => {
    while (isOn()) {
      await owner.ask('POST', '/api/svc/heat', { dim: 1, nx: 16, steps: 8, dt: 0.001 });
      await sleep(500);
    }
  };
  const watching = async () => {
    for (let turn = 0; isOn(); turn++) {
      const stream = await openEvents(`${url}/api/chain/${some(turn)}/explore/sse`, {});
      await stream.next();
      await sleep(1_000);
      stream.hangUp();
    }
  };
  await Promise.all([events(), events(), reading(), solving(), watching(), watching()]);
}

test(
  `resident memory rises by less than ${MOST_MB_PER_MINUTE} MB a minute over ${MINUTES} minutes of mixed load`,
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
      const first = await new Caller(url).ask('POST', '/api/chain/state-machines', { slug: 'soak-0' });
      const owner = new Caller(url, String(first.key));
      const slugs = ['soak-0'];
      for (let i = 1; i < MACHINES; i++) {
        await owner.ask('POST', '/api/chain/state-machines', { slug: `soak-${i}` });
        slugs.push(`soak-${i}`);
      }
      for (const slug of slugs) {
        for (const definition of [CLOCKWORK, COUNTER]) {
          await owner.ask('POST', `/api/chain/${slug}/contracts/custom`, { definition });
        }
      }
      const beganMs = Date.now();
      const samples: (readonly [number, number])[] = [];
      const sampling = setInterval(() => samples.push([(Date.now() - beganMs) / 60_000, residentMb(child)]), SAMPLE_MS);
      await load(url, owner, slugs, beganMs + MINUTES * 60_000).finally(() => clearInterval(sampling));
      const warm = samples.filter(([minute]) => minute > MINUTES * WARM_PART);
      const slope = slopeOf(warm);
      const resident = samples.map(([, mb]) => mb);
      console.info(
        `${owner.calls} calls in ${MINUTES} minutes; resident ${resident[0]?.toFixed(0)} to ${resident.at(-1)?.toFixed(0)} MB, ${slope.toFixed(2)} MB a minute when warm`,
      );
      expect(warm.length).toBeGreaterThan(3);
      expect(slope).toBeLessThan(MOST_MB_PER_MINUTE);
      for (const slug of slugs) {
        expect(await owner.ask('GET', `/api/chain/${slug}/pohc/validate`)).toMatchObject({ valid: true });
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
