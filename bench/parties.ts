// Transitions per CPU second of the pure engine: a definition of the first edition, one with parties, and votes of a quorum.
//
//   node bench/parties.ts

import { compileContract } from '../src/contracts/compiled.ts';
import type { Environment } from '../src/contracts/contract-state.ts';
import { Definition } from '../src/contracts/definition.ts';
import { deliver, type RunningContract } from '../src/contracts/execution.ts';
import { seatOf } from '../src/contracts/parties/bindings.ts';
import { partyStateOf } from '../src/contracts/parties/party-state.ts';
import { createWindows, initialState } from '../src/contracts/transition-function.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';

const EVENTS = 40_000;
const ROUNDS = 7;
const TARGET = 5_000;

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
const environment: Environment = {
  evaluate: (program, values) => evaluateProgram(instance, program, values),
  compute: () => 0,
  balance: () => 0,
};
const common = { version: '1.0', operators: ['KO42'], initial: 'off' };
const states = { off: { role: 'initial' }, on: { role: 'intermediate' } };
const toggle = (more: object, trigger: object) =>
  (['off', 'on'] as const).map((from) => ({
    id: `from_${from}`,
    from,
    to: from === 'off' ? 'on' : 'off',
    operator: 'KO42',
    proof: false,
    ...more,
    trigger,
    fires_when: 'event.amount > 0',
    post: [{ set: { total: 'total + event.amount' } }],
  }));
const flip = { kind: 'event', event: 'flip' };
const context = { total: { type: 'number', initial: 0 } };
const payload = { amount: 'number' };
const voters = Array.from({ length: 5 }, (_, i) => ({ zid: String(i).repeat(32) }));
const bindings = { owner: [{ zid: 'a'.repeat(32) }], voters };
const parties = { owner: {}, voters: { count: { min: 5, max: 5 } } };

const CASES = [
  {
    name: 'first edition',
    definition: {
      ...common,
      name: 'plain',
      context,
      events: { flip: { payload } },
      states,
      transitions: toggle({}, flip),
    },
    senders: ['a'.repeat(32)],
  },
  {
    name: 'by and from of a party',
    definition: {
      ...common,
      name: 'owned',
      edition: 2,
      context,
      parties,
      events: { flip: { payload, from: 'owner' } },
      states,
      transitions: toggle({ by: 'owner' }, flip),
    },
    senders: ['a'.repeat(32)],
  },
  {
    name: 'quorum, 2 of 5 votes each',
    definition: {
      ...common,
      name: 'voted',
      edition: 2,
      context,
      parties,
      events: { flip: { payload } },
      states,
      transitions: toggle({}, { kind: 'quorum', event: 'flip', of: 'voters', at_least: 2, filter: 'event.amount > 0' }),
    },
    senders: voters.map(({ zid }) => zid),
  },
];

function run({ definition, senders }: (typeof CASES)[number]): { readonly fired: number; readonly perSecond: number } {
  const contract = compileContract(Definition.parse(definition));
  const bound = contract.definition.parties === undefined ? undefined : partyStateOf(bindings);
  const state = initialState(contract, 0, 0, undefined, bound);
  const running: RunningContract = { contract, state, windows: createWindows(contract) };
  let fired = 0;
  const before = process.cpuUsage();
  for (let i = 1; i <= EVENTS; i++) {
    const zid = senders[i % senders.length] ?? '';
    const seat = bound && seatOf(bound.bindings, { zid });
    const by = { actor: zid, isExternal: true, party: seat?.party, voter: seat?.voter };
    const event = { kind: 'event', tick: i, number: i, name: 'flip', payload: { amount: 1 }, ...by } as const;
    for (const { result } of deliver(running, event, environment)) if (result.fired) fired++;
  }
  const { user, system } = process.cpuUsage(before);
  return { fired, perSecond: fired / ((user + system) / 1e6) };
}

console.log('| pure engine | transitions per CPU second, best of 7 | target |');
console.log('|---|---|---|');
for (const one of CASES) {
  const best = Math.max(...Array.from({ length: ROUNDS }, () => run(one).perSecond));
  console.log(`| ${one.name} | ${best.toFixed(0)} | ≥ ${TARGET} |`);
}
