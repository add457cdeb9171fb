// Faults of a definition as a whole: each is reported with its code and path.

import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { DomainError } from '../../src/core/errors.ts';
import { transition } from './transition.ts';

const AFTER = { kind: 'one_shot', after: 5 };
const FROM_DEPLOYMENT = { ...AFTER, anchor: 'deploy' };
const ON_GO = { kind: 'event', event: 'go' };

const VALID = {
  name: 'valid',
  version: '1.0',
  operators: ['KO42'],
  initial: 'start',
  events: { go: {} },
  states: { start: { role: 'initial' }, end: { role: 'terminal' } },
  transitions: [transition('end', 'start', 'end', ON_GO)],
};
const THREE_STATES = { start: { role: 'initial' }, middle: { role: 'intermediate' }, end: { role: 'terminal' } };

function codesOf(definition: object): string[] {
  const parsed = Definition.parse(definition);
  const faults = [...checkDefinition(parsed)];
  try {
    compileContract(parsed);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    faults.push(...error.details);
  }
  return faults.map(({ path, code }) => `${path} ${code}`);
}

test('a valid definition has no fault', () => {
  expect(codesOf(VALID)).toEqual([]);
});

describe('a definition is refused', () => {
  const cases: [name: string, change: object, fault: string][] = [
    [
      'with an unreachable state',
      { states: { ...VALID.states, lost: { role: 'terminal' } } },
      'states.lost UNREACHABLE',
    ],
    [
      'with a state without an exit',
      {
        states: THREE_STATES,
        transitions: [transition('off', 'start', 'middle', ON_GO), transition('end', 'start', 'end', AFTER)],
      },
      'states.middle NO_EXIT',
    ],
    [
      'with a transition out of a terminal state',
      { transitions: [...VALID.transitions, transition('again', 'end', 'start', AFTER)] },
      'states.end TERMINAL_EXIT',
    ],
    [
      'with an unknown target state',
      { transitions: [transition('end', 'start', 'nowhere', ON_GO)] },
      'transitions.end UNKNOWN_NAME',
    ],
    [
      'with an undeclared event',
      { transitions: [transition('end', 'start', 'end', { kind: 'event', event: 'gone' })] },
      'transitions.end.trigger.event UNKNOWN_NAME',
    ],
    [
      'with an undeclared operator',
      { transitions: [transition('end', 'start', 'end', ON_GO, { operator: 'CM9' })] },
      'transitions.end.operator UNKNOWN_NAME',
    ],
    [
      'with a repeated transition id',
      { transitions: [...VALID.transitions, transition('end', 'start', 'end', AFTER)] },
      'transitions.end REPEATED',
    ],
    [
      'with a transition shadowed transition an unconditional one',
      { transitions: [...VALID.transitions, transition('late', 'start', 'end', ON_GO)] },
      'transitions.late SHADOWED',
    ],
    [
      'with a cron date that never occurs',
      { events: {}, transitions: [transition('end', 'start', 'end', { kind: 'cron', cron: '0 0 30 2 *' })] },
      'transitions.end.trigger.cron CRON',
    ],
    [
      'with an event that triggers itself',
      {
        emits: ['go'],
        states: THREE_STATES,
        transitions: [
          transition('off', 'start', 'start', { ...ON_GO, self: true }, { post: [{ emit: 'go' }] }),
          transition('end', 'start', 'end', AFTER),
        ],
      },
      'transitions.off CASCADE',
    ],
    [
      'with a cycle of timers anchored at the deployment',
      {
        events: {},
        states: { start: { role: 'initial' }, middle: { role: 'intermediate' } },
        transitions: [
          transition('off', 'start', 'middle', FROM_DEPLOYMENT),
          transition('back', 'middle', 'start', FROM_DEPLOYMENT),
        ],
      },
      'transitions.back TIMER_LOOP',
    ],
    [
      'with a timer anchored at the deployment that re-enters its own state',
      {
        transitions: [
          ...VALID.transitions,
          transition('reenter', 'start', 'start', FROM_DEPLOYMENT, { reenter: true }),
        ],
      },
      'transitions.reenter TIMER_LOOP',
    ],
  ];
  test.each(cases)('%s', (_, change, fault) => {
    expect(codesOf({ ...VALID, ...change })).toContain(fault);
  });

  test('with a control character in a text stored outside the chain', () => {
    const post = (action: object) => ({ transitions: [transition('end', 'start', 'end', ON_GO, { post: [action] })] });
    const changesWith = (part: string): object[] => [
      { title: `a${part}` },
      post({ webhook: { url: `http://example.com/${part}` } }),
      post({ token: { op: 'mint', token: `t${part}`, amount: '1', to: '"ann"' } }),
    ];
    const isAccepted = (change: object) => Definition.safeParse({ ...VALID, ...change }).success;
    expect(changesWith('b').map(isAccepted)).toEqual([true, true, true]);
    expect(changesWith('\0').map(isAccepted)).toEqual([false, false, false]);
  });
});

test('timers anchored at the deployment may close a cycle that has another trigger in it', () => {
  const transitions = [
    transition('off', 'start', 'middle', AFTER),
    transition('back', 'middle', 'start', FROM_DEPLOYMENT),
  ];
  const own = transition('note', ['start', 'middle'], 'middle', FROM_DEPLOYMENT, { fires_when: 'now > 3' });
  const states = { start: { role: 'initial' }, middle: { role: 'intermediate' } };
  expect(codesOf({ ...VALID, events: {}, states, transitions })).toEqual([]);
  expect(
    codesOf({ ...VALID, events: {}, states, transitions: [transition('back', 'middle', 'start', AFTER), own] }),
  ).toEqual([]);
});
