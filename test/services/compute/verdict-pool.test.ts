// Verdicts in workers: the same reports as in this thread, without its time, and within the limits of a request.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { mapValues } from '../../../src/core/map-values.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { LocalRunner } from '../../../src/kernels/local-runner.ts';
import type { PoolOptions } from '../../../src/kernels/task-pool.ts';
import { definitionOf } from '../../../src/operators/definition.ts';
import { findOperator } from '../../../src/operators/load.ts';
import { answerOf } from '../../../src/protocol/answer.ts';
import { type Computation, solverComputation } from '../../../src/protocol/computation.ts';
import { type ComputeRequest, selectComputation } from '../../../src/protocol/compute-request.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import type { Executed } from '../../../src/protocol/pure-fields.ts';
import { lawsClaim, replayEnvelope, verifyEnvelope } from '../../../src/protocol/replay.ts';
import type { Untrusted } from '../../../src/protocol/untrusted.ts';
import { VerdictPool, type WorkerReplayTools } from '../../../src/services/compute/verdict-pool.ts';
import { SOLVERS } from '../../../src/solvers/index.ts';
import { bindInput } from '../../../src/solvers/request.ts';
import { runPlan } from '../../../src/solvers/run.ts';
import {
  compute,
  computeWith,
  envelopeOf,
  forge,
  ROD,
  replayTools,
  signer,
  solve,
} from '../../protocol/sealed-case.ts';
import { SMALL_CASES } from '../../suites/small-cases.ts';

const BOX = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } };

const pools: VerdictPool[] = [];
const sealed = new Map<string, Envelope>();

const tools: WorkerReplayTools = {
  kernel: async (sha256) => {
    const found = (await Promise.all(['heat', 'expression'].map(loadKernel))).find((one) => one.sha256 === sha256);
    if (found === undefined) throw new DomainError('KERNEL_UNAVAILABLE', `Kernel ${sha256} not found on this node.`);
    return found;
  },
  trusted: [signer.publicKey],
};

function openPool(options: PoolOptions = {}): VerdictPool {
  const pool = new VerdictPool({ size: 1, ...options });
  pools.push(pool);
  return pool;
}

const call = (fields: { deadlineMs?: number; signal?: AbortSignal; tenant?: string } = {}) => ({
  signal: new AbortController().signal,
  tenant: 'somebody',
  ...fields,
});

const receiptOf = (name: string) => sealed.get(name) as unknown as Untrusted;

/** An honest envelope of laws that nobody registered, whose second witness takes long. */
async function longSum(terms: number): Promise<Envelope> {
  const laws = [0, 1, 2].map((i) => ({
    id: `XX${i + 1}`,
    name: 'long sum',
    equation: `y${i} = sum(k, 1, ${terms}, besselj(2, ${i === 0 ? 'x' : `y${i - 1}/1e6`} + k))`,
    output: { symbol: `y${i}`, unit: '1' },
    inputs: { [i === 0 ? 'x' : `y${i - 1}`]: { unit: '1' } },
  }));
  return envelopeOf(await computeWith([definitionOf(findOperator('KO42')), ...laws], { x: 1.5 }));
}

