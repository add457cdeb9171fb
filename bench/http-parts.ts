// CPU time of an answer by part: a CPU profile of the server under load.
//
//   node bench/http-parts.ts
//
// The samples of each function belong to the part of its file; those of a function of the runtime belong to its caller,
// unless a part names it. The sum is the CPU time of a run without the profiler, which about doubles it. The profile
// sees the main thread; the time of the others is the difference, and the profiler's own is left out.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { Profiler } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOX, cpuSeconds, HEAT, load, mainThreadSeconds, type Target, withServers } from './harness/load.ts';

/** Parts by the files of their functions. The first that matches the function or, if none does, its caller. */
const PARTS: readonly (readonly [part: string, file: RegExp])[] = [
  ['Ed25519 signature', /node:internal\/crypto\/sig$/],
  ['SHA-256, HMAC, HKDF', /node:internal\/crypto\/(hash|hkdf)$|core\/(digest-node|sha256)\.ts|@noble\//],
  ['canonical JSON', /core\/canonical-json\.ts/],
  ['base64 and bytes', /core\/bits\.ts/],
  ['JSON of the answer', /http\/idempotency\.ts/],
  ['schemas', /node_modules\/zod\/|core\/validation\.ts/],
  ['rate limit', /rate-limit/],
  ['keys and addresses', /services\/access\//],
  ['routes and headers', /@koa\/router|route-table\.ts|http\/(headers|send|request-id)\.ts/],
  ['body', /http\/body\.ts|core\/json-object\.ts/],
  ['equations in words', /protocol\/equations\.ts|expressions\/print\.ts/],
  ['batch seals: Merkle tree', /protocol\/seal-batch\.ts|services\/node\/sealer\.ts|chain\/merkle\.ts/],
  ['sealed fields and statement', /protocol\/(sealed-fields|seal|executed-run|array-digest)\.ts/],
  ['second witness', /expressions\/(verify|precise)/],
  ['kernel runs', /src\/kernels\/|solvers\/run\.ts/],
  ['solver or operators', /src\/(solvers|operators|expressions)\//],
  ['envelope', /src\/protocol\//],
  ['database', /pglite|src\/storage\/|node_modules\/knex/],
  ['operations and services', /src\/(operations|services|http|core)\//],
  ['Koa', /node_modules\/(koa|koa-compose|delegates|on-finished|statuses)\//],
  ['promises and ticks', /node:internal\/(process|async_hooks|abort_controller|event_target)/],
  [
    'HTTP and sockets of Node',
    /node:(_http|net|internal\/(streams|stream_base|http|js_stream)|events|internal\/timers)/,
  ],
];
const REST = 'rest of Node';
const COLLECTOR = 'garbage collector';
const NATIVE = 'runtime outside of JavaScript';
const OTHER_THREADS = 'other threads: collector, compiler';
/** Start of the profile, which compiles every function again. */
const PROFILER = /node:inspector/;

interface Call {
  readonly name: string;
  readonly target: Target;
  readonly total: number;
  readonly path: string;
  readonly method: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Microseconds of CPU time per answer, by part. */
async function partsOf(call: Call, profilePath: string): Promise<Map<string, number>> {
  const { target, total, path, method, headers, body } = call;
  // Until V8 has optimised the path.
  await load(3 * total, target.url + path, method, headers, body);
  const [allBefore, mainBefore] = [cpuSeconds(target.child), mainThreadSeconds(target.child)];
  await load(total, target.url + path, method, headers, body);
  const all = (cpuSeconds(target.child) - allBefore) / total;
  const main = (mainThreadSeconds(target.child) - mainBefore) / total;
  rmSync(profilePath, { force: true });
  target.child.kill('SIGUSR2');
  await load(total, target.url + path, method, headers, body);
  target.child.kill('SIGUSR2');
  while (!existsSync(profilePath)) await sleep(50);
  await sleep(500); // until the file is complete
  const byPart = sumByPart(JSON.parse(readFileSync(profilePath, 'utf8')) as Profiler.Profile);
  const sum = [...byPart.values()].reduce((a, b) => a + b, 0);
  const parts = new Map([...byPart].map(([part, time]) => [part, (time / sum) * main * 1e6]));
  return parts.set(OTHER_THREADS, (all - main) * 1e6);
}

function sumByPart({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const partOfNode = (id: number | undefined): string | undefined => {
    const frame = id === undefined ? undefined : byId.get(id)?.callFrame;
    if (frame === undefined || frame.functionName === '(root)') return REST;
    if (frame.functionName === '(idle)' || PROFILER.test(frame.url)) return undefined;
    if (frame.functionName === '(garbage collector)') return COLLECTOR;
    if (frame.functionName === '(program)') return NATIVE;
    const named = PARTS.find(([, file]) => file.test(frame.url));
    return named?.[0] ?? partOfNode(callers.get(id ?? 0));
  };
  const parts = new Map(nodes.map(({ id }) => [id, partOfNode(id)]));
  const sums = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const part = parts.get(id);
    if (part !== undefined) sums.set(part, (sums.get(part) ?? 0) + Math.max(0, timeDeltas[i] ?? 0));
  }
  return sums;
}

await withServers(
  async ({ koa, svc, auth, profilePaths }) => {
    const post = { method: 'POST', headers: auth };
    const calls: Call[] = [
      { name: 'bare Koa, GET', target: koa, total: 15_000, path: '/', method: 'GET' },
      { name: 'pulse', target: svc, total: 15_000, path: '/api/svc/pulse', method: 'GET' },
      { name: 'bare Koa, POST', target: koa, total: 10_000, path: '/', ...post, body: HEAT },
      { name: 'compute', target: svc, total: 6_000, path: '/api/svc/compute', ...post, body: BOX },
      { name: 'heat', target: svc, total: 4_000, path: '/api/svc/heat', ...post, body: HEAT },
    ];
    const columns: Map<string, number>[] = [];
    for (const call of calls)
      columns.push(await partsOf(call, call.target === koa ? profilePaths.koa : profilePaths.svc));
    const parts = [...PARTS.map(([part]) => part), REST, NATIVE, COLLECTOR, OTHER_THREADS];
    const row = (name: string, cells: readonly string[]) => `| ${name} | ${cells.join(' | ')} |`;
    const cell = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1));
    const sumOf = (column: Map<string, number>) => [...column.values()].reduce((a, b) => a + b, 0);
    const names = calls.map(({ name }) => name);
    console.log(
      [
        row('µs of CPU time per answer', names),
        `|---|${names.map(() => '---|').join('')}`,
        ...parts.map((part) =>
          row(
            part,
            columns.map((column) => cell(column.get(part))),
          ),
        ),
        row(
          'sum',
          columns.map((column) => cell(sumOf(column))),
        ),
      ].join('\n'),
    );
  },
  { isProfiled: true },
);
