import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOMAINS } from '../../src/operators/find-domain.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { descriptionOf, matchDomains } from '../../src/operators/match-domains.ts';
import type { Operator } from '../../src/operators/operator.ts';

const first = (text: string) => matchDomains(text, 1)[0];
const anyDomain = () => fc.constantFrom(...DOMAINS);

test('the name and every other name of a domain give it the score 1', () => {
  for (const domain of DOMAINS) {
    for (const name of [domain.name, ...domain.aliases]) {
      const best = matchDomains(name, DOMAINS.length).filter(({ score }) => score === 1);
      expect(
        best.map((match) => match.domain.name),
        name,
      ).toContain(domain.name);
      expect(first(name)?.score, name).toBe(1);
    }
  }
});

test('what a domain covers is matched with it', () => {
  for (const { name, description } of DOMAINS) expect(first(description)?.domain.name).toBe(name);
});

test.each([
  ['The basic reproduction number of influenza in partially vaccinated households', 'Epidemiology'],
  ['How far does a cantilever beam bend under its own weight? Deflection and stress', 'Structural Engineering'],
  ['Pricing European call options under stochastic volatility', 'Quantitative Finance'],
  ['Electrode overpotential in a lithium battery', 'Electrochemistry'],
  ['Turbulent flow in a rough pipe: the friction factor', 'Fluid Dynamics'],
])('%s: %s', (text, domain) => {
  expect(first(text)?.domain.name).toBe(domain);
});

test('shared terms are named, the rarest first, and function words and unknown ones are none', () => {
  const match = first('the deflection of a cantilever beam by qqqqqq');
  expect(match?.terms).toEqual(['cantilever', 'beam', 'deflection']);
  expect(matchDomains('the of and qqqqqq 💥', 12)).toEqual([]);
  expect(matchDomains('', 12)).toEqual([]);
});

test('units, numbers and what fits nowhere are no evidence', () => {
  for (const text of ['s', 'm', '12 cm', '3 kg in 5 s', 'capital of France', 'best pizza recipe', 'it takes 5 s'])
    expect(matchDomains(text, 12), text).toEqual([]);
  expect(first('a beam of 3 m under 5 kN')?.terms).toEqual(['beam']);
});

const EVERYDAY: readonly (readonly [prefix: string, sentence: string])[] = [
  ['CM', 'how much energy does a bowling ball of 6 kg carry down the lane'],
  ['CM', 'how hard do i have to push my broken car to get it rolling at half a metre per second squared'],
  ['CM', 'how fast is a flower pot when it lands after falling off the fourth floor'],
  ['CM', 'how far does a javelin fly when it leaves the hand at 28 metres a second and 40 degrees'],
  ['CM', 'tick time of a grandfather clock with a rod of one metre'],
  ['CM', 'top speed of a cat that falls from a tall house'],
  ['CM', 'how long does a moon of jupiter need for one lap'],
  ['HT', 'how cold is my pizza after half an hour on the balcony'],
  ['HT', 'heat that escapes through the glass of my patio door each hour'],
  ['HT', 'which colour does a star of 9000 degrees shine in'],
  ['FL', 'how much honey runs through a straw in a second'],
  ['FL', 'will a raft made of ten logs carry my family'],
  ['FL', 'how hard does water press on a submarine window'],
  ['FL', 'how dense is a ring that weighs 12 grams'],
  ['EM', 'which voltage drops over a lamp that takes two amps'],
  ['EM', 'electrical resistance of 50 metres of bell wire'],
  ['EM', 'how much charge per volt can two metal plates close together hold'],
  ['EM', 'how wide does an electron circle between the poles of a magnet'],
  ['EM', 'how strongly do two rubbed balloons push each other away'],
  ['FIN', 'what is the monthly rate for a flat of 200000 over 25 years'],
  ['FIN', 'what will my savings be worth if interest is added all the time'],
  ['FIN', 'how much is a pension of 900 a month over 20 years worth today'],
  ['EPI', 'what part of a school class needs the jab to stop measles'],
  ['EPI', 'how likely is it to catch covid in a badly aired classroom'],
  ['EPI', 'how many people does one sick person infect'],
  ['CEL', 'how often did the yeast in my dough split when it grew from a million to eight million'],
  ['CEL', 'is my jam jar safe after 3 minutes in the pressure cooker'],
  ['CK', 'how much of the painkiller is left in my body after six hours'],
  ['CK', 'how much faster does milk go sour when it is warm'],
  ['CK', 'pressure in a gas bottle left in the sun'],
];

test('everyday sentences lead to the domain whose laws the search finds', () => {
  expect(EVERYDAY).toHaveLength(30);
  const missed = EVERYDAY.filter(([prefix, sentence]) => first(sentence)?.domain.prefix !== prefix);
  expect(missed.length, missed.join(' ')).toBeLessThanOrEqual(3);
  // By the words of the record that they met.
  expect(first('how dense is a ring that weighs 12 grams')?.terms).toContain('weigh');
});

test('the words of an operator lead to where it stands', () => {
  const operators = [...OPERATORS.values()];
  const place = (operator: Operator) =>
    matchDomains(descriptionOf(operator), 3).findIndex(({ domain }) => domain.prefix === operator.prefix);
  const first = operators.filter((operator) => place(operator) === 0);
  const amongThree = operators.filter((operator) => place(operator) >= 0);
  expect(operators.length).toBeGreaterThan(200);
  expect(first.length / operators.length).toBeGreaterThan(0.8);
  expect(amongThree.length / operators.length).toBeGreaterThan(0.95);
});

test('scores lie between 0 and 1, fall, do not change with unknown words, and a limit only cuts', () => {
  const text = fc.array(
    anyDomain().chain(({ laws }) => fc.constantFrom(...laws)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (laws, limit) => {
      const all = matchDomains(laws.join('. '), DOMAINS.length);
      const scores = all.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
      // Enough unknown words make a text that fits nowhere.
      const withUnknown = matchDomains(`qqqqqq ${laws.join(' the ')} zzzzzz`, limit);
      if (withUnknown.length > 0) expect(withUnknown).toEqual(all.slice(0, limit));
      else expect(all[0]?.terms.length).toBeLessThan(3);
    }),
    { numRuns: 50 },
  );
});
