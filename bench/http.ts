// Requests per CPU second of the server, compared with bare Koa in interleaved rounds, at 32 clients.
//
//   node bench/http.ts

import { BOX, HEAT, measure, table, withServers } from './harness/load.ts';

const ROUNDS = 4;

await withServers(async ({ koa, svc, auth }) => {
  await measure(koa, 2_000, '/', 'GET');
  await measure(svc, 2_000, '/api/svc/pulse', 'GET');
  // As long as a round: V8 optimises a path of several hundred functions only after thousands of answers.
  await measure(svc, 6_000, '/api/svc/heat', 'POST', auth, HEAT);
  await measure(svc, 8_000, '/api/svc/compute', 'POST', auth, BOX);
  const best = { koa: 0, koaPost: 0, pulse: 0, heat: 0, compute: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.koa = Math.max(best.koa, await measure(koa, 15_000, '/', 'GET'));
    best.pulse = Math.max(best.pulse, await measure(svc, 15_000, '/api/svc/pulse', 'GET'));
    best.koaPost = Math.max(best.koaPost, await measure(koa, 10_000, '/', 'POST', auth, HEAT));
    best.heat = Math.max(best.heat, await measure(svc, 6_000, '/api/svc/heat', 'POST', auth, HEAT));
    best.compute = Math.max(best.compute, await measure(svc, 8_000, '/api/svc/compute', 'POST', auth, BOX));
  }
  const rows = [
    ['GET pulse', best.pulse, best.koa, '≥ 0.6'],
    ['POST heat (small, sealed)', best.heat, best.koaPost, '≥ 0.15'],
    ['POST compute (one operator, sealed)', best.compute, best.koaPost, '≥ 0.2'],
  ] as const;
  console.log(table(rows));
});
