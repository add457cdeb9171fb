// The seven steps over operators, with an instrumented clock, storage and runners.

import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import type { KernelRunner } from '../../../src/kernels/abi.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { LocalRunner } from '../../../src/kernels/local-runner.ts';
import { bindChain } from '../../../src/operators/bind.ts';
import { definitionOf } from '../../../src/operators/definition.ts';
import { findOperator } from '../../../src/operators/load.ts';
import type { Operator } from '../../../src/operators/operator.ts';
import { answerOf, computeWhole } from '../../../src/protocol/answer.ts';
import { chainComputation } from '../../../src/protocol/chain-computation.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import type { GateAnswer } from '../../../src/protocol/gate.ts';
import { RateLimiter } from '../../../src/services/access/rate-limit.ts';
import { type ComputeBody, ComputeService } from '../../../src/services/compute/compute.ts';
import { SevenSteps, type SevenStepsOptions } from '../../../src/services/compute/seven-steps.ts';
import type { KernelArchive } from '../../../src/services/node/kernel-archive.ts';
import { Sealer } from '../../../src/services/node/sealer.ts';
import { ENERGY, law, SPEED } from '../../operators/laws.ts';
import { receipts, signer } from '../../protocol/sealed-case.ts';

const BEGIN = 1_790_000_000_000_000_000n;
const BOX: ComputeBody = { domain: 'QM', operators: ['QM5'], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } };
const principal = {
  accountId: 'account-1',
  keyId: 'key-1',
  keyPrefix: 'svc_ak_0a1b2c3d',
  scope: 'write',
  tier: 'standard',
  isDemo: false,
} as const;

/** Advances by `stepNs` on every reading. */
class TickingClock implements Clock {
  readonly source = 'ticking';
  readonly #stepNs: bigint;
  readings = 0;

  constructor(stepNs: bigint) {
    this.#stepNs = stepNs;
  }

  now(): bigint {
    return BEGIN + BigInt(this.readings++) * this.#stepNs;
  }
}

class CountingRunner implements KernelRunner {
  runs = 0;
  readonly #runner = new LocalRunner();

  run(...call: Parameters<KernelRunner['run']>) {
    this.runs++;
    return this.#runner.run(...call);
  }
}

interface Inserted {
  readonly accountId: string;
  readonly run: { readonly id: string; readonly folder: string | undefined; readonly envelope: string };
}

function setUp({ stepNs = 1_000n, rates = LIMITS.rate }: { stepNs?: bigint; rates?: typeof LIMITS.rate } = {}) {
  const clock = new TickingClock(stepNs);
  const [pool, inline] = [new CountingRunner(), new CountingRunner()];
  const inserted: Inserted[] = [];
  const storage = {
    transaction: async (work: (trx: unknown) => Promise<void>) => work(undefined),
    keys: { find: async () => undefined },
  } as unknown as SevenStepsOptions['storage'];
  const rateLimit = new RateLimiter({ limits: rates, clock: systemClock() });
  const steps = new SevenSteps({
    clock,
    rateLimit,
    freeSpace: { assertNotLow: () => {} },
    kernels: { current: loadKernel } as unknown as KernelArchive,
    keyRing: { receipts, signer, jwks: () => ({ keys: [signer.publicKey] }) },
    sealer: new Sealer(signer),
    verdicts: {
      answerInWorker: async (computation, executed, isComplete) => answerOf(computation, executed, isComplete),
      computeInWorker: async (computation, image, isComplete) => computeWhole(computation, image, pool, isComplete),
      planInWorker: async (computation) => computation.plan(),
    },
    runner: pool,
    inlineRunner: inline,
    storage,
    accountMacs: { file: async (accountId, run) => void inserted.push({ accountId, run }) },
    fieldStore: { keep: () => Promise.reject(new Error('operators have no arrays')) },
    newId: () => 'run-7',
  });
  const service = new ComputeService(steps, rateLimit);
  const call = { signal: new AbortController().signal, tenant: '192.0.2.7' };
  const run = (body: ComputeBody, file?: { folder: string | undefined }) =>
    service.run(body, principal, call, file) as Promise<Envelope>;
  const gate = (body: ComputeBody, file?: { folder: string | undefined }) =>
    service.run(body, principal, call, file) as Promise<GateAnswer>;
  const runPlayground = (body: ComputeBody, tenant = call.tenant) =>
    service.runPlayground(body, { ...call, tenant }) as Promise<Envelope>;
  /** Runs operators that are not in the registry. */
  const laws = async (operators: readonly Operator[], inputs: Readonly<Record<string, number>>) => {
    const definitions = [findOperator('KO42'), ...operators].map(definitionOf);
    const given = { inputs, consts: {}, units: {}, uncertainties: {} };
    const bound = bindChain(definitions, given);
    if (bound.kind === 'gate') throw new Error(bound.gate.reason);
    const selection = { by: 'caller', operators: [] } as const;
    const computation = chainComputation({
      domain: 'Test Laws',
      definitions,
      given,
      detail: undefined,
      bound: bound.chain,
      selection,
    });
    const request = {
      kernel: 'expression',
      select: () => () => ({ kind: 'bound', computation, notes: [] }) as const,
      isStrict: false,
      isSelfContained: false,
    };
    const controls = { keyPrefix: 'public', tenant: 'o', signal: call.signal, onProgress: undefined };
    return (await steps.run(request, { ...controls, tokens: () => 1, file: undefined })) as Envelope;
  };
  return { clock, pool, inline, inserted, laws, run, gate, runPlayground };
}

