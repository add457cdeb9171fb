// Runs random sequences of signed events, proposals and acceptances on the engine and on the model of parties.

import { createPrivateKey, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import { actMessage, nameOfAct } from '../../../src/chain/signed-act.ts';
import { CHAIN_START, validateRows } from '../../../src/chain/validate.ts';
import type { DomainError } from '../../../src/core/errors.ts';
import { ContractParties } from '../../../src/services/contracts/parties.ts';
import type { MachineService } from '../../../src/services/machines/machines.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { createEngineFixture, type EngineFixture, OWNER } from './engine-fixture.ts';
import { type EventName, PartyModel, POLL, type Sender, type Signed, WITHIN } from './party-model.ts';

const START = 1_000;
const SENDERS: readonly Sender[] = ['chair', 'ann', 'bob', 'cleo', 'mallory'];

/** PKCS #8 of an Ed25519 key, before its 32 bytes. (RFC 8410, section 7.) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEYS = Object.fromEntries(
  SENDERS.map((sender, i) => {
    const secret = Buffer.alloc(32, i + 1);
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });
    return [sender, { key, ed25519: Buffer.from(ed25519.getPublicKey(secret)).toString('hex') }];
  }),
) as Record<Sender, { key: ReturnType<typeof createPrivateKey>; ed25519: string }>;

interface Real extends EngineFixture {
  readonly parties: ContractParties;
  readonly machine: Machine;
  readonly contract: string;
  /** Number and hash of each proposal, by its label in the model. */
  readonly proposals: Map<number, { readonly no: number; readonly termsHash: string }>;
}

type Command = fc.AsyncCommand<PartyModel, Real>;

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return (error as DomainError).code;
  }
}

async function expectSameState(model: PartyModel, { contracts, parties, machine, contract }: Real): Promise<void> {
  const { contract: record } = await contracts.get(machine, contract);
  const { status, currentState, context, current_version_no, next_fire } = record;
  expect({ status, currentState, context, current_version_no, next_fire }).toEqual(model.visibleState);
  const view = await parties.view(machine, contract, undefined);
  expect(view.proposals.map(({ accepted_by: accepted }) => accepted.length)).toEqual(
    model.proposals.map(({ accepted }) => accepted.size),
  );
  for (const { event, votes } of view.quorums) {
    const voters = votes.map(({ voter }) => SENDERS.find((one) => voter === `ed25519:${KEYS[one].ed25519}`));
    expect(voters.sort()).toEqual(model.ballots[event as 'vote' | 'nod']);
  }
}

function command(name: string, run: (model: PartyModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await expectSameState(model, real);
    },
    toString: () => name,
  };
}

/** What is signed: another payload if it is forged, an old number if it is replayed. */
function signature(model: PartyModel, { machine, contract }: Real, sender: Sender, act: Act, how: How) {
  const last = model.nonces.get(sender) ?? -1;
  const signed: Signed = { nonce: how === 'replayed' ? Math.max(0, last) : last + 1, isForged: how === 'forged' };
  const payload = signed.isForged ? { ...act.payload, forged: true } : act.payload;
  const words = { machine: machine.head.slug, contract, name: act.name, payload, nonce: signed.nonce };
  const bytes = sign(null, Buffer.from(actMessage(words)), KEYS[sender].key).toString('hex');
  return { signed, given: { public_key: KEYS[sender].ed25519, nonce: signed.nonce, signature: bytes } };
}

type How = 'well' | 'forged' | 'replayed';
interface Act {
  readonly name: string;
  readonly payload: Record<string, string>;
}

const send = (name: EventName, sender: Sender, choice: string, how: How) =>
  command(`${sender} sends ${name} ${choice}, signed ${how}`, async (model, real) => {
    const payload: Record<string, string> = name === 'vote' ? { choice } : {};
    const { signed, given } = signature(model, real, sender, { name, payload }, how);
    const expected = model.send(name, choice, sender, signed);
    const call = real.parties.send(
      real.machine.head.slug,
      real.contract,
      { name, payload, signature: given },
      undefined,
    );
    expect(await codeOf(call)).toBe(expected);
  });

