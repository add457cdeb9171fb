// Time to read a question in words, over all labelled sentences: in this process, and of a whole request to a node.
//
//   node bench/auto.ts [rounds]
//
// CPU time of each sentence in process, the minimum over the rounds. Over HTTP one request at a time: the wall time that
// its caller sees, the minimum over the rounds, and the CPU of the node. Target: below 5 ms.

import { setTimeout as sleep } from 'node:timers/promises';
import { Dispatcher } from '../src/dispatch/dispatch.ts';
import { SOLVERS } from '../src/solvers/index.ts';
import { cpuSeconds, withServers } from './harness/load.ts';
import { fixed, printHead, printRow } from './harness/table.ts';

const rounds = Number(process.argv[2] ?? 5);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

function cpuOf(run: () => unknown): number {
  const before = cpuMs();
  run();
  return cpuMs() - before;
}

const CAR = 'kinetic energy of a car of 1200 kg at 30 m/s';
let dispatcher = new Dispatcher([]);
const vocabulary = cpuOf(() => {
  dispatcher = new Dispatcher(SOLVERS);
});
const first = cpuOf(() => dispatcher.dispatch(CAR));
const second = cpuOf(() => dispatcher.dispatch('price of a call, spot 100, strike 105, 6 months'));

// Has a dispatcher of its own, which would warm the first question.
const { ALL } = await import('../test/dispatch/questions.ts');
const sentences = ALL.map(({ query }) => query);

/** The least time of each sentence, in rising order. */
async function leastTimes(timeOf: (sentence: string) => number | Promise<number>): Promise<number[]> {
  const least = sentences.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [at, sentence] of sentences.entries())
      least[at] = Math.min(least[at] ?? Number.POSITIVE_INFINITY, await timeOf(sentence));
  return least.sort((a, b) => a - b);
}

const shareOf = (times: readonly number[], share: number) =>
  times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;

printHead('where', 'first, ms', 'second', 'median', 'p95', 'max', 'CPU of the node a request', 'target');
const row = (where: string, [before, after]: readonly [number, number], times: readonly number[], cpu = '–') =>
  printRow(
    where,
    fixed(before, 1),
    fixed(after, 1),
    ...[0.5, 0.95, 1].map((share) => fixed(shareOf(times, share), 2)),
    cpu,
    '< 5',
  );

row('in process, CPU', [vocabulary + first, second], await leastTimes((one) => cpuOf(() => dispatcher.dispatch(one))));

await withServers(async ({ svc, auth }) => {
  const wallOf = async (method: 'GET' | 'POST', query: string) => {
    const before = performance.now();
    const answer =
      method === 'GET'
        ? await fetch(`${svc.url}/api/svc/auto?query=${encodeURIComponent(query)}`)
        : await fetch(`${svc.url}/api/svc/auto`, {
            method,
            headers: auth,
            body: JSON.stringify({ query, run: false }),
          });
    await answer.arrayBuffer();
    if (answer.status !== 200 && answer.status !== 422) throw new Error(`${query}: ${answer.status}`);
    return performance.now() - before;
  };
  // A node that has just begun to listen is busy for a second.
  await sleep(3_000);
  await (await fetch(`${svc.url}/api/health`)).arrayBuffer();
  for (const method of ['GET', 'POST'] as const) {
    const cold = [await wallOf(method, CAR), await wallOf(method, 'zeros of zeta up to 1000')] as const;
    const before = cpuSeconds(svc.child);
    const times = await leastTimes((one) => wallOf(method, one));
    const cpu = (1e3 * (cpuSeconds(svc.child) - before)) / (rounds * sentences.length);
    row(`${method} /api/svc/auto, wall`, cold, times, `${fixed(cpu, 2)} ms`);
  }
});
console.log(`\n${sentences.length} sentences, ${rounds} rounds. First: vocabulary and index of the laws included.`);
