// The agreement in sentences: nothing that matters is left out, and who signs can read it.

import { describe, expect, test } from 'vitest';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { explain, explanationText } from '../../../src/contracts/authoring/explain.ts';
import { durationWords, ticksWords } from '../../../src/contracts/authoring/words.ts';
import { checkDefinition } from '../../../src/contracts/check.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { ticksOfDuration } from '../../../src/contracts/durations.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';
import { draft, transition } from './authoring-fixture.ts';

const textOf = (definition: Definition, names = {}) =>
  explanationText(explain(compileContract(definition), names)).replace(/describe the definition [0-9a-f]{64}/, '');

/** What has no meaning for those who sign: how it is recorded. */
const SILENT = /^\/(audit_clock|edition)/;

/** Every path to a value that is no object. */
function leaves(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, child]) =>
    leaves(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function changedAt(document: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return otherValue(document);
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = changedAt(copy[key], rest);
  return copy;
}

function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1 : `${value}1`;
}

/** Values from fixed lists: each with another one of its list. */
const OTHERS: Readonly<Record<string, string>> = {
  initial: 'intermediate',
  intermediate: 'terminal',
  terminal: 'intermediate',
  success: 'failure',
  failure: 'success',
  cancelled: 'expired',
  expired: 'cancelled',
  avg: 'max',
  max: 'avg',
  count: 'sum',
  window: 'entry',
  entry: 'deploy',
  deploy: 'entry',
  arrival_and_expiry: 'arrival',
  mint: 'spend',
  spend: 'mint',
  transfer: 'mint',
  all: 'skip',
  map: 'list',
  list: 'set',
  set: 'list',
};

describe.each([...TEMPLATES.values()])('$id', ({ definition: raw }) => {
  const definition = Definition.parse(raw);
  const before = textOf(definition);

  test('every term stands in a sentence: another value gives another text', () => {
    const silent: string[] = [];
    let tried = 0;
    for (const path of leaves(raw)) {
      const pointer = `/${path.join('/')}`;
      if (SILENT.test(pointer)) continue;
      const candidates = [changedAt(raw, path), ...otherDocuments(raw, path)];
      for (const candidate of candidates) {
        const parsed = Definition.safeParse(candidate);
        // The role of the initial state follows from `initial`.
        if (!parsed.success || checkDefinition(parsed.data).some(({ code }) => code === 'INITIAL')) continue;
        try {
          compileContract(parsed.data);
        } catch {
          continue;
        }
        tried++;
        if (textOf(parsed.data) === before) silent.push(pointer);
      }
    }
    expect(tried).toBeGreaterThan(15);
    expect([...new Set(silent)]).toEqual([]);
  });

  test('is bound to its definition, and every sentence leads to what it says', () => {
    const { definitionHash, contract } = checkDraft(raw);
    if (contract === undefined) throw new Error('not sound');
    const explanation = explain(contract);
    expect(explanation.definition_hash).toBe(definitionHash);
    const pointers = explanation.sections.flatMap(({ sentences }) => sentences.map(({ pointer }) => pointer));
    for (const i of definition.transitions.keys()) expect(pointers).toContain(`/transitions/${i}`);
    for (const name of Object.keys(definition.states))
      expect(explanationText(explanation)).toContain(name.replaceAll('_', ' '));
  });
});

/** The same value of a fixed list, replaced by another of the list. */
function otherDocuments(raw: unknown, path: readonly (string | number)[]): unknown[] {
  const value = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], raw);
  const other = typeof value === 'string' ? OTHERS[value] : undefined;
  if (other === undefined) return [];
  const put = (document: unknown, [key, ...rest]: readonly (string | number)[]): unknown => {
    if (key === undefined) return other;
    const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
      string | number,
      unknown
    >;
    copy[key] = put(copy[key], rest);
    return copy;
  };
  return [put(raw, path)];
}

test('the parties are named beside their roles', () => {
  const definition = Definition.parse(TEMPLATES.get('escrow-dispute-window')?.definition);
  const text = textOf(definition, { buyer: 'Ann Smith', seller: 'Bolt & Sons' });
  expect(text).toContain('The buyer is Ann Smith: one account or key. Pays, and may dispute.');
  expect(text).toContain('When the buyer (Ann Smith) sends “deposit”');
  expect(text).toContain('A new version takes effect when everybody who is bound to a party has accepted it.');
  expect(text).toContain('3 days) after this state is entered, it becomes expired');
});

test('conditions keep their order of evaluation', () => {
  const sentence = (guard: string) => {
    const { contract, faults } = checkDraft({
      name: 'x',
      version: '1.0',
      operators: ['KO42'],
      initial: 'a',
      events: { go: { payload: { p: 'boolean', q: 'boolean', n: 'number' } } },
      states: { a: { role: 'initial' }, b: { role: 'terminal' } },
      transitions: [
        {
          id: 't',
          from: 'a',
          to: 'b',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'go' },
          fires_when: guard,
        },
      ],
    });
    if (contract === undefined) throw new Error(JSON.stringify(faults));
    return /, if (.*), it becomes b/.exec(explanationText(explain(contract)))?.[1];
  };
  expect(sentence('event.p and (event.q or event.n >= 3)')).toBe(
    'the p sent and (the q sent or the n sent is at least 3)',
  );
  expect(sentence('event.p and event.q or event.n != 3')).toBe('the p sent and the q sent or the n sent is not 3');
  expect(sentence('not (event.p and event.q)')).toBe('not (the p sent and the q sent)');
  expect(sentence('event.n - (2 - 1) > 2 * (event.n + 1)')).toBe('the n sent − (2 − 1) is above 2 × (the n sent + 1)');
  expect(sentence('event.n > (event.p ? 1 : 2)')).toBe('the n sent is above (1 if the p sent, otherwise 2)');
});

test('a number without dimension is said without a unit', () => {
  const parameters = {
    share: { type: 'number', default: 0.1, unit: '1' },
    limit: { type: 'number', default: 30, unit: 'degC' },
  };
  const guarded = [transition('go', { fires_when: 'event.n > limit * share' })];
  const text = textOf(Definition.parse(draft(guarded, { parameters })));
  expect(text).toContain('share is 0.1, a number.');
  expect(text).toContain('limit is 30 degC, a number.');
  expect(text).toContain('limit (30 degC) × share (0.1)');
});

test('lengths of time are said in whole units, if they are exact', () => {
  for (const text of ['P7D', 'PT30S', 'PT1H', 'P1D', 'PT90M', 'PT1S', 'P400D']) {
    const ticks = ticksOfDuration(text) ?? 0;
    const words = ticksWords(ticks);
    const [, number = '', unit = ''] = /^(\d+) (day|hour|minute|second)s?$/.exec(words) ?? [];
    const iso =
      { day: `P${number}D`, hour: `PT${number}H`, minute: `PT${number}M`, second: `PT${number}S` }[unit] ?? '';
    expect(ticksOfDuration(iso), words).toBe(ticks);
  }
  expect(ticksWords(1)).toBe('1 tick (0.777 seconds)');
  expect(durationWords('P1Y2M')).toBe('1 year and 2 months');
  expect(durationWords('PT1H30M')).toBe('1 hour and 30 minutes');
  expect(durationWords('P')).toBeUndefined();
});
