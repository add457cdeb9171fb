import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/contracts/definition.ts';
import { drawingOf, pathThrough } from '../../src/portal/contracts/layout.ts';
import { readPayload } from '../../src/portal/contracts/payload.ts';
import {
  actionsOf,
  conditionWords,
  parametersOf,
  scalarWords,
  triggerWords,
} from '../../src/portal/contracts/words.ts';
import { inTime } from '../../src/portal/machines/tick-words.ts';
import { draftOf, readDraft } from '../../src/portal/templates/draft.ts';
import { findTemplate, TEMPLATES } from '../../src/templates/load.ts';

const measure = { state: (text: string) => text.length * 8, label: (text: string) => text.length * 7 };
const MANNERS = ['down', 'narrow', 'right'] as const;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const isApart = (a: Area, b: Area) =>
  Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;

describe('the drawing of a definition', () => {
  test('of every template shows each state once, apart from the others, and every transition between its states', () => {
    for (const { definition } of TEMPLATES.values()) {
      for (const manner of MANNERS) {
        const { width, height, boxes, arrows, start } = drawingOf(definition, manner, measure);
        expect(boxes.map(({ name }) => name)).toEqual(Object.keys(definition.states));
        const drawn = arrows.flatMap(({ from, to, transitions }) => transitions.map((id) => `${id} ${from} ${to}`));
        const meant = definition.transitions.flatMap(({ id, from, to }) =>
          [from].flat().map((one) => `${id} ${one} ${to}`),
        );
        expect(drawn.toSorted()).toEqual(meant.toSorted());
        for (const [at, a] of boxes.entries()) {
          expect(a.x - a.width / 2).toBeGreaterThanOrEqual(0);
          expect(a.x + a.width / 2).toBeLessThanOrEqual(width);
          expect(a.y + a.height / 2).toBeLessThanOrEqual(height);
          for (const b of boxes.slice(at + 1))
            expect([definition.name, manner, a.name, b.name, isApart(a, b)]).toEqual([
              definition.name,
              manner,
              a.name,
              b.name,
              true,
            ]);
        }
        for (const { points, label } of arrows) {
          expect(pathThrough(points)).toMatch(/^M[-\d.]+ [-\d.]+(Q[-\d. ]+|L[-\d. ]+)+$/);
          expect(Number.isFinite(label.x + label.y)).toBe(true);
        }
        expect(start.points.length).toBeGreaterThan(1);
      }
    }
  });

  test.each([8, 7.5, 9])(
    'of every template lays no label on another, on a state, on a line of its own or past the edge (%d px a letter)',
    (letter) => {
      const texts = {
        state: (text: string) => text.length * letter,
        label: (text: string) => text.length * letter * 0.85,
      };
      const faults: string[] = [];
      let loops = 0;
      for (const { definition } of TEMPLATES.values()) {
        for (const manner of MANNERS) {
          const { width, height, boxes, arrows } = drawingOf(definition, manner, texts);
          for (const [at, { transitions, label, points, from, to }] of arrows.entries()) {
            const fault = (what: string) => faults.push(`${definition.name} ${manner} ${transitions}: ${what}`);
            for (const later of arrows.slice(at + 1))
              if (!isApart(label, later.label)) fault(`on ${later.transitions}`);
            for (const box of boxes) if (!isApart(label, box)) fault(`on ${box.name}`);
            const right = label.x + label.width / 2;
            const bottom = label.y + label.height / 2;
            if (label.x < label.width / 2 || label.y < label.height / 2 || right > width || bottom > height)
              fault('past the edge');
            if (from !== to) continue;
            loops++;
            // The line stays within the points that bend it.
            const reach = { x: Math.max(...points.map(({ x }) => x)), y: Math.max(...points.map(({ y }) => y)) };
            if (right - label.width <= reach.x && bottom - label.height <= reach.y) fault('on its own line');
          }
        }
      }
      expect(faults).toEqual([]);
      expect(loops).toBeGreaterThan(3);
    },
  );

  test('takes states that are called as what every object has', () => {
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
    expect(drawingOf(definition, 'down', measure).arrows).toHaveLength(3);
  });
});

