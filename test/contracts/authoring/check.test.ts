// Faults of a definition that is being written: their order, their places, what to do; and warnings.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/compile-kernel.ts';
import { fixOf } from '../../../src/contracts/authoring/causes.ts';
import { type CheckOptions, checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { canonicalJson } from '../../../src/core/canonical-json.ts';
import { sha256Hex } from '../../../src/core/sha256.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { callFaults } from '../../../src/protocol/contract-calls.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';
import { draft, environment, go, transition } from './authoring-fixture.ts';

const check = (document: unknown, options: CheckOptions = {}) =>
  checkDraft(document, { callFaults: (one) => callFaults(one, OPERATORS), ...options });
const faultsOf = (document: unknown) => check(document).faults.map(({ pointer, code }) => `${pointer} ${code}`);
const warningsOf = (document: unknown) => check(document).warnings.map(({ pointer, code }) => `${pointer} ${code}`);

test.each([...TEMPLATES.values()])('$id is sound, has its hash, and no warning', ({ definition }) => {
  const checked = check({ $schema: 'https://example.org/definition.json', ...definition });
  expect(checked.faults).toEqual([]);
  expect(checked.warnings).toEqual([]);
  expect(checked.isSound).toBe(true);
  expect(checked.definitionHash).toBe(sha256Hex(canonicalJson(definition)));
});

describe('faults', () => {
  test('say where, what stands there, what is expected and what to do', () => {
    const parameters = { threshold: { type: 'number', default: 5 } };
    const { faults } = check(draft([transition('go', { fires_when: 'event.n > treshold' })], { parameters }));
    expect(faults).toEqual([
      {
        pointer: '/transitions/0/fires_when',
        code: 'EXPRESSION_INVALID',
        message: expect.stringContaining('treshold'),
        got: 'event.n > treshold',
        expected: expect.any(String),
        fix: 'Write threshold, if that is what you mean.',
      },
      {
        pointer: '/parameters/threshold',
        code: 'UNUSED',
        message: 'parameters.threshold is unused.',
        got: { type: 'number', default: 5 },
        fix: 'Use it, or remove it.',
        cause: '/transitions/0/fires_when',
      },
    ]);
  });

  test('of the edition come before all that they cause', () => {
    const more = { parties: { buyer: {} }, let: { big: 'event.n > 5' } };
    const found = faultsOf(draft([transition('go', { fires_when: 'big', by: 'buyer', to: 'ended' })], more));
    expect(found.slice(0, 3).every((one) => one.endsWith(' EDITION'))).toBe(true);
    expect(found).toContain('/let EDITION');
    expect(found.some((one) => !one.endsWith(' EDITION'))).toBe(true);
  });

  test('an unknown state comes before the states that nothing reaches any more', () => {
    expect(faultsOf(draft([transition('go', { to: 'ended' })]))).toEqual([
      '/transitions/0 UNKNOWN_NAME',
      '/states/end UNREACHABLE',
    ]);
  });

  test('of the form come alone, with pointers into the document', () => {
    const { faults, definitionHash } = check(
      draft([transition('go', { trigger: { kind: 'one_shot', after: [] }, prof: 1 })]),
    );
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/transitions/0/trigger/after', '/transitions/0/prof']);
    expect(faults[0]).toMatchObject({ got: [], expected: expect.stringContaining('ISO duration') });
    expect(definitionHash).toBeUndefined();
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a text', 'definition'],
    ['a number that is none', Number.NaN],
    ['an object', {}],
    ['transitions that are no list', draft(null as never)],
    ['a name with dots', draft([transition('go')], { parameters: { 'a.b': { type: 'number', default: 1 } } })],
    ['a proto', JSON.parse('{"__proto__": {"name": "x"}}')],
    [
      'an infinite number',
      draft([transition('go')], { context: { x: { type: 'number', initial: Number.POSITIVE_INFINITY } } }),
    ],
  ])('%s is answered, not thrown', (_, document) => {
    const { faults, isSound } = check(document);
    expect(isSound).toBe(false);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault.fix, fault.code).toEqual(expect.any(String));
  });

  test('operators that nobody has, and a deadline of the initial state that has passed', () => {
    expect(faultsOf(draft([transition('go', { operator: 'CM999' })], { operators: ['KO42', 'CM999'] }))).toEqual([
      '/operators OPERATOR_UNKNOWN',
    ]);
    const late = draft([transition('late', { trigger: { kind: 'deadline', at: '2020-01-01T00:00Z' } })], {
      edition: 2,
      events: {},
    });
    expect(faultsOf(late)).toEqual([]);
    const deployment = { tick: 2_300_000_000, source: environment };
    expect(check(late, { deployment }).faults).toMatchObject([{ code: 'PAST', pointer: '/transitions/0/trigger/at' }]);
    expect(check(late, { deployment: { ...deployment, tick: 2_000_000_000 } }).isSound).toBe(true);
  });

  test('a parameter of the deployment that is out of range', () => {
    const parameters = { limit: { type: 'number', default: 5, max: 9 } };
    const document = draft([transition('go', { fires_when: 'event.n > limit' })], { parameters });
    expect(check(document, { parameters: { limit: 10 } }).faults).toMatchObject([{ code: 'OUT_OF_RANGE' }]);
    expect(check(document, { parameters: { limit: 9 } }).isSound).toBe(true);
  });

  test('are at most fifty, however many there are', () => {
    const events = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`event_${i}`, {}]));
    const parameters = Object.fromEntries(
      Array.from({ length: 32 }, (_, i) => [`p${i}`, { type: 'number', default: 1 }]),
    );
    expect(faultsOf(draft([transition('go')], { events: { go: {}, ...events }, parameters }))).toHaveLength(50);
  });

  test('every code of the checks of definitions has a fix', () => {
    const room = join(ROOT, 'src/contracts');
    const sources = readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('authoring/causes'))
      .map((name) => readFileSync(join(room, name), 'utf8'));
    const codes = new Set(
      [...sources, readFileSync(join(ROOT, 'src/protocol/contract-calls.ts'), 'utf8')].flatMap((text) =>
        [...text.matchAll(/(?:fault|Fault|warning|warn)\([^;]*?'([A-Z][A-Z_0-9]{2,})'/g)].map(([, code = '']) => code),
      ),
    );
    for (const refusal of REFUSALS) codes.delete(refusal);
    expect(codes.size).toBeGreaterThan(40);
    expect([...codes].filter((code) => fixOf(code) === undefined)).toEqual([]);
  });
});

