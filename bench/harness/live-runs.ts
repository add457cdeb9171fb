// Frames of runs: what they add to the CPU time of a run, and what one costs with its readers. Called by streams.ts.

import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { createPool } from '../../src/kernels/pool.ts';
import { RunObserver } from '../../src/protocol/run-observer.ts';
import { listen } from '../../src/server.ts';
import { LiveRun } from '../../src/services/compute/live-run.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { sentFrame } from '../../src/solvers/live-frame.ts';
import { runPlan } from '../../src/solvers/run.ts';

const ROUNDS = 7;
const RUNS = [
  ['react', { N: 128, steps: 4_000 }],
  ['evolve', { N: 1_000, steps: 6_000 }],
  ['heat', { nx: 128, ny: 128, steps: 60_000 }],
] as const;
const MAX_OVERHEAD = 3;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** CPU time of a run in a pool, of all threads, with frames and without, in turn. */
async function measureOverhead(): Promise<void> {
  const pool = createPool({ size: 1 });
  console.log('| run | CPU ms without frames | with frames | frames | added, % | target |\n|---|---|---|---|---|---|');
  for (const [slug, given] of RUNS) {
    const solver = findSolver(slug);
    if (solver === undefined) throw new Error(`${slug} is missing.`);
    const input = solver.inputs.parse(given);
    const image = await loadKernel(slug);
    let frames = 0;
    const once = async (isWatched: boolean) => {
      const run = new LiveRun({ id: '', keyId: '', tenant: '', solver: slug, limits: LIMITS.live });
      const observer = new RunObserver(solver, LIMITS.live, (fraction, drawing) => {
        frames++;
        run.push({ ...sentFrame(fraction, drawing) });
      });
      const watch = isWatched ? observer.watchOf({ input }) : undefined;
      const before = cpuMs();
      await runPlan(solver.plan(input), image, pool, watch ? { watch } : {});
      const elapsed = cpuMs() - before;
      run.finish('{}');
      return elapsed;
    };
    await once(true);
    frames = 0;
    const [plain, watched]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      // Whichever is second finds warmer caches.
      for (const isWatched of round % 2 === 0 ? [false, true] : [true, false])
        (isWatched ? watched : plain).push(await once(isWatched));
    }
    const [less, more] = [Math.min(...plain), Math.min(...watched)];
    const added = 100 * (more / less - 1);
    const name = `${slug} ${JSON.stringify(given).replaceAll('"', '')}`;
    console.log(
      `| ${name} | ${less.toFixed(0)} | ${more.toFixed(0)} | ${(frames / ROUNDS).toFixed(0)} | ${added.toFixed(1)} (medians ${(100 * (median(watched) / median(plain) - 1)).toFixed(1)}) | ≤ ${MAX_OVERHEAD} |`,
    );
  }
  await pool.close();
}

/** Events that the readers of one run receive in a second, with readers in this process. */
async function measureReaders(): Promise<void> {
  const configuration = readConfiguration({
    PORT: '0',
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_RATE_FACTOR: '1000',
  });
  const liveLimits = { frameMs: 0, drawShare: 1 };
  const node = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true, liveLimits });
  const { key } = await node.services.keys.openAccount({ name: 'bench', scope: 'write', rate_limit_tier: 'high' });
  const authorization = `Bearer ${key}`;
  const count = async (response: Response) => {
    let [text, events, bytes] = ['', 0, 0];
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      bytes += chunk.length;
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      events += blocks.length;
    }
    return { events, bytes };
  };
  console.log('\n| readers of one run | events/s | MB/s | CPU ms an event, reader included |\n|---|---|---|---|');
  for (const readers of [1, 8, 16]) {
    const [startMs, startCpu] = [performance.now(), cpuMs()];
    const body = JSON.stringify({ solver: 'react', N: 128, steps: 3_000 });
    // The same key finds the same run.
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': `bench-${readers}` };
    const responses = Array.from({ length: readers }, () =>
      fetch(`${node.url}/api/svc/stream`, { method: 'POST', headers, body }),
    );
    const all = await Promise.all((await Promise.all(responses)).map(count));
    const seconds = (performance.now() - startMs) / 1_000;
    const events = all.reduce((sum, one) => sum + one.events, 0);
    const megabytes = all.reduce((sum, one) => sum + one.bytes, 0) / 1e6;
    const perEvent = (cpuMs() - startCpu) / events;
    console.log(
      `| ${readers} | ${(events / seconds).toFixed(0)} | ${(megabytes / seconds).toFixed(1)} | ${perEvent.toFixed(2)} |`,
    );
  }
  await node.close();
}

export async function measureLiveRuns(): Promise<void> {
  await measureOverhead();
  await measureReaders();
}