const propose = (needed: number) =>
  command(`the owner proposes that ${needed} votes are needed`, async (model, real) => {
    const label = model.propose(needed);
    const call = real.contracts.patch(real.machine, OWNER, real.contract, { parameters: { needed } });
    if (label === undefined) expect(await codeOf(call)).toBe('CONFLICT');
    else {
      const { proposal } = await call;
      if (proposal === null) throw new Error('A contract with parties was changed without their acceptance.');
      real.proposals.set(label, { no: proposal.no, termsHash: proposal.terms_hash });
    }
  });

const decide = (act: 'accepted' | 'withdrawn', age: number, sender: Sender, how: How) =>
  command(`${sender} has ${act} proposal ${age}, signed ${how}`, async (model, real) => {
    const label = real.proposals.size - 1 - age;
    const proposal = real.proposals.get(label);
    if (proposal === undefined) return;
    const words = { name: nameOfAct(act), payload: { terms_hash: proposal.termsHash } };
    const { signed, given } = signature(model, real, sender, words, how);
    const expected = model.decide(act, label, sender, signed);
    const call = real.parties.decide(
      act,
      real.machine.head.slug,
      real.contract,
      { ...proposal, signature: given },
      undefined,
    );
    expect(await codeOf(call)).toBe(expected);
  });

const withdraw = (age: number) =>
  command(`the owner withdraws proposal ${age}`, async (model, real) => {
    const label = real.proposals.size - 1 - age;
    const proposal = real.proposals.get(label);
    if (proposal === undefined) return;
    const expected = model.withdraw(label);
    const call = real.parties.decide('withdrawn', real.machine.head.slug, real.contract, proposal, OWNER);
    expect(await codeOf(call)).toBe(expected);
  });

const ownerSends = (name: EventName) =>
  command(`the owner sends ${name}`, async (_, real) => {
    const payload: Record<string, string> = name === 'vote' ? { choice: 'yes' } : {};
    const call = real.parties.send(real.machine.head.slug, real.contract, { name, payload }, OWNER);
    expect(await codeOf(call)).toBe('FORBIDDEN_PARTY');
  });

const fireByHand = (transition: string) =>
  command(`the owner fires ${transition} by hand`, async (model, { contracts, machine, contract }) => {
    const code = await codeOf(contracts.fire(machine, OWNER, contract, { transition }));
    // A contract that does not run fires nothing, and says so without an error.
    if (model.status === 'active') expect(['FORBIDDEN', 'TRANSITION_NOT_ENABLED']).toContain(code);
  });

const advance = (ticks: number) =>
  command(`advance ${ticks} ticks`, async (model, { engine, machine, setTick }) => {
    for (let i = 0; i < ticks; i++) {
      model.now++;
      model.wake();
      setTick(model.now);
      await engine.wake(machine.id);
    }
  });

const outage = (ticks: number) =>
  command(`${ticks} ticks without a scheduler`, async (model, { setTick }) => {
    model.now += ticks;
    setTick(model.now);
  });

const restart = command('restart', async (_, { engine, machine }) => engine.runtimes.evict(machine.id));

const pause = command('pause', async (model, { contracts, machine, contract }) => {
  expect(await codeOf(contracts.pause(machine, OWNER, contract))).toBe(model.pause() ? undefined : 'CONFLICT');
});

const resume = command('resume', async (model, { contracts, machine, contract }) => {
  const code = await codeOf(contracts.resume(machine, OWNER, contract, 'deadline'));
  expect(code).toBe(model.resume() ? undefined : 'CONFLICT');
});

const sender = fc.constantFrom(...SENDERS);
const choice = fc.constantFrom('yes', 'yes', 'no', 'veto', 'abstain');
const how = fc.constantFrom<How[]>('well', 'well', 'well', 'well', 'well', 'forged', 'replayed');
const age = fc.integer({ min: 0, max: 2 });
const voter = fc.constantFrom<Sender[]>('ann', 'bob', 'cleo');
const well = (name: EventName, from: Sender) => send(name, from, 'yes', 'well');