describe('the seven steps', () => {
  test('are stamped one by one; RETURN shares the stamp of PULSE', async () => {
    const { run, clock } = setUp();
    const { stamps, svcond, phase } = await run(BOX);
    const expected = [0n, 1n, 2n, 3n, 4n, 5n, 5n].map((step) => String(BEGIN + step * 1_000n));
    expect(stamps).toEqual(expected);
    expect(clock.readings).toBe(6);
    expect([svcond, phase]).toEqual([
      Number((BEGIN + 5_000n) / 777_000_777n),
      Number((BEGIN + 5_000n) % 777_000_777n) / 777_000_777,
    ]);
  });

  test('shift the metric only if their spread in time is too large', async () => {
    expect(await setUp().run(BOX)).not.toHaveProperty('cko');
    const slow = await setUp({ stepNs: 200_000_000n }).run(BOX);
    const { delta_alpha, variance } = slow.cko?.metric_shift ?? { delta_alpha: Number.NaN, variance: Number.NaN };
    // Stamps at 0, 1, 2, 3, 4, 5, 5 steps of 0.2 s: a population variance of 80/7 − 400/49 steps².
    const step = 0.2 / 0.777000777;
    expect(variance).toBeCloseTo((80 / 7 - 400 / 49) * step * step, 9);
    expect(delta_alpha).toBeCloseTo(0.001 * (1 - 0.0091 / variance), 15);
    expect(Math.abs(slow.R_t - 1)).toBeLessThanOrEqual(slow.alpha_eff ?? 0);
  });

  test('stamp the gate too, without running a kernel', async () => {
    const { gate, clock, inline, pool, inserted } = setUp();
    const answer = await gate({ ...BOX, inputs: { ...BOX.inputs, colour: 1 } }, { folder: 'boxes' });
    expect(answer.gate.unrecognised).toEqual(['colour']);
    expect([clock.readings, inline.runs, pool.runs, inserted]).toEqual([6, 0, 0, []]);
  });
});

describe('a small computation', () => {
  test('runs on the request thread, one kernel run per operator', async () => {
    const { run, inline, pool } = setUp();
    await run(BOX);
    expect([inline.runs, pool.runs]).toEqual([1, 0]);
  });

  test('with a sum of unknown length runs in the pool', async () => {
    const { laws, inline, pool } = setUp();
    const summing = law({ id: 'TST1', equation: 'y = sum(k, 1, n, k^2)', unit: '1', inputs: { n: '1' } });
    expect((await laws([summing], { n: 3 })).value).toBe(14);
    expect([inline.runs, pool.runs]).toEqual([0, 1]);
  });
});

