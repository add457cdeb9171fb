// Every fault of a definition as a whole is refused under a code of its own, at the place where it is.

import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { DomainError } from '../../src/core/errors.ts';

const by = (id: string, from: string | string[], to: string, trigger: object, more: object = {}) => ({
  id,
  from,
  to,
  operator: 'KO42',
  proof: false,
  trigger,
  ...more,
});
const AFTER = { kind: 'one_shot', after: 5 };
const FROM_DEPLOYMENT = { ...AFTER, anchor: 'deploy' };
const HEARD = { kind: 'event', event: 'go' };

const SOUND = {
  name: 'sound',
  version: '1.0',
  operators: ['KO42'],
  initial: 'begun',
  events: { go: {} },
  states: { begun: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [by('end', 'begun', 'over', HEARD)],
};
const ROUND = { begun: { role: 'initial' }, apart: { role: 'intermediate' }, over: { role: 'terminal' } };

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

test('a sound definition has no fault', () => {
  expect(codesOf(SOUND)).toEqual([]);
});

describe('a definition is refused', () => {
  const cases: [what: string, change: object, fault: string][] = [
    [
      'with a state that nobody reaches',
      { states: { ...SOUND.states, lost: { role: 'terminal' } } },
      'states.lost UNREACHABLE',
    ],
    [
      'with a state that nobody leaves',
      { states: ROUND, transitions: [by('off', 'begun', 'apart', HEARD), by('end', 'begun', 'over', AFTER)] },
      'states.apart NO_EXIT',
    ],
    [
      'with a way out of the end',
      { transitions: [...SOUND.transitions, by('again', 'over', 'begun', AFTER)] },
      'states.over TERMINAL_EXIT',
    ],
    [
      'with a state that is not there',
      { transitions: [by('end', 'begun', 'nowhere', HEARD)] },
      'transitions.end UNKNOWN_NAME',
    ],
    [
      'with an event that is not declared',
      { transitions: [by('end', 'begun', 'over', { kind: 'event', event: 'gone' })] },
      'transitions.end.trigger.event UNKNOWN_NAME',
    ],
    [
      'with an operator that is not declared',
      { transitions: [by('end', 'begun', 'over', HEARD, { operator: 'CM9' })] },
      'transitions.end.operator UNKNOWN_NAME',
    ],
    [
      'with one id twice',
      { transitions: [...SOUND.transitions, by('end', 'begun', 'over', AFTER)] },
      'transitions.end REPEATED',
    ],
    [
      'with a transition behind one that always fires',
      { transitions: [...SOUND.transitions, by('late', 'begun', 'over', HEARD)] },
      'transitions.late SHADOWED',
    ],
    [
      'with a calendar that has no such day',
      { events: {}, transitions: [by('end', 'begun', 'over', { kind: 'cron', cron: '0 0 30 2 *' })] },
      'transitions.end.trigger.cron CRON',
    ],
    [
      'with an event that sets itself off',
      {
        emits: ['go'],
        states: ROUND,
        transitions: [
          by('off', 'begun', 'begun', { ...HEARD, self: true }, { post: [{ emit: 'go' }] }),
          by('end', 'begun', 'over', AFTER),
        ],
      },
      'transitions.off CASCADE',
    ],
    [
      'with timers from the deployment that go round',
      {
        events: {},
        states: { begun: { role: 'initial' }, apart: { role: 'intermediate' } },
        transitions: [by('off', 'begun', 'apart', FROM_DEPLOYMENT), by('back', 'apart', 'begun', FROM_DEPLOYMENT)],
      },
      'transitions.back TIMER_LOOP',
    ],
    [
      'with a timer from the deployment that enters its own state anew',
      { transitions: [...SOUND.transitions, by('anew', 'begun', 'begun', FROM_DEPLOYMENT, { reenter: true })] },
      'transitions.anew TIMER_LOOP',
    ],
  ];
  test.each(cases)('%s', (_, change, fault) => {
    expect(codesOf({ ...SOUND, ...change })).toContain(fault);
  });

  test('with a control character in what is written beside the chain', () => {
    const post = (action: object) => ({ transitions: [by('end', 'begun', 'over', HEARD, { post: [action] })] });
    const named = (part: string): object[] => [
      { title: `a${part}` },
      post({ webhook: { url: `http://example.com/${part}` } }),
      post({ token: { op: 'mint', token: `t${part}`, amount: '1', to: '"ann"' } }),
    ];
    const isGood = (change: object) => Definition.safeParse({ ...SOUND, ...change }).success;
    expect(named('b').map(isGood)).toEqual([true, true, true]);
    expect(named('\0').map(isGood)).toEqual([false, false, false]);
  });
});

test('timers from the deployment may end a round that something else begins', () => {
  const transitions = [by('off', 'begun', 'apart', AFTER), by('back', 'apart', 'begun', FROM_DEPLOYMENT)];
  const own = by('note', ['begun', 'apart'], 'apart', FROM_DEPLOYMENT, { fires_when: 'now > 3' });
  const states = { begun: { role: 'initial' }, apart: { role: 'intermediate' } };
  expect(codesOf({ ...SOUND, events: {}, states, transitions })).toEqual([]);
  expect(codesOf({ ...SOUND, events: {}, states, transitions: [by('home', 'apart', 'begun', AFTER), own] })).toEqual(
    [],
  );
});
