import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOMAIN_ALIASES } from '../../src/operators/aliases.ts';
import { DOMAINS, findDomain } from '../../src/operators/find-domain.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { refusal } from './refusal.ts';

test('there are 67 domains, and every operator stands in one', () => {
  expect(DOMAINS.length).toBe(67);
  expect(new Set(DOMAINS.map(({ prefix }) => prefix)).size).toBe(67);
  const placed = DOMAINS.flatMap(({ operators }) => operators.map(({ id }) => id));
  expect(placed.sort()).toEqual([...OPERATORS.keys()].sort());
  expect(placed.length).toBeGreaterThan(20);
});

test.each(DOMAINS.map(({ prefix, name }) => [prefix, name]))(
  '%s is found by its prefix and its name',
  (prefix, name) => {
    for (const text of [prefix, name, name.toUpperCase(), name.toLowerCase(), `  ${name} `]) {
      expect(findDomain(text).prefix).toBe(prefix);
    }
  },
);

test('an alias is found, and belongs to no other domain', () => {
  expect(DOMAIN_ALIASES.size).toBeGreaterThan(10);
  for (const [alias, prefix] of DOMAIN_ALIASES) {
    expect(findDomain(alias.toLowerCase()).prefix).toBe(prefix);
    expect(DOMAINS.find(({ name }) => name === alias)).toBeUndefined();
  }
  expect(findDomain('thermal diffusion').name).toBe('Chemical Engineering');
  expect(findDomain('reaction diffusion').prefix).toBe('ICO');
});

/** Its equations may come from any domain. */
const OF_NO_DOMAIN: ReadonlySet<string> = new Set(['unified']);

test('every solver computes in a domain of the registry, under its own name or an alias', () => {
  const settled = SOLVERS.filter(({ id }) => !OF_NO_DOMAIN.has(id));
  expect(settled.length).toBeGreaterThan(2);
  for (const { id, domain } of settled) expect(() => findDomain(domain), id).not.toThrow();
});

test.each([
  ['Quantum', 'QM'],
  ['quantum mechnics', 'QM'],
  ['heat', 'HT'],
  ['Thermodynamic', 'TD'],
  ['finance', 'FIN'],
  ['heat conduction in a thin rod of copper', 'HT'],
])('%s is unknown, and %s is among the three nearest', (text, prefix) => {
  const { code, facts, message } = refusal(() => findDomain(text));
  expect(code).toBe('DOMAIN_UNKNOWN');
  const nearest = facts.nearest as { prefix: string; name: string }[];
  expect(nearest.length).toBe(3);
  expect(nearest.map((one) => one.prefix)).toContain(prefix);
  for (const { name } of nearest) expect(message).toContain(name);
});

test('domains that share a word come before those that look alike', () => {
  const nearest = (text: string) =>
    (refusal(() => findDomain(text)).facts.nearest as { prefix: string }[]).map(({ prefix }) => prefix);
  expect(nearest('quantum').slice(0, 2)).toEqual(['QM', 'QI']);
  expect(nearest('chemical').sort()).toEqual(['CHE', 'CK', 'CTH']);
});

test.each(['__proto__', 'constructor', '', ' ', '-', 'x'.repeat(80), '☃'])('%j is refused with three names', (text) => {
  const { code, facts } = refusal(() => findDomain(text));
  expect([code, (facts.nearest as unknown[]).length]).toEqual(['DOMAIN_UNKNOWN', 3]);
});

test('the worklist that names them is the one of the specification', () => {
  const text = readFileSync(new URL('../../src/operators/worklist.json', import.meta.url), 'utf8');
  const { domains } = JSON.parse(text) as { domains: { budget: number }[] };
  expect(domains.reduce((sum, { budget }) => sum + budget, 0)).toBe(1634);
});
