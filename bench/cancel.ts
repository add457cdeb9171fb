// Time of a cancellation of the field solvers at their largest problems, or nearly so.
//
//   node bench/cancel.ts
//
// A run looks at the cancel word between its chunks: the longest stretch between two looks is processor time of one thread,
// with byte code as replay runs it and as the service does. Then the run is cancelled in a pool of one worker, a third of a
// second after it has begun: until the caller has its refusal, until the worker takes the next task. Plans and solutions
// of such problems are made in workers that are ended after a second; their time is given, since the library makes them in
// the thread of its caller. At last a client closes its connection to a node of one worker 1.5 s after its request: how much
// longer than usual the next request takes.

import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { readConfiguration } from '../src/configuration.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import { createPool } from '../src/kernels/pool.ts';
import { listen } from '../src/server.ts';
import { accelerateRun } from '../src/solvers/accelerate.ts';
import { definitionOf, LARGEST, type LargestProblem, stretchesOf, threadMs } from '../test/suites/largest-problems.ts';
import { fixed, printHead, printRow } from './harness/table.ts';

const LIMIT_MS = 6_000;
const DISCONNECT_MS = 1_500;
const BAR = '≤ 100 ms';

const pool = createPool({ size: 1 });
await pool.run(await loadKernel('heat'), heatRun());

function heatRun() {
  const heat = definitionOf('heat');
  const [run] = heat.plan(heat.inputs.parse({ dim: 1, nx: 8, steps: 4, dt: 0.001 })).runs;
  if (run === undefined) throw new Error('The plan has no run.');
  return run;
}

/** Cancels a run in the pool. */
async function cancelInPool({ solver, input }: LargestProblem) {
  const definition = definitionOf(solver);
  const plan = definition.plan(definition.inputs.parse(input));
  const image = await loadKernel(solver);
  const [run] = plan.runs;
  if (run === undefined) throw new Error('The plan has no run.');
  const controller = new AbortController();
  let refusedMs = Number.NaN;
  let cancelledAt = Number.NaN;
  const running = pool.run(image, run, { signal: controller.signal, accelerate: accelerateRun }).then(
    () => undefined,
    () => {
      refusedMs = performance.now() - cancelledAt;
    },
  );
  await sleep(333);
  cancelledAt = performance.now();
  controller.abort();
  await running;
  const heat = await loadKernel('heat');
  await pool.run(heat, heatRun());
  return { refusedMs, freeMs: performance.now() - cancelledAt };
}

const environment = {
  PORT: '0',
  SVC_WORKERS: '1',
  SVC_RATE_FACTOR: '10000',
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
};
const node = await listen({
  configuration: readConfiguration(environment),
  log: pino({ level: 'silent' }),
  inMemory: true,
});
const { key } = await node.services.keys.openAccount({ name: 'bench', scope: 'admin', rate_limit_tier: 'high' });

/** An answer of the node. */
function send(path: string, input: object) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const sent = request(`${node.url}${path}`, { method: 'POST', headers });
  const answer = new Promise<void>((resolve) => {
    sent.on('error', () => resolve());
    sent.on('response', (response) => response.resume().on('close', () => resolve()));
  });
  sent.end(JSON.stringify(input));
  return { sent, answer };
}

/** A run of some milliseconds, which needs the node's only worker. */
const NEXT = { dim: 2, nx: 64, ny: 64, steps: 200, dt: 1e-5 };

/** Cancels a request by closing its connection. @returns ms until the next request has its answer, without its own time */
async function cancelByHttp({ solver, input }: LargestProblem): Promise<number> {
  const alone = await timed(() => send('/api/svc/heat', NEXT).answer);
  const { sent } = send(`/api/svc/${solver}`, input);
  await sleep(DISCONNECT_MS);
  sent.destroy();
  return Math.max(0, (await timed(() => send('/api/svc/heat', NEXT).answer)) - alone);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

await send('/api/svc/heat', NEXT).answer;

printHead(
  'solver',
  'problem',
  'between checks, ms',
  'as served, ms',
  'refused after, ms',
  'worker free after, ms',
  'next request later by, ms',
  'plan, ms',
  'bar',
);
for (const problem of LARGEST) {
  const definition = definitionOf(problem.solver);
  const begin = threadMs();
  const { runs } = definition.plan(definition.inputs.parse(problem.input));
  const planMs = threadMs() - begin;
  const [run] = runs;
  if (run === undefined) throw new Error('The plan has no run.');
  const plain = await stretchesOf(problem.solver, run, { isAccelerated: false, limitMs: LIMIT_MS });
  const served = await stretchesOf(problem.solver, run, { isAccelerated: true, limitMs: LIMIT_MS });
  const { refusedMs, freeMs } = await cancelInPool(problem);
  const httpMs = await cancelByHttp(problem);
  printRow(
    problem.solver,
    problem.title,
    fixed(plain.longestMs, 1),
    fixed(served.longestMs, 1),
    fixed(refusedMs, 1),
    fixed(freeMs, 1),
    fixed(httpMs, 1),
    fixed(planMs, 0),
    BAR,
  );
}
await Promise.all([pool.close(), node.close()]);
