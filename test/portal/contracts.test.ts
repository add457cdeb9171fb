import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Definition } from '../../src/contracts/definition.ts';
import {
  actionTexts,
  conditionText,
  scalarText,
  triggerText,
  withDefaults,
} from '../../src/portal/contracts/definition-text.ts';
import { layoutDiagram, smoothPath } from '../../src/portal/contracts/diagram-layout.ts';
import { parsePayload } from '../../src/portal/contracts/event-payload.ts';
import { formatTickDuration } from '../../src/portal/machines/tick-format.ts';
import { draftOf, parseDraft } from '../../src/portal/templates/draft.ts';
import { durationWords, typedDuration } from '../../src/portal/templates/typed-duration.ts';
import { findTemplate, TEMPLATES } from '../../src/templates/load.ts';

const measure = { state: (text: string) => text.length * 8, label: (text: string) => text.length * 7 };
const MODES = ['down', 'narrow', 'right'] as const;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const isApart = (a: Rectangle, b: Rectangle) =>
  Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;

describe('the layout of a state diagram', () => {
  test('shows every state of every template once, without overlaps, and every transition between its states', () => {
    for (const { definition } of TEMPLATES.values()) {
      for (const mode of MODES) {
        const { width, height, boxes, arrows, start } = layoutDiagram(definition, mode, measure);
        expect(boxes.map(({ name }) => name)).toEqual(Object.keys(definition.states));
        const shown = arrows.flatMap(({ from, to, transitions }) => transitions.map((id) => `${id} ${from} ${to}`));
        const expected = definition.transitions.flatMap(({ id, from, to }) =>
          [from].flat().map((source) => `${id} ${source} ${to}`),
        );
        expect(shown.toSorted()).toEqual(expected.toSorted());
        for (const [at, a] of boxes.entries()) {
          expect(a.x - a.width / 2).toBeGreaterThanOrEqual(0);
          expect(a.x + a.width / 2).toBeLessThanOrEqual(width);
          expect(a.y + a.height / 2).toBeLessThanOrEqual(height);
          for (const b of boxes.slice(at + 1))
            expect([definition.name, mode, a.name, b.name, isApart(a, b)]).toEqual([
              definition.name,
              mode,
              a.name,
              b.name,
              true,
            ]);
        }
        for (const { points, label } of arrows) {
          expect(smoothPath(points)).toMatch(/^M[-\d.]+ [-\d.]+(Q[-\d. ]+|L[-\d. ]+)+$/);
          expect(Number.isFinite(label.x + label.y)).toBe(true);
        }
        expect(start.points.length).toBeGreaterThan(1);
      }
    }
  });

  test.each([8, 7.5, 9])(
    'keeps labels clear of each other, of states, of their own loops and of the edge (%d px per letter)',
    (letter) => {
      const texts = {
        state: (text: string) => text.length * letter,
        label: (text: string) => text.length * letter * 0.85,
      };
      const faults: string[] = [];
      let loops = 0;
      for (const { definition } of TEMPLATES.values()) {
        for (const mode of MODES) {
          const { width, height, boxes, arrows } = layoutDiagram(definition, mode, texts);
          for (const [at, { transitions, label, points, from, to }] of arrows.entries()) {
            const fault = (problem: string) => faults.push(`${definition.name} ${mode} ${transitions}: ${problem}`);
            for (const other of arrows.slice(at + 1))
              if (!isApart(label, other.label)) fault(`on ${other.transitions}`);
            for (const box of boxes) if (!isApart(label, box)) fault(`on ${box.name}`);
            const right = label.x + label.width / 2;
            const bottom = label.y + label.height / 2;
            if (label.x < label.width / 2 || label.y < label.height / 2 || right > width || bottom > height)
              fault('past the edge');
            if (from !== to) continue;
            loops++;
            // The curve lies within its control points.
            const extent = { x: Math.max(...points.map(({ x }) => x)), y: Math.max(...points.map(({ y }) => y)) };
            if (right - label.width <= extent.x && bottom - label.height <= extent.y) fault('on its own line');
          }
        }
      }
      expect(faults).toEqual([]);
      expect(loops).toBeGreaterThan(3);
    },
  );

  test('accepts states named like properties of Object.prototype', () => {
    const definition = {
      name: 'odd',
      version: '1.0',
      operators: ['KO42'],
      initial: 'constructor',
      events: { push: {} },
      states: { constructor: { role: 'initial' }, valueof: { role: 'intermediate' } },
      transitions: [
        {
          id: 'push',
          from: 'constructor',
          to: 'valueof',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'push' },
        },
        {
          id: 'back',
          from: 'valueof',
          to: 'constructor',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'push' },
        },
        {
          id: 'stay',
          from: 'valueof',
          to: 'valueof',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'push' },
        },
      ],
    } as unknown as Definition;
    expect(layoutDiagram(definition, 'down', measure).arrows).toHaveLength(3);
  });
});

