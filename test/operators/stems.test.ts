import { expect, test } from 'vitest';
import { askedQuantity } from '../../src/operators/asked-quantity.ts';
import { inflectionStem } from '../../src/operators/stems.ts';

test('words of one inflection have one stem', () => {
  for (const forms of ['cool cooled cooling cooler coolest', 'hot hotter hottest', 'freeze freezing froze frozen'])
    expect(new Set(forms.split(' ').map(inflectionStem)).size, forms).toBe(1);
  expect(inflectionStem('fell')).toBe(inflectionStem('falling'));
  expect(inflectionStem('heavier')).toBe(inflectionStem('heavy'));
  expect(inflectionStem('ring')).not.toBe(inflectionStem('rig'));
});

test('a question asks for a quantity, with or without certainty', () => {
  expect([...(askedQuantity('How long does it take')?.dimensions ?? [])]).toEqual(['s']);
  expect([...(askedQuantity('how hot is it')?.dimensions ?? [])]).toEqual(['K']);
  expect(askedQuantity('how many calories has an egg')?.isCertain).toBe(true);
  expect(askedQuantity('how many people')?.isCertain).toBe(false);
  expect(askedQuantity('a ball on a string')).toBeUndefined();
});
