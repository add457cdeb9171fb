// Faults of definitions with parties, quorums in the pure engine, and first-edition definitions that stay as they were.

import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { type ScenarioStep, simulate } from '../../src/contracts/simulate.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { SALE } from '../http/party-fixture.ts';
import escrow from './first-edition/escrow-dispute-window.json' with { type: 'json' };
import twoPersons from './first-edition/two-person-approval.json' with { type: 'json' };

const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
const environment = {
  evaluate: (program: Parameters<typeof evaluateProgram>[1], values: Readonly<Record<string, number>>) =>
    evaluateProgram(instance, program, values),
  compute: () => 0,
};

const faultsOf = (definition: unknown) =>
  definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);
const change = (id: string, more: object) => ({
  ...SALE,
  transitions: SALE.transitions.map((one) => (one.id === id ? { ...one, ...more } : one)),
});
const quorum = (more: object) =>
  change('pass', {
    trigger: { kind: 'quorum', event: 'inspect', of: 'inspectors', at_least: 1, changes: true, ...more },
  });

describe('faults of a definition', () => {
  test('a sound one has none', () => expect(faultsOf(SALE)).toEqual([]));

  test('parties need edition 2', () => {
    const { edition: _, ...first } = SALE;
    expect(faultsOf(first)).toEqual(
      expect.arrayContaining(['parties EDITION', 'events.offer.from EDITION', 'transitions.pay.by EDITION']),
    );
    expect(faultsOf(first)).toContain('transitions.expire.manual NOT_ALLOWED');
  });

  test.each([
    ['a role as the name of a party', { ...SALE, parties: { ...SALE.parties, admin: {} } }, 'parties.admin RESERVED'],
    ['the name of a variable', { ...SALE, parties: { ...SALE.parties, price: {} } }, 'parties.price TAKEN'],
    ['an unknown party', change('pay', { by: 'byer' }), 'transitions.pay.by UNKNOWN_NAME'],
    ['a party that cannot send the event', change('offer', { by: 'buyer' }), 'transitions.offer.by CONTRADICTION'],
    ['a sender of a timer', change('expire', { by: 'buyer' }), 'transitions.expire.by NOT_ALLOWED'],
    ['a role for what a party does', change('offer', { manual: 'admin' }), 'transitions.offer.manual CONTRADICTION'],
    ['votes by hand', change('pass', { manual: 'inspectors' }), 'transitions.pass.manual CONTRADICTION'],
    ['more votes than voters', quorum({ at_least: 6 }), 'transitions.pass.trigger.at_least OUT_OF_RANGE'],
    ['quorums that disagree on changes', quorum({ changes: false }), 'transitions.stop.trigger.changes CONTRADICTION'],
    [
      'a declared sender',
      { ...SALE, events: { ...SALE.events, ping: { payload: { actor: 'string' } } } },
      'events.ping.payload.actor RESERVED',
    ],
    [
      'too many seats',
      { ...SALE, parties: { ...SALE.parties, crowd: { count: { min: 1, max: 64 } } } },
      'parties COUNT',
    ],
    [
      'an amendment by too many',
      { ...SALE, amend: { by: 'quorum', of: 'seller', at_least: 2 } },
      'amend.at_least OUT_OF_RANGE',
    ],
  ])('%s', (_, definition, fault) => expect(faultsOf(definition)).toContain(fault));
});

describe('a quorum', () => {
  const run = (definition: unknown, inspectors: number, steps: ScenarioStep[]) => {
    const start: ScenarioStep[] = [
      { at: 1, send: 'offer', by: 'seller', payload: { price: 1 } },
      { at: 2, send: 'pay', by: 'buyer' },
    ];
    const scenario = { name: 'votes', bound: { inspectors }, steps: [...start, ...steps] };
    return simulate(compileContract(Definition.parse(definition)), scenario, environment).slice(2);
  };
  const vote = (at: number, by: number, ok: boolean): ScenarioStep => ({
    at,
    send: 'inspect',
    by: `inspectors.${by}`,
    payload: { ok },
  });
  const statesOf = (definition: unknown, steps: ScenarioStep[], inspectors = 3) =>
    run(definition, inspectors, steps).map(({ state }) => state);

  test('a vote that may not be changed is refused the second time', () => {
    const definition = {
      ...quorum({ at_least: 2, changes: false, filter: 'event.ok' }),
      transitions: quorum({ at_least: 2, changes: false, filter: 'event.ok' }).transitions.filter(
        ({ id }) => id !== 'stop',
      ),
      states: Object.fromEntries(Object.entries(SALE.states).filter(([name]) => name !== 'stopped')),
    };
    const reports = run(definition, 3, [vote(3, 1, false), vote(4, 1, true), vote(5, 2, true), vote(6, 3, true)]);
    expect(reports.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid', 'done']);
    expect(reports[1]?.refused.join()).toContain('has voted');
  });

  test('a standing veto blocks it, and is lifted by another vote', () => {
    const vetoed = quorum({ at_least: 2, filter: 'event.ok', veto: 'not event.ok' });
    const steps = [vote(3, 1, false), vote(4, 2, true), vote(5, 3, true), vote(6, 1, true)];
    // Two of three stop it as well, so there are five voters.
    expect(statesOf(vetoed, steps, 5)).toEqual(['paid', 'paid', 'paid', 'done']);
  });

  test('votes lapse after their time', () => {
    const timed = quorum({ at_least: 2, within: 10, filter: 'event.ok' });
    expect(statesOf(timed, [vote(3, 1, true), vote(13, 2, true), vote(14, 1, true)])).toEqual(['paid', 'paid', 'done']);
    expect(statesOf(timed, [vote(3, 1, true), vote(12, 2, true)])).toEqual(['paid', 'done']);
  });

  test('counted by parties, several voters of one are one', () => {
    const joint = quorum({ of: ['inspectors', 'seller'], at_least: 2, distinct: 'parties', filter: 'event.ok' });
    const sold: ScenarioStep = { at: 5, send: 'inspect', by: 'seller', payload: { ok: true } };
    expect(statesOf(joint, [vote(3, 1, true), vote(4, 2, true), sold])).toEqual(['paid', 'paid', 'done']);
  });
});

test('definitions of the first edition keep their hash and their rules by hand', () => {
  const hashes = [escrow, twoPersons].map((definition) => sha256Hex(canonicalJson(Definition.parse(definition))));
  expect(hashes).toEqual([sha256Hex(canonicalJson(escrow)), sha256Hex(canonicalJson(twoPersons))]);
  expect(hashes.map((hash) => hash.slice(0, 16))).toEqual(PINNED);
  const manual = compileContract(Definition.parse(escrow)).transitions.map((one) => one.manual);
  expect(new Set(manual)).toEqual(new Set(['operator', 'admin']));
});

/** Hashes at the time of the first edition. */
const PINNED = ['ad1b7e4131b7d48b', '82fecf17b6fc3c03'];