describe('a chain', () => {
  test('has a result and a term for every operator, and the last one is the value', async () => {
    const envelope = await setUp().laws([SPEED, ENERGY], { s: 6, t: 2, m: 4 });
    expect(envelope).toMatchObject({
      operatorChain: ['KO42', 'TST1', 'TST2'],
      operator_id: 'TST2',
      value: 18,
      unit: 'J',
      functional: 18,
      results: [
        { operator_id: 'TST1', value: 3, unit: 'm/s' },
        { operator_id: 'TST2', value: 18, unit: 'J' },
      ],
      selection: { chain: [{ from: 'TST1', to: 'TST2', symbol: 'v' }] },
      master_sum: { total: 18, unit: 'J' },
      equations: [
        expect.stringMatching(/^Rt = 18\*/),
        'v = 6/2 [m/s] with s = 6 m, t = 2 s',
        'E = 4*3^2/2 [J] with m = 4 kg, v = 3 m/s',
      ],
    });
    expect(envelope.master_sum.terms.map(({ term, value, included }) => [term, value, included])).toEqual([
      ['TST1', 3, false],
      ['S', 18, true],
      ['modulation', 0, false],
    ]);
    expect(envelope.E).toBe(envelope.R_t * 18);
  });

  test('with cancellation reports the reduced precision', async () => {
    const difference = law({ id: 'TST1', equation: 'x = a - b', unit: '1', inputs: { a: '1', b: '1' } });
    const { laws } = setUp();
    expect((await laws([difference], { a: 1.1, b: 0.3 })).converged).toBe(true);
    const lost = await laws([difference], { a: 1.1, b: 1.1 - 1e-14 });
    expect(lost.converged).toBe(false);
    expect(lost.precisionBound).toBeGreaterThan(1e-3);
    const nothing = await laws([difference], { a: 1.1, b: 1.1 });
    expect([nothing.value, nothing.converged]).toEqual([0, true]);
  });
});

describe('a run is filed', () => {
  test('in the library of the key on request, identical to the response', async () => {
    const { run, inserted } = setUp();
    const envelope = await run(BOX, { folder: 'boxes' });
    expect(envelope.run_id).toBe('run-7');
    expect(inserted).toEqual([
      { accountId: 'account-1', run: expect.objectContaining({ id: 'run-7', folder: 'boxes', solver: 'compute' }) },
    ]);
    expect(JSON.parse(inserted[0]?.run.envelope ?? '')).toEqual(JSON.parse(JSON.stringify(envelope)));
  });

  test('only on request, and never after a refusal', async () => {
    const { run, runPlayground, inserted } = setUp();
    expect(await run(BOX)).not.toHaveProperty('run_id');
    expect(await runPlayground(BOX)).not.toHaveProperty('run_id');
    await expect(run({ ...BOX, inputs: { n: 3 } }, { folder: 'boxes' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const noise = { domain: 'CHE', operators: ['CHE17'], strict: true };
    const inputs = { T0: 1, kx: Math.PI, x: 1e9, ky: 1, y: 1, alpha: 0, t: 0 };
    await expect(run({ ...noise, inputs }, { folder: 'boxes' })).rejects.toMatchObject({ code: 'PRECISION_REFUSED' });
    expect(inserted).toEqual([]);
  });
});

describe('tokens', () => {
  test('are one for a result, none in the playground and none for a gate', async () => {
    const { run, runPlayground, gate } = setUp();
    expect((await run(BOX)).billing).toEqual({ tokens: 1 });
    expect((await runPlayground(BOX)).billing).toEqual({ tokens: 0 });
    expect((await gate({ ...BOX, inputs: { colour: 1 } })).billing).toEqual({ tokens: 0 });
  });
});

describe('numbers', () => {
  test('equal to −0 are computed and sealed as 0', async () => {
    const { run } = setUp();
    const body = { domain: 'CHE', operators: ['CHE17'], inputs: { T0: -0, kx: 1, x: 1, ky: 1, y: 1, alpha: 0, t: -0 } };
    const { value, inputs } = await run(body);
    expect([value, inputs.T0, inputs.t].every((one) => Object.is(one, 0))).toBe(true);
  });

  test('are the same whether they come as inputs or as constants', async () => {
    const { run } = setUp();
    const { n, ...rest } = BOX.inputs as Record<string, number>;
    const envelope = await run({ ...BOX, inputs: rest, consts: { n: n ?? 0 } });
    expect(envelope.value).toBe((await run(BOX)).value);
    expect([envelope.inputs, envelope.consts]).toEqual([rest, { n: 3 }]);
  });
});

test('the playground is rate limited by tenant, and its receipts have its key prefix', async () => {
  const { runPlayground } = setUp({ rates: { ...LIMITS.rate, playground: 1 } as never });
  expect((await runPlayground(BOX)).keyPrefix).toBe('playground');
  await expect(runPlayground(BOX)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: expect.any(Number),
  });
  expect((await runPlayground(BOX, '192.0.2.8')).keyPrefix).toBe('playground');
  await expect(runPlayground(BOX, '192.0.2.8')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});
