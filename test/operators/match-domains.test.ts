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