beforeAll(async () => {
  sealed.set('rod', envelopeOf(await solve('heat', ROD)));
  sealed.set('box', envelopeOf(await compute(BOX)));
  sealed.set('sum', await longSum(200));
  sealed.set('hostile', await longSum(10_000));
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('a worker gives the report of this thread', () => {
  const cases: readonly (readonly [string, () => Untrusted])[] = [
    ['of a solver', () => receiptOf('rod')],
    ['of an operator', () => receiptOf('box')],
    ['with a changed value', () => ({ ...receiptOf('rod'), value: 1 })],
    ['with a changed input', () => ({ ...receiptOf('box'), inputs: { ...BOX.inputs, n: 4 } })],
    ['with −0 for a number', () => ({ ...receiptOf('rod'), uncertainty: -0 })],
    ['with changed definitions', () => ({ ...receiptOf('box'), definitions: [] })],
    ['with another key', () => forge(sealed.get('box') as Envelope) as unknown as Untrusted],
    ['without a seal', () => ({ ...receiptOf('box'), seal: undefined })],
    ['with a long sum', () => receiptOf('sum')],
  ];

  test('of every kind of receipt, and the same claims of its seal', async () => {
    const pool = openPool();
    for (const [name, make] of cases) {
      const receipt = make();
      const here = await replayEnvelope(receipt, replayTools());
      expect(await pool.replayInWorker(receipt, tools, call()), name).toEqual(here);
      const claims = await pool.verifyInWorker(receipt, tools, call());
      expect(claims, name).toEqual([...verifyEnvelope(receipt, tools.trusted), lawsClaim(receipt, replayTools())]);
    }
  });

  test('an honest receipt is equal, and a changed one names its field', async () => {
    const pool = openPool();
    expect(await pool.replayInWorker(receiptOf('rod'), tools, call())).toMatchObject({ equal: true });
    const changed = await pool.replayInWorker({ ...receiptOf('rod'), value: 1 }, tools, call());
    expect(changed).toMatchObject({ equal: false, first_difference: { field: 'value', stored: 1 } });
  });
});

describe('an answer is found as in this thread', () => {
  const runner = new LocalRunner();
  const pool = new VerdictPool({ size: 1 });
  afterAll(() => pool.close());
  const executed = async (computation: Computation): Promise<Executed> => {
    const image = await loadKernel(computation.kernel);
    return { kernelSha256: image.sha256, ...(await runPlan(computation.plan(), image, runner)) };
  };
  const lawOf = (request: ComputeRequest): Computation => {
    const bound = selectComputation(request)();
    if (bound.kind === 'gate') throw new Error(bound.gate.reason);
    return bound.computation;
  };

  test.each([
    ['a law', BOX],
    [
      'a law with uncertainties and units',
      { ...BOX, inputs: { ...BOX.inputs, L: 2.5 }, units: { L: 'nm' }, uncertainties: { L: 0.01 } },
    ],
    ['a long sum', { domain: 'Computer Science', operators: ['CS7'], inputs: { n: 2_000, m: 2_005 } }],
  ])('%s', async (_, request) => {
    const computation = lawOf(request);
    const here = answerOf(computation, await executed(computation), false);
    expect(await pool.answerInWorker(computation, await executed(computation), false, call())).toEqual(here);
  });

  test.each(SOLVERS.map((solver) => [solver.id, solver] as const))('%s, with links and complete', async (_, solver) => {
    const { parsed: input } = bindInput(solver, SMALL_CASES[solver.id] ?? {}, []);
    const definitions = solver.operatorChain.map((id) => definitionOf(findOperator(id)));
    const computation = solverComputation(solver, { input, consts: {}, definitions });
    for (const isComplete of [false, true]) {
      const here = answerOf(computation, await executed(computation), isComplete);
      expect(await pool.answerInWorker(computation, await executed(computation), isComplete, call())).toEqual(here);
    }
  });

  test('a refusal too', async () => {
    const computation = lawOf(BOX);
    const honest = await executed(computation);
    const outputs = honest.outputs.map((one) => ({
      ...one,
      views: mapValues(one.views, (view) => view.map(() => Number.NaN)),
    }));
    let refusal: unknown;
    try {
      computation.collect(outputs);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DomainError);
    const { code, message, facts } = refusal as DomainError;
    const found = openPool().answerInWorker(computation, { ...honest, outputs }, false, call());
    await expect(found).rejects.toMatchObject({ code, message, facts });
  });
});

test('refusals keep their code, message and details, and the form is checked before the kernel', async () => {
  const pool = openPool();
  const noKernel = { ...receiptOf('rod'), kernel_sha256: '0'.repeat(64) };
  await expect(pool.replayInWorker(noKernel, tools, call())).rejects.toMatchObject({ code: 'KERNEL_UNAVAILABLE' });
  const noForm = { ...noKernel, inputs: 1 };
  const refusal = await replayEnvelope(noForm, replayTools()).catch((error: unknown) => error as DomainError);
  const refused = pool.replayInWorker(noForm, tools, call());
  await expect(refused).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: (refusal as DomainError).message,
    details: (refusal as DomainError).details,
  });
});

test('a kernel never comes from the request', async () => {
  const asked: string[] = [];
  const spying = {
    ...tools,
    kernel: (sha256: string) => {
      asked.push(sha256);
      return tools.kernel(sha256);
    },
  };
  const pool = openPool();
  const receipt = { ...receiptOf('rod'), kernel: { bytes: [0, 97, 115, 109] }, image: { slug: 'heat' } };
  await pool.replayInWorker(receipt, spying, call());
  expect(asked).toEqual([receiptOf('rod').kernel_sha256]);
});

test('the event loop keeps running while a long verdict is found', async () => {
  const pool = openPool();
  await pool.replayInWorker(receiptOf('box'), tools, call());
  let isSettled = false;
  const verdict = pool.replayInWorker(receiptOf('hostile'), tools, call()).finally(() => {
    isSettled = true;
  });
  let turns = 0;
  while (!isSettled && turns < 20) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    turns++;
  }
  expect(turns).toBe(20);
  expect(await verdict).toMatchObject({ equal: false });
});

test('a verdict that exceeds its deadline ends its worker, and the next one gets another', async () => {
  const pool = openPool();
  await pool.replayInWorker(receiptOf('box'), tools, call());
  const late = pool.replayInWorker(receiptOf('hostile'), tools, call({ deadlineMs: 20 }));
  await expect(late).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
  expect(await pool.replayInWorker(receiptOf('box'), tools, call())).toMatchObject({ equal: true });
});

test('a cancelled verdict is rejected at once', async () => {
  const pool = openPool();
  const abort = new AbortController();
  const running = pool.replayInWorker(receiptOf('hostile'), tools, call({ signal: abort.signal }));
  abort.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a caller has a share of the pool, and others are served', async () => {
  const pool = openPool({ maxPerOwner: 2 });
  const own = [1, 2].map(() => pool.replayInWorker(receiptOf('box'), tools, call()));
  await expect(pool.replayInWorker(receiptOf('box'), tools, call())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const other = pool.replayInWorker(receiptOf('box'), tools, call({ tenant: 'another' }));
  for (const report of await Promise.all([...own, other])) expect(report.equal).toBe(true);
});

test('closing rejects what is left and all that follows', async () => {
  const pool = openPool();
  const running = pool.replayInWorker(receiptOf('hostile'), tools, call());
  const rejected = expect(running).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  await pool.close();
  await rejected;
  await expect(pool.verifyInWorker(receiptOf('box'), tools, call())).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
});