/** Codes of refusals at run time, of bundles and of data, which no check gives. */
const REFUSALS = [
  'PAYLOAD',
  'UTC',
  'COLLECTION_FULL',
  'COLLECTIONS_TOO_LARGE',
  'NO_ENTRY',
  'BAD_KEY',
  'BAD_ENTRY',
  'BAD_INDEX',
  'BAD_SALT',
  'BAD_WEIGHT',
  'MONEY_OVERFLOW',
  'NOT_WHOLE',
  'DIVISION_BY_ZERO',
];

describe('warnings', () => {
  const middle = { start: { role: 'initial' }, alarm: { role: 'intermediate' }, end: { role: 'terminal' } };
  const window = (more: object) => ({ kind: 'on_aggregate', event: 'go', fn: 'count', within: 'PT1M', ...more });
  const alarm = transition('alarm', { to: 'alarm', trigger: window({}), fires_when: 'agg.value > 3' });
  const stop = transition('stop', { from: 'alarm', trigger: { kind: 'event', event: 'stop' } });
  const clear = (more: object, guard: string) =>
    transition('clear', { from: 'alarm', to: 'start', trigger: window(more), fires_when: guard });
  const monitor = (back: object) =>
    draft([alarm, back, stop], { events: { go: { payload: { n: 'number' } }, stop: {} }, states: middle });

  test.each([
    ['a count that falls', {}, 'agg.value <= 3', true],
    ['a count that falls, seen when samples expire', { evaluate: 'arrival_and_expiry' }, 'agg.value <= 3', false],
    ['a mean that falls, or silence', { fn: 'avg', field: 'n' }, 'agg.count == 0 or agg.value < 5', true],
    ['a mean that falls', { fn: 'avg', field: 'n' }, 'agg.value < 5', false],
    ['a count that rises', {}, 'agg.value > 9', false],
    ['a count of samples with a minimum', { min_count: 1 }, 'agg.value <= 3', false],
  ])('silence that never clears: %s', (_, more, guard, isWarned) => {
    expect(warningsOf(monitor(clear(more, guard)))).toEqual(isWarned ? ['/transitions/1/trigger SILENCE_STAYS'] : []);
  });

  const timer = (id: string, after: number, to: string, more: object = {}) =>
    transition(id, { to, trigger: { kind: 'one_shot', after }, ...more });
  const ends = { start: { role: 'initial' }, paid: { role: 'terminal' }, expired: { role: 'terminal' } };

  test('a timer that another one always precedes, and the end that nobody can reach by it', () => {
    const late = draft([timer('pay', 10, 'paid'), timer('expire', 20, 'expired')], { events: {}, states: ends });
    expect(warningsOf(late)).toEqual(['/transitions/1/trigger TOO_LATE', '/states/expired UNREACHABLE_END']);
  });

  test('not if the earlier one has a condition, or may fail', () => {
    const guarded = [timer('pay', 10, 'paid', { fires_when: 'state.entries > 1' }), timer('expire', 20, 'expired')];
    expect(warningsOf(draft(guarded, { events: {}, states: ends }))).toEqual([]);
    const spending = { post: [{ token: { op: 'spend', amount: '1', from: '"pot"' } }] };
    const failing = [timer('pay', 10, 'paid', spending), timer('expire', 20, 'expired')];
    expect(warningsOf(draft(failing, { events: {}, states: ends }))).toEqual([]);
  });

  test('an end behind a condition that is never true', () => {
    const never = draft(
      [transition('pay', { to: 'paid', fires_when: 'event.n > 3 and event.n < 2' }), timer('expire', 20, 'expired')],
      { states: ends },
    );
    expect(warningsOf(never)).toEqual(['/transitions/0/fires_when NEVER_TRUE', '/states/paid UNREACHABLE_END']);
  });

  test('overlapping and constant guards', () => {
    const two = [
      transition('high', { fires_when: 'event.n > 3' }),
      transition('low', { fires_when: 'event.n > 1' }),
      transition('any', { fires_when: '1 < 2', trigger: { kind: 'one_shot', after: 5 } }),
    ];
    expect(warningsOf(draft(two))).toEqual([
      '/transitions/1/fires_when OVERLAP',
      '/transitions/2/fires_when ALWAYS_TRUE',
    ]);
  });

  test('a party that can never act', () => {
    const parties = { buyer: {}, notary: {} };
    const by = draft([transition('go', { by: 'buyer' })], { edition: 2, parties });
    expect(warningsOf(by)).toEqual(['/parties/notary IDLE_PARTY']);
    const manual = draft(
      [
        transition('go', { by: 'buyer' }),
        transition('cancel', { trigger: { kind: 'one_shot', after: 5 }, manual: 'notary' }),
      ],
      { edition: 2, parties },
    );
    expect(warningsOf(manual)).toEqual([]);
    expect(go.kind).toBe('event');
  });
});