describe('a definition in words', () => {
  test('every transition of every template says what moves it, with parameters as times', () => {
    for (const { definition } of TEMPLATES.values()) {
      const parameters = parametersOf(definition, {});
      for (const transition of definition.transitions) {
        const words = triggerWords(transition, parameters);
        expect(words.length).toBeGreaterThan(5);
        expect(words).not.toContain('undefined');
        expect(words).not.toContain('NaN');
        for (const action of actionsOf(transition)) expect(action).not.toContain('undefined');
        expect(conditionWords(transition).startsWith('if ')).toBe(transition.fires_when !== undefined);
      }
    }
  });

  test('ticks are told as times', () => {
    expect([1, 13, 39, 78, 79, 773, 4_634, 333_591].map(inTime)).toEqual([
      '0.8 s',
      '10 s',
      '30 s',
      '1 min',
      '1 min 1 s',
      '10 min',
      '1 h',
      '3 d',
    ]);
    expect(scalarWords('PT30S')).toBe('PT30S (30 s)');
    expect(scalarWords('')).toBe('“”');
    expect(scalarWords(true)).toBe('yes');
    expect(scalarWords(-2.5, 'K')).toBe('−2.5 K');
    fc.assert(fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (ticks) => /^\d/.test(inTime(ticks))));
  });
});

describe('the form of a template', () => {
  test('as it is opened gives every template with its defaults', () => {
    for (const { definition } of TEMPLATES.values()) {
      const reading = readDraft(definition, draftOf(definition));
      expect(reading).toMatchObject({ parameters: {}, faults: {}, others: [] });
      expect(reading.compiled).toBeDefined();
    }
  });

  test('says what differs, and names what cannot be used', () => {
    const { definition } = findTemplate('circuit-breaker');
    const draft = draftOf(definition);
    expect(readDraft(definition, { ...draft, max_failures: '7', cool_down: 'PT1M', within: '' }).parameters).toEqual({
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
      const { faults, compiled } = readDraft(definition, { ...draft, [name]: text });
      expect([Object.keys(faults), compiled]).toEqual([[name], undefined]);
      expect(faults[name]).toContain(name);
    }
  });

  test('a comma that may stand between thousands is refused', () => {
    const { definition } = findTemplate('circuit-breaker');
    const refused = (parameters: Definition['parameters'], draft: Record<string, string>) => {
      const { faults, others, compiled } = readDraft(
        { ...definition, parameters: { ...definition.parameters, ...parameters } },
        draft,
      );
      expect([others, compiled]).toEqual([[], undefined]);
      return faults;
    };
    expect(refused({}, { max_failures: '1,000' })).toEqual({
      max_failures: 'max_failures is "1,000"; a whole number is expected, without commas.',
    });
    expect(refused({ level: { type: 'number', default: 1 } }, { level: '1,000' })).toEqual({
      level: 'level is "1,000", which may be 1 or 1000; write 1.0 or 1000.',
    });
    const escrow = findTemplate('escrow-dispute-window').definition;
    const { faults, others } = readDraft(escrow, { ...draftOf(escrow), price: '1,000', dispute_window: 'P1Y' });
    expect([Object.keys(faults).toSorted(), others]).toEqual([['dispute_window', 'price'], []]);
  });

  test('stands whatever is typed', () => {
    const { definition } = findTemplate('regulatory-report-filing');
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(definition.parameters ?? {})),
        fc.string({ maxLength: 20 }),
        (name, text) => {
          const { faults, others, compiled } = readDraft(definition, { ...draftOf(definition), [name]: text });
          expect(compiled === undefined).toBe(Object.keys(faults).length + others.length > 0);
        },
      ),
    );
  });
});

describe('what an event carries', () => {
  const fields = { code: 'integer', level: 'number', note: 'string', wait: 'ticks', isOpen: 'boolean' } as const;

  test('is read by its declared types', () => {
    const texts = { code: ' −7 ', level: '2,5', note: '1,000', wait: '60', isOpen: 'true' };
    const payload = { code: -7, level: 2.5, note: '1,000', wait: 60, isOpen: true };
    expect(readPayload(fields, texts)).toEqual({ payload, faults: {} });
  });

  test('of a field that is called as what every object has is what was typed', () => {
    const named = { constructor: 'number' } as const;
    expect(readPayload(named, {})).toEqual({ payload: {}, faults: {} });
    expect(readPayload(named, { constructor: '2' }).payload).toEqual({ constructor: 2 });
  });

  test('an empty number is not begun: it is neither sent nor a fault', () => {
    expect(readPayload(fields, {})).toEqual({ payload: { note: '', isOpen: false }, faults: {} });
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
  ])('%s = %s is refused and not sent', (name, text, words) => {
    const { payload, faults } = readPayload(fields, { [name]: text });
    expect(faults).toEqual({ [name]: words });
    expect(payload).not.toHaveProperty(name);
  });
});