/** Repetitions are weights. */
const COMMANDS = [
  ...Array.from({ length: 5 }, () => fc.constant(well('open', 'chair'))),
  ...Array.from({ length: 8 }, () => fc.tuple(voter, choice, how).map(([by, what, as]) => send('vote', by, what, as))),
  fc
    .tuple(fc.constantFrom<EventName[]>('open', 'vote', 'nod', 'note'), sender, how)
    .map(([name, by, as]) => send(name, by, 'yes', as)),
  fc.constant(well('note', 'chair')),
  sender.map((by) => well('nod', by)),
  fc.integer({ min: 1, max: 3 }).map(propose),
  fc.integer({ min: 1, max: 3 }).map(propose),
  ...Array.from({ length: 4 }, () => fc.tuple(age, voter, how).map(([k, by, as]) => decide('accepted', k, by, as))),
  fc
    .tuple(fc.constantFrom('accepted' as const, 'withdrawn' as const), age, sender)
    .map(([act, k, by]) => decide(act, k, by, 'well')),
  age.map(withdraw),
  fc.constantFrom<EventName[]>('open', 'vote', 'nod', 'note').map(ownerSends),
  fc.constantFrom('open', 'pass', 'lapse', 'note').map(fireByHand),
  fc.integer({ min: 1, max: 5 }).map(advance),
  fc.integer({ min: 1, max: 5 }).map(advance),
  fc.integer({ min: 1, max: 20 }).map(outage),
  fc.constant(restart),
  fc.constant(pause),
  fc.constant(resume),
  fc.constant(resume),
];

/** Found by a random sequence: after a restart an ended contract was not found, before it was in conflict. */
export const ENDED_THEN_RESTARTED: readonly Command[] = [
  well('open', 'chair'),
  well('nod', 'cleo'),
  well('nod', 'chair'),
  well('vote', 'ann'),
  restart,
  well('vote', 'ann'),
];

/** Votes on the first tick at which an earlier one no longer counts, and on the last at which it does. */
export const VOTES_LAPSE: readonly Command[] = [
  well('open', 'chair'),
  well('vote', 'ann'),
  advance(WITHIN),
  well('vote', 'bob'),
  advance(WITHIN - 1),
  well('vote', 'cleo'),
];

/** Runs commands on a new contract and on the model, then checks the chain. */
export async function runParties(storage: Storage, fixture: EngineFixture, commands: Iterable<Command>) {
  const { contracts, engine } = fixture;
  // Everybody who has a key of an account here is the owner.
  const machines = { roleOf: async () => 'owner' } as unknown as MachineService;
  const machine = await insertMachine(storage);
  fixture.setTick(START);
  const bound = (name: Sender) => ({ ed25519: KEYS[name].ed25519 });
  const bindings = { chair: bound('chair'), voters: [bound('ann'), bound('bob'), bound('cleo')] };
  const { id: contract } = await contracts.deploy(machine, OWNER, { definition: POLL, bindings });
  const parties = new ContractParties({ storage, engine, machines, contracts, environment: fixture });
  const real: Real = { ...fixture, parties, machine, contract, proposals: new Map() };
  const model = new PartyModel(START);
  await fc.asyncModelRun(() => ({ model, real }), commands);
  const { slug } = machine.head;
  const rows = await storage.audit.range(machine.id, slug, 0, Number.MAX_SAFE_INTEGER);
  expect(validateRows(rows, slug, 0, CHAIN_START)).toMatchObject({ valid: true, checked: rows.length });
  return model;
}

/** @returns how often polls passed, were dropped and lapsed, and how many versions took effect */
export async function comparePartiesWithModel(storage: Storage, sequences: number, seed: number) {
  const fixture = await createEngineFixture(storage);
  const counts = { passed: 0, dropped: 0, lapsed: 0, versions: 0 };
  await fc.assert(
    fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }), async (commands) => {
      const { context, version } = await runParties(storage, fixture, commands);
      counts.passed += context.passed;
      counts.dropped += context.dropped;
      counts.lapsed += context.lapsed;
      counts.versions += version - 1;
    }),
    { numRuns: sequences, seed },
  );
  return counts;
}
