// Guards that no scenario can show false, on machines where they are: with another contract on the money of this one,
// and with workers who came after others by a rebinding.

import { beforeAll, expect, test } from 'vitest';
import { tickOfInstant } from '../../src/contracts/calendar.ts';
import { type CompiledContract, compileContract } from '../../src/contracts/compiled.ts';
import type { Environment } from '../../src/contracts/contract-state.ts';
import { Definition, type Scalars } from '../../src/contracts/definition.ts';
import { CURRENT_ENGINE } from '../../src/contracts/engine-edition.ts';
import { createReadings, deliver, type RunningContract, wake } from '../../src/contracts/execution.ts';
import { seatOf } from '../../src/contracts/parties/bindings.ts';
import { partyStateOf } from '../../src/contracts/parties/party-state.ts';
import { createWindows, initialState } from '../../src/contracts/transition-function.ts';
import { DomainError } from '../../src/core/errors.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { TEMPLATES } from '../../src/templates/load.ts';

/** The cover ends at the end of that year. */
const START = tickOfInstant('2026-01-02T09:00:00Z');
const DAY = tickOfInstant('2026-01-03T09:00:00Z') - START;

let base: Omit<Environment, 'balance'>;
beforeAll(async () => {
  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  base = {
    evaluate: (program, values) => evaluateProgram(instance, program, values),
    compute: () => {
      throw new DomainError('OPERATOR_UNKNOWN', 'Nothing is computed here.');
    },
  };
});

/** A template that runs with the named accounts, and what refuses its transitions. */
class Run {
  readonly #running: RunningContract;
  readonly #environment: Environment;
  #number = 0;
  /** Of every holder, besides what the contract moves itself. */
  balance: number;

  constructor(id: string, accounts: Readonly<Record<string, number>>, parameters: Scalars, balance: number) {
    const contract: CompiledContract = compileContract(Definition.parse(TEMPLATES.get(id)?.definition), parameters);
    const bindings = Object.entries(accounts).map(([party, count]) => [
      party,
      Array.from({ length: count }, (_, i) => ({ ed25519: `${party}.${i + 1}` })),
    ]);
    const parties = partyStateOf(Object.fromEntries(bindings));
    this.balance = balance;
    this.#environment = { ...base, balance: () => this.balance };
    this.#running = {
      contract,
      state: initialState(contract, START, 0, CURRENT_ENGINE, parties, base),
      windows: createWindows(contract),
      readings: createReadings(contract),
    };
  }

  get state(): string {
    return this.#running.state.state;
  }

  send(tick: number, actor: string, name: string, payload: Readonly<Record<string, unknown>> = {}): void {
    this.#number++;
    const seat = seatOf(this.#running.state.parties?.bindings ?? {}, { ed25519: actor });
    const sender = seat === undefined ? {} : { party: seat.party, voter: seat.voter };
    const event = {
      kind: 'event',
      tick: START + tick,
      number: this.#number,
      name,
      payload,
      actor,
      isExternal: true,
      ...sender,
    } as const;
    deliver(this.#running, event, this.#environment);
  }

  /** `transition: code` of what was refused on the way. */
  wait(tick: number): readonly string[] {
    const steps = wake(this.#running, START + tick, this.#number, this.#environment);
    return steps.flatMap(({ result }) => result.refused.map(({ transition, code }) => `${transition}: ${code}`));
  }
}

test('what another contract took from the cover is owed, and paid on the day after it is back', () => {
  const run = new Run('parametric-windstorm-cover', { insurer: 1, insured: 1, stations: 3 }, { hours_clause: 10 }, 0);
  run.send(1, 'insurer.1', 'pay_cover', { amount: 50_000_000 });
  run.send(2, 'insured.1', 'pay_premium', { amount: 1_500_000 });
  for (const station of [1, 2, 3]) run.send(3, `stations.${station}`, 'report', { gust: 55 });
  expect(run.state).toBe('storm');
  expect(run.wait(13)).toEqual([]);
  // All is due: `settle`, which is for a part, finds its guard false.
  expect(run.wait(14)).toEqual(['exhaust: ACTION_FAILED', 'settle: CONDITION']);
  run.send(15, 'stations.1', 'report', { gust: 0 });
  expect(run.state).toBe('assessed');
  run.balance = 50_000_000;
  expect(run.wait(15 + DAY)).toEqual([]);
  expect(run.state).toBe('exhausted');
});

test('with twelve absent workers untold, a thirteenth lock is not the last one; it goes once one of them was told', () => {
  const accounts = { supervisor: 1, workers: 14, operator_crew: 1 };
  const run = new Run('lockout-tagout', accounts, { objection_time: 10 }, 0);
  const askFor = (tick: number, worker: string) =>
    run.send(tick, 'supervisor.1', 'ask_removal', { worker, is_off_site: true, was_called: true });
  run.send(1, 'supervisor.1', 'announce');
  run.send(2, 'workers.14', 'isolate');
  run.send(3, 'workers.13', 'lock');
  for (let i = 1; i <= 12; i++) {
    run.send(100 * i, `workers.${i}`, 'lock');
    askFor(100 * i + 1, `workers.${i}`);
    expect(run.wait(100 * i + 20)).toEqual([]);
    expect(run.state).toBe('isolated');
  }
  askFor(1301, 'workers.13');
  expect(run.wait(1320)).toEqual(['remove_lock: ACTION_FAILED', 'remove_last_lock: CONDITION']);
  expect(run.state).toBe('removing');
  // The timer is used up: the supervisor withdraws, and asks again when there is room for one more untold worker.
  run.send(1321, 'workers.1', 'inform');
  run.send(1322, 'supervisor.1', 'withdraw_removal');
  expect(run.state).toBe('isolated');
  askFor(1323, 'workers.13');
  expect(run.wait(1340)).toEqual([]);
  expect(run.state).toBe('isolated');
});
