// A quiet tenant beside each attack: its throughput compared with that alone, and the delay of the event loop.
//
//   node bench/bystander.ts [attack …]
//
// The node runs in a process of its own, with an embedded database in memory. The attacks are those of test/attack/.
// Clients, workers and the event loop share the processors of the machine, so few of them make the ratios smaller. Rounds
// alone and beside the attack alternate, and what other processes take of the processors is measured, because it makes
// the throughput smaller too. The control sends nothing to the node: two processes count at the priority of its workers.
// What the quiet tenant loses beside them, it loses to the computer. The scheduler of Linux tells what the node is to blame
// for: the processor time that its event loop needs for a call, and the part of the time in which it is ready and waits for
// a processor.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { readConfiguration } from '../src/configuration.ts';
import { LIMITS } from '../src/core/limits.ts';
import { listen } from '../src/server.ts';
import { BOX, cpuSeconds } from './harness/load.ts';

const ROUNDS = 4;
const ROUND_MS = 2_000;
const CLOCK_TICKS = 100;
const DEMO_KEYS = 6;
const COUNT_MS = 1_000;
const TARGETS = { delayMs: 50, throughput: 0.7 };

interface Delay {
  readonly p99: number;
  readonly max: number;
}

interface Ready {
  readonly url: string;
  /** Keys of two accounts and of callers without an account. */
  readonly quiet: string;
  readonly noisy: string;
  readonly demo: readonly string[];
}

/** Runs the node in this process, which the parent process has forked for it. */
async function serve(): Promise<void> {
  const SVC_MASTER_KEY = randomBytes(32).toString('hex');
  const environment = { PORT: '0', SVC_RATE_FACTOR: '10000', NODE_ENV: 'production', SVC_MASTER_KEY };
  const configuration = readConfiguration(environment);
  const node = await listen({ configuration, log: pino({ level: 'fatal' }), inMemory: true });
  if (process.env.SVC_COLD !== '1') await node.warm();
  const { keys } = node.services;
  const accountKey = async () =>
    (await keys.openAccount({ name: 'bench', scope: 'admin', rate_limit_tier: 'high' })).key;
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  process.on('message', (message) => {
    if (message === 'close') void node.close().then(() => process.exit());
    if (message === 'delay') process.send?.({ p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 });
    delays.reset();
  });
  const demo = await Promise.all(Array.from({ length: DEMO_KEYS }, async () => (await keys.mintDemo()).key));
  process.send?.({ url: node.url, quiet: await accountKey(), noisy: await accountKey(), demo });
}

const agent = new Agent({ keepAlive: true });

/** The status and the text of an answer. */
function call(url: string, key: string | undefined, body: string): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
    });
    // The node may close a connection that was kept while the next request is on its way.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      sent.reusedSocket && error.code === 'ECONNRESET' ? resolve({ status: 0, text: '' }) : reject(error),
    );
    sent.end(body);
  });
}

/** Calls one after the other until the end. @returns calls per second that succeeded */
async function repeat(work: () => Promise<{ status: number }>, isOver: () => boolean): Promise<number> {
  const begin = performance.now();
  let count = 0;
  while (!isOver()) {
    const { status } = await work();
    if (status >= 200 && status < 300) count++;
    // A client that is refused waits a little, like one that reads the answer.
    else await sleep(5);
  }
  return (1_000 * count) / (performance.now() - begin);
}

/** What the quiet tenant does, and what others do meanwhile. */
interface Attack {
  readonly name: string;
  readonly work: (ready: Ready) => Promise<() => Promise<{ status: number }>>;
  readonly attackers: (ready: Ready) => Promise<readonly (() => Promise<{ status: number }>)[]>;
}