describe('a definition as text', () => {
  test('every transition of every template has a trigger text, with parameters as durations', () => {
    for (const { definition } of TEMPLATES.values()) {
      const parameters = withDefaults(definition, {});
      for (const transition of definition.transitions) {
        const text = triggerText(transition, parameters);
        expect(text.length).toBeGreaterThan(5);
        expect(text).not.toContain('undefined');
        expect(text).not.toContain('NaN');
        for (const action of actionTexts(transition)) expect(action).not.toContain('undefined');
        expect(conditionText(transition).startsWith('if ')).toBe(transition.fires_when !== undefined);
      }
    }
  });

  test('ticks are formatted as durations', () => {
    expect([1, 13, 39, 78, 79, 773, 4_634, 333_591].map(formatTickDuration)).toEqual([
      '0.8 s',
      '10 s',
      '30 s',
      '1 min',
      '1 min 1 s',
      '10 min',
      '1 h',
      '3 d',
    ]);
    expect(scalarText('PT30S')).toBe('PT30S (30 s)');
    expect(scalarText('')).toBe('“”');
    expect(scalarText(true)).toBe('yes');
    expect(scalarText(-2.5, 'K')).toBe('−2.5 K');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (ticks) => /^\d/.test(formatTickDuration(ticks))),
    );
  });
});

describe('the form of a template', () => {
  test('the default draft of every template compiles', () => {
    for (const { definition } of TEMPLATES.values()) {
      const parsed = parseDraft(definition, draftOf(definition));
      expect(parsed).toMatchObject({ parameters: {}, faults: {}, generalFaults: [] });
      expect(parsed.compiled).toBeDefined();
    }
  });

  test('returns changed parameters and reports invalid ones', () => {
    const { definition } = findTemplate('circuit-breaker');
    const draft = draftOf(definition);
    expect(parseDraft(definition, { ...draft, max_failures: '7', cool_down: 'PT1M', within: '' }).parameters).toEqual({
      max_failures: 7,
      cool_down: 'PT1M',
    });
    for (const [name, text] of [
      ['max_failures', '0'],
      ['max_failures', '1.5'],
      ['max_failures', 'many'],
      ['cool_down', 'P1Y'],
      ['within', '-3'],
    ] as const) {
      const { faults, compiled } = parseDraft(definition, { ...draft, [name]: text });
      expect([Object.keys(faults), compiled]).toEqual([[name], undefined]);
      expect(faults[name]).toContain(name);
    }
  });

  test('an ambiguous comma is rejected', () => {
    const { definition } = findTemplate('circuit-breaker');
    const faultsWith = (parameters: Definition['parameters'], draft: Record<string, string>) => {
      const { faults, generalFaults, compiled } = parseDraft(
        { ...definition, parameters: { ...definition.parameters, ...parameters } },
        draft,
      );
      expect([generalFaults, compiled]).toEqual([[], undefined]);
      return faults;
    };
    expect(faultsWith({}, { max_failures: '1,000' })).toEqual({
      max_failures: 'max_failures is "1,000"; a whole number is expected, without commas.',
    });
    expect(faultsWith({ level: { type: 'number', default: 1 } }, { level: '1,000' })).toEqual({
      level: 'level is "1,000", which may be 1 or 1000; write 1.0 or 1000.',
    });
    const escrow = findTemplate('escrow-dispute-window').definition;
    const { faults, generalFaults } = parseDraft(escrow, { ...draftOf(escrow), price: '1,000', dispute_window: 'P1Y' });
    expect([Object.keys(faults).toSorted(), generalFaults]).toEqual([['dispute_window', 'price'], []]);
  });

  test('compiles exactly if there are no faults, for any input', () => {
    const { definition } = findTemplate('regulatory-report-filing');
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(definition.parameters ?? {})),
        fc.string({ maxLength: 20 }),
        (name, text) => {
          const { faults, generalFaults, compiled } = parseDraft(definition, { ...draftOf(definition), [name]: text });
          expect(compiled === undefined).toBe(Object.keys(faults).length + generalFaults.length > 0);
        },
      ),
    );
  });
});

