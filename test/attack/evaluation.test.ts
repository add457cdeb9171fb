// Attack: small requests whose evaluation takes seconds. It runs in workers, within one budget a request.

import { expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { StepBudget } from '../../src/expressions/precise/evaluate.ts';
import { type Answer, type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const { verdicts } = service.running;

/** Independent equations, each with a sum of zeta functions. */
const zetas = (lines: number, terms: number) =>
  Array.from({ length: lines }, (_, i) => `y${i} = sum(i, 1, ${terms}, zeta(2 + i/1000 + ${i}))`);

const solve = (equations: readonly string[]) =>
  service.call('POST /api/svc/unified', { as: 'demo', json: { equations } });

/** Answers of a quiet caller while a request is worked on. */
async function answersBeside(request: Promise<Answer>): Promise<number> {
  let isPending = true;
  void request.finally(() => {
    isPending = false;
  });
  let answered = 0;
  for (; isPending; answered++) expect((await service.call('GET /api/svc/pulse')).status).toBe(200);
  return answered;
}

test('the second witness of equations is found in a worker, while others are answered', async () => {
  const request = solve(zetas(4, 5_000));
  await expect.poll(() => verdicts.load().answers.running).toBe(1);
  expect(await answersBeside(request)).toBeGreaterThan(3);
  expect((await request).status).toBe(200);
});

test('all equations of a request share one budget of precise steps', async () => {
  const { precise, preciseTotal } = LIMITS.expression;
  // Each line is within the budget of an evaluation, all together are not.
  const stepsPerLine = 7_000 * 55;
  expect(stepsPerLine).toBeLessThan(precise);
  const lines = Math.ceil(preciseTotal / stepsPerLine) + 1;
  const answer = await solve(zetas(lines, 7_000));
  expect([answer.status, answer.json()]).toMatchObject([422, { code: 'BUDGET_EXCEEDED' }]);
  expect(answer.json().error).toContain(`Limit of ${preciseTotal} steps`);
});

test('roots of a law are looked for in a worker, and the request thread evaluates nothing', async () => {
  const steps = vi.spyOn(StepBudget.prototype, 'spend');
  const inWorker = vi.spyOn(verdicts, 'computeInWorker');
  const body = {
    domain: 'FIN14',
    inputs: { V: 4.692221312245335, S: 80, K: 85, r: 0.05, q: -0.03, sig: 0.2, phi: -1 },
    solve_for: 'T',
  };
  const answer = await service.call('POST /api/svc/compute', { as: 'demo', json: body });
  expect(answer.status, answer.text).toBe(200);
  expect(inWorker).toHaveBeenCalledTimes(1);
  expect(steps).not.toHaveBeenCalled();
});

test('a replay without a key runs in a worker of its own, within the same budget', async () => {
  const { equations, ...rest } = (await solve(zetas(1, 10))).json() as Json & { equations: unknown };
  const inputs = { ...(rest.inputs as Json), equations: zetas(13, 7_000) };
  const honest = await solve(zetas(4, 5_000));
  const replay = service.call('POST /api/svc/replay', { body: honest.text });
  await expect.poll(() => verdicts.load()).toMatchObject({ replays: { running: 1 }, answers: { running: 0 } });
  expect(await answersBeside(replay)).toBeGreaterThan(3);
  expect((await replay).json()).toMatchObject({ equal: true });

  const forged = await service.call('POST /api/svc/replay', { json: { ...rest, equations, inputs } });
  expect(forged.json()).not.toMatchObject({ equal: true });
});