async function post(ready: Ready, path: string, key: string, body: object): Promise<Record<string, never>> {
  const { status, text } = await call(ready.url + path, key, JSON.stringify(body));
  if (status >= 300) throw new Error(`${path} returned ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const zetas = (lines: number, terms: number) => ({
  equations: Array.from({ length: lines }, (_, i) => `y${i} = sum(i, 1, ${terms}, zeta(2 + i/1000 + ${i}))`),
});

/** Contracts that try `guards` conditions on each ping. */
const watchful = (guards: number) => ({
  name: 'watchful',
  version: '1.0',
  operators: ['KO42'],
  initial: 'idle',
  context: { x: { type: 'number', initial: 1 } },
  events: { ping: {}, stop: {} },
  states: { idle: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    ...Array.from({ length: guards }, (_, i) => ({
      ...{ id: `t${i}`, from: 'idle', to: 'idle', operator: 'KO42', proof: false },
      trigger: { kind: 'event', event: 'ping' },
      fires_when: `x > ${i + 2} and x < ${i + 1}`,
    })),
    {
      ...{ id: 'stop', from: 'idle', to: 'over', operator: 'KO42', proof: false },
      trigger: { kind: 'event', event: 'stop' },
    },
  ],
});

let machines = 0;
async function machineWith(ready: Ready, key: string, contracts: number, definition: object): Promise<string> {
  const slug = `bystander-${machines++}`;
  await post(ready, '/api/chain/state-machines', key, { slug, is_public: true });
  for (let i = 0; i < contracts; i++) await post(ready, `/api/chain/${slug}/contracts/custom`, key, { definition });
  return slug;
}

const ENTRIES = 110;
const CHARACTERS = 500;

/** Keeps what `push` says, in a list or as one text. Each ping fires, and changes neither. */
const keeper = (kept: object, push: object) => ({
  ...{ name: 'keeper', version: '1.0', edition: 2, operators: ['KO42'], initial: 'open', ...kept },
  events: { push: { payload: { text: 'string' } }, ping: {}, stop: {} },
  states: { open: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    ...[
      { event: 'push', to: 'open', post: [push] },
      { event: 'ping', to: 'open' },
      { event: 'stop', to: 'over' },
    ].map(({ event, ...rest }) => ({
      ...{ id: event, from: 'open', operator: 'KO42', proof: false, trigger: { kind: 'event', event } },
      ...rest,
    })),
  ],
});
const listKeeper = keeper(
  { collections: { kept: { kind: 'list', of: 'string', max: ENTRIES } } },
  { append: { to: 'kept', value: 'event.text' } },
);
const textKeeper = keeper({ context: { kept: { type: 'string', initial: '' } } }, { set: { kept: 'event.text' } });
const randomText = (characters: number) => randomBytes(characters).toString('base64').slice(0, characters);

/** A machine with contracts of `listKeeper` whose lists are full, which it fills one by one. */
async function fullLists(ready: Ready, key: string, contracts: number): Promise<string> {
  const slug = await machineWith(ready, key, contracts, listKeeper);
  const { rows } = (await get(`${ready.url}/api/chain/${slug}/contracts?limit=200`, key)) as { rows: { id: string }[] };
  const fill = async ({ id }: { id: string }) => {
    const push = async () => {
      const body = JSON.stringify({ name: 'push', payload: { text: randomText(CHARACTERS) } });
      return (await call(`${ready.url}/api/chain/${slug}/contracts/${id}/event`, key, body)).status === 201;
    };
    for (let i = 0; i < ENTRIES; ) if (await push()) i++;
  };
  await Promise.all(rows.map(fill));
  return slug;
}

const get = async (url: string, key: string): Promise<unknown> =>
  (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json();

const ping =
  ({ url }: Ready, slug: string, key: string) =>
  () =>
    call(`${url}/api/chain/${slug}/event`, key, '{"name": "ping"}');

const compute =
  async ({ url, quiet }: Ready) =>
  () =>
    call(`${url}/api/svc/compute`, quiet, BOX);
const append = async (ready: Ready) => ping(ready, await machineWith(ready, ready.quiet, 1, watchful(1)), ready.quiet);
/** Long enough for the pool of workers. */
const HEAT = JSON.stringify({ dim: 2, nx: 48, steps: 1_000 });
const solve =
  async ({ url, quiet }: Ready) =>
  () =>
    call(`${url}/api/svc/heat`, quiet, HEAT);

/** Two processes that only count, each for as long as a call lasts. */
const counters: Attack['attackers'] = async () =>
  [1, 2].map(() => async () => {
    const script = `const end = Date.now() + ${COUNT_MS}; while (Date.now() < end);`;
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    if (child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + LIMITS.kernel.niceness));
    await once(child, 'exit');
    return { status: 200 };
  });

const ATTACKS: readonly Attack[] = [
  { name: 'control: two processes that count', work: compute, attackers: counters },
  {
    name: 'replay of thirteen sums of zeta, without a key',
    work: compute,
    attackers: async (ready) => {
      const { text } = await call(`${ready.url}/api/svc/unified`, ready.noisy, JSON.stringify(zetas(13, 2_500)));
      return [1, 2].map(() => () => call(`${ready.url}/api/svc/replay`, undefined, text));
    },
  },
  {
    name: 'thirteen sums of zeta, demo key',
    work: compute,
    attackers: async ({ url, demo }) =>
      demo.slice(0, 2).map((key) => () => call(`${url}/api/svc/unified`, key, JSON.stringify(zetas(13, 10_000)))),
  },
  {
    name: 'six demo keys in the queue of solvers',
    work: solve,
    attackers: async ({ url, demo }) =>
      demo.flatMap((key) => [1, 2, 3, 4].map(() => () => call(`${url}/api/svc/heat`, key, HEAT))),
  },
  {
    name: '190 contracts with 95 guards, 20 events a second',
    work: append,
    attackers: async (ready) => {
      const send = ping(ready, await machineWith(ready, ready.noisy, 190, watchful(95)), ready.noisy);
      return [async () => (await Promise.all([sleep(50), send()]))[1]];
    },
  },
  {
    name: '5 contracts with 95 guards, as many events as fit',
    work: append,
    attackers: async (ready) => {
      const send = ping(ready, await machineWith(ready, ready.noisy, 5, watchful(95)), ready.noisy);
      return Array.from({ length: 8 }, () => send);
    },
  },
  {
    name: '60 contracts with full collections, 20 events a second that change none',
    work: append,
    attackers: async (ready) => {
      const send = ping(ready, await fullLists(ready, ready.noisy, 60), ready.noisy);
      return [async () => (await Promise.all([sleep(50), send()]))[1]];
    },
  },
  {
    name: '20 contracts with texts of 30 kB, as many events as fit',
    work: append,
    attackers: async (ready) => {
      const slug = await machineWith(ready, ready.noisy, 20, textKeeper);
      const send = ping(ready, slug, ready.noisy);
      const text = randomText(30_000);
      await post(ready, `/api/chain/${slug}/event`, ready.noisy, { name: 'push', payload: { text } });
      return Array.from({ length: 8 }, () => send);
    },
  },
];

async function delayOf(child: ChildProcess): Promise<Delay> {
  child.send('delay');
  const [delay] = await once(child, 'message');
  return delay as Delay;
}

interface Used {
  /** Seconds of all processors since the start of the computer, of all processes and of this run's. */
  readonly all: number;
  readonly own: number;
  /** Seconds in which the main thread of the node ran, and in which it waited for a processor. */
  readonly loop: number;
  readonly waited: number;
}

function usedSeconds(child: ChildProcess): Used {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = fields;
  const { user: ownUser, system: ownSystem } = process.cpuUsage();
  const all = (user + nice + system + irq + softIrq + steal) / CLOCK_TICKS;
  const schedule = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ').map(Number);
  const [loop = 0, waited = 0] = schedule.map((ns) => ns / 1e9);
  return { all, own: cpuSeconds(child) + (ownUser + ownSystem) / 1e6, loop, waited };
}

interface Round {
  readonly rate: number;
  /** Part of the processors that processes of others used. */
  readonly others: number;
  /** Processor time of the event loop for one call, in milliseconds, and the part of the time in which it waited for one. */
  readonly loopMs: number;
  readonly waited: number;
}

interface Measured {
  readonly alone: Round;
  readonly beside: Round;
  readonly delay: Delay;
}

async function measure({ work, attackers }: Attack): Promise<Measured> {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  try {
    const [ready] = (await once(child, 'message')) as [Ready];
    const own = await work(ready);
    const others = await attackers(ready);
    const round = async (ms: number): Promise<Round> => {
      const [begin, before] = [performance.now(), usedSeconds(child)];
      const rate = await repeat(own, () => performance.now() >= begin + ms);
      const after = usedSeconds(child);
      const seconds = (performance.now() - begin) / 1_000;
      const others = (after.all - before.all - after.own + before.own) / (availableParallelism() * seconds);
      const loopMs = (1_000 * (after.loop - before.loop)) / (rate * seconds);
      return { rate, others: Math.max(0, others), loopMs, waited: (after.waited - before.waited) / seconds };
    };
    await round(ROUND_MS);
    const alone: Round[] = [];
    const beside: Round[] = [];
    const delays: Delay[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      alone.push(await round(ROUND_MS));
      let isOver = false;
      const storm = Promise.all(others.map((attack) => repeat(attack, () => isOver)));
      await sleep(ROUND_MS / 2);
      await delayOf(child);
      beside.push(await round(ROUND_MS));
      delays.push(await delayOf(child));
      isOver = true;
      await storm;
    }
    const delay = { p99: Math.max(...delays.map(({ p99 }) => p99)), max: Math.max(...delays.map(({ max }) => max)) };
    return { alone: mean(alone), beside: mean(beside), delay };
  } finally {
    child.send('close');
    await once(child, 'exit');
  }
}

function mean(rounds: readonly Round[]): Round {
  const of = (value: (round: Round) => number) => rounds.reduce((sum, one) => sum + value(one), 0) / rounds.length;
  return {
    rate: of(({ rate }) => rate),
    others: of(({ others }) => others),
    loopMs: of(({ loopMs }) => loopMs),
    waited: of(({ waited }) => waited),
  };
}

if (process.argv[2] === 'serve') await serve();
else {
  const wanted = process.argv.slice(2);
  console.log(
    '| attack | alone, calls/s | beside, calls/s | ratio | loop p99, ms | loop max, ms | other processes alone, beside | loop per call alone, beside, ms | loop waits for a processor alone, beside | target |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const attack of ATTACKS) {
    if (wanted.length > 0 && !wanted.some((word) => attack.name.includes(word))) continue;
    const { alone, beside, delay } = await measure(attack);
    const numbers = [alone.rate.toFixed(1), beside.rate.toFixed(1), (beside.rate / alone.rate).toFixed(2)];
    const rounds = [alone, beside];
    const percent = (part: number) => `${Math.round(100 * part)} %`;
    const others = rounds.map((round) => percent(round.others)).join(', ');
    const loop = rounds.map(({ loopMs }) => loopMs.toFixed(2)).join(', ');
    const waited = rounds.map((round) => percent(round.waited)).join(', ');
    const delays = [delay.p99.toFixed(1), delay.max.toFixed(1)];
    const target = `≥ ${TARGETS.throughput}, p99 ≤ ${TARGETS.delayMs}`;
    console.log(`| ${[attack.name, ...numbers, ...delays, others, loop, waited, target].join(' | ')} |`);
  }
  agent.destroy();
}