describe('the payload of an event', () => {
  const fields = { code: 'integer', level: 'number', note: 'string', wait: 'ticks', isOpen: 'boolean' } as const;

  test('is parsed by its declared types', () => {
    const texts = { code: ' −7 ', level: '2,5', note: '1,000', wait: '60', isOpen: 'true' };
    const payload = { code: -7, level: 2.5, note: '1,000', wait: 60, isOpen: true };
    expect(parsePayload(fields, texts)).toEqual({ payload, faults: {} });
  });

  test('accepts fields named like properties of Object.prototype', () => {
    const named = { constructor: 'number' } as const;
    expect(parsePayload(named, {})).toEqual({ payload: {}, faults: {} });
    expect(parsePayload(named, { constructor: '2' }).payload).toEqual({ constructor: 2 });
  });

  test('an empty number is neither sent nor a fault', () => {
    expect(parsePayload(fields, {})).toEqual({ payload: { note: '', isOpen: false }, faults: {} });
  });

  test.each([
    ['code', 'abc', 'code is "abc"; a whole number is expected.'],
    ['code', '  ', 'code is "  "; a whole number is expected.'],
    ['code', '1,000', 'code is "1,000"; a whole number is expected, without commas.'],
    ['code', '500.5', 'code is "500.5"; a whole number is expected.'],
    [
      'code',
      '9007199254740993',
      'code is "9007199254740993"; a whole number from -9007199254740991 to 9007199254740991 is expected.',
    ],
    ['wait', '1.5', 'wait is "1.5"; a whole number is expected.'],
    ['level', 'abc', 'level is "abc"; a number is expected.'],
    ['level', '1e999', 'level is "1e999"; a finite number is expected.'],
    ['level', '1,000', 'level is "1,000", which may be 1 or 1000; write 1.0 or 1000.'],
  ])('%s = %s is rejected and not sent', (name, text, message) => {
    const { payload, faults } = parsePayload(fields, { [name]: text });
    expect(faults).toEqual({ [name]: message });
    expect(payload).not.toHaveProperty(name);
  });
});

test.each([
  ['30 s', 'PT30S'],
  ['2 days', 'P2D'],
  ['1 h 30 min', 'PT1H30M'],
  ['1 week, 2 days and 4 hours', 'P9DT4H'],
  ['3 months', 'P3M'],
  ['PT30S', 'PT30S'],
  ['P1Y2M', 'P1Y2M'],
  ['5 m', '5 m'],
  ['1.5 h', '1.5 h'],
  ['2 min 1 h', '2 min 1 h'],
  ['soon', 'soon'],
])('the duration %j is read as %j', (text, iso) => expect(typedDuration(text)).toBe(iso));

test.each([
  ['P3D', '3 days'],
  ['P1DT2H', '1 day 2 hours'],
  ['PT1M', '1 minute'],
  ['P1M', '1 month'],
  ['PT72H', '72 hours'],
  ['P2W', 'P2W'],
  ['PT0.5S', 'PT0.5S'],
  ['an expression', 'an expression'],
])('the duration %j is shown as %j', (iso, words) => {
  expect(durationWords(iso)).toBe(words);
  expect(typedDuration(words)).toBe(iso);
});

test('the form of a template shows its durations in words, and takes them as its defaults', () => {
  const definition = Definition.parse(TEMPLATES.get('escrow-dispute-window')?.definition);
  const draft = draftOf(definition);
  expect(draft.deposit_deadline).toBe('3 days');
  expect(parseDraft(definition, draft)).toMatchObject({ parameters: {}, faults: {} });
});
