// Warnings of spawn events that write over an open instance.

import { expect, test } from 'vitest';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { simulate } from '../../../src/contracts/simulate.ts';
import { environment } from '../data/data-fixture.ts';
import { transition } from '../transition.ts';

const on = (event: string) => ({ kind: 'event', event });

/** @param open  what the transition on the spawn event has, and where it leads */
const tab = (open: object, to = 'begun', more: readonly object[] = []) => ({
  name: 'tab',
  version: '1.0',
  edition: 2,
  key: 'event.id',
  spawn: 'begin',
  operators: ['KO42'],
  initial: 'begun',
  context: { due: { type: 'integer', initial: 0 } },
  events: { begin: { payload: { id: 'string', n: 'integer' } }, end: { payload: { id: 'string' } } },
  states: { begun: { role: 'initial' }, open: { role: 'intermediate' }, over: { role: 'terminal' } },
  transitions: [
    transition('open', 'begun', to, on('begin'), open),
    transition('go', 'begun', 'open', on('end'), { fires_when: 'due > 0' }),
    transition('close', 'open', 'over', on('end')),
    ...more,
  ],
});
const SET = { post: [{ set: { due: 'event.n' } }] };
const warningsOf = (definition: object) =>
  checkDraft(definition).warnings.flatMap(({ code, pointer }) => (code === 'SPAWN_OVERWRITES' ? [pointer] : []));

test.each<[what: string, definition: object, expected: string[]]>([
  ['sets a variable anew', tab(SET), ['/transitions/0']],
  ['and has a guard of the event alone', tab({ ...SET, fires_when: 'event.n > 0' }), ['/transitions/0']],
  ['and reads the instance in its guard', tab({ ...SET, fires_when: 'due == 0' }), []],
  ['and reads it by a name', tab({ ...SET, fires_when: 'is_new', let: { is_new: 'due == 0' } }), []],
  ['adds to the variable', tab({ post: [{ set: { due: 'due + event.n' } }] }), []],
  ['leads out of the state', tab(SET, 'open'), []],
  [
    'leads out of the state, which is entered again',
    tab(SET, 'open', [transition('back', 'open', 'begun', { kind: 'one_shot', after: 5 })]),
    ['/transitions/0'],
  ],
  [
    'is heard in a later state',
    tab({ ...SET, fires_when: 'due == 0' }, 'begun', [transition('again', 'open', 'open', on('begin'), SET)]),
    ['/transitions/3'],
  ],
])('a spawn event that %s', (_, definition, expected) => {
  expect(warningsOf(definition)).toEqual(expected);
});

test('what is warned of happens, and what is not does not', () => {
  const second = (definition: object) => {
    const { contract } = checkDraft(definition);
    if (contract === undefined) throw new Error('The definition has faults.');
    const begin = (n: number) => ({ send: 'begin', payload: { id: 'a', n } });
    const steps = simulate(
      compileContract(contract.definition),
      { name: 'twice', steps: [begin(1), begin(2)] },
      environment,
    );
    return steps.at(-1)?.context.due;
  };
  expect(second(tab(SET))).toBe(2);
  expect(second(tab({ ...SET, fires_when: 'due == 0' }))).toBe(1);
  expect(second(tab(SET, 'open'))).toBe(1);
});
